/** What happens, as it happens: one connection a tab, made when somebody is there to hear. */

import { listen } from "../vendor/social-client.js";
import { network } from "./network.js";

/** The key of the push provider that `make dev` brings. */
const KEY = "local";

/** How long a view waits for the connection before it is shown without. */
const PATIENCE_MS = 3000;

/** @type {Promise<import("../vendor/social-client.js").Realtime> | null} */
let connection = null;

/** The connection; where the provider is switched off, this rejects. */
function live() {
  connection ??= network.realtime({ key: KEY, host: location.hostname, port: Number(location.port) || 80 });
  return connection;
}

/** Waits until what happens is heard, where it can be: what is read from then on misses nothing. */
export async function hearing() {
  const isLate = new Promise((done) => setTimeout(done, PATIENCE_MS));
  await Promise.race([live().catch(() => {}), isLate]);
}

/** Ends the connection. */
export function stopLive() {
  connection?.then((it) => it.close()).catch(() => {});
  connection = null;
}

/**
 * Hears an event of one's own channel, until the signal ends it. Without realtime there is silence.
 * @template {keyof import("../vendor/social-client.js").Events} Name
 * @param {Name} name
 * @param {AbortSignal} signal
 * @param {(event: import("../vendor/social-client.js").Events[Name]) => void} hear
 */
export function onOwn(name, signal, hear) {
  live()
    .then(({ own }) => hearUntil(own, name, signal, hear))
    .catch(() => {});
}

/**
 * Hears an event of a circle.
 * @template {keyof import("../vendor/social-client.js").Events} Name
 * @param {string} id
 * @param {Name} name
 * @param {AbortSignal} signal
 * @param {(event: import("../vendor/social-client.js").Events[Name]) => void} hear
 */
export async function onCircle(id, name, signal, hear) {
  try {
    const it = await live();
    const channel = await it.circle(id);
    hearUntil(channel, name, signal, hear);
    signal.addEventListener("abort", () => it.leave(channel));
  } catch {
    // Who is no member hears nothing; the page shows what it was told.
  }
}

/**
 * @template {keyof import("../vendor/social-client.js").Events} Name
 * @param {import("../vendor/social-client.js").Channel} channel
 * @param {Name} name
 * @param {AbortSignal} signal
 * @param {(event: import("../vendor/social-client.js").Events[Name]) => void} hear
 */
function hearUntil(channel, name, signal, hear) {
  if (!signal.aborted) {
    signal.addEventListener("abort", listen(channel, name, hear));
  }
}
