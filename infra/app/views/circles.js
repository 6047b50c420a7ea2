/** The user's circles, circles to join, and a form for a new one. */

import { stage } from "../parts/energy.js";
import { el } from "../shared/dom.js";
import { field, form } from "../shared/form.js";
import { list } from "../shared/list.js";
import { answer, api, network } from "../shared/network.js";
import { tabs } from "../shared/tabs.js";
import { go } from "../src/router.js";

/** @param {Visit} visit */
export async function circles({ query }) {
  const isDiscovering = query.get("tab") === "discover";
  const shown = isDiscovering
    ? await list(
        network.rows("/circles/discover"),
        circleRow,
        "No circles to discover yet. New circles appear at the next full hour.",
        { name: "Circles" },
      )
    : await list(network.rows("/circles"), circleRow, "You are not in a circle yet. Discover one, or start your own.", {
        name: "Your circles",
      });
  return el(
    "div",
    {},
    el("header", { class: "head" }, el("h1", {}, "Circles")),
    el("details", { class: "panel begin" }, el("summary", {}, "Start a circle"), draft()),
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
    el("button", { class: "primary" }, "Start"),
  );
}

/** @param {Schemas["Circle"]} circle */
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
