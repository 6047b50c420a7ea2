/** The time of the service, whose clock can be moved. */

let ahead = 0;

/** Returns the service's time in milliseconds. */
export const now = () => Date.now() + ahead;

/** Reads the time from the local stack. */
export async function readClock() {
  take(await (await fetch("/_local/clock")).json());
}

/**
 * Advances the clock, and runs all work that is then due.
 * @param {number} advanceSeconds
 */
export async function advance(advanceSeconds) {
  const response = await fetch("/_local/clock", { method: "POST", body: JSON.stringify({ advanceSeconds }) });
  take(await response.json());
}

/** @param {{ data: { now: string } }} response */
function take({ data }) {
  ahead = Date.parse(data.now) - Date.now();
}
