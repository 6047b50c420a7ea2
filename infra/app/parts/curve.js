/** The HP of a circle as a curve. */

import { svg } from "../shared/dom.js";

const HEIGHT = 180;
const WIDTH_MAX = 540;
/** Pixels of the window's width that the curve on a phone does not use. */
const AROUND = 64;
const TICK_WIDTH = 80;
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 8, 10, 24];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const day = new Intl.DateTimeFormat("en", { weekday: "short", day: "numeric" });
const hour = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** @param {Schemas["EnergyPoint"][]} points of `GET /circles/{publicId}/energy/history`, oldest first */
export function curve(points) {
  const width = Math.min(WIDTH_MAX, window.innerWidth - AROUND);
  const times = points.map(({ at }) => Date.parse(at));
  const start = times[0] ?? 0;
  const span = Math.max((times.at(-1) ?? 0) - start, HOUR);
  const max = Math.max(1, ...points.map(({ max }) => max));
  const x = (/** @type {number} */ at) => LEFT + ((at - start) / span) * (width - LEFT - RIGHT);
  const y = (/** @type {number} */ hp) => TOP + (1 - hp / max) * (HEIGHT - TOP - BOTTOM);
  const place = (/** @type {Schemas["EnergyPoint"]} */ { at, hp }) =>
    `${x(Date.parse(at)).toFixed(1)} ${y(hp).toFixed(1)}`;
  const last = points.at(-1);
  const floor = y(0);
  return svg(
    "svg",
    { class: "curve", viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": inWords(points) },
    ...[0, max / 2, max].map((hp) => svg("path", { class: "grid", d: `M${LEFT} ${y(hp)}H${width - RIGHT}` })),
    ...[0, max / 2, max].map((hp) =>
      svg("text", { class: "tick", x: LEFT - 8, y: y(hp) + 4, "text-anchor": "end" }, hp),
    ),
    ...ticks(start, span, (width - LEFT) / TICK_WIDTH).map(([at, label]) =>
      svg("text", { class: "tick", x: x(at), y: HEIGHT - 6, "text-anchor": "middle" }, label),
    ),
    ...stagesOf(points).map((run) => {
      const line = run.map(place).join("L");
      const [from, to] = [run[0], run.at(-1)].map((point) => x(Date.parse(point?.at ?? "")).toFixed(1));
      return svg(
        "g",
        { class: `stage-${run.at(-1)?.stage}` },
        svg("path", { class: "area", d: `M${line}L${to} ${floor}L${from} ${floor}Z` }),
        svg("path", { class: "line", d: `M${line}` }),
      );
    }),
    last && svg("circle", { class: `dot stage-${last.stage}`, cx: x(times.at(-1) ?? 0), cy: y(last.hp), r: 4 }),
  );
}

/**
 * Splits points by stage. Each stage starts at the last point of the previous one.
 * @param {Schemas["EnergyPoint"][]} points
 */
function stagesOf(points) {
  /** @type {Schemas["EnergyPoint"][][]} */
  const runs = [];
  points.forEach((point, index) => {
    const [run, before] = [runs.at(-1), points[index - 1]];
    if (run && run.at(-1)?.stage === point.stage) {
      run.push(point);
    } else {
      runs.push(before ? [before, point] : [point]);
    }
  });
  return runs;
}

/**
 * Returns as many ticks as fit, at full days or hours.
 * @param {number} start
 * @param {number} span
 * @param {number} most
 * @returns {[at: number, label: string][]}
 */
function ticks(start, span, most) {
  const step = [HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, DAY, 2 * DAY, 7 * DAY].find((length) => span / length <= most) ?? 7 * DAY;
  const format = step < DAY ? hour : day;
  const first = Math.ceil((start + span * 0.04) / step) * step;
  const count = Math.max(0, Math.floor((start + span * 0.96 - first) / step) + 1);
  return Array.from({ length: count }, (_, index) => [first + index * step, format.format(first + index * step)]);
}

/** @param {Schemas["EnergyPoint"][]} points */
function inWords(points) {
  const [first, last] = [points[0], points.at(-1)];
  return first && last
    ? `From ${first.hp} to ${last.hp} of ${last.max} HP, ${last.stage.toLowerCase()}`
    : "No HP recorded yet";
}
