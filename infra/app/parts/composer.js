/** The form to write a post. */

import { el } from "../shared/dom.js";
import { field, form } from "../shared/form.js";
import { getMe } from "../shared/network.js";
import { avatar } from "./person.js";
import { photoField } from "./photo.js";

const LENGTH_MAX = 5000;
const SHOWN_FROM = 4800;

/**
 * @param {string} label label of the text field
 * @param {string} action label of the button
 * @param {(draft: { content: string, media?: Schemas["MediaDraft"][] }) => Promise<unknown>} send
 * @param {{ hasPhoto?: boolean }} [options]
 */
export async function composer(label, action, send, { hasPhoto = true } = {}) {
  const photo = photoField();
  const count = el("span", { class: "quiet count" });
  const content = field("content", label, {
    tag: "textarea",
    rows: 2,
    placeholder: label,
    isLabelHidden: true,
    oninput: grow,
  });
  const area = /** @type {HTMLTextAreaElement} */ (content.querySelector("textarea"));
  function grow() {
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + 2}px`;
    const left = LENGTH_MAX - [...area.value].length;
    count.textContent = left < LENGTH_MAX - SHOWN_FROM ? `${left} characters left` : "";
  }
  return form(
    {
      class: "composer",
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
          area.form?.requestSubmit();
        }
      },
    },
    async (values) => {
      const media = await photo.media();
      await send({ content: values["content"] ?? "", ...(media.length > 0 && { media }) });
      area.value = "";
      photo.clear();
      grow();
    },
    avatar(await getMe()),
    el(
      "div",
      { class: "writing" },
      content,
      hasPhoto && photo.shown,
      el(
        "div",
        { class: "row" },
        hasPhoto && photo.button,
        el("span", { class: "push" }, count, el("button", { class: "primary" }, action)),
      ),
    ),
  );
}
