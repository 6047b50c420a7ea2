/** The filters of the queue. The URL contains the chosen filters. */

import { el } from "../shared/dom.js";
import { named, t } from "../src/language.js";
import { nameOf } from "../src/names.js";
import { select } from "./select.js";

const STATUSES = ["PENDING", "DISMISSED", "HIDDEN", "DELETED", "RESOLVED"];
const CATEGORIES = ["SPAM", "HARASSMENT", "HATE", "VIOLENCE", "SEXUAL", "SELF_HARM", "MISINFORMATION", "OTHER"];
const TARGETS = ["POST", "USER", "CIRCLE"];
const SORTS = /** @type {const} */ (["oldest", "newest", "most"]);
/** Filters that the API does not combine with `sort` or with each other. */
const LISTS = /** @type {const} */ (["assignee", "reportedUser", "reporter"]);

/**
 * @param {URLSearchParams} query
 * @param {Schemas["OwnAccount"]} me
 * @param {(path: string) => void} go
 */
export function filters(query, me, go) {
  const change = (/** @type {string} */ name, /** @type {string} */ value) => {
    const next = new URLSearchParams(query);
    value === "" ? next.delete(name) : next.set(name, value);
    if (name === "assignee") {
      next.delete("sort");
    }
    go(next.size > 0 ? `/?${next}` : "/");
  };
  const own = LISTS.find((name) => query.has(name));
  const mine = el("input", {
    type: "checkbox",
    checked: query.get("assignee") === me.publicId,
    onchange: () => change("assignee", mine.checked ? me.publicId : ""),
  });
  const options = (/** @type {string[]} */ values, /** @type {Parameters<typeof named>[0]} */ kind) =>
    values.map((value) => /** @type {[string, string]} */ ([value, named(kind, value)]));
  const pick = (/** @type {string} */ name, /** @type {string} */ label, /** @type {[string, string][]} */ choices) =>
    select(label, choices, query.get(name) ?? "", (value) => change(name, value));
  const any = /** @type {[string, string]} */ (["", t("any")]);
  const statuses = options(STATUSES, "status");
  return el(
    "form",
    { class: "filters", role: "search", "aria-label": t("filter") },
    pick(
      "status",
      t("filter.status"),
      own ? [any, ...statuses] : statuses.map(([value, label], place) => [place ? value : "", label]),
    ),
    pick("category", t("filter.category"), [any, ...options(CATEGORIES, "category")]),
    pick("type", t("filter.type"), [any, ...options(TARGETS, "target")]),
    !own &&
      pick(
        "sort",
        t("filter.sort"),
        SORTS.map((value, place) => [place ? value : "", t(`sort.${value}`)]),
      ),
    own && own !== "assignee"
      ? about(own, query.get(own) ?? "", () => change(own, ""))
      : el("label", { class: "check" }, mine, t("filter.mine")),
  );
}

/**
 * @param {"reportedUser" | "reporter"} kind
 * @param {string} user a public ID
 * @param {() => void} clear
 */
function about(kind, user, clear) {
  const label = t(kind === "reporter" ? "filter.reporter" : "filter.about", { name: "" });
  return el(
    "span",
    { class: "line" },
    label,
    nameOf(user),
    el("button", { type: "button", onclick: clear }, t("filter.clear")),
  );
}
