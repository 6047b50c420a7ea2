/** Time as the service has it: its clock can be moved, this browser's cannot. */

let ahead = 0;

/** The service's time, in milliseconds. */
export const now = () => Date.now() + ahead;

/** Asks the local stack what time it is. */
export async function readClock() {
  take(await (await fetch("/_local/clock")).json());
}

/**
 * Lets time pass, with all that falls due in it.
 * @param {number} advanceSeconds
 */
export async function advance(advanceSeconds) {
  const response = await fetch("/_local/clock", { method: "POST", body: JSON.stringify({ advanceSeconds }) });
  take(await response.json());
}

/** @param {{ data: { now: string } }} answer */
function take({ data }) {
  ahead = Date.parse(data.now) - Date.now();
}
