// @ts-check
// Reactions and chat bubbles over the table. Each comes out of its sender's seat and stops nearby, where it covers no
// text or control.

import { h } from "../lib/virtual_dom.js";
import { findFreePlace, isPlaceFree, occupiedBoxes } from "./bubble_placement.js";
import { sticker } from "./stickers.js";

/**
 * @import { Model } from "../types.d.ts"
 * @import { Edges } from "./bubble_placement.js"
 */

/** Find the sender's visible avatar: the player's own, at the table, in the waiting room or in the result. @param {string} by @param {string | null} me */
function findSenderAvatar(by, me) {
  const name = CSS.escape(by);
  const places = [by === me ? ".me >" : null, `[data-seat="${name}"]`, `[data-sits="${name}"]`, `[data-who="${name}"]`];
  return places
    .map((place) => (place === null ? null : document.querySelector(`${place} .avatar`)))
    .find((avatar) => avatar !== null && avatar.getClientRects().length > 0);
}

/** Widths of a sticker in rem, largest first; the first that fits is used. In a result list it stands on its row. */
const WIDTHS = [4.5, 3.5, 2.75];
const IN_ROW = [2.5];
/** On a television, birds are large. */
const ON_SCREEN = [8, 6.5, 5, 4];
/** If no space is free, a sticker covers its sender's bird, at this multiple of the bird's width. */
const MAX_OVER_AVATAR = 1.1;
/** The largest distance between a sticker and its seat, in rem. */
const MAX_DISTANCE = 11;
/** The same in a result where a bird stands too close to its name for a sticker on the bird. */
const NEAR_ROW = 3;
/** The start of a bubble whose sender has no visible avatar, in pixels from the top. */
const TOP = 96;

/** Place a bubble where it covers no text or control, and set the way it moves from its seat. @param {HTMLElement} one @param {string | null} me */
function placeBubble(one, me) {
  const avatar = findSenderAvatar(one.dataset.by ?? "", me);
  const seat = avatar?.getBoundingClientRect();
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const bounds = { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight };
  const from = seat
    ? { x: seat.x + seat.width / 2, y: seat.y + seat.height / 2 }
    : { x: window.innerWidth / 2, y: TOP };
  const felt = document.querySelector(".felt")?.getBoundingClientRect();
  const towards = felt ? { x: felt.x + felt.width / 2, y: felt.y + felt.height / 2 } : { x: from.x, y: 0 };
  const inRow = Boolean(avatar?.closest(".result"));
  one.dataset.at = inRow ? "row" : seat ? "seat" : "top";
  const taken = occupiedBoxes(document);
  const least = seat ? (seat.width * MAX_OVER_AVATAR) / rem : (WIDTHS.at(-1) ?? 0);
  let found = null;
  const widths = document.querySelector(".screen") === null ? WIDTHS : ON_SCREEN;
  for (const width of [...(inRow ? IN_ROW : widths), least]) {
    one.style.setProperty("--sticker", `${width}rem`);
    const size = { width: one.offsetWidth, height: one.offsetHeight };
    found = findFreePlace(from, towards, size, taken, bounds, inRow ? 0 : MAX_DISTANCE * rem);
    if (found !== null) break;
    if (inRow && width === least) found = findFreePlace(from, towards, size, taken, bounds, NEAR_ROW * rem);
  }
  const at = found ?? from;
  one.style.setProperty("--left", `${at.x}px`);
  one.style.setProperty("--top", `${at.y}px`);
  one.style.setProperty("--from-x", `${from.x - at.x}px`);
  one.style.setProperty("--from-y", `${from.y - at.y}px`);
}

/** Tell whether a placed bubble covers none of the taken boxes. @param {HTMLElement} one @param {Edges[]} taken */
function isUnobstructed(one, taken) {
  const at = {
    x: parseFloat(one.style.getPropertyValue("--left")),
    y: parseFloat(one.style.getPropertyValue("--top")),
  };
  const page = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  return isPlaceFree(at, { width: one.offsetWidth, height: one.offsetHeight }, taken, page);
}

/** Return a function that places new bubbles, and moves bubbles that now cover text or controls. @param {string | null} me */
function bubblePlacer(me) {
  /** @param {Element} layer */
  return (layer) => {
    if (layer.childElementCount === 0) return;
    // Wait until the whole page is drawn; the browser paints it later.
    queueMicrotask(() => {
      const taken = occupiedBoxes(document);
      for (const one of /** @type {Iterable<HTMLElement>} */ (layer.children))
        if (one.dataset.at === undefined || !isUnobstructed(one, taken)) placeBubble(one, me);
    });
  };
}

/** @param {Model} model */
export function bubbleLayer({ reactions: shown, update }) {
  return h(
    "div",
    {
      key: "reactions",
      "data-zone": "reactions",
      class: "reactions",
      "aria-hidden": "true",
      ref: bubblePlacer(update?.you.name ?? null),
    },
    shown.map(({ id, by, reaction, words }) =>
      h(
        "span",
        {
          key: id,
          "data-shown": reaction === null ? "words" : "bird",
          class: `shown-by${reaction === null ? " words" : ""}`,
          "data-by": by,
          "data-reaction": reaction,
        },
        reaction === null ? h("span", { class: "bubble" }, words) : sticker(reaction),
        // CSS hides the name of a sender with a visible seat.
        h("b", { class: "shown-name" }, by),
      ),
    ),
  );
}
