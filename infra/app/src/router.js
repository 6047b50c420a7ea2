/** The views of the page, by the part of the URL after `#`. */

import { problem } from "../parts/problem.js";
import { router } from "../shared/router.js";

const signIn = async () => (await import("../views/sign-in.js")).signIn;

/** `go` opens the view of a path, and `show` loads the current view again. */
export const { go, show } = router({
  title: "Circles",
  missing: "This page does not exist.",
  signIn,
  problem,
  routes: [
    [/^\/$/, async () => (await import("../views/feed.js")).feed],
    [/^\/sign-in$/, signIn, true],
    [/^\/sign-up$/, async () => (await import("../views/sign-in.js")).signUp, true],
    [/^\/confirm$/, async () => (await import("../views/confirm.js")).confirm],
    [/^\/verify-email$/, async () => (await import("../views/confirm.js")).verifyEmail, true],
    [/^\/post\/([^/]+)$/, async () => (await import("../views/post.js")).post],
    [/^\/user\/([^/]+)$/, async () => (await import("../views/user.js")).user],
    [/^\/tag\/([^/]+)$/, async () => (await import("../views/tag.js")).tag],
    [/^\/search$/, async () => (await import("../views/search.js")).search],
    [/^\/notifications$/, async () => (await import("../views/notifications.js")).notifications],
    [/^\/messages$/, async () => (await import("../views/messages.js")).messages],
    [/^\/messages\/([^/]+)$/, async () => (await import("../views/conversation.js")).conversation],
    [/^\/circles$/, async () => (await import("../views/circles.js")).circles],
    [/^\/circles\/([^/]+)$/, async () => (await import("../views/circle.js")).circle],
    [/^\/museum$/, async () => (await import("../views/museum.js")).museum],
  ],
});
