/** Tabs of a view. Each tab is a link, and the URL decides which tab is selected. */

import { el } from "./dom.js";

/**
 * @param {string} name
 * @param {[href: string, label: string][]} tabs
 * @param {number} chosen
 */
export function tabs(name, tabs, chosen) {
  const link = ([href, label] = ["", ""], place = 0) =>
    el("a", { href, "aria-current": place === chosen && "page" }, label);
  return el("nav", { class: "tabs", "aria-label": name }, ...tabs.map((tab, place) => link(tab, place)));
}
