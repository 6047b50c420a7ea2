/** Messages: errors that stay until they are dismissed, and results that pass. */

import { el, toast } from "../shared/dom.js";
import { t } from "../src/language.js";
import { inWords } from "./problem.js";

/** Maximum number of messages. Older ones are removed. */
const SHOWN_MAX = 4;

/**
 * Shows an error above the view. The same text is shown once.
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
 * Removes an error that no longer holds.
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
 * Shows a result for a short time, instead of the previous one.
 * @param {string} text
 */
export function report(text) {
  document.getElementById("toasts")?.replaceChildren();
  toast(text);
}
