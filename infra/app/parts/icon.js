/** Icons. They are decorative: the text beside them has the meaning. */

import { svg } from "../shared/dom.js";

const PATHS = {
  home: "M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l4.5 4.5",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.5 2h-15zM10 21.5h4",
  mail: "M4 6h16v11a1 1 0 0 1-1 1H9l-4 3v-3a1 1 0 0 1-1-1z",
  circle: "M12 4.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM8 11a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM16 11a4 4 0 1 1 0 8 4 4 0 0 1 0-8z",
  museum: "M4 9 12 4l8 5zM6 9v8M10 9v8M14 9v8M18 9v8M4 20h16",
  heart: "M12 20S4 14.5 4 9.2A4.2 4.2 0 0 1 12 7.3 4.2 4.2 0 0 1 20 9.2C20 14.5 12 20 12 20z",
  reply: "M4 6h16v10H11l-4 4v-4H4z",
  repost: "M7 7h10v7M17 14l3-3M17 14l-3-3M17 17H7v-7M7 10l-3 3M7 10l3 3",
  quote: "M5 7h5v6a4 4 0 0 1-4 4M14 7h5v6a4 4 0 0 1-4 4",
  photo: "M4 6h16v13H4zM4 16l5-5 4 4 2-2 5 5M15.5 10h.01",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.5 10 17.5 19.5 7",
  flame: "M12 3c1 4 5 5.500 5 10.500a5 5 0 0 1-10 0C7 11 8.500 10 9 8c2 1 3 0 3-5z",
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  return svg(
    "svg",
    { class: `icon icon-${name}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: PATHS[name] }),
  );
}
