/** The API client. Each tab has its own tokens, so that two windows can be two users. */

import { ApiError, answer, connect, inBrowser } from "../vendor/social-client.js";

export { ApiError, answer };

const tokens = inBrowser(sessionStorage);

/** The client of the user who is signed in in this tab. */
export const network = connect({
  url: location.origin,
  tokens,
  onEnd: () => window.dispatchEvent(new Event("session-end")),
});

/** Every operation of the API. */
export const { api } = network;

/** Whether this browser can use passkeys on this page. Browsers allow no passkeys on pages at an IP address. */
export const canUsePasskeys =
  "PublicKeyCredential" in window &&
  "parseRequestOptionsFromJSON" in PublicKeyCredential &&
  !/^[\d.]+$|^\[/.test(location.hostname);

/** Signs in with a passkey, which needs no password and counts as a second factor. */
export async function signInWithPasskey() {
  const { data } = await answer(api.POST("/auth/passkeys/login/options"));
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    /** @type {PublicKeyCredentialRequestOptionsJSON} */ (/** @type {unknown} */ (data.publicKey)),
  );
  const used = /** @type {PublicKeyCredential | null} */ (await navigator.credentials.get({ publicKey }));
  const credential = /** @type {Schemas["PasskeyAssertion"]} */ (/** @type {unknown} */ (used?.toJSON()));
  tokens.write((await answer(api.POST("/auth/passkeys/login", { body: { credential } }))).data);
}

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
