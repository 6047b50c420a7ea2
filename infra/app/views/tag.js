/** Posts with a hashtag. */

import { list } from "../parts/list.js";
import { postCard } from "../parts/post.js";
import { el } from "../src/dom.js";
import { network } from "../src/network.js";

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
