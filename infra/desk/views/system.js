/** Health of the service, and the dead letters of the local stack. */

import { page } from "../parts/page.js";
import { inWords } from "../parts/problem.js";
import { el } from "../shared/dom.js";
import { answer, api } from "../shared/network.js";
import { dateOf } from "../src/clock.js";
import { t } from "../src/language.js";

/** State of a queue of the local stack. `dead` is the number of its dead letters. */
/** @typedef {{ name: string, dead: number }} Queue */

export async function system() {
  const [{ data: health }, ready, queues] = await Promise.all([
    answer(api.GET("/health")),
    answer(api.GET("/health/ready")).then(
      () => t("system.ready"),
      (error) => t("system.notReady", { problem: inWords(error) }),
    ),
    deadLetters(),
  ]);
  const fact = (/** @type {string} */ term, /** @type {string} */ value) =>
    el("div", {}, el("dt", {}, term), el("dd", {}, value));
  return page(
    "system",
    el(
      "section",
      { class: "panel" },
      el("h2", {}, t("system.health")),
      el(
        "dl",
        { class: "facts" },
        fact(t("system.version"), health.version),
        fact(t("system.commit"), health.commit ?? "–"),
        fact(t("system.time"), dateOf(health.time)),
        fact(t("system.table"), ready),
      ),
    ),
    queues,
  );
}

/** Returns the dead letters of the local stack. A deployed service does not have this route. */
async function deadLetters() {
  const response = await fetch("/_local/queues").catch(() => null);
  if (!response?.ok) {
    return deadLettersPanel(el("p", { class: "quiet" }, t("system.deadHint")));
  }
  const { data } = /** @type {{ data: Queue[] }} */ (await response.json());
  const dead = data.filter((queue) => queue.dead > 0);
  const rows = dead.map((queue) => el("li", {}, `${queue.name}: ${t("system.messages", { count: queue.dead })}`));
  return deadLettersPanel(
    rows.length > 0 ? el("ul", {}, ...rows) : el("p", { class: "quiet" }, t("system.deadEmpty")),
  );
}

/** @param {Node} content */
const deadLettersPanel = (content) =>
  el("section", { class: "panel" }, el("h2", {}, t("system.dead")), content);
