/** Starts the page. */

import { aside } from "../parts/aside.js";
import { nav } from "../parts/nav.js";
import { readClock } from "./clock.js";
import { toast } from "./dom.js";
import { stopLive } from "./live.js";
import { forgetMe } from "./network.js";
import { go, show } from "./router.js";

window.addEventListener("session-end", () => {
  stopLive();
  forgetMe();
  window.dispatchEvent(new Event("session"));
  toast("Your session has ended. Sign in again.");
  go("/sign-in");
});
window.addEventListener("unhandledrejection", ({ reason }) => {
  toast(reason instanceof Error ? reason.message : String(reason));
});
window.addEventListener("hashchange", (event) => {
  // In-page links, such as "Skip to content", are not routes.
  if (location.hash.startsWith("#/") || location.hash === "") {
    void show();
  } else {
    history.replaceState(null, "", event.oldURL);
  }
});

await readClock();
nav();
aside();
await show();
