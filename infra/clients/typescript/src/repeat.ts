/** Sending again what failed on the way. Nothing is done twice by it. */

import { REPEATABLE } from "./schema.js";

type Send = (request: Request) => Promise<Response>;

const KEY = "idempotency-key";
/** What these do twice is as if it were done once. */
const SAFE = new Set(["GET", "HEAD", "PUT", "DELETE"]);
const TRIES = 3;
const LONGEST_WAIT_MS = 5_000;

/** Returns the key that a request to a path needs before it may be repeated; none where there is none. */
export function keyFor(method: string, path: string): string | null {
  return method === "POST" && REPEATABLE.has(path) ? crypto.randomUUID() : null;
}

/** Returns a way to send requests that tries again where nothing answered, or the service is overloaded. */
export function withRepeats(send: Send, wait: (milliseconds: number) => Promise<void> = sleep): Send {
  return async (request) => {
    for (let tried = 1; ; tried++) {
      const isLast = tried === TRIES || !isRepeatable(request);
      const response = await send(request.clone()).catch((error: unknown) => {
        if (isLast || request.signal.aborted) {
          throw error;
        }
      });
      const pause = response ? pauseOf(response, tried) : backOff(tried);
      if (response && (isLast || pause === null)) {
        return response;
      }
      await wait(pause ?? 0);
    }
  };
}

function isRepeatable({ method, headers }: Request): boolean {
  return SAFE.has(method) || headers.has(KEY);
}

/** Returns how long to wait before a request is sent again; null where its answer is final. */
function pauseOf({ status, headers }: Response, tried: number): number | null {
  const told = Number(headers.get("retry-after") ?? Number.NaN) * 1000;
  switch (status) {
    case 429:
      return told <= LONGEST_WAIT_MS ? told : null;
    case 500:
    case 502:
    case 503:
    case 504:
      return backOff(tried);
    default:
      return null;
  }
}

function backOff(tried: number): number {
  return Math.random() * 200 * 2 ** tried;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
