/** The energy of a circle: HP as a bar and as a curve. */

import { el } from "../shared/dom.js";
import { answer, api } from "../shared/network.js";
import { curve } from "./curve.js";

const DAYS = 7;

/**
 * @param {string} publicId
 * @returns {Promise<HTMLElement>}
 */
export async function energy(publicId) {
  const params = { path: { publicId } };
  const [{ data: now }, { data: history }] = await Promise.all([
    answer(api.GET("/circles/{publicId}/energy", { params })),
    answer(api.GET("/circles/{publicId}/energy/history", { params: { ...params, query: { days: DAYS } } })),
  ]);
  return el(
    "section",
    { class: "panel energy" },
    el(
      "div",
      { class: "row" },
      el("h2", {}, "Energy"),
      stage(now.stage),
      el(
        "span",
        { class: "push quiet" },
        `Level ${now.level}${now.expToNext == null ? "" : ` · ${now.expToNext} EXP to the next level`}`,
      ),
    ),
    bar(now),
    el("p", { class: "quiet" }, outlook(now)),
    el(
      "figure",
      {},
      curve(history.points),
      el("figcaption", { class: "quiet small" }, "HP of the last 7 days"),
    ),
  );
}

/** @param {Schemas["CircleStage"]} name */
export function stage(name) {
  return el("span", { class: `stage stage-${name}` }, name);
}

/** @param {Schemas["CircleEnergy"]} energy */
function bar({ current, max, percent, stage }) {
  const filled = el("span", { class: `filled stage-${stage}` });
  filled.style.width = `${percent}%`;
  const meter = {
    role: "meter",
    "aria-label": "HP",
    "aria-valuemin": 0,
    "aria-valuemax": max,
    "aria-valuenow": current,
  };
  return el(
    "div",
    { class: "hp" },
    el("div", { class: "bar", ...meter }, filled),
    el("strong", {}, `${current} / ${max} HP`),
  );
}

/** @param {Schemas["CircleEnergy"]} energy */
function outlook({ current, drainRate }) {
  const hours = Math.ceil(current / Math.max(1, drainRate));
  const left = hours >= 48 ? `${Math.floor(hours / 24)} days` : `${hours} hours`;
  return `It loses ${drainRate} HP every full hour, and dies in ${left} unless members write good posts.`;
}
