/** The museum of dead circles. */

import { icon } from "../parts/icon.js";
import { time } from "../parts/time.js";
import { el } from "../shared/dom.js";
import { list } from "../shared/list.js";
import { network } from "../shared/network.js";
import { tabs } from "../shared/tabs.js";

const EMPTY =
  "No circle has died yet. Without posts a circle lives about two days. Start one, and advance the clock.";

/** @param {Visit} visit */
export async function museum({ query }) {
  const sort = query.get("sort") === "longestLived" ? "longestLived" : "recent";
  return el(
    "div",
    {},
    el(
      "header",
      { class: "head" },
      el("h1", {}, "Museum"),
      el("p", { class: "quiet" }, "Circles whose members stopped writing"),
    ),
    tabs(
      "Order",
      [
        ["#/museum", "Latest"],
        ["#/museum?sort=longestLived", "Longest lived"],
      ],
      Number(sort === "longestLived"),
    ),
    await list(network.rows("/museum", { params: { query: { sort } } }), stone, EMPTY, { name: "Dead circles" }),
  );
}

/** @param {Schemas["MuseumStone"]} stone */
function stone({ circleName, summary, peakHp, livedDays, maxLevel, totalMembers, heroes, featured, diedAt }) {
  /** @type {[label: string, value: number][]} */
  const facts = [
    ["Days", livedDays],
    ["Peak HP", peakHp],
    ["Level", maxLevel],
    ["Members", totalMembers],
    ["Heroes", heroes.length],
  ];
  return el(
    "article",
    { class: `stone${featured ? " featured" : ""}` },
    icon("circle"),
    el("h2", {}, circleName),
    el("p", { class: "quiet small" }, "Died ", time(diedAt), featured && " · featured"),
    el("p", {}, summary),
    el("dl", {}, ...facts.map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, value)))),
  );
}
