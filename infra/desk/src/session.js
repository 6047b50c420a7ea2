/** The signed-in moderator. */

import { getMe } from "../shared/network.js";

/**
 * Returns whether the moderator has a permission.
 * @param {Schemas["AdminPermission"]} permission
 */
export async function may(permission) {
  return (await getMe()).permissions.includes(permission);
}

/** Returns whether the moderator may ban users. */
export const mayBan = () => may("MANAGE_USERS");
