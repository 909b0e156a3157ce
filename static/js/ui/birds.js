// @ts-check
// The birds, drawn in code: heads in a box of 64 × 64, looking right.

import { h } from "../lib/virtual_dom.js";

/** @import { VNode } from "../lib/virtual_dom.js" */

/** @param {string} d @param {string} [part] the class that colours it */
export const path = (d, part = "body") => h("path", { d, class: `b-${part}` });
/** @param {number} cx @param {number} cy @param {number} r @param {string} [part] */
export const dot = (cx, cy, r, part = "eye") => h("circle", { cx, cy, r, class: `b-${part}` });

/** @type {Record<string, () => VNode[]>} */
const HEADS = {
  rooster: () => [
    path("M20 27C15 19 18 11 24 14c1-8 9-9 11-2 5-4 11 0 9 7-1 5-4 8-8 9z", "comb"),
    path("M10 64c0-9 3-15 5-22 2-12 9-20 20-20 10 0 15 7 14 15-1 5 0 8 2 13 2 5 3 9 3 14z"),
    path(
      "M10 64c2-6 4-9 5-16 4 6 5 9 5 16zM24 64c1-5 2-9 1-15 5 5 7 9 7 15zM37 64c1-5 1-8 0-12 4 4 6 8 6 12z",
      "shade",
    ),
    path("M48 42c5 1 6 11 1 13-5-1-6-9-1-13z", "comb"),
    path("M48 31l13 6-13 5c-2-4-2-7 0-11z", "beak"),
    dot(40, 33, 3),
  ],
  hen: () => [
    path("M28 24c-3-6 1-10 5-7 2-5 8-4 8 1 3 1 3 5 0 8z", "comb"),
    path("M10 64c0-8 3-14 6-21 2-11 9-19 19-19s15 7 14 15c-1 5 1 9 3 13 1 4 2 8 2 12z"),
    path("M17 64c1-5 3-9 6-12 2 4 3 8 2 12zM30 64c1-5 3-8 6-10 2 3 2 7 2 10z", "shade"),
    path("M48 33l11 5-11 4c-2-3-2-6 0-9z", "beak"),
    dot(40, 34, 3),
  ],
  jay: () => [
    path("M17 30C14 19 20 9 27 7c0 5 3 8 8 13z", "shade"),
    path("M10 64c1-8 4-13 6-20 1-14 8-23 19-23 10 0 15 7 14 15-1 6 1 10 3 15 2 4 2 8 2 13z"),
    path("M33 36c6-4 11-4 15-2l-2 6c-5 2-9 1-13-4z", "shade"),
    path("M48 31l14 4-14 5c-2-3-2-6 0-9z", "beak"),
    dot(40, 32, 2.6),
  ],
  sparrow: () => [
    path("M12 64c1-7 4-11 4-18C16 30 23 20 34 20c11 0 17 8 17 19 0 10 3 15 4 25z"),
    path("M17 38c1-11 7-18 17-18 9 0 14 5 16 12-11-5-22-4-33 6z", "shade"),
    path("M49 36l9 3-9 4c-1-2-1-5 0-7z", "beak"),
    dot(41, 36, 2.8),
  ],
  crow: () => [
    path("M8 64c2-8 6-12 8-20 1-14 8-23 19-23 9 0 14 5 15 13 0 6 1 11 3 16 2 5 2 9 2 14z"),
    path("M47 29c6 0 12 4 15 9-5 2-11 3-15 2-2-3-2-7 0-11z", "beak"),
    dot(40, 31, 3),
  ],
  robin: () => [
    path("M12 64c1-7 4-11 4-18C16 30 23 20 34 20c11 0 17 8 17 19 0 10 3 15 4 25z"),
    path("M51 40c-3-8-10-11-16-7-8 6-8 20-3 31h23c-1-10-4-15-4-24z", "breast"),
    path("M50 34l9 4-9 3c-1-2-1-5 0-7z", "beak"),
    dot(41, 33, 2.8),
  ],
  owl: () => [
    path("M12 64c1-6 3-10 3-18 0-6-1-13 0-23 4 5 8 6 12 5 3-1 8-1 11 0 4 1 8 0 12-5 1 10 0 17 0 23 0 8 2 12 3 18z"),
    path("M22 64c2-7 5-11 11-11s9 4 11 11z", "shade"),
    dot(25, 38, 8, "beak"),
    dot(41, 38, 8, "beak"),
    dot(26, 38, 3.4),
    dot(42, 38, 3.4),
    path("M33 42l4 4-4 6-4-6z", "comb"),
  ],
  puffin: () => [
    path("M10 64c1-9 5-13 6-22C17 28 24 18 35 18c10 0 16 7 16 17 0 11 3 17 4 29z"),
    path("M30 27c8-3 18 2 18 11s-8 12-14 10-11-18-4-21z", "shell"),
    path("M46 30c8 0 14 5 16 11-6 4-13 5-17 2-2-5-2-9 1-13z", "comb"),
    path("M51 31l-1 13", "crack"),
    dot(39, 34, 2.8),
  ],
  magpie: () => [
    path("M8 64c2-8 6-12 8-20 1-14 8-23 19-23 9 0 14 5 15 13 0 6 1 11 3 16 2 5 2 9 2 14z"),
    path("M26 64c1-7 4-12 10-15 7 2 12 7 14 15z", "shell"),
    path("M48 31c6 0 11 3 13 7-5 2-9 2-13 1-1-3-1-5 0-8z", "beak"),
    dot(40, 32, 2.8),
  ],
  heron: () => [
    path("M34 28c-9-4-17-4-24 0 8 0 15 3 22 8z", "shade"),
    path("M18 64c2-8 10-13 11-22 0-9 4-16 12-16 6 0 9 4 9 9 0 8-9 9-9 17 0 5 3 8 4 12z"),
    path("M48 31l15 5-15 4c-1-3-1-6 0-9z", "beak"),
    dot(42, 33, 2.6),
  ],
};

/** Birds of people and bots, in the server's order (rooms/people/avatars.py). Rooster and hen are on cards only. */
export const BIRDS = ["sparrow", "robin", "jay", "crow", "owl", "puffin", "magpie", "heron"];

/** Colours of faces, in the order of the hues in tokens.css. */
export const COLOURS = ["straw", "sage", "clay", "sky", "lilac", "moss", "peach", "sea"];

/** Path of a crown, centred on its lower edge. */
export const CROWN = "M-12 0l-2.5-13 8 6 6.5-9.5 6.5 9.5 8-6-2.5 13z";

/**
 * Draw something in the style of the birds, in a box of 64 × 64.
 * @param {string} name
 * @param {VNode[]} parts
 * @param {string} [extra] classes
 */
export function drawing(name, parts, extra = "") {
  return h(
    "svg",
    { "data-drawing": name, class: `bird ${name} ${extra}`, viewBox: "0 0 64 64", "aria-hidden": "true" },
    parts,
  );
}

/**
 * Draw the head of a bird; an unknown bird becomes a sparrow.
 * @param {string} bird
 * @param {string} [extra] classes
 * @param {boolean} [crowned] as kings and queens on cards
 */
export function birdHead(bird, extra = "", crowned = false) {
  const parts = (HEADS[bird] ?? HEADS.sparrow)?.() ?? [];
  return drawing(
    bird,
    crowned ? [...parts, h("path", { d: CROWN, class: "b-crown", transform: "translate(34 21)" })] : parts,
    extra,
  );
}
