/** The navigation: the views that the moderator's permissions allow. */

import { el } from "../shared/dom.js";
import { forgetMe, getMe, network } from "../shared/network.js";
import { currentPath, markPlace } from "../shared/nav.js";
import { choose, language, LANGUAGES, named, t } from "../src/language.js";
import { go } from "../src/router.js";
import { helpDialog } from "./help.js";
import { notify } from "./notice.js";

/** @type {[path: string, label: import("../src/language.js").Text, needs: Schemas["AdminPermission"]][]} */
const PLACES = [
  ["/", "queue", "DECIDE_REPORTS"],
  ["/appeals", "appeals", "DECIDE_APPEALS"],
  ["/people", "people", "MANAGE_USERS"],
  ["/quests", "quests", "MANAGE_QUESTS"],
  ["/hashtags", "hashtags", "READ_STATISTICS"],
  ["/webhooks", "webhooks", "MANAGE_WEBHOOKS"],
  ["/audit", "audit", "READ_AUDIT"],
  ["/statistics", "statistics", "READ_STATISTICS"],
  ["/system", "system", "READ_STATISTICS"],
];

/** Draws the navigation, and updates it whenever a view is opened or the user signs in or out. */
export async function nav() {
  window.addEventListener("visit", mark);
  window.addEventListener("session", () => void draw());
  await draw();
}

async function draw() {
  const me = network.isSignedIn() ? await getMe().catch(() => null) : null;
  document.body.classList.toggle("signed-in", me !== null);
  if (me && me.emailStatus !== "OK") {
    notify(t(`email.${me.emailStatus}`, { email: me.email }));
  }
  const places = PLACES.filter(([, , permission]) => me?.permissions.includes(permission));
  document
    .getElementById("nav")
    ?.replaceChildren(...places.map(([path, label]) => el("a", { href: `#${path}` }, t(label))));
  document.getElementById("who")?.replaceChildren(...(me ? account(me) : []), languages());
  mark();
}

/** Marks the current view. The view of a single case belongs to the queue. */
const mark = () => markPlace(currentPath(), ["/case/"]);

/** @param {Schemas["OwnAccount"]} me */
function account(me) {
  const role = me.roles.findLast((name) => name !== "USER") ?? "USER";
  return [
    el(
      "span",
      { class: "me" },
      el("strong", {}, `@${me.username}`),
      el("span", { class: "quiet" }, named("role", role)),
    ),
    el("button", { class: "plain for-keys", onclick: helpDialog }, t("help")),
    el("button", { class: "plain", onclick: () => void signOut() }, t("signOut")),
  ];
}

function languages() {
  const options = Object.entries(LANGUAGES).map(([value, name]) =>
    el("option", { value, lang: value, selected: value === language }, name),
  );
  const select = el("select", { "aria-label": t("language"), onchange: () => choose(select.value) }, ...options);
  return select;
}

async function signOut() {
  await network.signOut();
  forgetMe();
  window.dispatchEvent(new Event("session"));
  go("/");
}
