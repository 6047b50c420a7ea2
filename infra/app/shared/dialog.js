/** Modal dialogs. */

import { el } from "./dom.js";

/**
 * Shows a dialog, and moves the focus to its first field. The closed dialog is removed from the page.
 * @param {string} title
 * @param {Node} closing the content of the button that closes the dialog
 * @param {...import("./dom.js").Child} children
 */
export function openDialog(title, closing, ...children) {
  const close = el("button", { class: "icon-button", type: "button", onclick: () => dialog.close() }, closing);
  const dialog = el(
    "dialog",
    { "aria-label": title, onclose: () => dialog.remove() },
    el("header", { class: "row" }, el("h2", {}, title), el("span", { class: "push" }, close)),
    ...children,
  );
  document.body.append(dialog);
  dialog.showModal();
  /** @type {HTMLElement | null} */ (dialog.querySelector("textarea, input, select"))?.focus();
  return dialog;
}
