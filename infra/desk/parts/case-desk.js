/** The place of work: a list of cases, the selected case, and the keys for both. */

import { el, toast } from "../shared/dom.js";
import { answer, api } from "../shared/network.js";
import { ACTIONS, actionsFor } from "../src/actions.js";
import { isOpen } from "../src/entries.js";
import { onKeys } from "../src/keys.js";
import { t } from "../src/language.js";
import { work } from "../src/work.js";
import { caseList } from "./case-list.js";
import { casePane, isInCircle } from "./case-pane.js";
import { tasksOf } from "./case-tasks.js";
import { decisionDialog } from "./decision-dialog.js";
import { notify } from "./notice.js";
import { inWords } from "./problem.js";

/** @typedef {import("../src/entries.js").Entry} Entry */
/** @typedef {import("../src/actions.js").Action} Action */

/**
 * @param {object} options
 * @param {Entry[]} options.entries grows when more cases are read
 * @param {boolean} options.mayBan
 * @param {string} options.me the moderator's public ID
 * @param {AbortSignal} options.signal
 * @param {() => void} options.changed called after each change
 * @param {() => void} options.back
 */
export function caseDesk({ entries, mayBan, me, signal, changed, back }) {
  /** @type {Entry | undefined} */
  let selected;
  const pane = el("section", { class: "case", "aria-label": t("case") });
  const rows = caseList({ open: (entry) => void select(entry, true), chosen: drawPane });
  const decisions = work({ changed: update, report: toast, fail: notify });
  const tasks = tasksOf({ me, changed: update });
  const view = el("div", { class: "panes" }, rows.list, pane);

  const chosen = () => entries.filter((entry) => entry.isChosen && isOpen(entry));
  /** The cases that the next decision is about. */
  const targets = () => (chosen().length > 0 ? chosen() : selected ? [selected] : []);

  /** @param {Entry} entry */
  function update(entry) {
    rows.draw(entry);
    if (entry === selected) {
      drawPane();
      void readDetail(entry);
    }
    changed();
  }

  function drawPane() {
    const typed = pane.querySelector("textarea")?.value ?? "";
    const hadFocus = pane.contains(document.activeElement);
    const several = chosen();
    view.classList.toggle("several", several.length > 0);
    pane.replaceChildren(
      selected
        ? casePane(selected, { mayBan, chosen: several.length > 0 ? several.map(({ found }) => found) : [], tasks: paneTasks })
        : el("p", { class: "empty" }, t("case.choose")),
    );
    const area = pane.querySelector("textarea");
    if (area && pane.dataset["case"] === selected?.found.id) {
      area.value = typed;
    }
    pane.dataset["case"] = selected?.found.id ?? "";
    if (hadFocus) {
      /** @type {HTMLElement | null} */ (pane.querySelector("h2"))?.focus({ preventScroll: true });
    }
  }

  /**
   * @param {Entry | undefined} entry
   * @param {boolean} isFront whether a phone shows the case in front of the list
   */
  async function select(entry, isFront = view.classList.contains("front")) {
    selected = entry;
    rows.mark(entry);
    view.classList.toggle("front", isFront && entry !== undefined);
    drawPane();
    pane.scrollTop = 0;
    if (entry) {
      await readDetail(entry);
    }
  }

  /** @param {Entry} entry */
  async function readDetail(entry) {
    if (entry.detail || entry.state === "sending") {
      return;
    }
    try {
      const params = { path: { caseId: entry.found.id } };
      const { data } = await answer(api.GET("/admin/cases/{caseId}", { params, signal }));
      Object.assign(entry, { detail: { data, at: Date.now() }, found: data });
    } catch (error) {
      if (!signal.aborted) {
        entry.message = inWords(error);
      }
    }
    if (entry === selected && !signal.aborted) {
      drawPane();
    }
  }

  /** @param {1 | -1} step */
  function move(step) {
    const place = selected ? entries.indexOf(selected) + step : 0;
    const next = entries[Math.max(0, Math.min(entries.length - 1, place))];
    void select(next);
    if (next) {
      rows.focus(next);
    }
  }

  /** Selects the next open case after the selected one, or else the first open case. */
  function advance() {
    const from = selected ? entries.indexOf(selected) : -1;
    const next = entries.slice(from + 1).find(isOpen) ?? entries.find(isOpen);
    void select(next ?? selected);
    if (next) {
      rows.focus(next);
    }
  }

  /** @param {import("../src/actions.js").Choice} choice */
  function decide(choice) {
    const cases = targets().filter(isOpen);
    if (cases.length > 0) {
      decisions.decide(cases, choice);
      advance();
    }
  }

  async function undo() {
    const entry = await decisions.undo();
    if (entry && !signal.aborted) {
      await select(entry);
      rows.focus(entry);
    }
  }

  /** @param {Action} [preset] */
  function openDialog(preset) {
    const cases = targets().filter(isOpen);
    if (cases.length > 0) {
      const reason = pane.querySelector("textarea")?.value ?? "";
      decisionDialog(cases.map(({ found }) => found), { actions: offered(), preset, reason, decide });
    }
  }

  /** The actions that are possible for every target. */
  function offered() {
    const all = targets().map((entry) => actionsFor(entry.found, { mayBan, isInCircle: isInCircle(entry) }));
    return ACTIONS.filter((choice) => all.every((actions) => actions.includes(choice)));
  }

  const paneTasks = {
    decide,
    openDialog,
    undo: () => selected && void decisions.undoAll([selected], ""),
    assign: () => selected && tasks.assign(selected),
    note: () => selected && tasks.note(selected),
    escalate: () => selected && tasks.escalate(selected),
    back: () => (view.classList.contains("front") ? void select(undefined, false) : back()),
  };

  onKeys(
    {
      j: () => move(1),
      k: () => move(-1),
      x: () => selected && choose([selected], !selected.isChosen),
      "*": () => choose(entries.filter(isOpen), true),
      u: () => void undo(),
      d: () => openDialog(),
      r: () => pane.querySelector("textarea")?.focus(),
      a: paneTasks.assign,
      n: paneTasks.note,
      e: paneTasks.escalate,
      o: () => /** @type {HTMLElement | null} */ (pane.querySelector("details[data-key=o] summary"))?.click(),
      Escape: () => (chosen().length > 0 ? choose(entries, false) : paneTasks.back()),
      ...Object.fromEntries(ACTIONS.map(({ key }) => [key, () => pressed(key)])),
    },
    signal,
  );
  // Escape leaves the field for the reason, so that the keys work again.
  pane.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target instanceof HTMLTextAreaElement) {
      event.stopPropagation();
      selected && rows.focus(selected);
    }
  });

  /** @param {string} key */
  function pressed(key) {
    const choice = offered().find((action) => action.key === key);
    if (choice?.isBan) {
      openDialog(choice.action);
    } else if (choice) {
      decide({ actions: [choice.action], reason: pane.querySelector("textarea")?.value.trim() ?? "" });
    }
  }

  /**
   * @param {Entry[]} cases
   * @param {boolean} isChosen
   */
  function choose(cases, isChosen) {
    for (const entry of cases.filter(isOpen)) {
      entry.isChosen = isChosen;
      rows.draw(entry);
    }
    drawPane();
    changed();
  }

  return { view, select, advance, add: (/** @type {Entry} */ entry) => rows.draw(entry) };
}
