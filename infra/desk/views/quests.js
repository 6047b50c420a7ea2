/** The daily quests. */

import { ask } from "../parts/ask.js";
import { report } from "../parts/notice.js";
import { button, entry, listing, page } from "../parts/page.js";
import { el } from "../shared/dom.js";
import { field, form } from "../shared/form.js";
import { answer, api, network } from "../shared/network.js";
import { named, number, t } from "../src/language.js";
import { show } from "../src/router.js";

/** Goals that count judged posts. `GET /admin/daily-quests/actions` lists only the other goals. */
const JUDGED = ["DEEP_COMMENT", "QUALITY_POST", "HELP_OTHERS"];

export async function quests() {
  const { data: actions } = await answer(api.GET("/admin/daily-quests/actions"));
  return page(
    "quests",
    await listing(network.rows("/admin/daily-quests"), questRow, {
      empty: t("quests.empty"),
      name: t("quests"),
    }),
    el("h2", { class: "section-title" }, t("quests.new")),
    draft([...actions.map(({ value }) => value), ...JUDGED]),
  );
}

/**
 * @param {Schemas["Quest"]} quest
 * @returns {HTMLElement}
 */
function questRow(quest) {
  const { code, action, requirement, description, karmaReward, disabled } = quest;
  const change = async (/** @type {Schemas["QuestEdit"]} */ body) => {
    const { data } = await answer(api.PATCH("/admin/daily-quests/{code}", { params: { path: { code } }, body }));
    report(t("done.saved"));
    row.replaceWith(questRow(data));
  };
  const summary = { action: named("goal", action), requirement: number(requirement), karma: number(karmaReward) };
  const row = entry(
    [el("strong", {}, description), disabled && el("span", { class: "tag" }, t("disabled"))].filter(
      (child) => child !== false,
    ),
    [
      el("button", { class: "small", onclick: () => edit(quest, change) }, t("quests.edit")),
      button(t(disabled ? "enable" : "disable"), () => change({ enabled: disabled }), { class: "small" }),
    ],
    el("p", { class: "quiet small" }, `${code} · ${t("quests.summary", summary)}`),
  );
  return row;
}

/**
 * @param {Schemas["Quest"]} quest
 * @param {(body: Schemas["QuestEdit"]) => Promise<void>} change
 */
function edit({ code, requirement, karmaReward, description }, change) {
  const numeric = { type: "number", min: 1 };
  ask(`${t("quests.edit")}: ${code}`, {
    name: "description",
    label: t("quests.description"),
    action: t("save"),
    more: [
      field("requirement", t("quests.requirement"), { ...numeric, value: requirement }),
      field("karmaReward", t("quests.karma"), { ...numeric, value: karmaReward }),
    ],
    send: (values) => change(numbersOf(values)),
  });
  const area = /** @type {HTMLTextAreaElement} */ (document.querySelector("dialog textarea"));
  area.value = description;
}

/** @param {string[]} actions */
function draft(actions) {
  const options = actions.map((value) => el("option", { value }, named("goal", value)));
  return form(
    { class: "panel search" },
    async ({ action = "", ...values }) => {
      const body = /** @type {Schemas["QuestDraft"]} */ ({ action, ...numbersOf(values) });
      await answer(api.POST("/admin/daily-quests", { body }));
      report(t("done.saved"));
      await show();
    },
    el("label", { class: "field" }, el("strong", {}, t("quests.action")), el("select", { name: "action" }, ...options)),
    field("requirement", t("quests.requirement"), { type: "number", min: 1, value: 1 }),
    field("karmaReward", t("quests.karma"), { type: "number", min: 1, value: 1 }),
    field("description", t("quests.description"), { maxlength: 200 }),
    el("button", { class: "primary" }, t("quests.create")),
  );
}

/**
 * Returns the fields that are not empty, and converts the texts of numeric fields to numbers.
 * @param {Record<string, string>} values
 */
function numbersOf({ requirement, karmaReward, description }) {
  return {
    ...(requirement && { requirement: Number(requirement) }),
    ...(karmaReward && { karmaReward: Number(karmaReward) }),
    ...(description?.trim() && { description: description.trim() }),
  };
}
