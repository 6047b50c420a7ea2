/** The audit log of administrators. */

import { auditRow } from "../parts/audit-row.js";
import { listing, page } from "../parts/page.js";
import { select } from "../parts/select.js";
import { el } from "../shared/dom.js";
import { field, form } from "../shared/form.js";
import { network } from "../shared/network.js";
import { named, t } from "../src/language.js";
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

/** @param {Visit} visit */
export async function audit({ query }) {
  const filter = /** @type {Record<string, string>} */ (Object.fromEntries(query));
  const find = (/** @type {Record<string, string>} */ change) => {
    const next = Object.entries({ ...filter, ...change }).filter(([, value]) => value.trim() !== "");
    go(`/audit?${new URLSearchParams(next)}`);
  };
  const actions = /** @type {[string, string][]} */ ([
    ["", t("any")],
    ...ACTIONS.map((action) => [action, named("audit", action)]),
  ]);
  return page(
    "audit",
    form(
      { role: "search", class: "search" },
      async ({ actor = "", target = "" }) => find({ actor: actor.trim(), target: target.trim() }),
      field("actor", t("audit.actor"), { value: filter["actor"], autocapitalize: "none" }),
      field("target", t("audit.target"), { value: filter["target"], autocapitalize: "none" }),
      select(t("audit.action"), actions, filter["action"] ?? "", (action) => find({ action })),
      el("button", { class: "primary" }, t("search")),
    ),
    await listing(network.rows("/admin/audit", { params: { query: filter } }), auditRow, {
      empty: t("audit.empty"),
      name: t("audit"),
    }),
  );
}
