/** A user and their posts. */

import { avatar } from "../parts/person.js";
import { postCard } from "../parts/post.js";
import { el, toast } from "../shared/dom.js";
import { list } from "../shared/list.js";
import { answer, api, forgetMe, getMe, network } from "../shared/network.js";
import { stopLive } from "../src/live.js";
import { go } from "../src/router.js";

/** @param {Visit} visit */
export async function user({ params: [username = ""] }) {
  const params = { path: { username } };
  const [{ data: profile }, me] = await Promise.all([answer(api.GET("/user/{username}", { params })), getMe()]);
  const posts = await list(
    network.rows("/user/{username}/posts", { params }),
    postCard,
    `${profile.name} has no posts yet.`,
    { name: "Posts" },
  );
  const followers = el("strong", {}, profile.followersCount);
  return el(
    "div",
    {},
    el(
      "header",
      { class: "panel profile" },
      avatar(profile),
      el(
        "div",
        { class: "push row" },
        ...(profile.username === me.username ? [leave()] : [message(username), follow(profile, followers)]),
      ),
      el(
        "div",
        { class: "names" },
        el("h1", {}, profile.name),
        el("p", { class: "quiet" }, `@${profile.username}`, profile.isFollowedBy && " · follows you"),
      ),
      profile.bio && el("p", {}, profile.bio),
      el(
        "p",
        { class: "quiet" },
        followers,
        el("span", {}, " Followers"),
        " · ",
        el("strong", {}, profile.followingCount),
        " Following",
      ),
    ),
    el("h2", { class: "section" }, "Posts"),
    posts,
  );
}

/**
 * @param {Schemas["Profile"]} profile
 * @param {HTMLElement} followers
 */
function follow({ username, isFollowing }, followers) {
  const button = el("button", { onclick: () => void press() });
  function draw() {
    button.textContent = isFollowing ? "Following" : "Follow";
    button.setAttribute("aria-pressed", String(isFollowing));
    button.classList.toggle("primary", !isFollowing);
  }
  async function press() {
    const params = { path: { username } };
    try {
      const { data } = await answer(
        api.POST("/user/{username}/follower", { params, body: { isFollowing: !isFollowing } }),
      );
      isFollowing = data.isFollowing;
      followers.textContent = String(data.followersCount);
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
    draw();
  }
  draw();
  return button;
}

/** @param {string} username */
function message(username) {
  return el("button", { onclick: () => void write() }, "Message");
  async function write() {
    const { data } = await answer(api.POST("/message-group", { body: { type: "PRIVATE", members: [username] } }));
    go(`/messages/${data.publicId}`);
  }
}

function leave() {
  return el("button", { onclick: () => void signOut() }, "Sign out");
  async function signOut() {
    await network.signOut();
    stopLive();
    forgetMe();
    window.dispatchEvent(new Event("session"));
    go("/sign-in");
  }
}
