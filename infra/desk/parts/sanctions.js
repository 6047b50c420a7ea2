/** The sanction of an account, and the buttons that change it. */

import { el } from "../shared/dom.js";
import { field } from "../shared/form.js";
import { answer, api } from "../shared/network.js";
import { dateOf } from "../src/clock.js";
import { named, t } from "../src/language.js";
import { ask } from "./ask.js";
import { report } from "./notice.js";

/**
 * Returns a section that shows the current sanction.
 * @param {Schemas["Account"]} account
 * @returns {HTMLElement}
 */
export function sanctions(account) {
  const { status, reason, bannedUntil } = account;
  const end = bannedUntil ? t("until", { date: dateOf(bannedUntil) }) : "";
  const section = el(
    "section",
    { class: "panel" },
    el("h2", {}, t("sanction")),
    el(
      "p",
      { class: "line" },
      el("span", { class: `tag status-${status}` }, named("account", status)),
      el("span", {}, end),
      reason && el("span", { class: "quiet" }, reason),
    ),
    el(
      "p",
      { class: "line" },
      status !== "LOCKED" && change(t("tempBan"), "/admin/users/{userId}/temp-ban"),
      change(t("ban"), "/admin/users/{userId}/ban"),
      status !== "LOCKED" && change(t("lock"), "/admin/users/{userId}/lock"),
      status !== "ACTIVE" && change(t("unlock"), "/admin/users/{userId}/unlock"),
    ),
  );

  /**
   * @param {string} title
   * @param {"/admin/users/{userId}/ban" | "/admin/users/{userId}/lock" | "/admin/users/{userId}/unlock" | "/admin/users/{userId}/temp-ban"} path
   */
  function change(title, path) {
    const more = path.endsWith("/ban")
      ? [field("bannedUntil", t("bannedUntil"), { type: "datetime-local", hint: t("banHint") })]
      : [];
    const send = async (/** @type {Record<string, string>} */ { reason = "", bannedUntil = "" }) => {
      const params = { path: { userId: account.publicId } };
      const body = {
        ...(reason.trim() && { reason: reason.trim() }),
        ...(bannedUntil && { bannedUntil: new Date(bannedUntil).toISOString() }),
      };
      const { data } = await answer(api.PATCH(path, { params, body }));
      report(t("done.saved"));
      section.replaceWith(sanctions(data));
    };
    const options = { name: "reason", label: t("sanctionReason"), hint: t("sanctionHint"), action: title, more, send };
    return el("button", { onclick: () => ask(`${title}: @${account.username}`, options) }, title);
  }
  return section;
}
