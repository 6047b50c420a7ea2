/** Starts the page. */

import { helpDialog } from "../parts/help.js";
import { nav } from "../parts/nav.js";
import { notify } from "../parts/notice.js";
import { forgetMe } from "../shared/network.js";
import { followAddress } from "../shared/router.js";
import { readClock } from "./clock.js";
import { onKeys } from "./keys.js";
import { language, t } from "./language.js";
import { show } from "./router.js";

document.documentElement.lang = language;
document.getElementById("skip")?.replaceChildren(t("skip"));
document.getElementById("nav")?.setAttribute("aria-label", t("navigation"));
document.getElementById("main")?.setAttribute("data-loading", t("loading"));

// Does not change the URL, so that the same view appears after the next sign-in.
window.addEventListener("session-end", () => {
  forgetMe();
  window.dispatchEvent(new Event("session"));
  notify(t("problem.401"));
  void show();
});
window.addEventListener("unhandledrejection", ({ reason }) => notify(reason));
onKeys({ "?": helpDialog });
followAddress(show);

await readClock();
await nav();
await show();
