/** One case, without the queue. */

import { caseDesk } from "../parts/case-desk.js";
import { el } from "../shared/dom.js";
import { answer, api, getMe } from "../shared/network.js";
import { authorOf } from "../src/actions.js";
import { entryOf } from "../src/entries.js";
import { t } from "../src/language.js";
import { mayBan } from "../src/session.js";

/** @param {Visit} visit */
export async function oneCase({ params: [caseId = ""], signal }) {
  const { data } = await answer(api.GET("/admin/cases/{caseId}", { params: { path: { caseId } } }));
  const { publicId: me } = await getMe();
  const entry = { ...entryOf(data), detail: { data, at: Date.now() } };
  const back = () => history.back();
  const desk = caseDesk({ entries: [entry], mayBan: await mayBan(), me, signal, changed: () => {}, back });
  desk.add(entry);
  void desk.select(entry, true);
  return el(
    "div",
    { class: "queue single" },
    el("h1", { class: "hidden" }, `${t("case")} ${authorOf(data)}`),
    desk.view,
  );
}
