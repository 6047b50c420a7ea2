/** The navigation, with counts of new items. */

import { el } from "../shared/dom.js";
import { answer, api, getMe, network } from "../shared/network.js";
import { currentPath, markPlace } from "../shared/nav.js";
import { onOwn } from "../src/live.js";
import { icon } from "./icon.js";
import { avatar, profilePath } from "./person.js";

/** @type {[path: string, label: string, icon: Parameters<typeof icon>[0]][]} */
const PLACES = [
  ["/", "Home", "home"],
  ["/search", "Search", "search"],
  ["/notifications", "Notifications", "bell"],
  ["/messages", "Messages", "mail"],
  ["/circles", "Circles", "circle"],
  ["/museum", "Museum", "museum"],
];

/** @type {Record<string, HTMLElement>} */
const badges = {};
let listening = new AbortController();

/** Draws the navigation, and updates it whenever a view is opened or the user signs in or out. */
export function nav() {
  window.addEventListener("visit", () => markPlace(currentPath()));
  window.addEventListener("session", () => void draw());
  void draw();
}

/** Reads and shows the counts. */
export async function countNew() {
  const [{ data: unread }, { data: groups }] = await Promise.all([
    answer(api.GET("/notification/unread")),
    answer(api.GET("/notification/message")),
  ]);
  badge("/notifications", unread.unreadCount);
  badge("/messages", groups.length);
}

async function draw() {
  listening.abort();
  listening = new AbortController();
  const isIn = network.isSignedIn();
  document.body.classList.toggle("signed-in", isIn);
  document.getElementById("nav")?.replaceChildren(...(isIn ? PLACES.map(place) : []));
  markPlace(currentPath());
  document.getElementById("who")?.replaceChildren(...(isIn ? [await who()] : []));
  if (isIn) {
    await countNew();
    for (const name of /** @type {const} */ (["notification:new", "notification", "message:new"])) {
      onOwn(name, listening.signal, () => void countNew());
    }
  }
}

/** @param {typeof PLACES[number]} place */
function place([path, label, name]) {
  const count = (badges[path] = el("span", { class: "badge", hidden: true }));
  return el(
    "a",
    { href: `#${path}` },
    icon(name),
    el("span", { class: "label" }, label),
    count,
  );
}

/**
 * @param {string} path
 * @param {number} count
 */
function badge(path, count) {
  const shown = badges[path];
  if (shown) {
    shown.hidden = count === 0;
    shown.replaceChildren(count > 99 ? "99+" : String(count), el("span", { class: "hidden" }, " new"));
  }
}

async function who() {
  const me = await getMe();
  return el(
    "a",
    { class: "me", href: profilePath(me), "aria-label": `Your profile, ${me.username}` },
    avatar(me),
    el("span", { class: "label" }, el("strong", {}, me.name), el("span", { class: "quiet small" }, `@${me.username}`)),
  );
}
