/** The views of the page, by the part of the URL after `#`. */

import { problem } from "../parts/problem.js";
import { router } from "../shared/router.js";
import { t } from "./language.js";

/** `go` opens the view of a path, and `show` loads the current view again. */
export const { go, show } = router({
  title: t("title"),
  missing: t("missing"),
  problem,
  signIn: async () => (await import("../views/sign-in.js")).signIn,
  routes: [
    [/^\/$/, async () => (await import("../views/queue.js")).queue],
    [/^\/case\/([^/]+)$/, async () => (await import("../views/case.js")).oneCase],
    [/^\/appeals$/, async () => (await import("../views/appeals.js")).appeals],
    [/^\/people$/, async () => (await import("../views/people.js")).people],
    [/^\/people\/([^/]+)$/, async () => (await import("../views/person.js")).person],
    [/^\/quests$/, async () => (await import("../views/quests.js")).quests],
    [/^\/hashtags$/, async () => (await import("../views/hashtags.js")).hashtags],
    [/^\/webhooks$/, async () => (await import("../views/webhooks.js")).webhooks],
    [/^\/audit$/, async () => (await import("../views/audit.js")).audit],
    [/^\/statistics$/, async () => (await import("../views/statistics.js")).statistics],
    [/^\/system$/, async () => (await import("../views/system.js")).system],
  ],
});
