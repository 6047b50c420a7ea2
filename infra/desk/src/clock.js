/** The time of the service. */

import { answer, api } from "../shared/network.js";
import { timesIn } from "../shared/time.js";
import { language, t } from "./language.js";

let ahead = 0;

/** Returns the service's time in milliseconds. */
export const now = () => Date.now() + ahead;

/** Shows a time relative to now. */
export const time = timesIn(language, now, t("now"));

const full = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

/**
 * Returns a date with its time of day.
 * @param {string} at
 */
export const dateOf = (at) => full.format(new Date(at));

/** Reads how far the service's clock is ahead of this computer's clock. Without a response, assumes no difference. */
export async function readClock() {
  const { data } = await answer(api.GET("/health")).catch(() => ({ data: { time: new Date().toISOString() } }));
  ahead = Date.parse(data.time) - Date.now();
}
