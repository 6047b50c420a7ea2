/** Names of moderators. The API identifies them by ID. */

import { el } from "../shared/dom.js";
import { answer, api, getMe } from "../shared/network.js";

/** @type {Map<string, Promise<string>>} */
const names = new Map();

/**
 * Returns an element that shows the username of a public ID, as soon as it is known.
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
  // A name that could not be read is read again the next time.
  known.catch(() => names.delete(publicId));
  return known;
}

/** @param {string} username a public ID */
async function read(username) {
  return (await answer(api.GET("/user/{username}", { params: { path: { username } } }))).data.username;
}
