/** The actions of a decision about a case, their keys, and the standard texts for authors. */

import { named, t } from "./language.js";

/** @typedef {Schemas["CaseAction"]} Action */
/** @typedef {{ actions: Action[], reason?: string, warning?: string, note?: string, bannedUntil?: string }} Choice */

/**
 * The actions with their keys. The key of a ban opens the dialog for decisions, and the key of another action decides.
 */
export const ACTIONS = /** @type {{ key: string, action: Action, isBan?: boolean }[]} */ ([
  { key: "1", action: "dismiss" },
  { key: "2", action: "hide" },
  { key: "3", action: "delete" },
  { key: "4", action: "warn" },
  { key: "5", action: "sensitive" },
  { key: "6", action: "lock-replies" },
  { key: "7", action: "temp-ban", isBan: true },
  { key: "8", action: "ban", isBan: true },
]);

/**
 * Returns the actions that the moderator can choose for a case.
 * @param {import("./entries.js").Entry} entry
 * @param {boolean} mayBan
 */
export function actionsFor({ found, detail }, mayBan) {
  const isInCircle = detail?.data.post != null && "circleId" in detail.data.post;
  if (found.isEscalated && !mayBan) {
    return [];
  }
  return ACTIONS.filter(({ action, isBan }) => {
    const isOfPost = !isBan && action !== "dismiss" && action !== "warn";
    const isOfOpenPost = action === "sensitive" || action === "lock-replies";
    return (mayBan || !isBan) && !(isOfPost && found.targetType === "USER") && !(isOfOpenPost && isInCircle);
  });
}

/**
 * Returns the reason that the authors get if the moderator writes none.
 * @param {Schemas["ModerationCase"][]} cases
 * @param {Action[]} actions
 */
export function standardReason(cases, actions) {
  return actions.includes("dismiss") ? t("standard.dismiss") : t("standard.hide", { category: categoryOf(cases) });
}

/**
 * Returns the request for a decision about cases. Replaces missing texts by standard texts. If the page shows no
 * decision about the cases, `pendingOnly` makes the API refuse to replace the decision of another moderator.
 * @param {Schemas["ModerationCase"][]} cases
 * @param {Choice} choice
 * @returns {Schemas["CaseDecision"]}
 */
export function decisionOf(cases, { actions, reason, warning, note, bannedUntil }) {
  const needsWarning = actions.includes("warn");
  return {
    actions,
    pendingOnly: cases.every(({ status }) => status === "PENDING"),
    reason: reason || standardReason(cases, actions),
    ...(needsWarning && { warning: warning || t("standard.warning", { category: categoryOf(cases) }) }),
    ...(note && { note }),
    ...(bannedUntil && actions.includes("temp-ban") && { bannedUntil }),
  };
}

/** @param {Action[]} actions */
export const inWords = (actions) => actions.map((action) => named("action", action)).join(", ");

/** @param {Schemas["ModerationCase"]} found */
export const authorOf = ({ author }) => (author ? `@${author.username}` : t("deletedUser"));

/**
 * Returns the first reported category of the cases in parentheses, such as ` (Spam)`. Returns an empty text if the
 * cases have different categories, or the category OTHER.
 * @param {Schemas["ModerationCase"][]} cases
 */
function categoryOf(cases) {
  const [category, ...others] = new Set(cases.map(({ categories }) => categories[0] ?? "OTHER"));
  return category === undefined || category === "OTHER" || others.length > 0 ? "" : ` (${named("category", category)})`;
}
