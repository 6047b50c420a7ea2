/** The filters of the queue. The URL contains the chosen filters. */

import { el } from "../shared/dom.js";
import { t } from "../src/language.js";
import { nameOf } from "../src/names.js";
import { filtered, filterOptions, options, select } from "./select.js";

/** @typedef {import("./select.js").Option} Option */

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
    const next = { ...Object.fromEntries(query), [name]: value };
    go(filtered("/", name === "assignee" ? { ...next, sort: "" } : next));
  };
  const own = LISTS.find((name) => query.has(name));
  const mine = el("input", {
    type: "checkbox",
    checked: query.get("assignee") === me.publicId,
    onchange: () => change("assignee", mine.checked ? me.publicId : ""),
  });
  const pick = (/** @type {string} */ name, /** @type {string} */ label, /** @type {Option[]} */ choices) =>
    select(label, choices, query.get(name) ?? "", (value) => change(name, value));
  return el(
    "form",
    { class: "filters", role: "search", "aria-label": t("filter") },
    pick(
      "status",
      t("filter.status"),
      own
        ? filterOptions("status", STATUSES)
        : options("status", STATUSES).map(([value, label], place) => [place ? value : "", label]),
    ),
    pick("category", t("filter.category"), filterOptions("category", CATEGORIES)),
    pick("type", t("filter.type"), filterOptions("target", TARGETS)),
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
