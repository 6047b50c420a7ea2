/** Starts the page. */

import { aside } from "../parts/aside.js";
import { nav } from "../parts/nav.js";
import { toast } from "../shared/dom.js";
import { forgetMe } from "../shared/network.js";
import { followAddress } from "../shared/router.js";
import { readClock } from "./clock.js";
import { stopLive } from "./live.js";
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
followAddress(show);

await readClock();
nav();
aside();
await show();
