/** User text, with links for hashtags, users and URLs. */

import { el } from "../shared/dom.js";

const HASHTAG = /(?<![\p{XID_Continue}&/#＃﹟])[#＃﹟](?=[\p{N}_]*\p{XID_Start})(?:[·・\u200c\u200d]*(?![·・])\p{XID_Continue})+/u;
// A URL ends before invisible characters, and before the punctuation of its sentence.
const URL =
  /https?:\/\/[^\s<>"”«»」）』】。、，！？،؛؟\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+(?<![.,;:!?'*_~…’])/u;
const USERNAME = /(?<![\p{XID_Continue}@])@[a-z0-9_.]{2,29}[a-z0-9_](?!\p{XID_Continue})/u;
const LINKS = new RegExp(`(${URL.source}|${HASHTAG.source}|${USERNAME.source})`, "giu");

/** @param {string} content */
export function text(content) {
  return el(
    "p",
    { class: "text" },
    content.split(LINKS).map((part, index) => (index % 2 ? link(part) : part)),
  );
}

/** @param {string} part */
function link(part) {
  switch (part[0]) {
    case "#":
    case "＃":
    case "﹟":
      return el("a", { href: `#/tag/${encodeURIComponent(part.slice(1).toLowerCase().normalize())}` }, part);
    case "@":
      return el("a", { href: `#/user/${encodeURIComponent(part.slice(1).toLowerCase())}` }, part);
    default:
      return el("a", { href: part, target: "_blank", rel: "noopener noreferrer nofollow" }, part);
  }
}
