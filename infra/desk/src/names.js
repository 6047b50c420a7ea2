/** Usernames of moderators. Responses about cases contain only the IDs of moderators. */

import { el } from "../shared/dom.js";
import { answer, api, getMe } from "../shared/network.js";

/** @type {Map<string, Promise<string>>} */
const names = new Map();

/**
 * Returns an element that shows the end of a user's public ID, and the username once the username is loaded.
 * @param {string} publicId
 */
export function nameOf(publicId) {
  const shown = el("span", { class: "name" }, publicId.slice(-6));
  void find(publicId).then(
    (name) => shown.replaceChildren(`@${name}`),
    () => {},
  );
  return shown;
}

/** @param {string} publicId */
async function find(publicId) {
  const me = await getMe();
  if (me.publicId === publicId) {
    return me.username;
  }
  const known = names.get(publicId) ?? read(publicId);
  names.set(publicId, known);
  // After a failed request, the next call sends the request again.
  known.catch(() => names.delete(publicId));
  return known;
}

/** @param {string} username a public ID, which the path accepts too */
async function read(username) {
  return (await answer(api.GET("/user/{username}", { params: { path: { username } } }))).data.username;
}
