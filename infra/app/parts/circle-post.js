/** A post of a circle, with its score and its comments. */

import { el } from "../shared/dom.js";
import { field, form } from "../shared/form.js";
import { list } from "../shared/list.js";
import { answer, api, network } from "../shared/network.js";
import { until } from "../src/until.js";
import { avatar, byline } from "./person.js";
import { text } from "./text.js";
import { time } from "./time.js";

/**
 * @param {Schemas["CirclePost"]} post
 * @param {boolean} mayComment
 * @param {() => Promise<void>} judged is called when a score arrives
 * @returns {HTMLElement}
 */
export function circlePost(post, mayComment, judged) {
  const isComment = post.parentId != null;
  return el(
    "article",
    { class: "post", "data-post": post.publicId },
    avatar(post.user),
    el(
      "div",
      { class: "body" },
      el(
        "header",
        { class: "meta" },
        byline(post.user),
        el("span", { class: "quiet small" }, time(post.createdAt)),
        score(post, judged),
      ),
      text(post.content),
      !isComment && comments(post, mayComment, judged),
    ),
  );
}

/**
 * Returns the score of a post. Waits for the judge if the post is new.
 * @param {Schemas["CirclePost"]} post
 * @param {() => Promise<void>} judged
 */
function score({ publicId, judgeStatus, qualityScore }, judged) {
  const shown = el("span", { class: "score" });
  const showScore = (/** @type {number | null | undefined} */ value) => {
    shown.textContent = value == null ? "Judging…" : `${Math.floor(value)} of 10`;
    shown.classList.toggle("good", (value ?? 0) >= 5);
  };
  async function wait() {
    const params = { path: { publicId } };
    const read = async () => (await answer(api.GET("/posts/{publicId}/judge-status", { params }))).data;
    const found = await until(read, ({ status }) => status === "done");
    showScore(found.score);
    await judged();
  }
  showScore(qualityScore);
  if (judgeStatus === "pending") {
    void wait();
  }
  return shown;
}

/**
 * @param {Schemas["CirclePost"]} post
 * @param {boolean} mayComment
 * @param {() => Promise<void>} judged
 */
function comments({ circleId, publicId }, mayComment, judged) {
  const params = { path: { publicId: circleId } };
  const draw = (/** @type {Schemas["CirclePost"]} */ comment) => circlePost(comment, false, judged);
  const box = el("details", { class: "comments", ontoggle: () => void open() }, el("summary", {}, "Comments"));
  async function open() {
    if (box.childElementCount > 1) {
      return;
    }
    const rows = network.rows("/circles/{publicId}/posts", { params: { ...params, query: { parentId: publicId } } });
    const shown = await list(rows, draw, "No comments yet.", { name: "Comments" });
    const writing = form(
      { class: "row sending" },
      async ({ content = "" }, made) => {
        const body = { content, parentId: publicId };
        const { data } = await answer(api.POST("/circles/{publicId}/posts", { params, body }));
        made.reset();
        shown.prepend(data);
      },
      field("content", "Comment", { placeholder: "Comment", isLabelHidden: true, autocomplete: "off" }),
      el("button", {}, "Send"),
    );
    box.append(shown, ...(mayComment ? [writing] : []));
  }
  return box;
}
