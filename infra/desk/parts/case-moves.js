/** The functions behind the buttons and keys of the queue: select, decide and undo. */

import { inWords } from "../src/actions.js";
import { chosenOf, neighborOf, nextOpen, offeredBy, targetsOf } from "../src/bench.js";
import { decide } from "../src/decide.js";
import { isOpen } from "../src/entries.js";
import { t } from "../src/language.js";
import { undo } from "../src/undo.js";
import { decisionDialog } from "./decision-dialog.js";
import { notify, report } from "./notice.js";

/** @typedef {import("../src/entries.js").Entry} Entry */
/** @typedef {import("../src/bench.js").Bench} Bench */

/** Maximum number of cases in one decision. */
export const CHOSEN_MAX = 100;

/**
 * @param {Bench} bench
 * @param {object} on
 * @param {string} on.me the moderator's public ID
 * @param {{ draw: (entry: Entry) => void, focus: (entry: Entry) => void }} on.rows
 * @param {(entry: Entry | undefined) => Promise<void>} on.select
 * @param {(entry: Entry) => void} on.update draws an entry again
 * @param {() => void} on.drawPane
 * @param {() => string} on.reason the reason that the moderator wrote
 */
export function movesOf(bench, { me, rows, select, update, drawPane, reason }) {
  const shown = { changed: update, report, fail: notify };

  /** @param {Entry | undefined} entry */
  function go(entry) {
    void select(entry ?? bench.selected);
    entry && rows.focus(entry);
  }

  const moves = {
    /** Selects the next or the previous case. */
    move: (/** @type {1 | -1} */ step) => go(neighborOf(bench, step)),

    /** Decides the checked cases or else the selected case. Then selects the next open case. */
    decide(/** @type {import("../src/actions.js").Choice} */ choice) {
      const entries = targetsOf(bench);
      if (entries.length > 0) {
        const sent = decide(entries, choice, shown);
        bench.made.push({ entries, action: inWords(choice.actions), sent });
        go(nextOpen(bench));
      }
    },

    /** Undoes the latest decision made since the view was opened. */
    async undoLast() {
      for (let made = bench.made.pop(); made; made = bench.made.pop()) {
        await made.sent;
        const entries = made.entries.filter(({ state }) => state === "done");
        if (entries.length > 0) {
          await undo(entries, made.action, shown, me);
          return go(entries[0]);
        }
      }
      report(t("done.nothing"));
    },

    /** Undoes the decision about the selected case. */
    undo: () =>
      bench.selected && void undo([bench.selected], inWords(bench.selected.found.outcome?.actions ?? []), shown),

    /** Opens the dialog for several actions. */
    openDialog(/** @type {import("../src/actions.js").Action | undefined} */ preset = undefined) {
      const cases = targetsOf(bench).map(({ found }) => found);
      if (cases.length > 0) {
        decisionDialog(cases, { actions: offeredBy(bench), preset, reason: reason(), decide: moves.decide });
      }
    },

    /** Takes the action of a key. If the action is a ban, opens the dialog. */
    press(/** @type {string} */ key) {
      const choice = offeredBy(bench).find((action) => action.key === key);
      if (choice?.isBan) {
        moves.openDialog(choice.action);
      } else if (choice) {
        moves.decide({ actions: [choice.action], reason: reason() });
      }
    },

    /** Checks or unchecks the boxes of open cases. The next decision is about all checked cases. */
    choose(/** @type {Entry[]} */ entries, /** @type {boolean} */ isChosen) {
      const room = isChosen ? CHOSEN_MAX - chosenOf(bench).length : Infinity;
      for (const entry of entries.filter((entry) => isOpen(entry) && entry.isChosen !== isChosen).slice(0, room)) {
        entry.isChosen = isChosen;
        rows.draw(entry);
      }
      drawPane();
    },
  };
  return moves;
}
