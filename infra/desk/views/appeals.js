/** Appeals against decisions. */

import { report } from "../parts/notice.js";
import { entry, listing, page } from "../parts/page.js";
import { inWords } from "../parts/problem.js";
import { el } from "../shared/dom.js";
import { field, form } from "../shared/form.js";
import { answer, api, network } from "../shared/network.js";
import { tabs } from "../shared/tabs.js";
import { time } from "../src/clock.js";
import { named, t } from "../src/language.js";
import { nameOf } from "../src/names.js";

const STATUSES = /** @type {const} */ (["PENDING", "UPHELD", "GRANTED", "CLOSED"]);

/** @param {Visit} visit */
export async function appeals({ query }) {
  const status = STATUSES.find((name) => name === query.get("status")) ?? "PENDING";
  const rows = network.rows("/admin/appeals", { params: { query: { status } } });
  return page(
    "appeals",
    tabs(
      t("filter.status"),
      STATUSES.map((name) => [`#/appeals?status=${name}`, named("appeal", name)]),
      STATUSES.indexOf(status),
    ),
    await listing(rows, appealRow, { empty: t("appeals.empty"), name: t("appeals") }),
  );
}

/** @param {Schemas["Appeal"]} appeal */
function appealRow(appeal) {
  const { userId, postId, text, status, decider, hiddenBy, reason, category, createdAt, adminNote, decidedBy } = appeal;
  const row = entry(
    [
      el("strong", {}, nameOf(userId)),
      el("span", { class: "tag" }, named("category", category)),
      el("span", { class: "tag" }, named("appeal", status)),
      el("span", { class: "quiet small" }, time(createdAt)),
    ],
    [el("a", { class: "button small", href: `#/case/${postId}` }, t("appeals.open"))],
    el("p", { class: "quiet small" }, t("appeals.text")),
    el("p", { class: "text" }, text),
    content(postId),
    el(
      "p",
      { class: "quiet small" },
      t("appeals.hiddenBy"),
      hiddenBy ? nameOf(hiddenBy) : t(decider === "JUDGE" ? "byJudge" : "audit.system"),
      reason ? ` · ${reason}` : "",
    ),
    decidedBy &&
      el("p", { class: "quiet small" }, t("appeals.decidedBy"), nameOf(decidedBy), adminNote && ` · ${adminNote}`),
    status === "PENDING" && decision(appeal, (next) => row.replaceWith(appealRow(next))),
  );
  row.dataset["appeal"] = appeal.id;
  return row;
}

/** @param {string} publicId the ID of the post, or the public ID of the banned user */
function content(publicId) {
  const box = el("details", { ontoggle: () => void open() }, el("summary", {}, t("appeals.content")));
  async function open() {
    if (!box.open || box.childElementCount > 1) {
      return;
    }
    const shown = el("blockquote", {}, t("loading"));
    box.append(shown);
    const found = answer(api.GET("/admin/cases/{caseId}", { params: { path: { caseId: publicId } } }));
    shown.textContent = await found.then(
      ({ data }) => data.reportedContent?.content ?? data.post?.content ?? t("appeals.gone"),
      inWords,
    );
  }
  return box;
}

/**
 * @param {Schemas["Appeal"]} appeal
 * @param {(next: Schemas["Appeal"]) => void} decided
 */
function decision({ id: appealId }, decided) {
  const press = (/** @type {Schemas["AppealAction"]} */ action) =>
    el("button", { name: "action", value: action, class: action === "uphold" ? "primary" : null }, t(action));
  return form(
    { class: "stack" },
    async ({ adminNote = "" }, made) => {
      const action = /** @type {Schemas["AppealAction"]} */ (made.dataset["action"]);
      const body = { action, ...(adminNote.trim() && { adminNote: adminNote.trim() }) };
      const { data } = await answer(api.PATCH("/admin/appeals/{appealId}", { params: { path: { appealId } }, body }));
      report(named("appeal", data.status));
      decided(data);
    },
    field("adminNote", t("appeals.note"), { maxlength: 1000 }),
    el("div", { class: "line", onclick: remember }, press("uphold"), press("grant")),
  );
}

/** Stores the value of the pressed button in the form, because the form's data does not contain it. */
function remember(/** @type {MouseEvent} */ { target }) {
  if (target instanceof HTMLButtonElement && target.form) {
    target.form.dataset["action"] = target.value;
  }
}
