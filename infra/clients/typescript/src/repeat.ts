/** Retries of failed requests. No request takes effect twice. */

import { REPEATABLE } from "./schema.js";

type Send = (request: Request) => Promise<Response>;

const KEY = "idempotency-key";
/** Methods that can be repeated without a key. */
const SAFE = new Set(["GET", "HEAD", "PUT"]);
const TRIES = 3;
const LONGEST_WAIT_MS = 5_000;

/** Returns an idempotency key for a request, or `null` if its operation takes none. */
export function keyFor(method: string, path: string): string | null {
  return REPEATABLE.has(`${method} ${path}`) ? crypto.randomUUID() : null;
}

/** Wraps `send` with retries after network errors and overload. */
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

/** Returns the milliseconds until a retry, or `null` if the response is final. */
function pauseOf({ status, headers }: Response, tried: number): number | null {
  const header = headers.get("retry-after");
  const delay = Number(header) * 1000;
  switch (status) {
    case 429:
      // Responses of the gateway have no header `retry-after`.
      return header === null ? backOff(tried) : delay <= LONGEST_WAIT_MS ? delay : null;
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
