/** The keys of the queue. */

import { ACTIONS } from "../src/actions.js";
import { chosenOf } from "../src/bench.js";

/** @typedef {import("../src/bench.js").Bench} Bench */

/**
 * @param {Bench} bench
 * @param {object} on
 * @param {import("./case-pane.js").Tasks} on.tasks
 * @param {HTMLElement} on.pane
 * @param {{ focus: (entry: import("../src/entries.js").Entry) => void }} on.rows
 * @param {() => boolean} on.isFront whether a phone shows the case
 */
export function keysOf(bench, { tasks, pane, rows, isFront }) {
  // Escape moves the focus from the field for the reason to the list, because shortcuts do not work in text fields.
  pane.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target instanceof HTMLTextAreaElement) {
      event.stopPropagation();
      bench.selected && rows.focus(bench.selected);
    }
  });
  const toggle = () => bench.selected && tasks.choose([bench.selected], !bench.selected.isChosen);
  const others = () => /** @type {HTMLElement | null} */ (pane.querySelector("details[data-key=o] summary"))?.click();
  const leave = () => (chosenOf(bench).length > 0 ? tasks.choose(bench.entries, false) : isFront() && tasks.back());
  return {
    ...Object.fromEntries(ACTIONS.map(({ key }) => [key, () => tasks.press(key)])),
    j: () => tasks.move(1),
    k: () => tasks.move(-1),
    x: toggle,
    "*": () => tasks.choose(bench.entries, true),
    u: () => void tasks.undoLast(),
    d: () => tasks.openDialog(),
    r: () => pane.querySelector("textarea")?.focus(),
    a: tasks.assign,
    n: tasks.note,
    e: tasks.escalate,
    o: others,
    Escape: leave,
  };
}
