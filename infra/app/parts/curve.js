/** The HP of a circle as a curve. */

import { svg } from "../src/dom.js";

const [WIDTH, HEIGHT] = [560, 180];
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 8, 10, 24];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const day = new Intl.DateTimeFormat("en", { weekday: "short", day: "numeric" });
const hour = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit" });

/** @param {Schemas["EnergyPoint"][]} points as `GET /circles/{publicId}/energy/history` has them, oldest first */
export function curve(points) {
  const times = points.map(({ at }) => Date.parse(at));
  const start = times[0] ?? 0;
  const span = Math.max((times.at(-1) ?? 0) - start, HOUR);
  const max = Math.max(1, ...points.map((it) => it.max));
  const x = (/** @type {number} */ at) => LEFT + ((at - start) / span) * (WIDTH - LEFT - RIGHT);
  const y = (/** @type {number} */ hp) => TOP + (1 - hp / max) * (HEIGHT - TOP - BOTTOM);
  const line = points.map(({ hp }, index) => `${x(times[index] ?? 0).toFixed(1)} ${y(hp).toFixed(1)}`).join("L");
  const last = points.at(-1);
  const floor = y(0);
  return svg(
    "svg",
    { class: `curve stage-${last?.stage}`, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": inWords(points) },
    ...[0, max / 2, max].map((hp) => svg("path", { class: "grid", d: `M${LEFT} ${y(hp)}H${WIDTH - RIGHT}` })),
    ...[0, max / 2, max].map((hp) => svg("text", { class: "tick", x: LEFT - 8, y: y(hp) + 4, "text-anchor": "end" }, hp)),
    ...ticks(start, span).map(([at, label]) => svg("text", { class: "tick", x: x(at), y: HEIGHT - 6, "text-anchor": "middle" }, label)),
    points.length > 1 && svg("path", { class: "area", d: `M${line}L${x(start + span)} ${floor}L${LEFT} ${floor}Z` }),
    points.length > 1 && svg("path", { class: "line", d: `M${line}` }),
    last && svg("circle", { class: "dot", cx: x(times.at(-1) ?? 0), cy: y(last.hp), r: 4 }),
  );
}

/**
 * Six marks at most, at full days or at full hours.
 * @param {number} start
 * @param {number} span
 * @returns {[at: number, label: string][]}
 */
function ticks(start, span) {
  const step = [HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, DAY, 2 * DAY, 7 * DAY].find((it) => span / it <= 6) ?? 7 * DAY;
  const format = step < DAY ? hour : day;
  const first = Math.ceil((start + span * 0.04) / step) * step;
  const count = Math.max(0, Math.floor((start + span * 0.96 - first) / step) + 1);
  return Array.from({ length: count }, (_, index) => [first + index * step, format.format(first + index * step)]);
}

/** @param {Schemas["EnergyPoint"][]} points */
function inWords(points) {
  const [first, last] = [points[0], points.at(-1)];
  return first && last ? `From ${first.hp} to ${last.hp} of ${last.max} HP, ${last.stage.toLowerCase()}` : "No HP is known yet";
}
