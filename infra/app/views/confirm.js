/** Confirmation of the email address, with the email that the local stack captured. */

import { el } from "../shared/dom.js";
import { answer, api, forgetMe, getMe } from "../shared/network.js";
import { until } from "../src/until.js";

/** @typedef {{ to: string, subject: string, text: string }} Mail */

export async function confirm() {
  const { email } = await getMe();
  const mail = await until(
    () => newestMail(email),
    (found) => found !== undefined,
  );
  return el(
    "div",
    {},
    el("header", { class: "head" }, el("h1", {}, "Confirm your address")),
    el(
      "p",
      { class: "note" },
      "The local service sends no mails. It keeps them at ",
      el("a", { href: "/_local/mail" }, "/_local/mail"),
      ". This one is yours:",
    ),
    mail ? mailPanel(mail) : el("p", { class: "empty" }, "The mail has not arrived yet. Reload the page in a moment."),
    el("p", {}, el("a", { href: "#/" }, "Later")),
  );
}

/** @param {Visit} visit */
export async function verifyEmail({ query }) {
  await answer(api.POST("/auth/verify-email", { body: { token: query.get("token") ?? "" } }));
  forgetMe();
  return el(
    "section",
    { class: "panel" },
    el("h1", {}, "Your address is confirmed"),
    el("p", {}, el("a", { class: "button primary", href: "#/" }, "Start reading")),
  );
}

/**
 * @param {string} email
 * @returns {Promise<Mail | undefined>}
 */
async function newestMail(email) {
  const { data } = /** @type {{ data: Mail[] }} */ (await (await fetch("/_local/mail")).json());
  return data.findLast(({ to, text }) => to === email && tokenOf(text));
}

/** @param {string} text */
function tokenOf(text) {
  return /verify-email\?token=([\w-]+)/.exec(text)?.[1];
}

/** @param {Mail} mail */
function mailPanel({ to, subject, text }) {
  return el(
    "article",
    { class: "panel letter" },
    el("h2", {}, subject),
    el("p", { class: "quiet small" }, `To ${to}`),
    el("p", { class: "text" }, text.replace(/token=\S+/, "token=…")),
    el("a", { class: "button primary", href: `#/verify-email?token=${tokenOf(text)}` }, "Open the confirmation link"),
  );
}
