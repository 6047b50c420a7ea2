/** Relative times. */

import { el } from "./dom.js";

const STEPS = /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
]);

/**
 * Returns a function that converts a time into an element with a text such as "5 minutes ago".
 * @param {string} locale
 * @param {() => number} now in milliseconds
 * @param {string} justNow shown for less than a minute
 */
export function timesIn(locale, now, justNow) {
  const ago = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
  const full = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" });

  /** @param {string} at */
  function relativeTime(at) {
    const seconds = Math.max(0, (now() - Date.parse(at)) / 1000);
    if (seconds > 7 * 86_400) {
      return date.format(new Date(at));
    }
    const step = STEPS.find(([, length]) => seconds >= length);
    return step ? ago.format(-Math.floor(seconds / step[1]), step[0]) : justNow;
  }

  /** @param {string} at */
  return (at) => el("time", { datetime: at, title: full.format(new Date(at)) }, relativeTime(at));
}
