/**
 * Sends decisions about cases. The page shows a decision before the API responds. If the request fails, the case is open again.
 */

import { inWords as problemOf } from "../parts/problem.js";
import { answer, api } from "../shared/network.js";
import { authorOf, decisionOf, inWords } from "./actions.js";
import { take } from "./entries.js";
import { t } from "./language.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./actions.js").Choice} Choice */
/** @typedef {{ changed: (entry: Entry) => void, report: (text: string) => void, fail: (text: string) => void }} Shown */

/**
 * Age in milliseconds from which the page's copy of a case is outdated. Before a decision, such a case is read again.
 */
const FRESH_MS = 20_000;

/**
 * Decides cases, and stores the result in the state of each entry.
 * @param {Entry[]} entries
 * @param {Choice} choice
 * @param {Shown} shown
 */
export async function decide(entries, choice, shown) {
  for (const entry of entries) {
    Object.assign(entry, { tried: choice.actions, state: "sending", isChosen: false, message: "" });
    shown.changed(entry);
  }
  const [first] = entries;
  await (first && entries.length === 1 ? decideOne(first, choice, shown) : decideMany(entries, choice, shown));
  entries.forEach(shown.changed);
}

/**
 * @param {Entry} entry
 * @param {Choice} choice
 * @param {Shown} shown
 */
async function decideOne(entry, choice, shown) {
  const params = { path: { caseId: entry.found.id } };
  const name = authorOf(entry.found);
  try {
    if (await isStale(entry, shown)) {
      return;
    }
    const body = decisionOf([entry.found], choice);
    const { data } = await answer(api.POST("/admin/cases/{caseId}/decisions", { params, body }));
    take(entry, data);
    shown.report(t("done.decided", { action: inWords(choice.actions), name }));
  } catch (error) {
    fail(entry, problemOf(error), shown);
  }
}

/**
 * Returns whether another moderator decided the case, or the case was opened again, since the page read the case. If
 * the page shows a decided case, the API would replace a newer decision without a warning.
 * @param {Entry} entry
 * @param {Shown} shown
 */
async function isStale(entry, shown) {
  const { detail, found } = entry;
  if (detail && Date.now() - detail.at < FRESH_MS) {
    return false;
  }
  const { data } = await answer(api.GET("/admin/cases/{caseId}", { params: { path: { caseId: found.id } } }));
  if (data.status === found.status && data.outcome?.decidedAt === found.outcome?.decidedAt) {
    return false;
  }
  const message = data.outcome ? t("conflict", { action: inWords(data.outcome.actions) }) : t("conflictOpen");
  Object.assign(entry, { found: data, detail: { data, at: Date.now() }, state: "conflict", message });
  shown.fail(`${authorOf(found)}: ${message}`);
  return true;
}

/**
 * @param {Entry[]} entries
 * @param {Choice} choice
 * @param {Shown} shown
 */
async function decideMany(entries, choice, shown) {
  try {
    const found = entries.map((entry) => entry.found);
    const body = { ...decisionOf(found, choice), cases: found.map(({ id }) => id) };
    const { data } = await answer(api.POST("/admin/cases/decisions", { body }));
    for (const [place, { status, error }] of data.entries()) {
      const entry = entries[place];
      if (entry && status) {
        Object.assign(entry, { found: { ...entry.found, status }, state: "done", detail: null });
      } else if (entry) {
        fail(entry, error ?? "", shown);
      }
    }
    const count = data.filter(({ status }) => status).length;
    shown.report(t("done.decidedMany", { action: inWords(choice.actions), count }));
  } catch (error) {
    entries.forEach((entry) => fail(entry, problemOf(error), shown));
  }
}

/**
 * @param {Entry} entry
 * @param {string} problem
 * @param {Shown} shown
 */
function fail(entry, problem, shown) {
  Object.assign(entry, { state: "failed", message: problem });
  shown.fail(t("failed.decision", { action: inWords(entry.tried), name: authorOf(entry.found), problem }));
}
