/** Decisions about cases. They are shown at once, and each failure puts its case back. */

import { inWords as problemOf } from "../parts/problem.js";
import { answer, api } from "../shared/network.js";
import { authorOf, decisionOf, inWords } from "./actions.js";
import { take } from "./entries.js";
import { t } from "./language.js";

/** @typedef {import("./entries.js").Entry} Entry */

/** Age of a context from which it is read again before a decision, in milliseconds. */
const FRESH_MS = 20_000;

/**
 * Returns functions that decide and undo.
 * @param {{ changed: (entry: Entry) => void, report: (text: string) => void, fail: (text: string) => void }} shown
 */
export function work({ changed, report, fail }) {
  /** @type {{ entries: Entry[], actions: import("./actions.js").Action[], sent: Promise<unknown> }[]} */
  const decided = [];

  /**
   * Decides cases. Undo applies to all of them.
   * @param {Entry[]} entries
   * @param {import("./actions.js").Choice} choice
   */
  function decide(entries, choice) {
    const { actions } = choice;
    for (const entry of entries) {
      Object.assign(entry, { tried: actions, state: "sending", isChosen: false, message: "" });
      changed(entry);
    }
    const [first, ...others] = entries;
    if (first) {
      const sent = others.length === 0 ? one(first, choice) : many(entries, choice);
      decided.push({ entries, actions, sent });
    }
  }

  /**
   * @param {Entry} entry
   * @param {import("./actions.js").Choice} choice
   */
  async function one(entry, choice) {
    const params = { path: { caseId: entry.found.id } };
    const name = authorOf(entry.found);
    try {
      if (await isStale(entry)) {
        return;
      }
      const body = decisionOf([entry.found], choice);
      const { data } = await answer(api.POST("/admin/cases/{caseId}/decisions", { params, body }));
      take(entry, data);
      report(t("done.decided", { action: inWords(choice.actions), name }));
    } catch (error) {
      failed(entry, problemOf(error));
    }
    changed(entry);
  }

  /**
   * Returns whether the case changed since it was shown. Then the decision is not sent.
   * @param {Entry} entry
   */
  async function isStale(entry) {
    const { detail, found, tried } = entry;
    if (detail && Date.now() - detail.at < FRESH_MS) {
      return false;
    }
    const { data } = await answer(api.GET("/admin/cases/{caseId}", { params: { path: { caseId: found.id } } }));
    const isSame = data.status === found.status && data.outcome?.decidedAt === found.outcome?.decidedAt;
    if (!isSame) {
      const action = inWords(data.outcome?.actions ?? []);
      const message = data.outcome ? t("conflict", { action }) : t("conflictOpen");
      Object.assign(entry, { found: data, detail: { data, at: Date.now() }, state: "conflict", tried, message });
      fail(`${authorOf(found)}: ${message}`);
      changed(entry);
    }
    return !isSame;
  }

  /**
   * @param {Entry[]} entries
   * @param {import("./actions.js").Choice} choice
   */
  async function many(entries, choice) {
    try {
      const found = entries.map((entry) => entry.found);
      const body = { ...decisionOf(found, choice), cases: found.map(({ id }) => id) };
      const { data } = await answer(api.POST("/admin/cases/decisions", { body }));
      data.forEach(({ status, error }, place) => {
        const entry = entries[place];
        if (entry && status) {
          Object.assign(entry, { found: { ...entry.found, status }, state: "done", detail: null });
        } else if (entry) {
          failed(entry, error ?? "");
        }
      });
      const count = data.filter(({ status }) => status).length;
      report(t("done.decidedMany", { action: inWords(choice.actions), count }));
    } catch (error) {
      entries.forEach((entry) => failed(entry, problemOf(error)));
    }
    entries.forEach(changed);
  }

  /**
   * @param {Entry} entry
   * @param {string} problem
   */
  function failed(entry, problem) {
    Object.assign(entry, { state: "failed", message: problem });
    fail(t("failed.decision", { action: inWords(entry.tried), name: authorOf(entry.found), problem }));
  }

  /** Undoes the latest decision of this visit. Returns its first case. */
  async function undo() {
    for (let last = decided.pop(); last; last = decided.pop()) {
      await last.sent;
      const entries = last.entries.filter(({ state }) => state === "done");
      if (entries.length > 0) {
        await undoAll(entries, inWords(last.actions));
        return entries[0];
      }
    }
    report(t("done.nothing"));
    return undefined;
  }

  /**
   * Undoes the decisions about cases.
   * @param {Entry[]} entries
   * @param {string} action
   */
  async function undoAll(entries, action) {
    let count = 0;
    for (const entry of entries) {
      const { found } = entry;
      const name = authorOf(found);
      Object.assign(entry, { state: "sending" });
      changed(entry);
      try {
        const params = { path: { caseId: found.id } };
        take(entry, (await answer(api.POST("/admin/cases/{caseId}/undo", { params }))).data);
        count += 1;
      } catch (error) {
        Object.assign(entry, { state: "done", message: problemOf(error) });
        fail(t("failed.undo", { name, problem: entry.message }));
      }
      changed(entry);
    }
    const name = entries[0] ? authorOf(entries[0].found) : "";
    if (count > 0) {
      report(entries.length === 1 ? t("done.undone", { action, name }) : t("done.undoneMany", { action, count }));
    }
  }

  return { decide, undo, undoAll };
}
