/** The dialog for a decision that has several actions, a ban, a warning text or a note. */

import { openDialog } from "../shared/dialog.js";
import { el } from "../shared/dom.js";
import { field, form } from "../shared/form.js";
import { standardReason } from "../src/actions.js";
import { named, t } from "../src/language.js";

/** @typedef {import("../src/actions.js").Action} Action */

/**
 * @param {Schemas["ModerationCase"][]} cases
 * @param {object} options
 * @param {typeof import("../src/actions.js").ACTIONS} options.actions
 * @param {Action | undefined} options.preset the action that is selected when the dialog opens
 * @param {string} options.reason
 * @param {(choice: import("../src/actions.js").Choice) => void} options.decide
 */
export function decisionDialog(cases, { actions, preset, reason, decide }) {
  const offered = actions.map(({ action }) => action);
  const one = (/** @type {string} */ name, /** @type {string} */ label, /** @type {Action[]} */ choices) =>
    group(label, [
      choice("radio", name, "", name === "ban" ? t("noBan") : t("keep"), !preset || !choices.includes(preset)),
      ...choices
        .filter((action) => offered.includes(action))
        .map((action) => choice("radio", name, action, named("action", action), action === preset)),
    ]);
  const warning = field("warning", t("warning"), { tag: "textarea", rows: 2, maxlength: 1000 });
  const until = field("bannedUntil", t("bannedUntil"), { type: "datetime-local", hint: t("bannedUntilHint") });
  const writing = form(
    { class: "stack" },
    async (values) => {
      const data = new FormData(writing);
      const chosen = /** @type {Action[]} */ (
        ["content", "label", "ban"].flatMap((name) => data.getAll(name)).filter((value) => value !== "")
      );
      if (chosen.length === 0) {
        throw new Error(t("chooseAction"));
      }
      const { warning = "", note = "", bannedUntil = "", reason = "" } = values;
      const end = bannedUntil && { bannedUntil: new Date(bannedUntil).toISOString() };
      dialog.close();
      decide({ actions: chosen, reason: reason.trim(), warning: warning.trim(), note: note.trim(), ...end });
    },
    one("content", t("content"), ["dismiss", "hide", "delete"]),
    group(
      t("decideMore"),
      /** @type {Action[]} */ (["warn", "sensitive", "lock-replies"])
        .filter((action) => offered.includes(action))
        .map((action) => choice("checkbox", "label", action, named("action", action), action === preset)),
    ),
    offered.includes("ban") && one("ban", t("author"), ["temp-ban", "ban"]),
    offered.includes("ban") && until,
    field("reason", t("reason"), {
      tag: "textarea",
      rows: 2,
      maxlength: 1000,
      hint: t("reasonHint", { text: standardReason(cases, preset ? [preset] : ["hide"]) }),
    }),
    warning,
    field("note", t("note"), { tag: "textarea", rows: 1, maxlength: 1000, hint: t("noteHint") }),
    el("button", { class: "primary" }, t("decide")),
  );
  const area = /** @type {HTMLTextAreaElement} */ (writing.querySelector("[name=reason]"));
  area.value = reason;
  const title = cases.length > 1 ? t("chosen", { count: cases.length }) : t("decide");
  const dialog = openDialog(title, el("span", {}, t("cancel")), writing);
  /** @type {HTMLElement | null} */ (writing.querySelector(":checked"))?.focus();
}

/**
 * @param {string} label
 * @param {Node[]} choices
 */
export function group(label, choices) {
  return el("fieldset", {}, el("legend", {}, label), ...choices);
}

/**
 * @param {"radio" | "checkbox"} type
 * @param {string} name
 * @param {string} value
 * @param {string} label
 * @param {boolean} checked
 */
export function choice(type, name, value, label, checked) {
  return el("label", { class: "check" }, el("input", { type, name, value, checked }), label);
}
