/** Avatars and names of users. */

import { el } from "../shared/dom.js";

const TONES = 8;

/** @param {{ username: string, name: string }} user */
export function avatar({ username, name }) {
  const tone = [...username].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 8191, 7) % TONES;
  return el("span", { class: `avatar tone-${tone}`, "aria-hidden": "true" }, [...name][0]?.toUpperCase() ?? "?");
}

/** @param {{ username: string }} user */
export const profilePath = ({ username }) => `#/user/${encodeURIComponent(username)}`;

/** @param {{ username: string, name: string, isVerified: boolean }} user */
export function byline(user) {
  return el(
    "a",
    { class: "byline", href: profilePath(user) },
    el("strong", {}, user.name),
    el("span", { class: "quiet" }, `@${user.username}`),
  );
}

/**
 * Returns a row for a user, with buttons.
 * @param {Schemas["UserCard"]} user
 * @param {...import("../shared/dom.js").Child} actions
 */
export function person(user, ...actions) {
  return el("article", { class: "row person" }, avatar(user), byline(user), el("span", { class: "push" }, ...actions));
}
