/** Home: posts of everyone, or of followed users. */

import { composer } from "../parts/composer.js";
import { postCard } from "../parts/post.js";
import { el } from "../shared/dom.js";
import { list } from "../shared/list.js";
import { answer, api, getMe, network } from "../shared/network.js";
import { tabs } from "../shared/tabs.js";
import { onOwn } from "../src/live.js";

const LOST = {
  BOUNCED: "An email to you could not be delivered.",
  COMPLAINED: "An email to you was reported as spam.",
};

const EMPTY = {
  FOR_YOU: "No posts yet. Be the first.",
  FOLLOWING: "No posts yet. Follow someone, or write a post.",
};

/** @param {Visit} visit */
export async function feed({ query, signal }) {
  const type = query.get("type") === "FOLLOWING" ? "FOLLOWING" : "FOR_YOU";
  const rows = network.rows("/posts/news-feed", { params: { query: { type, take: 20 } } });
  const posts = await list(rows, postCard, EMPTY[type], { name: "Posts" });
  onOwn("notification:new", signal, ({ targetId }) => void renew(posts, targetId));
  const writing = await composer("What is on your mind?", "Post", async (body) => {
    const { data } = await answer(api.POST("/posts", { body }));
    posts.prepend(data);
  });
  return el(
    "div",
    {},
    el("header", { class: "head" }, el("h1", {}, "Home")),
    await emailNote(),
    el("div", { class: "panel flat" }, writing),
    tabs(
      "Feed",
      [
        ["#/", "For you"],
        ["#/?type=FOLLOWING", "Following"],
      ],
      Number(type === "FOLLOWING"),
    ),
    posts,
  );
}

/**
 * Updates the counts of a post, if it is shown and has no focus.
 * @param {HTMLElement} posts
 * @param {string} publicId
 */
async function renew(posts, publicId) {
  const find = () => posts.querySelector(`[data-post="${CSS.escape(publicId)}"]:not(:focus-within)`);
  if (find()) {
    const { data } = await answer(api.GET("/posts/{publicId}", { params: { path: { publicId } } }));
    if ("likesCount" in data) {
      find()?.replaceWith(postCard(data));
    }
  }
}

/** Returns a note if emails do not reach the user's address, or if the address is not confirmed. */
async function emailNote() {
  const { email, emailStatus, isVerified } = await getMe();
  if (emailStatus !== "OK") {
    return el("p", { class: "note" }, `${LOST[emailStatus]} You get no more emails at ${email}. Change your address.`);
  }
  return (
    !isVerified &&
    el(
      "p",
      { class: "note" },
      "Your email address is not confirmed. ",
      el("a", { href: "#/confirm" }, "Read the mail"),
    )
  );
}
