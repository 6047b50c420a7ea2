/** What this network is: one on this machine, whose time one can move. */

import { advance, now, readClock } from "../src/clock.js";
import { el, toast } from "../src/dom.js";
import { answer, api } from "../src/network.js";
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

/** Draws it, and keeps its clock and its trends. */
export function aside() {
  const time = el("strong", { class: "clock" });
  const tell = () => time.replaceChildren(clock.format(now()));
  const trends = el("ul", { class: "trends" });
  document
    .getElementById("aside")
    ?.replaceChildren(
      el("section", { class: "panel" }, el("h2", {}, "Talked about"), trends),
      el(
        "section",
        { class: "panel" },
        el("h2", {}, "Let time pass"),
        el("p", {}, time),
        el("div", { class: "row steps" }, ...STEPS.map(([label, seconds]) => step(label, seconds, tell))),
        el(
          "p",
          { class: "quiet small" },
          "Notifications gather for 40 seconds, circles lose energy at every full hour. A day takes a while to pass.",
        ),
      ),
      el(
        "section",
        { class: "panel small" },
        el("h2", {}, "Be two people"),
        el(
          "p",
          { class: "quiet" },
          "Each tab has its own sign-in. ",
          el("a", { href: "/app", target: "_blank", rel: "noopener" }, "Open another one"),
          " and write to yourself.",
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
    void readClock().then(tell);
    void drawTrends(trends);
  });
}

/**
 * @param {string} label
 * @param {number} seconds
 * @param {() => void} tell
 */
function step(label, seconds, tell) {
  const button = el("button", { onclick: () => void pass() }, label);
  async function pass() {
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    try {
      await advance(seconds);
      tell();
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
    ...(rows.length > 0 ? rows : [el("li", { class: "quiet small" }, "Nothing yet. Write about #something.")]),
  );
}
