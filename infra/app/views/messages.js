/** Conversations, newest message first. */

import { avatar } from "../parts/person.js";
import { time } from "../parts/time.js";
import { el } from "../shared/dom.js";
import { list } from "../shared/list.js";
import { getMe, network } from "../shared/network.js";
import { onOwn } from "../src/live.js";

const EMPTY = ["No conversations yet. ", el("a", { href: "#/search" }, "Find someone"), " and send a message."];

/** @param {Visit} visit */
export async function messages({ signal }) {
  const me = await getMe();
  const read = () => {
    const row = (/** @type {Schemas["Conversation"]} */ conversation) => conversationRow(conversation, me);
    return list(network.rows("/message-group"), row, el("p", {}, ...EMPTY), { name: "Conversations" });
  };
  let shown = await read();
  onOwn("message:new", signal, async () => {
    const next = await read();
    shown.replaceWith(next);
    shown = next;
  });
  return el("div", {}, el("header", { class: "head" }, el("h1", {}, "Messages")), shown);
}

/**
 * @param {Schemas["Conversation"]} conversation
 * @param {Schemas["OwnAccount"]} me
 */
function conversationRow({ publicId, name, members, unreadCount, lastMessagePreview, lastMessageAt }, me) {
  const others = members.filter((member) => member.userId !== me.publicId);
  const title = name ?? (others.map(({ name }) => name).join(", ") || "Yourself");
  return el(
    "a",
    { class: `conversation${unreadCount > 0 ? " unread" : ""}`, href: `#/messages/${publicId}` },
    avatar(others[0] ?? me),
    el(
      "span",
      { class: "said" },
      el(
        "span",
        { class: "row" },
        el("strong", {}, title),
        lastMessageAt && el("span", { class: "push quiet small" }, time(lastMessageAt)),
      ),
      el("span", { class: "quiet cut" }, lastMessagePreview ?? "No messages yet"),
    ),
    unreadCount > 0 && el("span", { class: "badge" }, unreadCount, el("span", { class: "hidden" }, " unread")),
  );
}
