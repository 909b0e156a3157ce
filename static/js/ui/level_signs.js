// @ts-check
// The signs of bot levels, on buttons that add a bot. The server names them (bots/simple/levels.py).

import { birdHead, dot, drawing, path } from "./birds.js";

/** @type {Record<string, () => import("../lib/virtual_dom.js").VNode[]>} */
const SIGNS = {
  chick: () => [
    path("M30 19c-3-4-2-8 0-10 1 2 2 4 3 6 1-3 3-5 5-6 0 4-1 7-4 10z", "tuft"),
    path("M10 64c1-7 4-10 4-18C14 30 22 18 34 18s19 10 19 23c0 9 3 14 4 23z", "chick"),
    path("M50 36l9 4-9 4c-1-3-1-5 0-8z", "beak"),
    dot(41, 36, 3.4),
  ],
  fox: () => [
    path("M14 30C11 20 12 10 16 5c6 3 10 8 12 14z", "comb"),
    path("M38 18c2-6 5-10 10-13 4 6 4 15 1 24z", "comb"),
    path("M10 64c1-8 3-12 3-20 0-15 8-26 20-26 9 0 15 6 19 14l11 11c-3 6-9 8-16 7-2 4-1 9 1 14z", "comb"),
    path("M63 43c-3 6-9 8-16 7-8 0-14 4-16 14H20c1-12 8-19 19-20 6 0 13 1 18-4z", "shell"),
    dot(60, 42, 2.6),
    dot(39, 33, 2.8),
  ],
};

/** Draw the sign of a bot level; an unknown sign becomes a sparrow. @param {string} sign */
export function levelSign(sign) {
  const parts = SIGNS[sign];
  return parts === undefined ? birdHead(sign, "of-level") : drawing(sign, parts(), "of-level");
}
