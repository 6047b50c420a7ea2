/** An entry of the audit log. */

import { el } from "../shared/dom.js";
import { time } from "../src/clock.js";
import { named, t } from "../src/language.js";
import { nameOf } from "../src/names.js";
import { entry } from "./page.js";

const OF_ACCOUNT = /USER|ROLES|APPOINT_ADMIN|SECOND_FACTOR/;
const OF_CASE = /CASE|REPORT|DECISION|EVIDENCE/;

/** @param {Schemas["AuditEntry"]} row */
export function auditRow({ adminId, action, targetId, note, before, createdAt }) {
  return entry(
    [
      el("strong", {}, named("audit", action)),
      el("span", {}, adminId ? nameOf(adminId) : t("audit.system")),
      el("span", { class: "quiet small" }, time(createdAt)),
    ],
    [],
    el(
      "p",
      { class: "quiet small" },
      t("audit.target.is"),
      target(action, targetId),
      before && ` (${named("account", before.status)})`,
    ),
    note && el("p", {}, note),
  );
}

/**
 * Returns the ID of a target. If the page has a view for the target, the ID is a link to the view.
 * @param {Schemas["AuditAction"]} action
 * @param {string} id
 */
function target(action, id) {
  if (OF_ACCOUNT.test(action)) {
    return el("a", { href: `#/people/${id}` }, id);
  }
  return OF_CASE.test(action) ? el("a", { href: `#/case/${id}` }, id) : id;
}
