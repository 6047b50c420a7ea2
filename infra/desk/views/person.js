/** One account: its sanction, its roles, its cases and its history. */

import { auditRow } from "../parts/audit-row.js";
import { entry, listing } from "../parts/page.js";
import { problem } from "../parts/problem.js";
import { roleForm } from "../parts/roles.js";
import { sanctions } from "../parts/sanctions.js";
import { el } from "../shared/dom.js";
import { answer, api, getMe, network } from "../shared/network.js";
import { dateOf, time } from "../src/clock.js";
import { named, t } from "../src/language.js";
import { may } from "../src/session.js";

const TAKE = 5;

/** @param {Visit} visit */
export async function person({ params: [publicId = ""] }) {
  const { data } = await answer(api.GET("/admin/users", { params: { query: { q: publicId } } }));
  const found = data.find((account) => account.publicId === publicId);
  if (!found) {
    return problem(t("people.none"));
  }
  const me = await getMe();
  const isOwn = found.publicId === me.publicId;
  const of = (/** @type {"reportedUser" | "reporter"} */ name) =>
    listing(network.rows("/admin/cases", { params: { query: { [name]: publicId, take: TAKE } } }), caseRow, {
      empty: t("people.casesEmpty"),
      name: t(name === "reporter" ? "people.reported" : "people.cases"),
      take: TAKE,
    });
  const history = network.rows("/admin/audit", { params: { query: { target: publicId, take: TAKE } } });
  const [about, reported, actions, mayChangeRoles] = await Promise.all([
    of("reportedUser"),
    of("reporter"),
    listing(history, auditRow, { empty: t("people.historyEmpty"), name: t("people.history"), take: TAKE }),
    may("CHANGE_ROLES"),
  ]);
  return el(
    "div",
    {},
    head(found),
    el(
      "div",
      { class: "columns" },
      el(
        "div",
        { class: "stack" },
        isOwn ? el("p", { class: "note" }, t("people.own")) : sanctions(found),
        !isOwn && mayChangeRoles && roleForm(found),
        el("section", {}, el("h2", { class: "section-title" }, t("people.history")), actions),
      ),
      el(
        "div",
        {},
        el("section", {}, el("h2", { class: "section-title" }, t("people.cases")), about),
        el("section", {}, el("h2", { class: "section-title" }, t("people.reported")), reported),
      ),
    ),
  );
}

/** @param {Schemas["Account"]} account */
function head({ username, name, email, isVerified, createdAt, roles, publicId }) {
  const fact = (/** @type {string} */ term, /** @type {Node | string} */ value) =>
    el("div", {}, el("dt", {}, term), el("dd", {}, value));
  return el(
    "header",
    { class: "head stack" },
    el("div", { class: "line" }, el("h1", {}, `@${username}`), el("span", { class: "quiet" }, name)),
    el(
      "dl",
      { class: "facts" },
      fact(t("email"), `${email} (${t(isVerified ? "confirmed" : "unconfirmed")})`),
      fact(t("registered"), dateOf(createdAt)),
      fact(t("roles"), roles.map((role) => named("role", role)).join(", ")),
      fact("ID", publicId),
    ),
  );
}

/** @param {Schemas["ModerationCase"]} found */
function caseRow({ id, status, targetType, categories, reportedContent, openedAt, reportsCount }) {
  return entry(
    [
      el("a", { href: `#/case/${id}` }, categories.map((category) => named("category", category)).join(", ")),
      el("span", { class: `tag status-${status}` }, named("status", status)),
      el("span", { class: "tag" }, named("target", targetType)),
    ],
    [],
    reportedContent && el("p", { class: "excerpt" }, reportedContent.content),
    el("p", { class: "quiet small" }, `${t("reports", { count: reportsCount })} · `, time(openedAt)),
  );
}
