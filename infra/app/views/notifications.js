/** What others did, grouped by what they did it to. */

import { list } from "../parts/list.js";
import { countNew } from "../parts/nav.js";
import { avatar } from "../parts/person.js";
import { time } from "../parts/time.js";
import { el } from "../src/dom.js";
import { onOwn } from "../src/live.js";
import { answer, api, network } from "../src/network.js";

const EMPTY = "Nothing yet. When somebody likes, answers or follows, it stands here within 40 seconds.";

/** @param {Visit} visit */
export async function notifications({ signal }) {
  const rows = await list(network.rows("/notification"), row, EMPTY, { name: "Notifications" });
  // A group that grows is one row, which comes to the top.
  onOwn("notification:new", signal, (news) => {
    rows.querySelector(`[data-notification="${news.publicId}"]`)?.closest("li")?.remove();
    rows.prepend(news);
  });
  const readAll = el("button", { onclick: () => void read() }, "Mark all as read");
  async function read() {
    await answer(api.PATCH("/notification/read-all"));
    rows.querySelectorAll(".unread").forEach((it) => it.classList.remove("unread"));
    await countNew();
  }
  return el(
    "div",
    {},
    el("header", { class: "head row" }, el("h1", {}, "Notifications"), el("span", { class: "push" }, readAll)),
    rows,
  );
}

/** @param {Schemas["NotificationView"]} news */
function row(news) {
  return el(
    "a",
    {
      class: `notification${news.isRead ? "" : " unread"}`,
      href: pathOf(news),
      "data-notification": news.publicId,
      onclick: () => void read(news),
    },
    el("span", { class: "faces" }, ...news.actors.map(avatar)),
    el(
      "span",
      { class: "said" },
      el("span", {}, news.message),
      el("span", { class: "quiet small" }, time(news.lastEventAt)),
    ),
    !news.isRead && el("span", { class: "hidden" }, "unread"),
  );
}

/** @param {Schemas["NotificationView"]} news */
async function read({ publicId, isRead }) {
  if (!isRead) {
    await answer(api.PATCH("/notification/{publicId}/read", { params: { path: { publicId } } }));
    await countNew();
  }
}

/** @param {Schemas["NotificationView"]} news */
function pathOf({ targetType, targetId, actors }) {
  switch (targetType) {
    case "POST":
    case "REPLY":
      return `#/post/${targetId}`;
    case "MESSAGE_GROUP":
      return `#/messages/${targetId}`;
    case "CIRCLE":
      return `#/circles/${targetId}`;
    case "USER":
      return actors[0] ? `#/user/${actors[0].username}` : "#/notifications";
    default:
      return "#/notifications";
  }
}
