/** The queue of cases. */

import { caseDesk } from "../parts/case-desk.js";
import { notify } from "../parts/notice.js";
import { filters } from "../parts/queue-filters.js";
import { el } from "../shared/dom.js";
import { getMe } from "../shared/network.js";
import { isOpen } from "../src/entries.js";
import { onKeys } from "../src/keys.js";
import { t } from "../src/language.js";
import { caseReader } from "../src/pages.js";
import { go, show } from "../src/router.js";
import { mayBan } from "../src/session.js";

/** If fewer open cases than this are left, the page reads more cases. */
const LOW = 5;

/** @param {Visit} visit */
export async function queue({ query, signal }) {
  const me = await getMe();
  /** @type {import("../src/entries.js").Entry[]} */
  const entries = [];
  const count = el("p", { class: "quiet", role: "status" });
  const status = el("div", {});
  const changed = () => void update();
  const desk = caseDesk({ entries, mayBan: await mayBan(), me: me.publicId, signal, changed, back: () => {} });
  const reader = caseReader(Object.fromEntries(query), entries, desk.add);

  async function update() {
    const open = entries.filter(isOpen).length;
    count.textContent = t(reader.isAll ? "queue.left" : "queue.leftMore", { count: open });
    status.replaceChildren(...notes(query, { open, all: entries.length, isAll: reader.isAll }));
    if (open === 0) {
      status.scrollIntoView({ block: "nearest" });
    }
    if (open < LOW && !reader.isAll && !reader.isReading) {
      await reader.read().catch(notify);
      await update();
    }
  }

  await reader.read();
  await update();
  onKeys({ R: () => void show() }, signal);
  const view = el(
    "div",
    { class: "queue" },
    el("header", { class: "head line" }, el("h1", {}, t("queue")), count, filters(query, me, go)),
    status,
    ...(entries.length > 0 ? [desk.view] : []),
  );
  view.addEventListener("placed", () => entries.length > 0 && void desk.select(entries.find(isOpen) ?? entries[0]));
  return view;
}

/**
 * Returns what to show above the list.
 * @param {URLSearchParams} query
 * @param {{ open: number, all: number, isAll: boolean }} count
 */
function notes(query, { open, all, isAll }) {
  switch (true) {
    case open === 0 && !isAll:
      return [el("p", { class: "quiet" }, t("queue.loadingMore"))];
    case all === 0 && query.size > 0:
      return [empty(t("queue.filteredEmpty"), el("a", { href: "#/" }, t("filter.clear")))];
    case open === 0 && !query.has("status"):
      return [empty(t(all === 0 ? "queue.empty" : "queue.done"), reload())];
    default:
      return [];
  }
}

const reload = () => el("button", { onclick: () => void show() }, t("queue.reload"), " ", el("kbd", {}, "R"));

/**
 * @param {string} text
 * @param {Node} hint
 */
function empty(text, hint) {
  return el("div", { class: "empty panel" }, el("p", {}, el("strong", {}, text)), el("p", {}, hint));
}
