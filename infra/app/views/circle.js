/** A circle: energy, members, posts. */

import { circlePost } from "../parts/circle-post.js";
import { composer } from "../parts/composer.js";
import { energy } from "../parts/energy.js";
import { person } from "../parts/person.js";
import { el, toast } from "../shared/dom.js";
import { list } from "../shared/list.js";
import { answer, api, network } from "../shared/network.js";
import { onCircle } from "../src/live.js";
import { show } from "../src/router.js";

/** @param {Visit} visit */
export async function circle({ params: [publicId = ""], signal }) {
  const params = { path: { publicId } };
  const { data: found } = await answer(api.GET("/circles/{publicId}", { params }));
  let shown = await energy(publicId);
  async function refresh() {
    const next = await energy(publicId);
    shown.replaceWith(next);
    shown = next;
  }
  const isMember = found.role != null;
  if (isMember) {
    void onCircle(publicId, "energy:changed", signal, () => void refresh());
  }
  const draw = (/** @type {Schemas["CirclePost"]} */ post) => circlePost(post, isMember, refresh);
  const rows = network.rows("/circles/{publicId}/posts", { params });
  const posts = await list(rows, draw, "No posts yet.", { name: "Posts" });
  return el(
    "div",
    {},
    el(
      "header",
      { class: "head row" },
      el("div", {}, el("h1", {}, found.name), found.description && el("p", { class: "quiet" }, found.description)),
      el("span", { class: "push" }, !isMember && join(publicId)),
    ),
    shown,
    found.role === "OWNER" && (await requests(publicId)),
    el(
      "details",
      { class: "panel" },
      el("summary", {}, `${found.membersCount} ${found.membersCount === 1 ? "member" : "members"}`),
      await members(publicId),
    ),
    isMember && el("div", { class: "panel flat" }, await writing(publicId, (post) => posts.prepend(post))),
    el("h2", { class: "section" }, "Posts"),
    posts,
  );
}

/**
 * @param {string} publicId
 * @param {(post: Schemas["CirclePost"]) => void} written
 */
function writing(publicId, written) {
  const send = async (/** @type {{ content: string }} */ { content }) => {
    const { data } = await answer(
      api.POST("/circles/{publicId}/posts", { params: { path: { publicId } }, body: { content } }),
    );
    written(data);
  };
  return composer("Write a post to keep the circle alive", "Post", send, { hasPhoto: false });
}

/** @param {string} publicId */
function join(publicId) {
  const button = el("button", { class: "primary", onclick: () => void ask() }, "Ask to join");
  async function ask() {
    try {
      await answer(api.POST("/circles/{publicId}/join-request", { params: { path: { publicId } } }));
      button.textContent = "Request sent";
      button.disabled = true;
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  }
  return button;
}

/** @param {string} publicId */
function members(publicId) {
  const role = (/** @type {Schemas["CircleMember"]} */ member) =>
    person(member, el("span", { class: "quiet small" }, member.role.toLowerCase()));
  return list(network.rows("/circles/{publicId}/members", { params: { path: { publicId } } }), role, "", {
    name: "Members",
  });
}

/**
 * Returns the join requests, for members who may answer them.
 * @param {string} publicId
 */
async function requests(publicId) {
  const params = { path: { publicId } };
  const { data } = await answer(api.GET("/circle/{publicId}/manage/join-requests", { params }));
  /** @param {string} requestId */
  const answering = (requestId, /** @type {Schemas["JoinDecision"]} */ action) => async () => {
    await answer(api.POST("/circle/{publicId}/manage/join-request/respond", { params, body: { requestId, action } }));
    await show();
  };
  const row = (/** @type {Schemas["PendingJoinRequest"]} */ { user, requestId }) =>
    person(
      user,
      el("button", { class: "primary", onclick: answering(requestId, "ACCEPT") }, "Accept"),
      el("button", { onclick: answering(requestId, "REJECT") }, "Reject"),
    );
  return data.length > 0 && el("section", { class: "panel" }, el("h2", {}, "Join requests"), ...data.map(row));
}
