/** Home: what everybody writes, or those whom one follows. */

import { composer } from "../parts/composer.js";
import { list } from "../parts/list.js";
import { postCard } from "../parts/post.js";
import { tabs } from "../parts/tabs.js";
import { el } from "../src/dom.js";
import { answer, api, getMe, network } from "../src/network.js";

const EMPTY = {
  FOR_YOU: "Nobody has written anything yet. Be the first.",
  FOLLOWING: "Nothing yet: follow somebody, or write something yourself.",
};

/** @param {Visit} visit */
export async function feed({ query }) {
  const type = query.get("type") === "FOLLOWING" ? "FOLLOWING" : "FOR_YOU";
  const rows = network.rows("/posts/news-feed", { params: { query: { type, take: 20 } } });
  const posts = await list(rows, postCard, EMPTY[type], { name: "Posts" });
  const writing = await composer("What is on your mind?", "Post", async (body) => {
    const { data } = await answer(api.POST("/posts", { body }));
    posts.prepend(data);
  });
  return el(
    "div",
    {},
    el("header", { class: "head" }, el("h1", {}, "Home")),
    await unconfirmed(),
    el("div", { class: "panel flat" }, writing),
    tabs("Feed", [["#/", "For you"], ["#/?type=FOLLOWING", "Following"]], Number(type === "FOLLOWING")),
    posts,
  );
}

async function unconfirmed() {
  const { isVerified } = await getMe();
  return !isVerified && el("p", { class: "note" }, "Your e-mail address is not confirmed. ", el("a", { href: "#/confirm" }, "Read the mail"));
}
