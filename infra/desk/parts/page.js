/** Parts of most views: the heading, lists, rows and buttons. */

import { el } from "../shared/dom.js";
import { list } from "../shared/list.js";
import { t } from "../src/language.js";

/**
 * @param {import("../src/language.js").Text} title
 * @param {...import("../shared/dom.js").Child} children
 */
export function page(title, ...children) {
  return el("div", { class: "narrow" }, el("header", { class: "head line" }, el("h1", {}, t(title))), ...children);
}

/**
 * @template Row
 * @param {AsyncGenerator<Row, void, undefined>} rows
 * @param {(row: Row) => Node} draw
 * @param {{ empty: string, name: string, take?: number }} options
 */
export function listing(rows, draw, { empty, name, take = 20 }) {
  return list(rows, draw, empty, { name, take, more: t("more") });
}

/**
 * Returns a row of a list. Its first line has `first` on the left and `buttons` on the right. `more` follows below.
 * @param {Node[]} first
 * @param {Node[]} buttons
 * @param {...(import("../shared/dom.js").Child)} more
 */
export function entry(first, buttons, ...more) {
  const end = buttons.length > 0 && el("span", { class: "push" }, ...buttons);
  return el("article", { class: "entry" }, el("div", { class: "line" }, ...first, end), ...more);
}

/**
 * Returns a button that is disabled until the promise of `press` is settled, so that a second click has no effect.
 * @param {string} label
 * @param {() => Promise<unknown>} press
 * @param {Record<string, unknown>} [attributes]
 */
export function button(label, press, attributes = {}) {
  const made = el("button", { ...attributes, onclick: () => void work() }, label);
  async function work() {
    made.disabled = true;
    try {
      await press();
    } finally {
      made.disabled = false;
    }
  }
  return made;
}
