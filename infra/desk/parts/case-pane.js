/** A case with its reported content, its decision and its context. */

import { el } from "../shared/dom.js";
import { actionsFor, authorOf, inWords } from "../src/actions.js";
import { dateOf, time } from "../src/clock.js";
import { named, number, t } from "../src/language.js";
import { nameOf } from "../src/names.js";
import { contextOf } from "./case-context.js";
import { decisionBar } from "./decision-bar.js";
import { media } from "./media.js";

/** @typedef {import("../src/entries.js").Entry} Entry */

/** @typedef {ReturnType<typeof import("./case-moves.js").movesOf>} Moves */
/** @typedef {ReturnType<typeof import("./case-tasks.js").tasksOf>} OtherTasks */
/** @typedef {Moves & OtherTasks & { back: () => void }} Tasks */

/**
 * @param {Entry} entry
 * @param {{ mayBan: boolean, chosen: Schemas["ModerationCase"][], tasks: Tasks }} context
 */
export function casePane(entry, { mayBan, chosen, tasks }) {
  const { found, detail, state, message } = entry;
  const actions = actionsFor(entry, mayBan);
  const canDecide = state !== "sending" && (found.status === "PENDING" || state === "conflict" || chosen.length > 0);
  return el(
    "div",
    { class: "case-body" },
    head(entry, tasks),
    message && el("p", { class: "alert small" }, message),
    facts(entry),
    content(entry),
    found.outcome && outcome(found.outcome, state === "sending" ? null : tasks.undo),
    found.isEscalated && !mayBan && el("p", { class: "note" }, t("escalatedOnly")),
    canDecide && actions.length > 0 && decisionBar(entry, { actions, chosen, tasks }),
    detail && contextOf(detail.data),
  );
}

/**
 * @param {Entry} entry
 * @param {Tasks} tasks
 */
function head({ found }, tasks) {
  const button = (/** @type {string} */ key, /** @type {string} */ label, /** @type {() => void} */ press) =>
    el("button", { class: "small", "aria-keyshortcuts": key, onclick: press }, label, " ", el("kbd", {}, key));
  return el(
    "header",
    { class: "case-head" },
    el("button", { class: "back", onclick: tasks.back }, `← ${t("back")}`),
    el(
      "div",
      { class: "line" },
      el("h2", { tabindex: -1 }, authorOf(found)),
      el("span", { class: "tag" }, named("target", found.targetType)),
      el("span", { class: `tag status-${found.status}` }, named("status", found.status)),
      found.isEscalated && el("span", { class: "tag strong" }, t("escalated")),
    ),
    el(
      "div",
      { class: "line" },
      button("a", found.assignee ? t("unassign") : t("assign"), tasks.assign),
      button("n", t("note"), tasks.note),
      !found.isEscalated && found.status === "PENDING" && button("e", t("escalate"), tasks.escalate),
    ),
  );
}

/** @param {Entry} entry */
function facts({ found, detail }) {
  const account = detail?.data.account;
  const judged = detail?.data.reports.find(({ assistantNote }) => assistantNote)?.assistantNote;
  const percent = found.confidence == null ? null : number(Math.round(found.confidence * 100));
  return el(
    "dl",
    { class: "facts" },
    ...fact(t("theReports"), number(found.reportsCount)),
    ...fact(t("filter.category"), found.categories.map((category) => named("category", category)).join(", ")),
    ...fact(
      t("confidence"),
      percent === null ? t("notJudged") : t("confidenceValue", { percent }) + (judged ? ` (${judged})` : ""),
    ),
    ...fact(t("opened"), time(found.openedAt)),
    ...fact(t("latest"), time(found.reportedAt)),
    ...(account ? fact(t("account"), el("span", {}, ...accountOf(account))) : []),
    ...(detail?.data.strikes ? fact(t("strikes"), number(detail.data.strikes)) : []),
    ...(found.assignee ? fact(t("assignee"), nameOf(found.assignee)) : []),
  );
}

/** @param {Schemas["CaseAccount"]} account */
function accountOf({ status, bannedUntil, createdAt }) {
  const until = bannedUntil ? `, ${t("until", { date: dateOf(bannedUntil) })}` : "";
  return [`${named("account", status)}${until}, `, time(createdAt)];
}

/**
 * @param {string} term
 * @param {Node | string} value
 */
const fact = (term, value) => [el("div", {}, el("dt", {}, term), el("dd", {}, value))];

/** @param {Entry} entry */
function content({ found, detail }) {
  const kept = found.reportedContent;
  return el(
    "section",
    { class: "content" },
    el("h3", {}, t("reported")),
    kept
      ? el("blockquote", {}, el("p", { class: "text" }, kept.content), ...kept.media.map(media))
      : el("p", { class: "quiet" }, t("noContent")),
    detail && found.targetType !== "USER" && current(detail.data, kept?.content ?? ""),
  );
}

/**
 * @param {Schemas["ModerationCaseDetail"]} detail
 * @param {string} reported
 */
function current({ post }, reported) {
  if (!post) {
    return el("p", { class: "quiet small" }, t("currentGone"));
  }
  const isSame = reported.includes(post.content);
  return el(
    "div",
    {},
    el("p", { class: "quiet small" }, isSame ? t("currentSame") : "", post.isHidden ? ` ${t("currentHidden")}` : ""),
    ...(isSame ? [] : [el("h3", {}, t("current")), el("blockquote", {}, el("p", { class: "text" }, post.content))]),
  );
}

/**
 * @param {Schemas["CaseOutcome"]} outcome
 * @param {(() => void) | null} undo
 */
function outcome({ actions, decidedBy, decidedAt, liftedAt, reason, note }, undo) {
  return el(
    "section",
    { class: "outcome" },
    el(
      "p",
      { class: "line" },
      actions.length === 0 && !decidedBy
        ? el("strong", {}, t("byDeletion"))
        : el("strong", {}, t("outcome", { action: inWords(actions) }), decidedBy ? nameOf(decidedBy) : t("audit.system")),
      el("span", { class: "quiet" }, time(decidedAt)),
      undo && el("button", { class: "small", onclick: undo }, t("undo")),
    ),
    liftedAt && el("p", { class: "quiet small" }, `${t("lifted")}: `, time(liftedAt)),
    reason && el("p", { class: "quiet small" }, `${t("reason")}: ${reason}`),
    note && el("p", { class: "quiet small" }, `${t("note")}: ${note}`),
  );
}
