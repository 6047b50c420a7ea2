/** Totals of the service, and the statistics of moderation. */

import { page } from "../parts/page.js";
import { barPlot } from "../parts/plot.js";
import { select } from "../parts/select.js";
import { el } from "../shared/dom.js";
import { answer, api } from "../shared/network.js";
import { now } from "../src/clock.js";
import { language, named, number, t } from "../src/language.js";
import { go } from "../src/router.js";

const MONTHS = 6;
const monthName = new Intl.DateTimeFormat(language, { month: "short", year: "numeric", timeZone: "UTC" });

/** @param {Visit} visit */
export async function statistics({ query }) {
  const months = lastMonths();
  const chosen = months.find((month) => month === query.get("month")) ?? months[0];
  const [{ data: totals }, ...counts] = await Promise.all([answer(api.GET("/admin/stats")), ...months.map(read)]);
  const shown = counts.find(({ month }) => month === chosen);
  const options = months.map((month) => /** @type {[string, string]} */ ([month, labelOf(month)]));
  return page(
    "statistics",
    totalsOf(totals),
    el("div", { class: "plots" }, barPlot(t("stats.months"), counts.map(decisionsOf).reverse())),
    el(
      "div",
      { class: "head line section-title" },
      select(t("stats.month"), options, chosen ?? "", (month) => go(`/statistics?month=${month}`)),
    ),
    ...(shown ? plotsOf(shown) : []),
  );
}

/** @param {string} month */
async function read(month) {
  return (await answer(api.GET("/admin/statistics/moderation", { params: { query: { month } } }))).data;
}

/** Returns the last months in UTC, the current one first. */
function lastMonths() {
  const [year, month] = [new Date(now()).getUTCFullYear(), new Date(now()).getUTCMonth()];
  return Array.from({ length: MONTHS }, (_, back) => new Date(Date.UTC(year, month - back)).toISOString().slice(0, 7));
}

/** @param {string} month */
const labelOf = (month) => monthName.format(new Date(`${month}-01T00:00:00Z`));

/** @param {Schemas["ModerationStatistics"]} counts */
const decisionsOf = ({ month, decisions }) => ({ label: labelOf(month), value: decisions });

/** @param {Schemas["ServiceStatistics"]} stats */
function totalsOf({ users, activeUsers, bannedUsers, posts, replies, reportsPending }) {
  const total = (/** @type {string} */ label, /** @type {number} */ value) =>
    el("div", {}, el("dt", {}, label), el("dd", {}, number(value)));
  return el(
    "dl",
    { class: "totals" },
    total(t("stats.pending"), reportsPending),
    total(t("stats.users"), users),
    total(t("stats.active"), activeUsers),
    total(t("stats.banned"), bannedUsers),
    total(t("stats.posts"), posts),
    total(t("stats.replies"), replies),
  );
}

/** @param {Schemas["ModerationStatistics"]} counts */
function plotsOf(counts) {
  const { decisions, hiddenByJudge, byCategory, byAction, medianMinutes, appealsGranted, appealsUpheld } = counts;
  const median = medianMinutes == null ? "–" : t("stats.minutes", { count: medianMinutes });
  return [
    el("p", {}, `${t("stats.median")}: `, el("strong", {}, median)),
    el(
      "div",
      { class: "plots" },
      plot(t("stats.deciders"), [
        { label: t("stats.moderators"), value: decisions },
        { label: t("stats.judge"), value: hiddenByJudge },
      ]),
      plot(t("stats.appeals"), [
        { label: t("stats.granted"), value: appealsGranted },
        { label: t("stats.upheld"), value: appealsUpheld },
      ]),
      plot(
        t("stats.byAction"),
        byAction.map(({ action, count }) => ({ label: named("action", action), value: count })),
      ),
      plot(
        t("stats.byCategory"),
        byCategory.map(({ category, count }) => ({ label: named("category", category), value: count })),
      ),
      plot(
        t("stats.hiders"),
        counts.topHiders.map(({ user, hides }) => ({ label: `@${user.username}`, value: hides })),
      ),
    ),
  ];
}

/**
 * @param {string} title
 * @param {import("../parts/plot.js").Bar[]} bars
 */
function plot(title, bars) {
  return bars.some(({ value }) => value > 0)
    ? barPlot(title, bars)
    : el("section", { class: "panel" }, el("h2", {}, title), el("p", { class: "quiet" }, t("stats.none")));
}
