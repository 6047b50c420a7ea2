/** Undoes decisions about cases. */

import { inWords as problemOf } from "../parts/problem.js";
import { answer, api } from "../shared/network.js";
import { authorOf } from "./actions.js";
import { take } from "./entries.js";
import { t } from "./language.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./decide.js").Shown} Shown */

/**
 * Undoes the decisions about cases, one after the other. If an undo fails, the case keeps its decision.
 * @param {Entry[]} entries
 * @param {string} action the decision in words
 * @param {Shown} shown
 * @param {string} [by] undoes only decisions by this moderator
 */
export async function undo(entries, action, shown, by) {
  let count = 0;
  for (const entry of entries) {
    count += Number(await undoOne(entry, shown, by));
  }
  if (count > 0 && entries[0]) {
    const name = authorOf(entries[0].found);
    shown.report(entries.length === 1 ? t("done.undone", { action, name }) : t("done.undoneMany", { action, count }));
  }
}

/**
 * Undoes the decision about a case. Returns whether that succeeded.
 * @param {Entry} entry
 * @param {Shown} shown
 * @param {string} [by]
 */
async function undoOne(entry, shown, by) {
  const params = { path: { caseId: entry.found.id } };
  entry.state = "sending";
  shown.changed(entry);
  try {
    const { data } = by ? await answer(api.GET("/admin/cases/{caseId}", { params })) : { data: null };
    if (data && data.outcome?.decidedBy !== by) {
      take(entry, data);
      shown.fail(t("failed.undo", { name: authorOf(entry.found), problem: t("conflictOther") }));
      return false;
    }
    take(entry, (await answer(api.POST("/admin/cases/{caseId}/undo", { params }))).data);
    return true;
  } catch (error) {
    Object.assign(entry, { state: "done", message: problemOf(error) });
    shown.fail(t("failed.undo", { name: authorOf(entry.found), problem: entry.message }));
    return false;
  } finally {
    shown.changed(entry);
  }
}
