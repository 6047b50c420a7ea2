/** Search for accounts. */

import { entry, listing, page } from "../parts/page.js";
import { filtered, filterOptions, select } from "../parts/select.js";
import { el } from "../shared/dom.js";
import { field, form } from "../shared/form.js";
import { network } from "../shared/network.js";
import { time } from "../src/clock.js";
import { named, t } from "../src/language.js";
import { go } from "../src/router.js";

const STATUSES = /** @type {const} */ (["ACTIVE", "BANNED", "LOCKED"]);

/** @param {Visit} visit */
export async function people({ query }) {
  const q = query.get("q") ?? "";
  const status = STATUSES.find((name) => name === query.get("status"));
  const find = (/** @type {Record<string, string>} */ filter) => go(filtered("/people", filter));
  const rows = network.rows("/admin/users", { params: { query: { ...(q && { q }), ...(status && { status }) } } });
  return page(
    "people",
    form(
      { role: "search", class: "search" },
      async (values) => find({ q: (values["q"] ?? "").trim(), status: status ?? "" }),
      field("q", t("people.query"), { type: "search", value: q, autocapitalize: "none", maxlength: 100 }),
      select(t("filter.status"), filterOptions("account", STATUSES), status ?? "", (next) => find({ q, status: next })),
      el("button", { class: "primary" }, t("search")),
    ),
    await listing(rows, account, { empty: t("people.empty"), name: t("people") }),
  );
}

/** @param {Schemas["Account"]} account */
function account({ publicId, username, name, email, status, roles, createdAt }) {
  return entry(
    [
      el("a", { href: `#/people/${publicId}` }, `@${username}`),
      el("span", {}, name),
      el("span", { class: `tag status-${status}` }, named("account", status)),
      ...roles
        .filter((role) => role !== "USER")
        .map((role) => el("span", { class: "tag strong" }, named("role", role))),
    ],
    [],
    el("p", { class: "quiet small" }, `${email} · `, time(createdAt)),
  );
}
