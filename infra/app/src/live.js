/** Realtime events: one connection per tab, opened with the first listener. */

import { network } from "../shared/network.js";
import { listen } from "../vendor/social-client.js";

/** Key of the push provider of `make dev`. */
const KEY = "local";

/** Maximum time in milliseconds for which a view waits for the connection. */
const CONNECTION_WAIT_MS = 3000;

/** @type {Promise<import("../vendor/social-client.js").Realtime> | null} */
let connection = null;

/** Returns the connection. Rejects if there is no push provider. */
function live() {
  connection ??= network.realtime({ key: KEY, host: location.hostname, port: Number(location.port) || 80 });
  return connection;
}

/** Waits for the connection, so that the page receives all later events. Also returns if there is no connection. */
export async function connected() {
  const timeout = new Promise((done) => setTimeout(done, CONNECTION_WAIT_MS));
  await Promise.race([live().catch(() => {}), timeout]);
}

/** Closes the connection. */
export function stopLive() {
  connection?.then((realtime) => realtime.close()).catch(() => {});
  connection = null;
}

/**
 * Listens to an event of the user's own channel until the signal is aborted. Does nothing without realtime.
 * @template {keyof import("../vendor/social-client.js").Events} Name
 * @param {Name} name
 * @param {AbortSignal} signal
 * @param {(event: import("../vendor/social-client.js").Events[Name]) => void} handle
 */
export function onOwn(name, signal, handle) {
  live()
    .then(({ own }) => listenUntil(own, name, signal, handle))
    .catch(() => {});
}

/**
 * Listens to an event of a circle until the signal is aborted.
 * @template {keyof import("../vendor/social-client.js").Events} Name
 * @param {string} id
 * @param {Name} name
 * @param {AbortSignal} signal
 * @param {(event: import("../vendor/social-client.js").Events[Name]) => void} handle
 */
export async function onCircle(id, name, signal, handle) {
  try {
    const realtime = await live();
    const channel = await realtime.circle(id);
    listenUntil(channel, name, signal, handle);
    signal.addEventListener("abort", () => realtime.leave(channel));
  } catch {
    // The subscription fails if the user is not a member. Then the page shows the circle without live updates.
  }
}

/**
 * @template {keyof import("../vendor/social-client.js").Events} Name
 * @param {import("../vendor/social-client.js").Channel} channel
 * @param {Name} name
 * @param {AbortSignal} signal
 * @param {(event: import("../vendor/social-client.js").Events[Name]) => void} handle
 */
function listenUntil(channel, name, signal, handle) {
  if (!signal.aborted) {
    signal.addEventListener("abort", listen(channel, name, handle));
  }
}
