/** Work on a case beside decisions: assignment, notes, escalation. */

import { toast } from "../shared/dom.js";
import { answer, api } from "../shared/network.js";
import { authorOf } from "../src/actions.js";
import { t } from "../src/language.js";
import { ask } from "./ask.js";
import { notify } from "./notice.js";

/** @typedef {import("../src/entries.js").Entry} Entry */

/**
 * @param {object} options
 * @param {string} options.me the moderator's public ID
 * @param {(entry: Entry) => void} options.changed
 */
export function tasksOf({ me, changed }) {
  /**
   * @param {Entry} entry
   * @param {Promise<{ data: Schemas["Case"] }>} sent
   * @param {string} result
   */
  async function show(entry, sent, result) {
    const { data } = await sent;
    Object.assign(entry, { found: data, detail: null });
    toast(result);
    changed(entry);
  }

  /** @param {Entry} entry */
  const paramsOf = ({ found }) => ({ path: { caseId: found.id } });

  return {
    /** Assigns a case to the moderator, or ends its assignment. */
    assign(/** @type {Entry} */ entry) {
      const body = { assignee: entry.found.assignee ? null : me };
      const sent = answer(api.POST("/admin/cases/{caseId}/assign", { params: paramsOf(entry), body }));
      const name = authorOf(entry.found);
      void show(entry, sent, t(body.assignee ? "done.assigned" : "done.unassigned", { name })).catch(notify);
    },
    /** Asks for a note and saves it. */
    note(/** @type {Entry} */ entry) {
      ask(t("note"), {
        name: "text",
        label: t("note"),
        hint: t("noteHint"),
        action: t("save"),
        send: ({ text = "" }) => {
          const sent = answer(api.POST("/admin/cases/{caseId}/notes", { params: paramsOf(entry), body: { text } }));
          return show(entry, sent, t("done.noted"));
        },
      });
    },
    /** Leaves a case to the administrators. */
    escalate(/** @type {Entry} */ entry) {
      if (entry.found.isEscalated || entry.found.status !== "PENDING") {
        return;
      }
      const sent = answer(api.POST("/admin/cases/{caseId}/escalate", { params: paramsOf(entry) }));
      void show(entry, sent, t("done.escalated", { name: authorOf(entry.found) })).catch(notify);
    },
  };
}
