/** Shows errors, as a text or in place of a view. */

import { el } from "../shared/dom.js";
import { ApiError } from "../shared/network.js";
import { t } from "../src/language.js";
import { show } from "../src/router.js";

/**
 * Returns a text that says what happened and what to do.
 * @param {unknown} error
 */
export function inWords(error) {
  if (!(error instanceof Error)) {
    return String(error);
  }
  if (!(error instanceof ApiError)) {
    // Without a connection, `fetch` fails with a TypeError.
    return error instanceof TypeError ? t("problem.network") : error.message;
  }
  const { status, message, requestId, retryAfterSeconds } = error;
  switch (true) {
    case status === 401:
      return t("problem.401");
    case status === 403:
      return t("problem.403", { message });
    case status === 404:
      return t("problem.404");
    case status === 429 && retryAfterSeconds !== null:
      return t("problem.429", { count: retryAfterSeconds });
    case status === 429:
      return t("problem.429.soon");
    case status >= 500:
      return t("problem.500", { id: requestId ?? "–" });
    default:
      return t("problem.refused", { message });
  }
}

/**
 * Returns a view that shows an error, with a button to try again. After too many requests, the button is disabled for
 * the time in the response.
 * @param {unknown} error
 */
export function problem(error) {
  const text = el("p", {}, inWords(error));
  const again = el("button", { class: "primary", onclick: () => void show() }, t("retry"));
  const wait = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
  const view = el("section", { class: "panel problem" }, el("h1", {}, t("wrong")), text, el("p", {}, again));
  if (wait > 0) {
    countDown(wait, (left) => {
      text.textContent = left > 0 ? t("problem.429", { count: left }) : t("problem.429.soon");
      again.disabled = left > 0;
    });
  }
  return view;
}

/**
 * @param {number} seconds
 * @param {(left: number) => void} draw
 */
function countDown(seconds, draw) {
  draw(seconds);
  const timer = setInterval(() => {
    seconds -= 1;
    draw(seconds);
    if (seconds <= 0) {
      clearInterval(timer);
    }
  }, 1000);
}
