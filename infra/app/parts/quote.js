/** The dialog to quote a post. */

import { openDialog } from "../shared/dialog.js";
import { el, toast } from "../shared/dom.js";
import { answer, api } from "../shared/network.js";
import { go } from "../src/router.js";
import { composer } from "./composer.js";
import { icon } from "./icon.js";
import { quoted } from "./post.js";

/** @param {Schemas["Post"]} post */
export async function quoteDialog(post) {
  const params = { path: { publicId: post.publicId } };
  const writing = await composer("What do you think of it?", "Quote", async (body) => {
    const { data } = await answer(api.POST("/posts/{publicId}/quote", { params, body }));
    dialog.close();
    toast("Quoted");
    go(`/post/${data.publicId}`);
  });
  const closing = el("span", {}, icon("close"), el("span", { class: "hidden" }, "Close"));
  const dialog = openDialog("Quote a post", closing, writing, quoted(post));
}
