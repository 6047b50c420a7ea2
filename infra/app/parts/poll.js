/** The poll of a post. */

import { el, toast } from "../shared/dom.js";
import { answer, api } from "../shared/network.js";

/**
 * @param {string} publicId
 * @param {Schemas["Poll"]} shown
 * @returns {HTMLElement}
 */
export function poll(publicId, shown) {
  const votes = shown.votersCount ?? null;
  const isOpen = !shown.isEnded && shown.chosen.length === 0;
  const box = el(
    "div",
    { class: "poll", role: "group", "aria-label": "Poll" },
    ...shown.options.map((option, place) => (isOpen ? choice(option, place) : result(option, place))),
    el(
      "p",
      { class: "quiet small" },
      [votes === null ? "" : `${votes} voted`, shown.isEnded ? "ended" : "open"].filter(Boolean).join(" · "),
    ),
  );
  /** @param {Schemas["PollOption"]} option */
  function choice({ text }, /** @type {number} */ place) {
    return el("button", { onclick: () => void vote(place) }, text);
  }
  /** @param {Schemas["PollOption"]} option */
  function result({ text, votesCount }, /** @type {number} */ place) {
    const share = votes ? Math.round((100 * (votesCount ?? 0)) / votes) : 0;
    const bar = el("span", { class: "share" });
    bar.style.width = `${share}%`;
    return el(
      "p",
      { class: "answer" },
      bar,
      el("span", {}, text, shown.chosen.includes(place) && " ✓"),
      el("span", {}, `${share} %`),
    );
  }
  async function vote(/** @type {number} */ place) {
    try {
      const params = { path: { publicId } };
      const { data } = await answer(api.POST("/posts/{publicId}/vote", { params, body: { options: [place] } }));
      box.replaceWith(poll(publicId, data));
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  }
  return box;
}
