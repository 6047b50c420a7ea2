/** Search for people and posts. */

import { person } from "../parts/person.js";
import { postCard } from "../parts/post.js";
import { el } from "../shared/dom.js";
import { field, form } from "../shared/form.js";
import { list } from "../shared/list.js";
import { network } from "../shared/network.js";
import { tabs } from "../shared/tabs.js";
import { go } from "../src/router.js";

/** @param {Visit} visit */
export async function search({ query }) {
  const q = query.get("q") ?? "";
  const type = query.get("type") === "post" ? "post" : "user";
  const asked = form(
    { role: "search", class: "row searching" },
    async (values) => go(`/search?${new URLSearchParams({ q: values["q"] ?? "", type })}`),
    field("q", "Search", { type: "search", value: q, placeholder: "A name, or words of a post", isLabelHidden: true }),
    el("button", { class: "primary" }, "Search"),
  );
  const at = (/** @type {string} */ type) => `#/search?${new URLSearchParams({ q, type })}`;
  return el(
    "div",
    {},
    el("header", { class: "head" }, el("h1", {}, "Search")),
    asked,
    tabs(
      "Kinds",
      [
        [at("user"), "People"],
        [at("post"), "Posts"],
      ],
      Number(type === "post"),
    ),
    q ? await found(q, type) : el("p", { class: "empty" }, "Enter a name, or words of a post."),
  );
}

/**
 * @param {string} q
 * @param {"user" | "post"} type
 */
function found(q, type) {
  const rows = network.rows("/search", { params: { query: { q, type } } });
  const draw = (/** @type {Schemas["SearchResult"]} */ row) => {
    switch (row.kind) {
      case "POST":
        return postCard(row);
      case "USER":
        return person(row);
      default:
        return el("span");
    }
  };
  return list(rows, draw, `No results for “${q}”.`, { name: "Results" });
}
