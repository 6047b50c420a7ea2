/** A post with its ancestors and replies. */

import { composer } from "../parts/composer.js";
import { postCard } from "../parts/post.js";
import { el } from "../shared/dom.js";
import { list } from "../shared/list.js";
import { answer, api, getMe, network } from "../shared/network.js";

/** @param {Visit} visit */
export async function post({ params: [publicId = ""], query }) {
  const params = { path: { publicId } };
  const { data: thread } = await answer(api.GET("/posts/{publicId}/context", { params }));
  const replies = await list(network.rows("/posts/{publicId}/replies", { params }), postCard, "No replies yet.", {
    name: "Replies",
  });
  const refusal = await refusalOf(thread.post);
  const writing = refusal
    ? el("p", { class: "quiet" }, refusal)
    : await composer(`Reply to ${thread.post.user.name}`, "Reply", async (body) => {
        const { data } = await answer(api.POST("/posts/{publicId}/reply", { params, body }));
        replies.prepend(data);
        opened.replaceChildren(postCard(await counted(thread.post)));
      });
  const opened = el("div", { class: "opened" }, postCard(thread.post));
  const view = el(
    "div",
    { class: "thread" },
    el("header", { class: "head" }, el("h1", {}, thread.ancestors.length > 0 ? "Thread" : "Post")),
    el("div", { class: "ancestors" }, ...thread.ancestors.map(postCard)),
    opened,
    el("div", { class: "panel flat" }, writing),
    el("h2", { class: "section" }, "Replies"),
    replies,
  );
  if (query.has("reply")) {
    view.addEventListener("placed", () => writing.querySelector("textarea")?.focus());
  }
  return view;
}

/**
 * Returns the reason why the user cannot reply, or an empty text.
 * @param {Schemas["Post"]} post
 */
async function refusalOf({ user, repliesLocked }) {
  const isLocked = repliesLocked && user.publicId !== (await getMe()).publicId;
  return isLocked ? "Moderators locked the replies to this post." : "";
}

/**
 * Reads the post after a new reply. If the count in the response does not include the reply yet, adds 1 to the count.
 * @param {Schemas["Post"]} before
 */
async function counted(before) {
  const { data } = await answer(
    api.GET("/posts/{publicId}/context", { params: { path: { publicId: before.publicId } } }),
  );
  return { ...data.post, repliesCount: Math.max(data.post.repliesCount, before.repliesCount + 1) };
}
