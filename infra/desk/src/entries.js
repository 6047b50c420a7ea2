/** The cases of the queue, as the page knows them. */

/** @typedef {"open" | "sending" | "done" | "failed" | "conflict"} State */

/**
 * A case in the queue. `detail` is the case with its context, and the time at which it was read. `tried` is a decision
 * that is not saved yet, or could not be saved.
 * @typedef {object} Entry
 * @property {Schemas["ModerationCase"]} found
 * @property {State} state
 * @property {boolean} isChosen
 * @property {{ data: Schemas["ModerationCaseDetail"], at: number } | null} detail
 * @property {import("./actions.js").Action[]} tried
 * @property {string} message
 */

/**
 * @param {Schemas["ModerationCase"]} found
 * @returns {Entry}
 */
export function entryOf(found) {
  const state = found.status === "PENDING" ? "open" : "done";
  return { found, state, isChosen: false, detail: null, tried: [], message: "" };
}

/** @param {Entry} entry */
export const isOpen = ({ state }) => state !== "done" && state !== "sending";

/**
 * Stores a newer copy of a case. If the case was decided meanwhile, it is no longer open.
 * @param {Entry} entry
 * @param {Schemas["ModerationCase"]} found
 */
export function renew(entry, found) {
  entry.found = found;
  if (entry.state === "open") {
    entry.state = entryOf(found).state;
  }
}

/**
 * Stores the case after a decision or an undo, and removes its context, its unsaved decision and its error message.
 * @param {Entry} entry
 * @param {Schemas["ModerationCase"]} found
 */
export function take(entry, found) {
  Object.assign(entry, { found, state: entryOf(found).state, tried: [], message: "", detail: null });
}
