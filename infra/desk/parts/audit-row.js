/** An entry of the audit log. */

import { el } from "../shared/dom.js";
import { time } from "../src/clock.js";
import { named, t } from "../src/language.js";
import { nameOf } from "../src/names.js";
import { entry } from "./page.js";

/** @param {Schemas["AuditEntry"]} row */
export function auditRow({ adminId, action, targetId, note, before, createdAt }) {
  return entry(
    [
      el("strong", {}, named("audit", action)),
      el("span", {}, adminId ? nameOf(adminId) : t("audit.system")),
      el("span", { class: "quiet small" }, time(createdAt)),
    ],
    [],
    el("p", { class: "quiet small" }, t("audit.target.is"), targetId, before && ` (${named("account", before.status)})`),
    note && el("p", {}, note),
  );
}
