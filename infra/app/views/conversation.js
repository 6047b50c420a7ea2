/** A conversation, with live messages and read marks. */

import { countNew } from "../parts/nav.js";
import { avatar, profilePath } from "../parts/person.js";
import { time } from "../parts/time.js";
import { el } from "../shared/dom.js";
import { field, form } from "../shared/form.js";
import { answer, api, getMe, network } from "../shared/network.js";
import { connected, onOwn } from "../src/live.js";

const TAKE = 30;

/** @param {Visit} visit */
export async function conversation({ params: [publicId = ""], signal }) {
  const params = { path: { publicId } };
  const [me, { data: members }] = await Promise.all([
    getMe(),
    answer(api.GET("/message-group/{publicId}/members", { params })),
  ]);
  const others = members.filter((member) => member.userId !== me.publicId);
  const log = messageLog(publicId, me, others.length > 1);
  const writing = form(
    { class: "row sending" },
    async ({ content = "" }, made) => {
      const { data } = await answer(api.POST("/message-group/{publicId}/messages", { params, body: { content } }));
      made.reset();
      log.add(data);
    },
    field("content", "Message", { placeholder: "Write a message", isLabelHidden: true, autocomplete: "off" }),
    el("button", { class: "primary" }, "Send"),
  );
  const markRead = async () => {
    await answer(api.PATCH("/message-group/{publicId}/read", { params }));
    await countNew();
  };
  onOwn("message:new", signal, (message) => {
    if (message.messageGroupId === publicId) {
      log.add(message);
      void markRead();
    }
  });
  onOwn("message-seen", signal, (seen) => seen.groupId === publicId && log.see(seen.lastSeenMessageId));
  await connected();
  await log.read();
  await markRead();
  const title = others.map(({ name }) => name).join(", ") || me.name;
  const view = el(
    "div",
    { class: "conversing" },
    el(
      "header",
      { class: "head row" },
      avatar(others[0] ?? me),
      el("h1", {}, el("a", { href: profilePath(others[0] ?? me) }, title)),
    ),
    log.view,
    writing,
  );
  view.addEventListener("placed", log.toEnd);
  return view;
}

/**
 * Returns the messages, newest last.
 * @param {string} publicId
 * @param {Schemas["OwnAccount"]} me
 * @param {boolean} hasNames
 */
function messageLog(publicId, me, hasNames) {
  const rows = network.rows("/message-group/{publicId}/messages", {
    params: { path: { publicId }, query: { take: TAKE } },
  });
  const items = el("ol", { class: "messages" });
  const status = el("p", { class: "seen quiet small" });
  const earlier = el("button", { class: "more", onclick: () => void read() }, "Earlier messages");
  const view = el("div", { class: "log", role: "log", tabindex: 0, "aria-label": "Messages" }, earlier, items, status);
  const toEnd = () => view.scrollTo(0, view.scrollHeight);
  const has = (/** @type {Schemas["SentMessage"]} */ message) =>
    items.querySelector(`[data-message="${message.publicId}"]`) !== null;
  let lastSeen = "";

  async function read() {
    for (let count = 0; count < TAKE; count++) {
      const { value, done } = await rows.next();
      if (done) {
        return earlier.remove();
      }
      if (!has(value)) {
        items.prepend(bubble(value));
      }
    }
  }
  /** @param {Schemas["SentMessage"]} message */
  function bubble(message) {
    const isMine = message.senderId === me.publicId;
    return el(
      "li",
      { class: isMine ? "mine" : "theirs", "data-message": message.publicId },
      hasNames && !isMine && el("strong", { class: "small" }, message.sender?.name ?? "Someone"),
      el("p", { class: "text" }, message.isDeleted ? "This message was deleted." : message.content),
      el("span", { class: "hidden" }, isMine ? "You, " : ""),
      el("span", { class: "at small" }, time(message.createdAt)),
    );
  }
  /** Shows whether the user's last message was seen. The event about it may arrive before the response to the message. */
  function showSeen() {
    const last = items.querySelector("li:last-child.mine")?.getAttribute("data-message");
    status.textContent = last && last <= lastSeen ? "Seen" : "";
    toEnd();
  }
  return {
    view,
    toEnd,
    read,
    /** Adds a message, unless it is already shown. A sent message arrives twice: as a response and as an event. */
    add(/** @type {Schemas["SentMessage"]} */ message) {
      if (!has(message)) {
        items.append(bubble(message));
        showSeen();
      }
    },
    see(/** @type {string} */ messageId) {
      lastSeen = messageId > lastSeen ? messageId : lastSeen;
      showSeen();
    },
  };
}
