/** Sign-in with a password and, if the account has one, a second factor. A passkey replaces both. */

import { withdraw } from "../parts/notice.js";
import { el } from "../shared/dom.js";
import { field, form } from "../shared/form.js";
import { ApiError, canUsePasskeys, forgetMe, getMe, network, signInWithPasskey } from "../shared/network.js";
import { t } from "../src/language.js";
import { show } from "../src/router.js";

export async function signIn() {
  const code = field("code", t("code"), { autocomplete: "one-time-code", hint: t("codeHint") });
  code.hidden = true;
  const enter = form(
    { class: "stack" },
    async ({ identifier = "", password = "", code: typed }) => {
      try {
        await network.signIn({ identifier, password, ...(typed && { code: typed }) });
      } catch (error) {
        if (error instanceof ApiError && error.code === "SECOND_FACTOR_REQUIRED") {
          code.hidden = false;
          code.querySelector("input")?.focus();
          throw new Error(t("codeNeeded"));
        }
        throw error;
      }
      await entered();
    },
    field("identifier", t("identifier"), { autocomplete: "username", autocapitalize: "none" }),
    field("password", t("password"), { type: "password", autocomplete: "current-password" }),
    code,
    el("button", { class: "primary" }, t("signIn")),
  );
  return el(
    "section",
    { class: "gate panel" },
    el("h1", {}, t("signIn")),
    el("p", { class: "quiet" }, t("signInClaim")),
    enter,
    canUsePasskeys && passkey(),
  );
}

/** Returns the button for the sign-in with a passkey. */
function passkey() {
  return form(
    { class: "stack" },
    async () => {
      try {
        await signInWithPasskey();
      } catch (error) {
        throw error instanceof DOMException ? new Error(t("passkeyFailed")) : error;
      }
      await entered();
    },
    el("button", {}, t("passkey")),
  );
}

/** Shows the view that the URL names. Signs out a user who has no permission that the page needs. */
async function entered() {
  forgetMe();
  if ((await getMe()).permissions.length === 0) {
    await network.signOut();
    forgetMe();
    throw new Error(t("notModerator"));
  }
  withdraw(t("problem.401"));
  window.dispatchEvent(new Event("session"));
  await show();
}
