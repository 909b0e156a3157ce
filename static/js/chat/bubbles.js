// @ts-check
// What people show each other, over the table: it comes out of their seat and stands beside it, on nothing that others
// read or press.

import { h } from "../lib/virtual_dom.js";
import { findFreePlace, isPlaceFree, occupiedBoxes } from "./bubble_placement.js";
import { sticker } from "./stickers.js";

/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("./bubble_placement.js").Edges} Edges */

/** Where somebody is seen: at one's own place, at the table, in the waiting room, or where a result hides all these, in it. @param {string} by @param {string | null} me */
function findSenderAvatar(by, me) {
  const name = CSS.escape(by);
  const places = [by === me ? ".me >" : null, `[data-seat="${name}"]`, `[data-sits="${name}"]`, `[data-who="${name}"]`];
  return places
    .map((place) => (place === null ? null : document.querySelector(`${place} .avatar`)))
    .find((avatar) => avatar !== null && avatar.getClientRects().length > 0);
}

/** How wide a sticker is, in rem: the largest for which there is a place. In a list it stands on its row. */
const WIDTHS = [4.5, 3.5, 2.75];
const IN_ROW = [2.5];
/** How much larger than the bird it may be that it covers where there is no other place. */
const MAX_OVER_AVATAR = 1.1;
/** How far from its seat it may stand, in rem. */
const MAX_DISTANCE = 11;
/** Where it comes from if nobody is seen who shows it, in pixels from the top. */
const TOP = 96;

/** Put something where it covers nothing that is read or pressed, and let it come out of its seat. @param {HTMLElement} one @param {string | null} me */
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
  for (const width of [...(inRow ? IN_ROW : WIDTHS), least]) {
    one.style.setProperty("--sticker", `${width}rem`);
    const size = { width: one.offsetWidth, height: one.offsetHeight };
    found = findFreePlace(from, towards, size, taken, bounds, inRow ? 0 : MAX_DISTANCE * rem);
    if (found !== null) break;
  }
  const at = found ?? from;
  one.style.setProperty("--left", `${at.x}px`);
  one.style.setProperty("--top", `${at.y}px`);
  one.style.setProperty("--from-x", `${from.x - at.x}px`);
  one.style.setProperty("--from-y", `${from.y - at.y}px`);
}

/** Tell whether something stands on nothing that is read or pressed now. @param {HTMLElement} one @param {Edges[]} taken */
function isUnobstructed(one, taken) {
  const at = {
    x: parseFloat(one.style.getPropertyValue("--left")),
    y: parseFloat(one.style.getPropertyValue("--top")),
  };
  const page = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  return isPlaceFree(at, { width: one.offsetWidth, height: one.offsetHeight }, taken, page);
}

/** Place what has just come, and what stands in the way of what has been drawn since. @param {string | null} me */
function bubblePlacer(me) {
  /** @param {Element} layer */
  return (layer) => {
    if (layer.childElementCount === 0) return;
    // Once all of the page is drawn, and before anybody sees it.
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
        // Who shows it is plain where they sit.
        h("b", { class: "shown-name" }, by),
      ),
    ),
  );
}
