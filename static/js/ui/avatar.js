// @ts-check
// A face: the bird of a player on a circle in their colour. It has at most two marks: what the bird wears for its place,
// and a moon if the player is away or a bot plays for them. Bots have a dashed rim. Text beside the face says the same.

import { h } from "../lib/virtual_dom.js";
import { BIRDS, COLOURS, CROWN, birdHead, path } from "./birds.js";

/** @import { VNode } from "../lib/virtual_dom.js" */
/** @typedef {"crown" | "hat" | "shell"} Worn what the bird of the first, the second and the last player wears */
/** @typedef {{ bird: string, hue: number }} Face a bird of `BIRDS`, and the number of a colour of `COLOURS` */
/** @typedef {{ birds?: Readonly<Record<string, string>>, hues?: Readonly<Record<string, number>>, names?: readonly string[] }} Faces the birds and colours of players, by name */

/** Drawings that a bird wears, centred on their lower edge. @type {Record<Worn, () => VNode[]>} */
const WEAR = {
  crown: () => [path(CROWN, "crown"), path("M-11-3.5h22", "band")],
  hat: () => [
    path("M-9-1C-9-18-5-19 0-17c5-2 9-1 9 16z", "hat"),
    path("M-9.2-5h18.4v4h-18.4z", "ribbon"),
    path("M-16-1.5c5 2 27 2 32 0 0 7-32 7-32 0z", "hat"),
  ],
  shell: () => [
    path("M-15 1C-15-12-8-19 0-19s15 7 15 20l-5-5-5 6-5-6-5 6-5-6z", "half"),
    path("M3-19l-3 5 4 3-2 4", "crack"),
  ],
};

/** Where unusual heads end at the top: x, y and the scale of what they wear. @type {Record<string, [number, number, number]>} */
const HEAD_TOPS = { owl: [33, 28, 1], puffin: [35, 22, 1], heron: [41, 28, 0.85] };

/** @param {Worn} worn @param {string} bird */
function wornDrawing(worn, bird) {
  const [x, y, scale] = HEAD_TOPS[bird] ?? [35, 24, 1];
  return h(
    "svg",
    { key: "worn", "data-worn": worn, class: "bird worn", viewBox: "0 0 64 64", "aria-hidden": "true" },
    h("g", { transform: `translate(${x} ${y}) scale(${scale})` }, WEAR[worn]()),
  );
}

/** Draw the moon of a player who is away or played for. */
function moon() {
  return h(
    "svg",
    { key: "moon", "data-moon": true, class: "moon", viewBox: "0 0 20 20", "aria-hidden": "true" },
    h("circle", { cx: 10, cy: 10, r: 10 }),
    h("path", { d: "M11.5 4.5a5.8 5.8 0 1 0 4.2 8.6 5 5 0 0 1-4.2-8.6z" }),
  );
}

/**
 * Draw a face. It is hidden from screen readers: the text beside it says everything.
 * @param {Face & { worn?: Worn | null, bot?: boolean, away?: boolean, size?: "small" | "large" | "", upsideDown?: boolean,
 *   clock?: VNode | null, key?: string, who?: string }} face `away`: also if a bot plays for the player; `size`: "" is
 *   the size of the place where the face stands, 2.75rem by default; `clock`: drawn around the face; `who`: the name,
 *   from which animations start
 */
export function avatar({ bird, hue, worn, bot, away, size = "", upsideDown, clock = null, key, who }) {
  const looks = [size, bot ? "bot" : "", away ? "away" : "", upsideDown ? "upside-down" : ""];
  return h(
    "span",
    { key, class: ["avatar", ...looks].filter(Boolean).join(" "), "data-hue": hue, "data-who": who },
    birdHead(bird),
    worn ? wornDrawing(worn, bird) : null,
    away ? moon() : null,
    clock,
  );
}

/**
 * Return a player's bird and colour, given by the room. A match from a file has no room: there, the player's position in
 * the list of names decides.
 * @param {Faces} faces @param {string} name @returns {Face}
 */
export function faceOf({ birds = {}, hues = {}, names = [] }, name) {
  const at = Math.max(0, names.indexOf(name));
  return {
    bird: birds[name] ?? BIRDS[at % BIRDS.length] ?? "",
    hue: hues[name] ?? at % COLOURS.length,
  };
}

/**
 * Return the marks of a member of the room: a dashed rim for bots and API clients, a moon for people who are away or
 * played for.
 * @param {import("../types.d.ts").Person | undefined} person undefined: not in the room
 */
export function marksOf(person) {
  if (person === undefined) return {};
  const { bot, program, present, stand_in } = person;
  return { bot: bot !== null || program, away: bot === null && (!present || stand_in !== null) };
}

/**
 * Return what the bird of a place wears; null for places between.
 * @param {number | null | undefined} place from 1
 * @param {number} count number of places
 * @returns {Worn | null}
 */
export function wornAt(place, count) {
  if (!place) return null;
  if (place === 1) return "crown";
  if (place === count) return "shell";
  return place === 2 && count > 3 ? "hat" : null;
}
