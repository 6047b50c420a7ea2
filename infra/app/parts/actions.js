/** Buttons of a post. A click changes the count immediately, and the response then corrects the count. */

import { el, toast } from "../shared/dom.js";
import { answer, api } from "../shared/network.js";
import { icon } from "./icon.js";
import { quoteDialog } from "./quote.js";

/** @param {Schemas["Post"]} post */
export function actions(post) {
  const path = { publicId: post.publicId };
  return el(
    "div",
    { class: "actions" },
    el(
      "a",
      { class: "action", href: `#/post/${post.publicId}?reply` },
      icon("reply"),
      ...countLabel(post.repliesCount, "replies", "Reply"),
    ),
    toggle("repost", "Repost", post.isReposted, post.repostsCount, async (isReposted) => {
      // Reposting again returns the existing repost, which is then deleted.
      const { data: repost } = await answer(api.POST("/posts/{publicId}/repost", { params: { path } }));
      if (!isReposted) {
        await answer(api.DELETE("/posts/{publicId}", { params: { path: { publicId: repost.publicId } } }));
      }
      return null;
    }),
    el(
      "button",
      { class: "action", onclick: () => void quoteDialog(post) },
      icon("quote"),
      ...countLabel(post.quotesCount, "quotes", "Quote"),
    ),
    toggle("heart", "Like", post.isLiked, post.likesCount, async (isLiked) => {
      const { data } = await answer(api.POST("/posts/{publicId}/like", { params: { path }, body: { isLiked } }));
      return { isOn: data.isLiked, count: data.likesCount };
    }),
  );
}

/**
 * Returns a toggle button with a count.
 * @param {"heart" | "repost"} name
 * @param {string} label
 * @param {boolean} isOn
 * @param {number} count
 * @param {(isOn: boolean) => Promise<{ isOn: boolean, count: number } | null>} send returns the new state, if known
 */
function toggle(name, label, isOn, count, send) {
  const number = el("span", { class: "number" });
  const button = el(
    "button",
    { class: `action ${name}`, "aria-label": label, onclick: () => void press() },
    icon(name),
    number,
  );
  function draw() {
    button.setAttribute("aria-pressed", String(isOn));
    button.setAttribute("aria-label", `${label}, ${count}`);
    number.textContent = count > 0 ? String(count) : "";
  }
  async function press() {
    const before = { isOn, count };
    isOn = !isOn;
    count = Math.max(0, count + (isOn ? 1 : -1));
    draw();
    try {
      ({ isOn, count } = (await send(isOn)) ?? { isOn, count });
    } catch (error) {
      ({ isOn, count } = before);
      toast(error instanceof Error ? error.message : String(error));
    }
    draw();
  }
  draw();
  return button;
}

/**
 * @param {number} count
 * @param {string} noun
 * @param {string} verb
 */
function countLabel(count, noun, verb) {
  return [
    el("span", { class: "hidden" }, `${verb}, ${count} ${noun}`),
    el("span", { class: "number", "aria-hidden": "true" }, count > 0 ? count : ""),
  ];
}
