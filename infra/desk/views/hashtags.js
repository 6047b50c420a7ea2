/** Hashtags of the last 24 hours. */

import { page } from "../parts/page.js";
import { barPlot } from "../parts/plot.js";
import { el } from "../shared/dom.js";
import { answer, api } from "../shared/network.js";
import { number, t } from "../src/language.js";

export async function hashtags() {
  const { data } = await answer(api.GET("/admin/hashtags/trending"));
  const bars = data.map(({ name, count, score }) => ({
    label: `#${name}`,
    value: count,
    note: `${t("hashtags.posts", { count })} · ${t("hashtags.score", { score: number(Math.round(score * 10) / 10) })}`,
  }));
  return page(
    "hashtags",
    el("p", { class: "quiet" }, t("hashtags.hint")),
    bars.length > 0 ? barPlot(t("hashtags"), bars) : el("p", { class: "empty panel" }, t("hashtags.empty")),
  );
}
