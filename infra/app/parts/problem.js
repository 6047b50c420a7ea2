/** A view that shows an error. */

import { el } from "../shared/dom.js";

/** @param {unknown} error */
export function problem(error) {
  const text = error instanceof Error ? error.message : String(error);
  return el(
    "section",
    { class: "panel problem" },
    el("h1", {}, "Something went wrong"),
    el("p", {}, text),
    el(
      "p",
      { class: "row" },
      el("button", { class: "primary", onclick: () => location.reload() }, "Try again"),
      el("a", { class: "button", href: "#/" }, "Home"),
    ),
  );
}
