/** The queue of cases. */

import { caseDesk } from "../parts/case-desk.js";
import { notify } from "../parts/notice.js";
import { filters } from "../parts/queue-filters.js";
import { el } from "../shared/dom.js";
import { getMe, network } from "../shared/network.js";
import { entryOf, isOpen } from "../src/entries.js";
import { onKeys } from "../src/keys.js";
import { t } from "../src/language.js";
import { go, show } from "../src/router.js";
import { mayBan } from "../src/session.js";

const PAGE = 50;
/** Number of open cases from which more are read. */
const LOW = 5;

/** @param {Visit} visit */
export async function queue({ query, signal }) {
  const me = await getMe();
  const filter = /** @type {Record<string, string>} */ (Object.fromEntries(query));
  const rows = network.rows("/admin/cases", { params: { query: { ...filter, take: PAGE } } });
  /** @type {import("../src/entries.js").Entry[]} */
  const entries = [];
  const count = el("p", { class: "quiet", role: "status" });
  const status = el("div", { class: "queue-status" });
  let [isAll, isReading] = [false, false];

  const desk = caseDesk({
    entries,
    mayBan: await mayBan(),
    me: me.publicId,
    signal,
    changed: () => void update(),
    back: () => {},
  });

  async function read() {
    isReading = true;
    try {
      for (let read = 0; read < PAGE && !isAll; read++) {
        const { value, done } = await rows.next();
        isAll = done === true;
        // A reopened case can appear on a later page again.
        if (value && !entries.some(({ found }) => found.id === value.id)) {
          const entry = entryOf(value);
          entries.push(entry);
          desk.add(entry);
        }
      }
    } finally {
      isReading = false;
    }
  }

  async function update() {
    const open = entries.filter(isOpen).length;
    count.textContent = t(isAll ? "queue.left" : "queue.leftMore", { count: open });
    const reload = () => el("button", { onclick: () => void show() }, t("queue.reload"));
    if (entries.length === 0) {
      const isFiltered = query.size > 0;
      const hint = isFiltered ? el("a", { href: "#/" }, t("filter.clear")) : t("queue.emptyHint");
      status.replaceChildren(empty(t(isFiltered ? "queue.filteredEmpty" : "queue.empty"), hint));
    } else if (isAll && open === 0 && !filter["status"]) {
      status.replaceChildren(empty(t("queue.done"), reload()));
    } else {
      status.replaceChildren();
    }
    if (open < LOW && !isAll && !isReading) {
      status.replaceChildren(el("p", { class: "quiet" }, t("queue.loadingMore")));
      await read().catch(notify);
      await update();
    }
  }

  await read();
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
 * @param {string} text
 * @param {Node | string} hint
 */
const empty = (text, hint) => el("div", { class: "empty panel" }, el("p", {}, el("strong", {}, text)), el("p", {}, hint));
