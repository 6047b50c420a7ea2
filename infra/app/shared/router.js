/** Shows a view for the part of the URL after `#`. For example, `#/post/ID` shows a post. */

import { el } from "./dom.js";
import { ApiError, network } from "./network.js";

/** @typedef {(visit: Visit) => Promise<HTMLElement>} View */
/** @typedef {[pattern: RegExp, load: () => Promise<View>, isOpenToAll?: boolean]} Route */

/**
 * Returns the functions that open the views of a page. Shows `missing` if no route matches. Shows the view `signIn` to
 * users who are not signed in, unless the route is open to all.
 * @param {{ title: string, missing: string, routes: Route[], signIn: () => Promise<View>, problem: (error: unknown) => HTMLElement }} page
 */
export function router({ title, missing, routes, signIn, problem }) {
  let visit = new AbortController();

  /**
   * Opens the view of a path. If the view is already open, loads it again.
   * @param {string} path
   */
  function go(path) {
    if (location.hash === `#${path}`) {
      void show();
    } else {
      location.hash = path;
    }
  }

  /** Shows the view of the current route. */
  async function show() {
    visit.abort();
    visit = new AbortController();
    const { signal } = visit;
    const [path = "/", query = ""] = (location.hash.slice(1) || "/").split("?");
    const main = /** @type {HTMLElement} */ (document.getElementById("main"));
    main.setAttribute("aria-busy", "true");
    window.dispatchEvent(new CustomEvent("visit", { detail: path }));
    const view = await opened(path, new URLSearchParams(query), signal);
    if (!signal.aborted) {
      place(main, view, title);
    }
  }

  /**
   * @param {string} path
   * @param {URLSearchParams} query
   * @param {AbortSignal} signal
   */
  async function opened(path, query, signal) {
    const visit = { params: /** @type {string[]} */ ([]), query, signal };
    try {
      for (const [pattern, load, isOpenToAll] of routes) {
        const match = pattern.exec(path);
        if (match) {
          const view = await (isOpenToAll || network.isSignedIn() ? load() : signIn());
          return await view({ ...visit, params: match.slice(1).map(decodeURIComponent) });
        }
      }
      return problem(missing);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        return (await signIn())(visit);
      }
      return problem(error);
    }
  }

  return { go, show };
}

/**
 * Calls `show` when the URL changes to another route. Links to elements, such as "Skip to content", are not routes.
 * @param {() => Promise<void>} show
 */
export function followAddress(show) {
  window.addEventListener("hashchange", (event) => {
    if (location.hash.startsWith("#/") || location.hash === "") {
      void show();
    } else {
      history.replaceState(null, "", event.oldURL);
    }
  });
}

/**
 * @param {HTMLElement} main
 * @param {HTMLElement} view
 * @param {string} title
 */
function place(main, view, title) {
  const isFirst = main.childElementCount === 0;
  main.replaceChildren(view);
  main.removeAttribute("aria-busy");
  const heading = view.querySelector("h1") ?? view.appendChild(el("h1", { class: "hidden" }, title));
  document.title = `${heading.textContent} · ${title}`;
  if (!isFirst) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }
  view.dispatchEvent(new Event("placed"));
}
