/** The dialog to quote a post. */

import { el, toast } from "../src/dom.js";
import { answer, api } from "../src/network.js";
import { go } from "../src/router.js";
import { composer } from "./composer.js";
import { icon } from "./icon.js";
import { quoted } from "./post.js";

/** @param {Schemas["PostView"]} post */
export async function quoteDialog(post) {
  const params = { path: { publicId: post.publicId } };
  const writing = await composer("What do you think of it?", "Quote", async (body) => {
    const { data } = await answer(api.POST("/posts/{publicId}/quote", { params, body }));
    dialog.close();
    toast("Quoted");
    go(`/post/${data.publicId}`);
  });
  const close = el(
    "button",
    { class: "icon-button", "aria-label": "Close", onclick: () => dialog.close() },
    icon("close"),
  );
  const dialog = el(
    "dialog",
    { "aria-label": "Quote a post", onclose: () => dialog.remove() },
    el("header", { class: "row" }, el("h2", {}, "Quote"), el("span", { class: "push" }, close)),
    writing,
    quoted(post),
  );
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector("textarea")?.focus();
}
