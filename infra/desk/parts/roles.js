/** The roles of an account. */

import { el } from "../shared/dom.js";
import { form } from "../shared/form.js";
import { answer, api } from "../shared/network.js";
import { named, t } from "../src/language.js";
import { choice, group } from "./decision-dialog.js";
import { report } from "./notice.js";

const ROLES = /** @type {const} */ (["MODERATOR", "ADMIN", "SUPER_ADMIN"]);

/** @param {Schemas["Account"]} account */
export function roleForm({ publicId, roles }) {
  const made = form(
    { class: "panel stack" },
    async () => {
      const chosen = /** @type {Schemas["UserRole"][]} */ (new FormData(made).getAll("roles"));
      const params = { path: { userId: publicId } };
      await answer(api.PATCH("/admin/users/{userId}/roles", { params, body: { roles: chosen } }));
      report(t("done.saved"));
    },
    group(
      t("roles"),
      ROLES.map((role) => choice("checkbox", "roles", role, named("role", role), roles.includes(role))),
    ),
    el("p", { class: "quiet small" }, t("roles.hint")),
    el("p", {}, el("button", {}, t("save"))),
  );
  return made;
}
