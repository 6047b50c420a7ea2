/** Requests of a signed-in user. */

import { refusal } from "./errors.js";
import type { components } from "./schema.js";
import type { TokenStore, Tokens } from "./tokens.js";

type Send = (request: Request) => Promise<Response>;

const REFRESH_PATH = "/auth/refresh-token";
const LOCK = "social-refresh";
/** These paths return tokens, and need none. */
const WITHOUT_TOKEN = ["/auth/login", "/auth/register"];

/** Wraps `send` with the access token, and refreshes it when it has expired. */
export function withSession(base: string, tokens: TokenStore, send: Send, onEnd: () => void): Send {
  const refresh = (used: Tokens) => alone(async () => next(base, tokens, used, send, onEnd));
  return async (request) => {
    const now = tokens.read();
    if (now === null || WITHOUT_TOKEN.includes(request.url.slice(base.length))) {
      return send(request);
    }
    const again = request.clone();
    const first = await send(authorized(request, now));
    if (first.status !== 401) {
      return first;
    }
    const renewed = await refresh(now);
    return renewed ? send(authorized(again, renewed)) : first;
  };
}

/** Returns tokens newer than `used`: stored by another tab, or refreshed. Returns `null` if the session has ended. */
async function next(
  base: string,
  tokens: TokenStore,
  used: Tokens,
  send: Send,
  onEnd: () => void,
): Promise<Tokens | null> {
  const now = tokens.read();
  if (now === null || now.accessToken !== used.accessToken) {
    return now;
  }
  const headers = { "x-refresh-token": used.refreshToken };
  const response = await send(new Request(`${base}${REFRESH_PATH}`, { method: "POST", headers }));
  if (response.ok) {
    const { data } = (await response.json()) as components["schemas"]["TokenPairResponse"];
    tokens.write(data);
    return data;
  }
  if (response.status === 401 || response.status === 403) {
    tokens.write(null);
    onEnd();
    return null;
  }
  throw refusal(response, await response.json().catch(() => null));
}

function authorized(request: Request, { accessToken }: Tokens): Request {
  request.headers.set("authorization", `Bearer ${accessToken}`);
  return request;
}

let last: Promise<unknown> = Promise.resolve();

/** Runs one task at a time, across all tabs if the browser has locks. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks;
  if (locks) {
    return locks.request(LOCK, work) as Promise<T>;
  }
  const turn = last.then(work, work);
  last = turn.catch(() => undefined);
  return turn;
}
