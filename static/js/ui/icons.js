// @ts-check
// Icons of buttons, as paths in a box of 24 × 24.

import { h } from "../lib/virtual_dom.js";

const ICONS = {
  log: "M5 6h14M5 12h14M5 18h9",
  menu: "M4 7h16M4 12h16M4 17h16",
  leave: "M10 4H5v16h5M10 12h10M16 8l4 4-4 4",
  talk: "M4 5h16v11h-8l-5 4v-4H4z",
  order: "M7 5v13M4 15l3 3 3-3M13 7h3M13 12h5M13 17h7",
  idea: "M9 18h6M10 21h4M9 15c0-2-3-3-3-7a6 6 0 0 1 12 0c0 4-3 5-3 7z",
  sound: "M4 9.5v5h3.5L12 19V5L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6a8.5 8.5 0 0 1 0 12",
  silence: "M4 9.5v5h3.5L12 19V5L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5",
  chevron: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  first: "M6 5v14M18 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  on: "M8 5l9 7-9 7z",
  last: "M18 5v14M6 5l9 7-9 7z",
  forward: "M5 5l7 7-7 7M12 5l7 7-7 7",
};

/** Draw an icon. @param {keyof typeof ICONS} name */
export function icon(name) {
  return h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: ICONS[name] }));
}
