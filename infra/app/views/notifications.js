/** Notifications, grouped by target. */

import { countNew } from "../parts/nav.js";
import { avatar } from "../parts/person.js";
import { time } from "../parts/time.js";
import { el } from "../shared/dom.js";
import { list } from "../shared/list.js";
import { answer, api, network } from "../shared/network.js";
import { onOwn } from "../src/live.js";

const EMPTY = "No notifications yet. Likes, replies and follows appear here within 40 seconds.";

/** @param {Visit} visit */
export async function notifications({ signal }) {
  const rows = await list(network.rows("/notification"), row, EMPTY, { name: "Notifications" });
  // A notification with new events moves to the top.
  onOwn("notification:new", signal, (notification) => {
    rows.querySelector(`[data-notification="${notification.publicId}"]`)?.closest("li")?.remove();
    rows.prepend(notification);
  });
  const readAll = el("button", { onclick: () => void read() }, "Mark all as read");
  async function read() {
    await answer(api.PATCH("/notification/read-all"));
    rows.querySelectorAll(".unread").forEach((row) => row.classList.remove("unread"));
    await countNew();
  }
  return el(
    "div",
    {},
    el("header", { class: "head row" }, el("h1", {}, "Notifications"), el("span", { class: "push" }, readAll)),
    rows,
  );
}

/** @param {Schemas["Notification"]} notification */
function row(notification) {
  return el(
    "a",
    {
      class: `notification${notification.isRead ? "" : " unread"}`,
      href: pathOf(notification),
      "data-notification": notification.publicId,
      onclick: () => void read(notification),
    },
    el("span", { class: "faces" }, ...notification.actors.map(avatar)),
    el(
      "span",
      { class: "said" },
      el("span", {}, notification.message),
      el("span", { class: "quiet small" }, time(notification.lastEventAt)),
    ),
    !notification.isRead && el("span", { class: "hidden" }, "unread"),
  );
}

/** @param {Schemas["Notification"]} notification */
async function read({ publicId, isRead }) {
  if (!isRead) {
    await answer(api.PATCH("/notification/{publicId}/read", { params: { path: { publicId } } }));
    await countNew();
  }
}

/** @param {Schemas["Notification"]} notification */
function pathOf({ targetType, targetId, actors }) {
  switch (targetType) {
    case "POST":
    case "OWN_POLL":
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
