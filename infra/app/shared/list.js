/** A list that reads more rows on request. */

import { el } from "./dom.js";

const TAKE = 20;

/**
 * Shows the first rows of a list, and a button for more.
 * @template Row
 * @param {AsyncGenerator<Row, void, undefined>} rows of `network.rows`
 * @param {(row: Row) => Node} draw
 * @param {Node | string} empty shown if there are no rows
 * @param {{ take?: number, name?: string, more?: string }} [options] `more` is the label of the button
 */
export async function list(rows, draw, empty, { take = TAKE, name, more: label = "Show more" } = {}) {
  const items = el("ul", { class: "list", "aria-label": name });
  const more = el("button", { class: "more", onclick: () => void read() }, label);
  async function read() {
    more.disabled = true;
    const before = items.childElementCount;
    for (let count = 0; count < take; count++) {
      const { value, done } = await rows.next();
      if (done) {
        more.remove();
        break;
      }
      items.append(el("li", {}, draw(value)));
    }
    more.disabled = false;
    const first = items.children[before]?.querySelector("a");
    if (before > 0) {
      first?.focus();
    }
  }
  const view = el("div", { class: "listing" }, items, el("div", { class: "empty" }, empty), more);
  await read();
  return Object.assign(view, {
    /** @param {Row} row */
    prepend: (row) => items.prepend(el("li", { class: "new" }, draw(row))),
  });
}
