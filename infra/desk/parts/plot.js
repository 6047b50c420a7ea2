/** Bar charts. Below each chart, a table has the same numbers. */

import { el, svg } from "../shared/dom.js";
import { number, t } from "../src/language.js";

const [WIDTH_MAX, ROW, BAR, VALUE] = [440, 40, 12, 60];
/** Pixels of the window's width that a chart on a phone does not use. */
const AROUND = 80;

/** @typedef {{ label: string, value: number, note?: string }} Bar `note` follows the label */

/**
 * @param {string} title
 * @param {Bar[]} bars
 */
export function barPlot(title, bars) {
  const max = Math.max(1, ...bars.map(({ value }) => value));
  const width = Math.min(WIDTH_MAX, window.innerWidth - AROUND);
  const words = bars.map(({ label, value }) => `${label}: ${number(value)}`).join(", ");
  return el(
    "figure",
    { class: "panel" },
    el("figcaption", {}, el("h2", {}, title)),
    svg(
      "svg",
      {
        class: "plot",
        width,
        viewBox: `0 0 ${width} ${bars.length * ROW}`,
        role: "img",
        "aria-label": `${title}. ${words}`,
      },
      ...bars.flatMap((bar, place) => row(bar, place * ROW, { width: width - VALUE, max })),
    ),
    table(title, bars),
  );
}

/**
 * @param {Bar} bar
 * @param {number} top
 * @param {{ width: number, max: number }} scale
 */
function row({ label, value, note }, top, { width, max }) {
  const [y, rx] = [top + ROW - BAR - 5, 3];
  return [
    svg("text", { class: "label", x: 0, y: y - 6 }, note ? `${label} · ${note}` : label),
    svg("rect", { class: "track", x: 0, y, width, height: BAR, rx }),
    svg("rect", { x: 0, y, width: ((value / max) * width).toFixed(1), height: BAR, rx }),
    svg("text", { x: width + 8, y: y + BAR - 1 }, number(value)),
  ];
}

/**
 * @param {string} title
 * @param {Bar[]} bars
 */
function table(title, bars) {
  return el(
    "details",
    { class: "small" },
    el("summary", {}, t("stats.table")),
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, title), el("th", { scope: "col" }, t("stats.count")))),
      el(
        "tbody",
        {},
        ...bars.map(({ label, value }) => el("tr", {}, el("th", { scope: "row" }, label), el("td", {}, number(value)))),
      ),
    ),
  );
}
