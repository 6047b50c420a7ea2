/** The connection to the API. Tokens are kept by tab, so that two windows can be two people. */

import { ApiError, answer, connect, inBrowser } from "../vendor/social-client.js";

export { ApiError, answer };

/** The network, as whoever is signed in in this tab. */
export const network = connect({
  url: location.origin,
  tokens: inBrowser(sessionStorage),
  onEnd: () => window.dispatchEvent(new Event("session-end")),
});

/** Every operation of the API. */
export const { api } = network;

/** @type {Schemas["Me"] | null} */
let me = null;

/** Whoever is signed in; asked for once. */
export async function getMe() {
  me ??= (await answer(api.GET("/auth/me"))).data;
  return me;
}

/** Has the next `getMe` ask again. */
export function forgetMe() {
  me = null;
}
