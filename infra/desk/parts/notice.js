/** Messages. Errors stay until the user dismisses them, and results disappear after a few seconds. */

import { el, toast } from "../shared/dom.js";
import { t } from "../src/language.js";
import { inWords } from "./problem.js";

/** Maximum number of errors on the page. The oldest errors are removed first. */
const SHOWN_MAX = 4;

/**
 * Shows an error above the view. Removes an earlier error with the same text.
 * @param {unknown} error
 */
export function notify(error) {
  const alerts = /** @type {HTMLElement} */ (document.getElementById("alerts"));
  const text = inWords(error);
  withdraw(text);
  const close = el("button", { class: "plain", "aria-label": t("dismissAlert"), onclick: () => alert.remove() }, "×");
  const alert = el("p", { class: "alert" }, el("span", {}, text), close);
  alerts.append(alert);
  while (alerts.childElementCount > SHOWN_MAX) {
    alerts.firstElementChild?.remove();
  }
}

/**
 * Removes the error with this text.
 * @param {string} text
 */
export function withdraw(text) {
  for (const alert of document.querySelectorAll("#alerts .alert")) {
    if (alert.firstChild?.textContent === text) {
      alert.remove();
    }
  }
}

/**
 * Shows a result for a few seconds, in place of the previous result.
 * @param {string} text
 */
export function report(text) {
  document.getElementById("toasts")?.replaceChildren();
  toast(text);
}
