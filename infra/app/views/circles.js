/** Circles: one's own, those that one may join, and a new one. */

import { stage } from "../parts/energy.js";
import { field, form } from "../parts/form.js";
import { list } from "../parts/list.js";
import { tabs } from "../parts/tabs.js";
import { el } from "../src/dom.js";
import { answer, api, network } from "../src/network.js";
import { go } from "../src/router.js";

/** @param {Visit} visit */
export async function circles({ query }) {
  const isDiscovering = query.get("tab") === "discover";
  const shown = isDiscovering
    ? await list(
        network.rows("/circles/discover"),
        circleRow,
        "Nothing to find yet. A new circle is listed here with the next full hour.",
        { name: "Circles" },
      )
    : await list(network.rows("/circles"), circleRow, "You are in no circle yet. Discover one, or begin your own.", {
        name: "Your circles",
      });
  return el(
    "div",
    {},
    el("header", { class: "head" }, el("h1", {}, "Circles")),
    el("details", { class: "panel begin" }, el("summary", {}, "Begin a circle"), draft()),
    tabs(
      "Circles",
      [
        ["#/circles", "Yours"],
        ["#/circles?tab=discover", "Discover"],
      ],
      Number(isDiscovering),
    ),
    shown,
  );
}

function draft() {
  return form(
    { class: "stack" },
    async ({ name = "", description = "" }) => {
      const { data } = await answer(api.POST("/circles", { body: { name, description } }));
      go(`/circles/${data.publicId}`);
    },
    field("name", "Name"),
    field("description", "What is it about?"),
    el("button", { class: "primary" }, "Begin"),
  );
}

/** @param {Schemas["CircleView"]} circle */
function circleRow({ publicId, name, description, membersCount, level, stage: now }) {
  return el(
    "a",
    { class: "circle-row", href: `#/circles/${publicId}` },
    el("span", { class: "row" }, el("strong", {}, name), stage(now)),
    description && el("span", { class: "quiet" }, description),
    el(
      "span",
      { class: "quiet small" },
      `${membersCount} ${membersCount === 1 ? "member" : "members"} · level ${level}`,
    ),
  );
}
