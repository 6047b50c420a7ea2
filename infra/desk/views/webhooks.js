/** Webhooks: URLs to which the service sends events. */

import { choice, group } from "../parts/decision-dialog.js";
import { report } from "../parts/notice.js";
import { button, entry, listing, page } from "../parts/page.js";
import { openDialog } from "../shared/dialog.js";
import { el } from "../shared/dom.js";
import { field, form } from "../shared/form.js";
import { answer, api, network } from "../shared/network.js";
import { dateOf, time } from "../src/clock.js";
import { t } from "../src/language.js";
import { show } from "../src/router.js";

const EVENTS = /** @type {const} */ ([
  "report.created",
  "report.decided",
  "post.hidden",
  "user.suspended",
  "circle.died",
  "circle-post.created",
]);

export async function webhooks() {
  return page(
    "webhooks",
    await listing(network.rows("/admin/webhooks"), webhookRow, { empty: t("webhooks.empty"), name: t("webhooks") }),
    el("h2", { class: "section-title" }, t("webhooks.new")),
    draft(),
  );
}

/**
 * @param {Schemas["Webhook"]} webhook
 * @returns {HTMLElement}
 */
function webhookRow({ id, url, events, enabled, lastSuccessAt, lastFailureAt, lastError, disabledAt }) {
  const params = { path: { webhookId: id } };
  const change = async () => {
    const body = { enabled: !enabled };
    const { data } = await answer(api.PATCH("/admin/webhooks/{webhookId}", { params, body }));
    row.replaceWith(webhookRow(data));
  };
  const test = async () => {
    await answer(api.POST("/admin/webhooks/{webhookId}/test", { params }));
    report(t("webhooks.tested"));
  };
  const remove = async () => {
    await answer(api.DELETE("/admin/webhooks/{webhookId}", { params }));
    report(t("webhooks.deleted"));
    await show();
  };
  const at = (/** @type {string | null | undefined} */ moment) => (moment ? time(moment) : t("never"));
  const row = entry(
    [
      el("strong", {}, url),
      ...(disabledAt ? [el("span", { class: "tag strong" }, t("webhooks.off", { date: dateOf(disabledAt) }))] : []),
    ],
    [
      button(t("webhooks.test"), test, { class: "small" }),
      button(t(enabled ? "disable" : "enable"), change, { class: "small" }),
      el(
        "button",
        { class: "small", onclick: () => confirmed(t("webhooks.deleteSure", { url }), remove) },
        t("webhooks.delete"),
      ),
    ],
    el("p", { class: "quiet small" }, events.join(", ")),
    el(
      "p",
      { class: "quiet small" },
      `${t("webhooks.success")}: `,
      at(lastSuccessAt),
      ` · ${t("webhooks.failure")}: `,
      at(lastFailureAt),
    ),
    lastError && el("p", { class: "wrong small" }, lastError),
  );
  return row;
}

/**
 * Shows a confirmation dialog, and calls `work` if the user confirms.
 * @param {string} question
 * @param {() => Promise<unknown>} work
 */
function confirmed(question, work) {
  const sure = form(
    {},
    async () => {
      await work();
      dialog.close();
    },
    el("button", { class: "primary" }, t("webhooks.delete")),
  );
  const dialog = openDialog(question, el("span", {}, t("cancel")), sure);
}

function draft() {
  const made = form(
    { class: "panel stack" },
    async ({ url = "" }) => {
      const events = /** @type {Schemas["WebhookEvent"][]} */ (new FormData(made).getAll("events"));
      const { data } = await answer(api.POST("/admin/webhooks", { body: { url: url.trim(), events } }));
      await show();
      openDialog(
        t("webhooks.secret"),
        el("span", {}, t("close")),
        el("p", {}, t("webhooks.secretHint")),
        el("p", { class: "secret" }, data.secret),
      );
    },
    field("url", t("webhooks.url"), { type: "url", hint: t("webhooks.urlHint") }),
    group(
      t("webhooks.events"),
      EVENTS.map((event) => choice("checkbox", "events", event, event, false)),
    ),
    el("p", {}, el("button", { class: "primary" }, t("webhooks.create"))),
  );
  return made;
}
