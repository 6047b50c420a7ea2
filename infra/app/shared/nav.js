/** Marks the current view in the navigation. */

/**
 * Marks the links of the navigation that lead to the view of a path, and scrolls them into view.
 * @param {string} path
 * @param {string[]} [homes] paths of other views for which the link to `/` is marked
 */
export function markPlace(path, homes = []) {
  for (const link of document.querySelectorAll("#nav a")) {
    const place = link.getAttribute("href")?.slice(1) ?? "";
    const isHere = place === "/" ? path === "/" || homes.some((home) => path.startsWith(home)) : path.startsWith(place);
    isHere ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
    isHere && link.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

/** Returns the path of the current view. */
export const currentPath = () => (location.hash.slice(1) || "/").split("?")[0] ?? "/";
