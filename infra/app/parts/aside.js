/** The side column: trends, the clock, and hints for the local network. */

import { el, toast } from "../shared/dom.js";
import { answer, api } from "../shared/network.js";
import { advance, now, readClock } from "../src/clock.js";
import { show } from "../src/router.js";

const STEPS = /** @type {[label: string, seconds: number][]} */ ([
  ["1 minute", 60],
  ["1 hour", 3600],
  ["1 day", 86_400],
]);
const clock = new Intl.DateTimeFormat("en", {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Draws the column, and updates its clock and trends whenever a view is opened. */
export function aside() {
  const time = el("strong", { class: "clock" });
  const showTime = () => time.replaceChildren(clock.format(now()));
  const trends = el("ul", { class: "trends" });
  document
    .getElementById("aside")
    ?.replaceChildren(
      el("section", { class: "panel" }, el("h2", {}, "Trends"), trends),
      el(
        "section",
        { class: "panel" },
        el("h2", {}, "Advance the clock"),
        el("p", {}, time),
        el("div", { class: "row steps" }, ...STEPS.map(([label, seconds]) => step(label, seconds, showTime))),
        el(
          "p",
          { class: "quiet small" },
          "Notifications appear within 40 seconds. Circles lose HP every full hour. A day takes a while.",
        ),
      ),
      el(
        "section",
        { class: "panel small" },
        el("h2", {}, "Try it as two users"),
        el(
          "p",
          { class: "quiet" },
          "Each tab has its own sign-in. ",
          el("a", { href: "/app", target: "_blank", rel: "noopener" }, "Open another tab"),
          " and chat with yourself.",
        ),
        el(
          "p",
          { class: "quiet" },
          el("a", { href: "/docs" }, "API reference"),
          " · ",
          el("a", { href: "/_local/mail" }, "Mails"),
        ),
      ),
    );
  window.addEventListener("visit", () => {
    void readClock().then(showTime);
    void drawTrends(trends);
  });
}

/**
 * @param {string} label
 * @param {number} seconds
 * @param {() => void} showTime
 */
function step(label, seconds, showTime) {
  const button = el("button", { onclick: () => void move() }, label);
  async function move() {
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    try {
      await advance(seconds);
      showTime();
      toast(`${label} later`);
      await show();
    } finally {
      button.disabled = false;
      button.removeAttribute("aria-busy");
      button.focus();
    }
  }
  return button;
}

/** @param {HTMLElement} trends */
async function drawTrends(trends) {
  const { data } = await answer(api.GET("/hashtags/trending"));
  const rows = data
    .slice(0, 5)
    .map(({ name, count }) =>
      el(
        "li",
        {},
        el("a", { href: `#/tag/${encodeURIComponent(name)}` }, `#${name}`),
        el("span", { class: "quiet small" }, `${count} ${count === 1 ? "post" : "posts"}`),
      ),
    );
  trends.replaceChildren(
    ...(rows.length > 0 ? rows : [el("li", { class: "quiet small" }, "No trends yet. Write a post with a #hashtag.")]),
  );
}
