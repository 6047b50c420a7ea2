/** A choice of one value. */

import { el } from "../shared/dom.js";
import { named, t } from "../src/language.js";

/** @typedef {[value: string, label: string]} Option */

/**
 * Returns the options for values of the API.
 * @param {Parameters<typeof named>[0]} kind
 * @param {readonly string[]} values
 * @returns {Option[]}
 */
export const options = (kind, values) => values.map((value) => [value, named(kind, value)]);

/**
 * Returns the options of a filter: any value, and the values of the API.
 * @param {Parameters<typeof named>[0]} kind
 * @param {readonly string[]} values
 * @returns {Option[]}
 */
export const filterOptions = (kind, values) => [["", t("any")], ...options(kind, values)];

/**
 * Returns the path of a view with a filter, without its empty values.
 * @param {string} path
 * @param {Record<string, string>} filter
 */
export function filtered(path, filter) {
  const kept = Object.entries(filter).filter(([, value]) => value.trim() !== "");
  return kept.length > 0 ? `${path}?${new URLSearchParams(kept)}` : path;
}

/**
 * @param {string} label
 * @param {Option[]} options
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
