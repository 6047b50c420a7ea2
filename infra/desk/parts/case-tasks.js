/** Work on a case other than decisions: assignment, notes and escalation. */

import { answer, api } from "../shared/network.js";
import { authorOf } from "../src/actions.js";
import { renew } from "../src/entries.js";
import { t } from "../src/language.js";
import { ask } from "./ask.js";
import { notify, report } from "./notice.js";

/** @typedef {import("../src/entries.js").Entry} Entry */

/**
 * @param {import("../src/bench.js").Bench} bench
 * @param {object} options
 * @param {string} options.me the moderator's public ID
 * @param {(entry: Entry) => void} options.changed
 */
export function tasksOf(bench, { me, changed }) {
  /**
   * @param {Entry} entry
   * @param {Promise<{ data: Schemas["ModerationCase"] }>} sent
   * @param {string} result
   */
  async function show(entry, sent, result) {
    const { data } = await sent;
    entry.detail = null;
    renew(entry, data);
    report(result);
    changed(entry);
  }

  /**
   * Returns a task for the selected case.
   * @param {(entry: Entry, params: { path: { caseId: string } }) => void} work
   */
  const task = (work) => () => {
    const { selected } = bench;
    selected && work(selected, { path: { caseId: selected.found.id } });
  };

  return {
    /** Assigns the case to the moderator. If the case is already assigned, removes the assignment. */
    assign: task((entry, params) => {
      const body = { assignee: entry.found.assignee ? null : me };
      const sent = answer(api.POST("/admin/cases/{caseId}/assign", { params, body }));
      const name = authorOf(entry.found);
      void show(entry, sent, t(body.assignee ? "done.assigned" : "done.unassigned", { name })).catch(notify);
    }),
    /** Opens a dialog for a note, and saves the note. */
    note: task((entry, params) => {
      ask(t("note"), {
        name: "text",
        label: t("note"),
        hint: t("noteHint"),
        action: t("save"),
        send: ({ text = "" }) => {
          const sent = answer(api.POST("/admin/cases/{caseId}/notes", { params, body: { text } }));
          return show(entry, sent, t("done.noted"));
        },
      });
    }),
    /** Escalates the case, so that only administrators can decide it. */
    escalate: task((entry, params) => {
      if (!entry.found.isEscalated && entry.found.status === "PENDING") {
        const sent = answer(api.POST("/admin/cases/{caseId}/escalate", { params }));
        void show(entry, sent, t("done.escalated", { name: authorOf(entry.found) })).catch(notify);
      }
    }),
  };
}
