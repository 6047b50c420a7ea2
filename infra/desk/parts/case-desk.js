/** The list of cases, the selected case, and the keyboard shortcuts for both. */

import { el } from "../shared/dom.js";
import { answer, api } from "../shared/network.js";
import { chosenOf } from "../src/bench.js";
import { renew } from "../src/entries.js";
import { onKeys } from "../src/keys.js";
import { t } from "../src/language.js";
import { keysOf } from "./case-keys.js";
import { caseList } from "./case-list.js";
import { CHOSEN_MAX, movesOf } from "./case-moves.js";
import { casePane } from "./case-pane.js";
import { tasksOf } from "./case-tasks.js";
import { inWords } from "./problem.js";

/** @typedef {import("../src/entries.js").Entry} Entry */

/**
 * @param {object} options
 * @param {Entry[]} options.entries grows when more cases are read
 * @param {boolean} options.mayBan
 * @param {string} options.me the moderator's public ID
 * @param {AbortSignal} options.signal
 * @param {() => void} options.changed called after each change
 * @param {() => void} options.back leaves the view
 */
export function caseDesk({ entries, mayBan, me, signal, changed, back }) {
  /** @type {import("../src/bench.js").Bench} */
  const bench = { entries, selected: undefined, made: [], mayBan };
  const pane = el("section", { class: "case", "aria-label": t("case") });
  const rows = caseList({
    open: (entry) => void select(entry, true),
    chosen: drawPane,
    isFull: () => chosenOf(bench).length >= CHOSEN_MAX,
  });
  const view = el("div", { class: "panes" }, rows.list, pane);
  const reason = () => pane.querySelector("textarea")?.value.trim() ?? "";
  const moves = movesOf(bench, { me, rows, select, update, drawPane, reason });
  const tasks = { ...tasksOf(bench, { me, changed: update }), ...moves, back: goBack };

  /** @param {Entry} entry */
  function update(entry) {
    rows.draw(entry);
    if (entry === bench.selected) {
      drawPane();
      void readDetail(entry, signal).then(() => entry === bench.selected && drawPane());
    }
    changed();
  }

  function drawPane() {
    const chosen = chosenOf(bench).map(({ found }) => found);
    redraw(pane, bench.selected, (entry) => casePane(entry, { mayBan, chosen, tasks }));
  }

  /**
   * @param {Entry | undefined} entry
   * @param {boolean} isFront whether a phone shows the case in front of the list
   */
  async function select(entry, isFront = view.classList.contains("front")) {
    bench.selected = entry;
    rows.mark(entry);
    view.classList.toggle("front", isFront && entry !== undefined);
    drawPane();
    pane.scrollTop = 0;
    if (entry && !entry.detail) {
      await readDetail(entry, signal);
      rows.draw(entry);
      entry === bench.selected && drawPane();
    }
  }

  function goBack() {
    view.classList.contains("front") ? void select(undefined, false) : back();
  }

  onKeys(keysOf(bench, { tasks, pane, rows, isFront: () => view.classList.contains("front") }), signal);
  return { view, select, add: rows.draw };
}

/**
 * Draws a case again. Keeps the focus, and the reason that the moderator is writing.
 * @param {HTMLElement} pane
 * @param {Entry | undefined} entry
 * @param {(entry: Entry) => Node} draw
 */
function redraw(pane, entry, draw) {
  const id = entry?.found.id ?? "";
  const typed = pane.dataset["case"] === id ? (pane.querySelector("textarea")?.value ?? "") : "";
  const hadFocus = pane.contains(document.activeElement);
  const wasTyping = document.activeElement instanceof HTMLTextAreaElement;
  pane.replaceChildren(entry ? draw(entry) : el("p", { class: "empty" }, t("case.choose")));
  pane.dataset["case"] = id;
  const area = pane.querySelector("textarea");
  if (area) {
    area.value = typed;
  }
  if (hadFocus) {
    const heading = /** @type {HTMLElement | null} */ (pane.querySelector("h2"));
    ((wasTyping && area) || heading)?.focus({ preventScroll: true });
  }
}

/** @type {Map<Entry, Promise<void>>} */
const reading = new Map();

/**
 * Reads a case with its context, unless the page already has the context or is reading it.
 * @param {Entry} entry
 * @param {AbortSignal} signal
 */
async function readDetail(entry, signal) {
  if (entry.detail || entry.state === "sending") {
    return;
  }
  const read = reading.get(entry) ?? requestDetail(entry, signal).finally(() => reading.delete(entry));
  reading.set(entry, read);
  await read;
}

/**
 * @param {Entry} entry
 * @param {AbortSignal} signal
 */
async function requestDetail(entry, signal) {
  const before = entry.found;
  try {
    const params = { path: { caseId: entry.found.id } };
    const { data } = await answer(api.GET("/admin/cases/{caseId}", { params, signal }));
    // If the moderator decided the case during the request, the response is outdated.
    if (entry.found === before && entry.state !== "sending") {
      entry.detail = { data, at: Date.now() };
      renew(entry, data);
    }
  } catch (error) {
    if (!signal.aborted) {
      entry.message = inWords(error);
    }
  }
}
