/** The rows of the queue. */

import { el } from "../shared/dom.js";
import { authorOf, inWords } from "../src/actions.js";
import { time } from "../src/clock.js";
import { isOpen } from "../src/entries.js";
import { named, number, t } from "../src/language.js";
import { nameOf } from "../src/names.js";

/** @typedef {import("../src/entries.js").Entry} Entry */

const EXCERPT_CHARS = 140;

/**
 * Returns the list of cases, and functions that update it.
 * @param {{ open: (entry: Entry) => void, chosen: () => void, isFull: () => boolean }} on
 */
export function caseList({ open, chosen, isFull }) {
  /** @type {Map<Entry, HTMLElement>} */
  const rows = new Map();
  const list = el("ol", { class: "cases", "aria-label": t("cases") });

  /** @param {Entry} entry */
  function draw(entry) {
    const before = rows.get(entry);
    const hadFocus = before?.contains(document.activeElement) ?? false;
    const isHere = before?.querySelector(".open")?.getAttribute("aria-current") === "true";
    const row = rowOf(entry, { open, chosen, isFull });
    rows.set(entry, row);
    before ? before.replaceWith(row) : list.append(row);
    if (isHere) {
      mark(entry);
    }
    if (hadFocus) {
      /** @type {HTMLElement} */ (row.querySelector(".open")).focus({ preventScroll: true });
    }
  }

  /** @param {Entry | undefined} entry the selected case */
  function mark(entry) {
    for (const [other, row] of rows) {
      row.querySelector(".open")?.setAttribute("aria-current", String(other === entry));
    }
    (entry && rows.get(entry))?.scrollIntoView({ block: "nearest" });
  }

  /** @param {Entry} entry */
  function focus(entry) {
    /** @type {HTMLElement | null | undefined} */ (rows.get(entry)?.querySelector(".open"))?.focus();
  }

  return { list, draw, mark, focus };
}

/**
 * @param {Entry} entry
 * @param {{ open: (entry: Entry) => void, chosen: () => void, isFull: () => boolean }} on
 */
function rowOf(entry, { open, chosen, isFull }) {
  const { found, state, isChosen } = entry;
  const label = t("choose", { name: authorOf(found) });
  const box = el("input", { type: "checkbox", "aria-label": label, checked: isChosen, onchange: choose });
  function choose() {
    box.checked = box.checked && !isFull();
    entry.isChosen = box.checked;
    chosen();
  }
  return el(
    "li",
    { class: `case-row ${state}`, "data-case": found.id },
    isOpen(entry) ? box : el("span", { class: "mark", "aria-hidden": "true" }, state === "done" ? "✓" : "…"),
    el(
      "button",
      { class: "open", "aria-current": "false", onclick: () => open(entry) },
      el(
        "span",
        { class: "line" },
        el("strong", {}, authorOf(found)),
        ...found.categories.map((category) => el("span", { class: "tag" }, named("category", category))),
        found.targetType !== "POST" && el("span", { class: "tag" }, named("target", found.targetType)),
        found.isEscalated && el("span", { class: "tag strong" }, t("escalated")),
        el("span", { class: "count", title: t("reports", { count: found.reportsCount }) }, number(found.reportsCount)),
      ),
      el("span", { class: "excerpt" }, excerptOf(found)),
      el(
        "span",
        { class: "line quiet" },
        time(found.openedAt),
        found.assignee && assigned(found.assignee),
        resultOf(entry),
      ),
    ),
  );
}

/** @param {Schemas["ModerationCase"]} found */
function excerptOf({ reportedContent }) {
  const content = [...(reportedContent?.content ?? "")];
  return content.length > EXCERPT_CHARS ? `${content.slice(0, EXCERPT_CHARS).join("")}…` : content.join("");
}

/** @param {string} publicId */
const assigned = (publicId) => el("span", {}, t("assigned"), nameOf(publicId));

/** @param {Entry} entry */
function resultOf({ found, state, tried }) {
  switch (state) {
    case "sending":
      return el("span", { class: "result" }, `${inWords(tried)} · ${t("state.sending")}`);
    case "failed":
      return el("span", { class: "result wrong" }, t("state.failed"));
    case "conflict":
      return el("span", { class: "result wrong" }, t("state.conflict"));
    case "done":
      return el("span", { class: "result" }, named("status", found.status));
    default:
      return null;
  }
}
