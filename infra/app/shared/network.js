/** The API client. Each tab has its own tokens, so that two windows can be two users. */

import { ApiError, answer, connect, inBrowser } from "../vendor/social-client.js";

export { ApiError, answer };

/** The client of the user who is signed in in this tab. */
export const network = connect({
  url: location.origin,
  tokens: inBrowser(sessionStorage),
  onEnd: () => window.dispatchEvent(new Event("session-end")),
});

/** Every operation of the API. */
export const { api } = network;

/** @type {Schemas["OwnAccount"] | null} */
let me = null;

/** Returns the signed-in user. Sends a request only at the first call, and after `forgetMe`. */
export async function getMe() {
  me ??= (await answer(api.GET("/auth/me"))).data;
  return me;
}

/** Makes the next call of `getMe` send a request. */
export function forgetMe() {
  me = null;
}
