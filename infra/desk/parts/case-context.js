/** The context of a case: reports, thread, other posts, earlier decisions, history. */

import { el } from "../shared/dom.js";
import { answer, api } from "../shared/network.js";
import { inWords } from "../src/actions.js";
import { dateOf, time } from "../src/clock.js";
import { named, number, t } from "../src/language.js";
import { nameOf } from "../src/names.js";
import { inWords as problemOf } from "./problem.js";

const OTHERS_MAX = 6;

/** @param {Schemas["ModerationCaseDetail"]} detail */
export function contextOf(detail) {
  const { post, author, reports, reporters, earlierDecisions, history } = detail;
  const parent = post && "parentPublicId" in post ? post.parentPublicId : null;
  return el(
    "div",
    { class: "context" },
    parent && post && opening(t("thread"), () => thread(post.publicId), true),
    section(t("theReports"), reports.map((row) => report(row, reporters.find(({ userId }) => userId === row.reporterId))), ""),
    author && opening(t("others"), () => others(author.username, detail.id), false, "o"),
    section(t("earlier"), earlierDecisions.map(earlier), t("earlierEmpty")),
    section(t("history"), history.map(event), t("historyEmpty")),
    author && el("p", { class: "small" }, el("a", { href: `#/?reportedUser=${author.publicId}` }, t("aboutUser"))),
  );
}

/**
 * @param {Schemas["Report"]} report
 * @param {Schemas["Reporter"]} [reporter]
 */
function report({ reason, category, createdAt, reporterId }, reporter) {
  return el(
    "li",
    {},
    el("span", { class: "tag" }, named("category", category)),
    ` ${reason} `,
    el("span", { class: "quiet small" }, time(createdAt), " · "),
    el("a", { class: "small", href: `#/?reporter=${reporterId}` }, t("reporterCases")),
    reporter && el("span", { class: "quiet small" }, " · ", upheld(reporter)),
  );
}

/** @param {Schemas["Reporter"]} reporter */
const upheld = ({ upheldCount, decidedCount }) =>
  t("reporterUpheld", { upheld: number(upheldCount), decided: number(decidedCount) });

/** @param {Schemas["ModerationDecision"]} decision */
function earlier({ measures, reason, category, createdAt, restoredAt, strikeUntil, appeal }) {
  return el(
    "li",
    { class: restoredAt ? "undone" : null },
    ...measures.flatMap((measure) => [el("span", { class: "tag" }, named("measure", measure)), " "]),
    `${named("category", category)}${reason ? ` · ${reason}` : ""} `,
    el("span", { class: "quiet small" }, time(createdAt)),
    strikeUntil && el("span", { class: "quiet small" }, ` · ${t("strikeUntil")} ${dateOf(strikeUntil)}`),
    appeal && el("span", { class: "quiet small" }, ` · ${t("appealState", { state: named("appeal", appeal.status) })}`),
  );
}

/** @param {Schemas["CaseEvent"]} event */
function event({ kind, actions, text, assignee, by, at }) {
  return el(
    "li",
    {},
    el("strong", {}, named("event", kind)),
    actions.length > 0 && ` ${inWords(actions)}`,
    assignee && el("span", {}, " → ", nameOf(assignee)),
    text && ` · ${text}`,
    el("span", { class: "quiet small" }, " · ", by ? nameOf(by) : t("audit.system"), " · ", time(at)),
  );
}

/** @param {string} publicId */
async function thread(publicId) {
  const { data } = await answer(api.GET("/posts/{publicId}/context", { params: { path: { publicId } } }));
  return data.ancestors.map(line);
}

/**
 * @param {string} username
 * @param {string} except the post of the case
 */
async function others(username, except) {
  const params = { path: { username }, query: { take: OTHERS_MAX } };
  const { data } = await answer(api.GET("/user/{username}/posts", { params }));
  return data.filter(({ publicId }) => publicId !== except).map(line);
}

/** @param {Schemas["Post"]} post */
function line({ user, content, createdAt }) {
  return el(
    "li",
    {},
    el("strong", {}, `@${user.username}`),
    ` ${content} `,
    el("span", { class: "quiet small" }, time(createdAt)),
  );
}

/**
 * @param {string} title
 * @param {Node[]} rows
 * @param {string} empty
 */
function section(title, rows, empty) {
  return el("section", {}, el("h3", {}, title), ...listed(rows, empty));
}

/**
 * @param {Node[]} rows
 * @param {string} empty
 */
function listed(rows, empty) {
  return rows.length > 0 ? [el("ul", {}, ...rows)] : [el("p", { class: "quiet small" }, empty)];
}

/**
 * Returns a section that can be opened. `read` loads its rows when it is opened for the first time.
 * @param {string} title
 * @param {() => Promise<Node[]>} read
 * @param {boolean} isOpen
 * @param {string} [key]
 */
function opening(title, read, isOpen, key) {
  const box = el(
    "details",
    { "data-key": key, ontoggle: () => void open() },
    el("summary", {}, title, key && el("kbd", {}, key)),
  );
  async function open() {
    if (!box.open || box.childElementCount > 1) {
      return;
    }
    const body = el("div", { "aria-live": "polite" }, el("p", { class: "quiet small" }, t("loading")));
    box.append(body);
    try {
      body.replaceChildren(...listed(await read(), t("othersEmpty")));
    } catch (error) {
      body.replaceChildren(el("p", { class: "wrong" }, problemOf(error)));
    }
  }
  box.open = isOpen;
  return box;
}
