/** The list of keyboard shortcuts. */

import { openDialog } from "../shared/dialog.js";
import { el } from "../shared/dom.js";
import { areOn, toggle } from "../src/keys.js";
import { named, t } from "../src/language.js";
import { ACTIONS } from "../src/actions.js";

/** @type {[key: string, label: import("../src/language.js").Text][]} */
const KEYS = [
  ["j", "keys.next"],
  ["k", "keys.previous"],
  ["u", "keys.undo"],
  ["x", "keys.select"],
  ["*", "keys.all"],
  ["d", "keys.more"],
  ["r", "keys.reason"],
  ["a", "keys.assign"],
  ["n", "keys.note"],
  ["e", "keys.escalate"],
  ["o", "keys.others"],
  ["R", "keys.reload"],
  ["Esc", "keys.clear"],
  ["?", "keys.help"],
];

/** Shows the shortcuts, and a box that switches shortcuts on or off. */
export function helpDialog() {
  const on = el("input", { type: "checkbox", checked: areOn(), onchange: toggle });
  openDialog(
    t("keys.title"),
    el("span", {}, t("close")),
    el("label", { class: "check" }, on, t("keys.on")),
    el(
      "dl",
      { class: "keys" },
      ...ACTIONS.map(({ key, action }) => row(key, named("action", action))),
      ...KEYS.map(([key, label]) => row(key, t(label))),
    ),
  );
}

/**
 * @param {string} key
 * @param {string} label
 */
function row(key, label) {
  return el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, label));
}
