/** Routes: `#/post/ID` is the view of a post. */

import { el } from "./dom.js";
import { ApiError, network } from "./network.js";
import { problem } from "../parts/problem.js";

/** @typedef {(visit: Visit) => Promise<HTMLElement>} View */

/** @type {[pattern: RegExp, load: () => Promise<View>, isOpenToAll?: boolean][]} */
const ROUTES = [
  [/^\/$/, async () => (await import("../views/feed.js")).feed],
  [/^\/sign-in$/, async () => (await import("../views/sign-in.js")).signIn, true],
  [/^\/sign-up$/, async () => (await import("../views/sign-in.js")).signUp, true],
  [/^\/confirm$/, async () => (await import("../views/confirm.js")).confirm],
  [/^\/verify-email$/, async () => (await import("../views/confirm.js")).verifyEmail, true],
  [/^\/post\/([^/]+)$/, async () => (await import("../views/post.js")).post],
  [/^\/user\/([^/]+)$/, async () => (await import("../views/user.js")).user],
  [/^\/tag\/([^/]+)$/, async () => (await import("../views/tag.js")).tag],
  [/^\/search$/, async () => (await import("../views/search.js")).search],
  [/^\/notifications$/, async () => (await import("../views/notifications.js")).notifications],
  [/^\/messages$/, async () => (await import("../views/messages.js")).messages],
  [/^\/messages\/([^/]+)$/, async () => (await import("../views/conversation.js")).conversation],
  [/^\/circles$/, async () => (await import("../views/circles.js")).circles],
  [/^\/circles\/([^/]+)$/, async () => (await import("../views/circle.js")).circle],
  [/^\/museum$/, async () => (await import("../views/museum.js")).museum],
];

let visit = new AbortController();

/**
 * Opens a route, or reloads its view if it is the current one.
 * @param {string} path
 */
export function go(path) {
  if (location.hash === `#${path}`) {
    void show();
  } else {
    location.hash = path;
  }
}

/** Shows the view of the current route. */
export async function show() {
  visit.abort();
  visit = new AbortController();
  const { signal } = visit;
  const [path = "/", query = ""] = (location.hash.slice(1) || "/").split("?");
  const main = /** @type {HTMLElement} */ (document.getElementById("main"));
  main.setAttribute("aria-busy", "true");
  window.dispatchEvent(new CustomEvent("visit", { detail: path }));
  const view = await opened(path, new URLSearchParams(query), signal);
  if (!signal.aborted) {
    place(main, view);
  }
}

/**
 * @param {string} path
 * @param {URLSearchParams} query
 * @param {AbortSignal} signal
 */
async function opened(path, query, signal) {
  try {
    for (const [pattern, load, isOpenToAll] of ROUTES) {
      const match = pattern.exec(path);
      if (match && (isOpenToAll || network.isSignedIn())) {
        const view = await load();
        return await view({ params: match.slice(1).map(decodeURIComponent), query, signal });
      }
      if (match) {
        return await (await import("../views/sign-in.js")).signIn();
      }
    }
    return problem("This page does not exist.");
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      return (await import("../views/sign-in.js")).signIn();
    }
    return problem(error);
  }
}

/**
 * @param {HTMLElement} main
 * @param {HTMLElement} view
 */
function place(main, view) {
  const isFirst = main.childElementCount === 0;
  main.replaceChildren(view);
  main.removeAttribute("aria-busy");
  const heading = view.querySelector("h1") ?? view.appendChild(el("h1", { class: "hidden" }, "Circles"));
  document.title = `${heading.textContent} · Circles`;
  if (!isFirst) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }
  view.dispatchEvent(new Event("placed"));
}
