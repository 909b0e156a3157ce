// @ts-check
// The birds, drawn in code: heads in a box of 64 × 64, looking right. Each place of a player has its bird, so that
// everybody sees the pecking order at a glance.

import { h } from "../lib/virtual_dom.js";

/** @typedef {import("../lib/virtual_dom.js").VNode} VNode */

/** @param {string} d @param {string} [part] the class that colours it */
const path = (d, part = "body") => h("path", { d, class: `b-${part}` });
/** @param {number} cx @param {number} cy @param {number} r @param {string} [part] */
const dot = (cx, cy, r, part = "eye") => h("circle", { cx, cy, r, class: `b-${part}` });

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
  duck: () => [
    path("M13 64c-1-9 3-14 5-20-3-14 5-24 17-24s18 9 15 20c-1 6 0 10 3 14 2 3 3 6 3 10z"),
    path("M15 53c12 5 25 5 37-1l2 5c-12 6-28 7-41 2z", "shade"),
    path("M47 33c4-1 7 1 15 1 2 4-2 8-8 8-5 0-8-1-9-3z", "beak"),
    dot(39, 31, 3),
  ],
  chick: () => [
    path("M30 19c-3-4-2-8 0-10 1 2 2 4 3 6 1-3 3-5 5-6 0 4-1 7-4 10z", "tuft"),
    path("M10 64c1-7 4-10 4-18C14 30 22 18 34 18s19 10 19 23c0 9 3 14 4 23z", "chick"),
    path("M50 36l9 4-9 4c-1-3-1-5 0-8z", "beak"),
    dot(41, 36, 3.4),
  ],
  egg: () => [
    path("M32 8c12 0 20 18 20 32 0 13-8 22-20 22S12 53 12 40C12 26 20 8 32 8z", "egg"),
    path("M12 37l7 5 6-7 6 7 7-8 6 8 8-6c1 16-8 26-20 26S11 53 12 37z", "shell"),
    path("M12 37l7 5 6-7 6 7 7-8 6 8 8-6", "crack"),
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
  fox: () => [
    path("M14 30C11 20 12 10 16 5c6 3 10 8 12 14z", "comb"),
    path("M38 18c2-6 5-10 10-13 4 6 4 15 1 24z", "comb"),
    path("M10 64c1-8 3-12 3-20 0-15 8-26 20-26 9 0 15 6 19 14l11 11c-3 6-9 8-16 7-2 4-1 9 1 14z", "comb"),
    path("M63 43c-3 6-9 8-16 7-8 0-14 4-16 14H20c1-12 8-19 19-20 6 0 13 1 18-4z", "shell"),
    dot(60, 42, 2.6),
    dot(39, 33, 2.8),
  ],
  heron: () => [
    path("M34 28c-9-4-17-4-24 0 8 0 15 3 22 8z", "shade"),
    path("M18 64c2-8 10-13 11-22 0-9 4-16 12-16 6 0 9 4 9 9 0 8-9 9-9 17 0 5 3 8 4 12z"),
    path("M48 31l15 5-15 4c-1-3-1-6 0-9z", "beak"),
    dot(42, 33, 2.6),
  ],
};

/** Birds that people can choose, in the server's order (rooms/people/avatars.py). Birds of places are not among them. */
export const BIRDS = ["sparrow", "robin", "jay", "crow", "owl", "puffin", "magpie", "heron"];

/** Colours that people can choose, in the order of the hues in tokens.css. */
export const COLOURS = ["straw", "sage", "clay", "sky", "lilac", "moss", "peach", "sea"];

/** Path of a small crown, for the faces of kings and queens. */
const CROWN = "M16 17l-2-12 8 6 6-9 6 9 8-6-2 12z";

/**
 * Draw the head of a bird; an unknown bird becomes a sparrow.
 * @param {string} bird
 * @param {string} [extra] classes
 * @param {boolean} [crowned]
 */
export function birdHead(bird, extra = "", crowned = false) {
  const parts = (HEADS[bird] ?? HEADS.sparrow)?.() ?? [];
  const crown = crowned ? [h("path", { d: CROWN, class: "b-crown", transform: "translate(4 4)" })] : [];
  return h(
    "svg",
    { "data-drawing": bird, class: `bird ${bird} ${extra}`, viewBox: "0 0 64 64", "aria-hidden": "true" },
    parts,
    crown,
  );
}

/**
 * Return the bird of a place: rooster for the first, egg for the last, ducks between. With more than three places, the
 * second is a hen and the last but one a chick. Players without a place are sparrows.
 * @param {number | null | undefined} place from 1
 * @param {number} count number of places
 */
function birdForPlace(place, count) {
  if (!place) return "sparrow";
  if (place === 1) return "rooster";
  if (place === count) return "egg";
  if (place === 2 && count > 3) return "hen";
  if (place === count - 1 && count > 3) return "chick";
  return "duck";
}

/** @typedef {{ name: string, bird?: string | null, colour?: string | null }} Looks what a person chose as their bird and colour */

/**
 * Draw the inside of a player's avatar: the bird that the player chose, with the small bird of their place next to it. A
 * player without a chosen bird is the bird of their place.
 * @param {readonly Looks[]} people
 * @param {string} name
 * @param {number | null | undefined} place
 * @param {number} count number of places
 * @returns {VNode[]}
 */
export function avatarBirds(people, name, place, count) {
  const chosen = people.find((each) => each.name === name)?.bird ?? null;
  const ranked = birdHead(birdForPlace(place, count));
  if (chosen === null) return [ranked];
  return place ? [birdHead(chosen), h("span", { key: "rank", class: "rank-bird" }, ranked)] : [birdHead(chosen)];
}

/**
 * Return the number of a player's colour, given by the room. An imported match has no room: there, use the player's
 * position in the list of names.
 * @param {Readonly<Record<string, number>>} hues by name
 * @param {string} name
 * @param {string[]} [names]
 */
export function hueOf(hues, name, names = []) {
  return hues[name] ?? Math.max(0, names.indexOf(name)) % COLOURS.length;
}
