/** The language of the page. */

import { en } from "../texts/en.js";
import { vi } from "../texts/vi.js";

/** @typedef {keyof typeof en} Text */

const KEY = "desk-language";
const TEXTS = /** @type {Record<string, Record<string, import("../texts/en.js").Wording>>} */ ({ en, vi });

/** The languages by code, with their own names. */
export const LANGUAGES = { en: "English", vi: "Tiếng Việt" };

/**
 * Code of the chosen language. Default: the first language in the browser's list that the page supports, or English.
 */
export const language =
  [localStorage.getItem(KEY), ...navigator.languages.map((name) => name.slice(0, 2))].find(
    (name) => name !== null && name in LANGUAGES,
  ) ?? "en";

const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

/**
 * Returns a text. Replaces `{name}` by the value with this name. The value `count` selects the singular or the plural.
 * @param {Text} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const wording = TEXTS[language]?.[key] ?? en[key];
  const isOne = plurals.select(Number(values["count"])) === "one";
  const text = typeof wording === "string" ? wording : (isOne && wording.one) || wording.other;
  return text.replace(/\{(\w+)\}/g, (_, name) => inText(values[name]));
}

/**
 * Returns the text for a value of the API, such as `HIDDEN` of the kind `status`. Returns the value if there is no
 * text.
 * @param {"category" | "status" | "action" | "target" | "account" | "appeal" | "event" | "audit" | "goal" | "role" | "measure"} kind
 * @param {string} value
 */
export function named(kind, value) {
  const key = `${kind}.${value}`;
  return key in en ? t(/** @type {Text} */ (key)) : value;
}

/** @param {number} value */
export const number = (value) => numbers.format(value);

/**
 * Stores the chosen language in the browser, and reloads the page.
 * @param {string} name
 */
export function choose(name) {
  localStorage.setItem(KEY, name);
  location.reload();
}

/** @param {string | number | undefined} value */
function inText(value) {
  return typeof value === "number" ? number(value) : (value ?? "");
}
