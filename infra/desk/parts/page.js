/** The frame of a view: a heading, and a list of rows. */

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
 * Returns a row: a first line with buttons at its end, and quiet lines below.
 * @param {Node[]} first
 * @param {Node[]} buttons
 * @param {...(import("../shared/dom.js").Child)} more
 */
export function entry(first, buttons, ...more) {
  const end = buttons.length > 0 && el("span", { class: "push" }, ...buttons);
  return el("article", { class: "entry" }, el("div", { class: "line" }, ...first, end), ...more);
}

/**
 * Returns a button that does one thing at a time.
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
