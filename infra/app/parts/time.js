/** Relative times. */

import { el } from "../shared/dom.js";
import { now } from "../src/clock.js";

const STEPS = /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
]);
const ago = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const date = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
const full = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "short" });

/** @param {string} at */
export function time(at) {
  return el("time", { datetime: at, title: full.format(new Date(at)) }, inWords(at));
}

/** @param {string} at */
function inWords(at) {
  const seconds = Math.max(0, (now() - Date.parse(at)) / 1000);
  if (seconds > 7 * 86_400) {
    return date.format(new Date(at));
  }
  const step = STEPS.find(([, length]) => seconds >= length);
  return step ? ago.format(-Math.floor(seconds / step[1]), step[0]) : "now";
}
