/**
 * The state of the queue on the page: its cases, the selected case, and the decisions made since the view was opened.
 */

import { ACTIONS, actionsFor } from "./actions.js";
import { isOpen } from "./entries.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {{ entries: Entry[], action: string, sent: Promise<void> }} Made a decision since the view was opened */

/**
 * @typedef {object} Bench
 * @property {Entry[]} entries grows when more cases are read
 * @property {Entry | undefined} selected
 * @property {Made[]} made the decisions that can be undone, oldest first
 * @property {boolean} mayBan
 */

/** @param {Bench} bench */
export const chosenOf = ({ entries }) => entries.filter((entry) => entry.isChosen && isOpen(entry));

/**
 * Returns the open cases that the next decision is about: the cases whose boxes are checked, or else the selected case.
 * @param {Bench} bench
 */
export function targetsOf(bench) {
  const chosen = chosenOf(bench);
  return chosen.length > 0 ? chosen : bench.entries.filter((entry) => entry === bench.selected && isOpen(entry));
}

/**
 * Returns the actions that are possible for every target.
 * @param {Bench} bench
 */
export function offeredBy(bench) {
  const all = targetsOf(bench).map((entry) => actionsFor(entry, bench.mayBan));
  return ACTIONS.filter((choice) => all.every((actions) => actions.includes(choice)));
}

/**
 * Returns the next open case after the selected one, or else the first open case.
 * @param {Bench} bench
 */
export function nextOpen({ entries, selected }) {
  const from = selected ? entries.indexOf(selected) : -1;
  return entries.slice(from + 1).find(isOpen) ?? entries.find(isOpen);
}

/**
 * Returns the case after the selected case (`step` 1), or the case before it (`step` -1).
 * @param {Bench} bench
 * @param {1 | -1} step
 */
export function neighborOf({ entries, selected }, step) {
  const place = selected ? entries.indexOf(selected) + step : 0;
  return entries[Math.max(0, Math.min(entries.length - 1, place))];
}
