/** Posts with a hashtag. */

import { postCard } from "../parts/post.js";
import { el } from "../shared/dom.js";
import { list } from "../shared/list.js";
import { network } from "../shared/network.js";

/** @param {Visit} visit */
export async function tag({ params: [tag = ""] }) {
  const rows = network.rows("/hashtags/{tag}/posts", { params: { path: { tag } } });
  return el(
    "div",
    {},
    el("header", { class: "head" }, el("h1", {}, `#${tag}`)),
    await list(rows, postCard, "No posts with this hashtag yet.", { name: "Posts" }),
  );
}
