// @ts-check
// Stickers for reactions, drawn in a box of 64 × 64 in the style of the avatars. The server declares the reactions
// (rooms/people/reactions.py). Each also has a text in the message catalogue and a sound (sound/synth.js).

import { t } from "../lib/messages.js";
import { button, h } from "../lib/virtual_dom.js";

/**
 * @import { VNode } from "../lib/virtual_dom.js"
 * @import { Desk, Reaction } from "../types.d.ts"
 */

/** @param {string} d @param {string} part the class that colours it */
const path = (d, part) => h("path", { d, class: `b-${part}` });
/** @param {string} transform @param {...VNode} parts */
const transformed = (transform, ...parts) => h("g", { transform }, parts);

const COMB = "M28 24c-3-6 1-10 5-7 2-5 8-4 8 1 3 1 3 5 0 8z";
const HEN = "M10 64c0-8 3-14 6-21 2-11 9-19 19-19s15 7 14 15c-1 5 1 9 3 13 1 4 2 8 2 12z";
const ROOSTER = "M10 64c0-9 3-15 5-22 2-12 9-20 20-20 10 0 15 7 14 15-1 5 0 8 2 13 2 5 3 9 3 14z";
const CHICK = "M10 64c1-7 4-10 4-18C14 30 22 18 34 18s19 10 19 23c0 9 3 14 4 23z";
const DROP = "M0-6c3 4 4 6 4 8a4 4 0 0 1-8 0c0-2 1-4 4-8z";
const WING = "M31 52C19 50 11 40 12 24c5 1 8 3 10 6-1-5-1-8 1-12 6 4 9 10 9 18z";

/** @type {Record<Reaction, { bird?: string, parts: () => VNode[] }>} */
const STICKERS = {
  cluck: {
    bird: "hen",
    parts: () => [
      transformed(
        "translate(9 8) scale(0.72)",
        path(COMB, "comb"),
        path(HEN, "body"),
        path("M17 64c1-5 3-9 6-12 2 4 3 8 2 12zM30 64c1-5 3-8 6-10 2 3 2 7 2 10z", "shade"),
        path("M48 26l13-1-11 9z", "beak"),
        path("M48 38l11 8-13-1z", "beak"),
        path("M34 34q5-7 9 0", "crack"),
      ),
      transformed("translate(17 22) rotate(24)", path(DROP, "drop")),
    ],
  },
  crow: {
    bird: "rooster",
    parts: () => [
      transformed(
        "translate(3 19) rotate(-18) scale(0.72)",
        path("M20 27C15 19 18 11 24 14c1-8 9-9 11-2 5-4 11 0 9 7-1 5-4 8-8 9z", "comb"),
        path(ROOSTER, "body"),
        path("M48 24l14-3-11 12z", "beak"),
        path("M48 38l12 6-13 1z", "beak"),
        path("M48 47c5 1 6 10 1 12-5-1-6-8-1-12z", "comb"),
        path("M34 33q5-6 9 0", "crack"),
      ),
      path("M49 14l2 9M55 15l-1 7M42 12l4 8", "crack"),
    ],
  },
  clap: {
    parts: () => [
      path(WING, "body"),
      path("M31 52C19 50 11 40 12 24c4 14 9 22 19 28z", "shade"),
      transformed(
        "matrix(-1 0 0 1 64 0)",
        path(WING, "body"),
        path("M31 52C19 50 11 40 12 24c4 14 9 22 19 28z", "shade"),
      ),
      path("M32 8v7M21 10l3 6M43 10l-3 6", "crack"),
    ],
  },
  thumb: {
    parts: () => [
      path("M12 32h9v20h-9z", "comb"),
      path(
        "M22 33h4l8-17c5-2 8 2 7 7l-2 8h11c4 0 5 4 3 6 2 2 1 6-1 6 1 3-1 6-3 5 0 3-2 4-4 4H33c-5 0-6-1-11-2z",
        "chick",
      ),
      path("M41 37h11M41 43h11M40 48h9", "crack"),
    ],
  },
  heart: {
    parts: () => [
      path("M32 53C16 42 10 34 10 25c0-8 6-13 12-13 5 0 8 3 10 7 2-4 5-7 10-7 6 0 12 5 12 13 0 9-6 17-22 28z", "comb"),
      path("M18 22c1-3 3-4 6-4", "shine"),
    ],
  },
  egg: {
    parts: () => [
      path("M32 57c-11 0-17-7-17-15l6 4 6-6 6 6 6-6 5 6 5-4c0 8-6 15-17 15z", "shell"),
      path("M17 31C18 20 25 9 33 9c9 0 15 11 15 21l-6 4-5-6-6 6-7-6z", "egg"),
      path(
        "M17 31C18 20 25 9 33 9c9 0 15 11 15 21l-6 4-5-6-6 6-7-6zM32 57c-11 0-17-7-17-15l6 4 6-6 6 6 6-6 5 6 5-4c0 8-6 15-17 15z",
        "line",
      ),
      h("circle", { cx: 32, cy: 39, r: 5, class: "b-chick" }),
    ],
  },
  tear: {
    parts: () => [
      transformed(
        "translate(9 8) scale(0.72)",
        path("M30 19c-3-4-2-8 0-10 1 2 2 4 3 6 1-3 3-5 5-6 0 4-1 7-4 10z", "tuft"),
        path(CHICK, "chick"),
        path("M50 40l8 6-10-1z", "beak"),
        path("M25 36q4 6 9 1M38 37q4 5 8 0", "crack"),
      ),
      transformed("translate(29 44)", path(DROP, "drop")),
      transformed("translate(41 48)", path(DROP, "drop")),
    ],
  },
  snail: {
    parts: () => [
      path("M9 49c8 0 9-4 15-4h22c1-9 1-13 4-17 3 2 5 6 5 12 0 8-4 12-11 12H12c-2 0-3-1-3-3z", "body"),
      path("M50 29l-2-9M54 30l3-8", "crack"),
      h("circle", { cx: 30, cy: 33, r: 15, class: "b-beak" }),
      path("M30 33c0-3 5-3 5 1 0 5-9 6-10-1-1-8 11-10 14-2 2 7-3 12-9 12", "crack"),
      h("circle", { cx: 52, cy: 36, r: 1.8, class: "b-eye" }),
    ],
  },
};

/** All reactions, in their displayed order. */
const REACTIONS = /** @type {Reaction[]} */ (Object.keys(STICKERS));

/** Tell whether this page has a sticker for it; a newer server may know more. @param {string} reaction @returns {reaction is Reaction} */
export function hasSticker(reaction) {
  return Object.hasOwn(STICKERS, reaction);
}

/** @param {Reaction} reaction */
export function sticker(reaction) {
  const { bird = "", parts } = STICKERS[reaction];
  return h(
    "svg",
    { "data-drawing": bird, class: `bird sticker ${bird}`, viewBox: "0 0 64 64", "aria-hidden": "true" },
    h("circle", { cx: 32, cy: 32, r: 30.5, class: "b-disc" }),
    parts(),
  );
}

/** Draw a button for each of the first reactions. @param {Desk} desk @param {number} [count] all by default */
export function reactionButtons(desk, count = REACTIONS.length) {
  return h(
    "div",
    { key: "react", class: "react", role: "region", "aria-label": t("talk.react"), style: { "--count": count } },
    REACTIONS.slice(0, count).map((reaction) =>
      button(
        {
          key: reaction,
          class: "button react-button",
          "data-react": reaction,
          title: t(`reaction.${reaction}`),
          // Show the table at once; a refusal appears there as a notice.
          onclick: () => {
            desk.set({ sheet: null });
            void desk.ask({ t: "react", reaction });
          },
        },
        sticker(reaction),
        h("span", { class: "react-word" }, t(`reaction.${reaction}`)),
      ),
    ),
  );
}
