/** The buttons that decide a case, and the field for the reason. */

import { el } from "../shared/dom.js";
import { field } from "../shared/form.js";
import { standardReason } from "../src/actions.js";
import { named, t } from "../src/language.js";

/**
 * @param {import("../src/entries.js").Entry} entry
 * @param {object} options
 * @param {typeof import("../src/actions.js").ACTIONS} options.actions
 * @param {Schemas["ModerationCase"][]} options.chosen the checked cases, or none if the decision is about `entry`
 * @param {import("./case-pane.js").Tasks} options.tasks
 */
export function decisionBar({ found }, { actions, chosen, tasks }) {
  const cases = chosen.length > 0 ? chosen : [found];
  const hint = t("reasonHint", { text: standardReason(cases, ["hide"]) });
  const reason = field("reason", t("reason"), { tag: "textarea", rows: 1, maxlength: 1000, hint });
  const area = /** @type {HTMLTextAreaElement} */ (reason.querySelector("textarea"));
  const press = (/** @type {typeof actions[number]} */ { action, isBan }) =>
    isBan ? tasks.openDialog(action) : tasks.decide({ actions: [action], reason: area.value.trim() });
  return el(
    "section",
    { class: "decision", "aria-label": t("decide") },
    chosen.length > 0 && el("p", { class: "note" }, t("chosen", { count: chosen.length })),
    el(
      "div",
      { class: "line" },
      ...actions.map((choice) =>
        el(
          "button",
          { class: `act act-${choice.action}`, "aria-keyshortcuts": choice.key, onclick: () => press(choice) },
          el("kbd", {}, choice.key),
          " ",
          named("action", choice.action),
        ),
      ),
      el(
        "button",
        { class: "act", "aria-keyshortcuts": "d", onclick: () => tasks.openDialog() },
        el("kbd", {}, "d"),
        " ",
        t("decideMore"),
      ),
    ),
    reason,
  );
}
