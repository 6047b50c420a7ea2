/** A dialog with a text field. */

import { openDialog } from "../shared/dialog.js";
import { el } from "../shared/dom.js";
import { field, form } from "../shared/form.js";
import { t } from "../src/language.js";

/**
 * @param {string} title
 * @param {object} options
 * @param {string} options.name of the field in the API
 * @param {string} options.label
 * @param {string} options.action the label of the button
 * @param {string} [options.hint]
 * @param {Node[]} [options.more] further fields
 * @param {(values: Record<string, string>) => Promise<unknown>} options.send
 */
export function ask(title, { name, label, action, hint, more = [], send }) {
  const writing = form(
    { class: "stack" },
    async (values) => {
      await send(values);
      dialog.close();
    },
    field(name, label, { tag: "textarea", rows: 2, maxlength: 1000, ...(hint && { hint }) }),
    ...more,
    el("button", { class: "primary" }, action),
  );
  const dialog = openDialog(title, el("span", {}, t("cancel")), writing);
}
