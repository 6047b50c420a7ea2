/** The audit log of administrators. */

import { auditRow } from "../parts/audit-row.js";
import { notify } from "../parts/notice.js";
import { button, listing, page } from "../parts/page.js";
import { filtered, filterOptions, select } from "../parts/select.js";
import { el } from "../shared/dom.js";
import { field, form } from "../shared/form.js";
import { answer, api, network } from "../shared/network.js";
import { t } from "../src/language.js";
import { go } from "../src/router.js";

const ACTIONS = /** @type {const} */ ([
  "BAN_USER",
  "LOCK_USER",
  "UNLOCK_USER",
  "CHANGE_ROLES",
  "APPOINT_ADMIN",
  "REMOVE_SECOND_FACTOR",
  "DISMISS_REPORT",
  "HIDE_REPORTED",
  "DELETE_REPORTED",
  "RESOLVE_CASE",
  "UNDO_DECISION",
  "ESCALATE_CASE",
  "ASSIGN_CASE",
  "NOTE_CASE",
  "VIEW_EVIDENCE",
  "DENY_APPEAL",
  "GRANT_APPEAL",
  "CREATE_QUEST",
  "EDIT_QUEST",
  "DISABLE_QUEST",
  "CREATE_WEBHOOK",
  "DELETE_WEBHOOK",
  "TEST_WEBHOOK",
  "ENABLE_WEBHOOK",
  "DISABLE_WEBHOOK",
]);

const NDJSON = "application/x-ndjson";
/** Maximum number of requests for a file. Each response has up to 1,000 entries. */
const REQUESTS_MAX = 100;

/** @param {Visit} visit */
export async function audit({ query }) {
  const filter = /** @type {Record<string, string>} */ (Object.fromEntries(query));
  const find = (/** @type {Record<string, string>} */ change) => go(filtered("/audit", { ...filter, ...change }));
  return page(
    "audit",
    form(
      { role: "search", class: "search" },
      async ({ actor = "", target = "" }) => find({ actor: actor.trim(), target: target.trim() }),
      field("actor", t("audit.actor"), { value: filter["actor"], autocapitalize: "none" }),
      field("target", t("audit.target"), { value: filter["target"], autocapitalize: "none" }),
      select(t("audit.action"), filterOptions("audit", ACTIONS), filter["action"] ?? "", (action) => find({ action })),
      el("button", { class: "primary" }, t("search")),
      button(t("audit.save"), () => save(filter).catch(notify), { type: "button" }),
    ),
    await listing(network.rows("/admin/audit", { params: { query: filter } }), auditRow, {
      empty: t("audit.empty"),
      name: t("audit"),
    }),
  );
}

/**
 * Saves the entries of the list as a file with one JSON object per line.
 * @param {Record<string, string>} filter
 */
async function save(filter) {
  /** @type {string[]} */
  const parts = [];
  /** @type {Record<string, string> | null} */
  let query = filter;
  for (let requests = 0; query && requests < REQUESTS_MAX; requests += 1) {
    const asked = api.GET("/admin/audit", { params: { query }, headers: { accept: NDJSON }, parseAs: "text" });
    const { data, next } = await linesOf(asked);
    parts.push(data);
    query = next ? { ...filter, after: next } : null;
  }
  const url = URL.createObjectURL(new Blob(parts, { type: NDJSON }));
  el("a", { href: url, download: "audit.ndjson" }).click();
  URL.revokeObjectURL(url);
}

/**
 * Returns the lines of a response, and the cursor of the next lines.
 * @param {Promise<{ data?: string, error?: unknown, response: Response }>} asked
 */
async function linesOf(asked) {
  const [data, { response }] = await Promise.all([answer(asked), asked]);
  const next = /[?&]after=(\w+)>/.exec(response.headers.get("link") ?? "")?.[1] ?? null;
  return { data, next };
}
