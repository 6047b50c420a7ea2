/** A post in a list. */

import { el } from "../shared/dom.js";
import { actions } from "./actions.js";
import { icon } from "./icon.js";
import { avatar, byline, profilePath } from "./person.js";
import { poll } from "./poll.js";
import { text } from "./text.js";
import { time } from "./time.js";

/**
 * @param {Schemas["Post"]} post
 * @returns {HTMLElement}
 */
export function postCard(post) {
  if (post.type === "REPOST" && post.origin) {
    return el("div", {}, reposted(post), postCard(post.origin));
  }
  return el(
    "article",
    { class: "post", "data-post": post.publicId },
    el("a", { href: profilePath(post.user), tabindex: -1, "aria-hidden": "true" }, avatar(post.user)),
    el(
      "div",
      { class: "body" },
      el("header", { class: "meta" }, byline(post.user), link(post, time(post.createdAt))),
      post.parentPublicId &&
        el(
          "p",
          { class: "answering quiet small" },
          el("a", { href: `#/post/${post.parentPublicId}` }, "In reply to a post"),
        ),
      ...content(post),
      post.type === "QUOTE" && (post.origin ? quoted(post.origin) : gone("The quoted post was deleted.")),
      !post.isDeleted && actions(post),
    ),
  );
}

/**
 * Returns a quoted post, which is shown inside the quote.
 * @param {Schemas["Post"]} post
 */
export function quoted(post) {
  return el(
    "blockquote",
    { class: "quoted" },
    el("div", { class: "meta" }, avatar(post.user), byline(post.user), link(post, time(post.createdAt))),
    ...content(post),
  );
}

/** @param {Schemas["Post"]} post */
function content(post) {
  if (post.isDeleted || post.isGhost) {
    return [gone("This post was deleted.")];
  }
  const shown = [
    post.content && text(post.content),
    ...post.media.map(media),
    post.poll && poll(post.publicId, post.poll),
    post.preview && preview(post.preview),
  ];
  const warned = post.spoiler ?? (post.sensitive ? "Sensitive content" : null);
  return warned ? [el("details", { class: "spoiler" }, el("summary", {}, warned), ...shown)] : shown;
}

/** @param {Schemas["Media"]} media */
function media({ status, url, still, alt, width, height, type }) {
  if (status !== "READY" || !url || type?.startsWith("video")) {
    return el("p", { class: "quiet" }, url ? "A video" : "The photo is being processed…");
  }
  const image = el("img", { class: "media", src: url, alt: alt ?? "", width, height, loading: "lazy" });
  const calm = still && el("source", { media: "(prefers-reduced-motion: reduce)", srcset: still });
  return el("picture", {}, calm, image);
}

/** @param {Schemas["LinkPreview"]} preview */
function preview({ url, title, description }) {
  return el(
    "a",
    { class: "preview", href: url, target: "_blank", rel: "noopener noreferrer nofollow" },
    el("strong", {}, title),
    description && el("span", { class: "quiet small" }, description),
  );
}

/** @param {Schemas["Post"]} post */
function reposted({ user }) {
  return el(
    "p",
    { class: "reposted quiet small" },
    icon("repost"),
    el("a", { href: profilePath(user) }, `${user.name} reposted`),
  );
}

/**
 * @param {Schemas["Post"]} post
 * @param {Node} child
 */
function link({ publicId }, child) {
  return el("a", { class: "quiet small", href: `#/post/${publicId}` }, child);
}

/** @param {string} text */
function gone(text) {
  return el("p", { class: "quiet" }, text);
}
