/** A choice of one value. */

import { el } from "../shared/dom.js";

/**
 * @param {string} label
 * @param {[value: string, label: string][]} options
 * @param {string} chosen
 * @param {(value: string) => void} change
 */
export function select(label, options, chosen, change) {
  const made = el(
    "select",
    { onchange: () => change(made.value) },
    ...options.map(([value, text]) => el("option", { value, selected: value === chosen }, text)),
  );
  return el("label", { class: "pick" }, el("span", {}, label), made);
}
