/** A file of a reported post. An image is loaded only after a click on its name. */

import { el } from "../shared/dom.js";
import { t } from "../src/language.js";

/** @param {Schemas["Media"]} file */
export function media({ url, type, alt, id }) {
  const name = alt || type || id;
  if (!url) {
    return el("p", { class: "quiet small" }, name);
  }
  if (!type?.startsWith("image/")) {
    return el("p", {}, el("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, name));
  }
  const show = el("button", { class: "media-button", onclick: reveal }, t("media", { name }));
  function reveal() {
    show.replaceWith(el("img", { class: "media", src: url, alt: alt ?? "" }));
  }
  return show;
}
