// @ts-check
// What people show each other, over the table: it rises from the seat of whoever shows it, or stands there where
// nothing is to move.

import { h } from "./dom.js";
import { sticker } from "./reactions.js";

/** @typedef {import("./types.d.ts").Model} Model */

/** Where somebody is seen: at one's own place, at the table, in the waiting room, or where a result hides all these, in it. @param {string} by @param {string | null} me */
function placeOf(by, me) {
  const name = CSS.escape(by);
  const places = [by === me ? ".me >" : null, `[data-seat="${name}"]`, `[data-sits="${name}"]`, `[data-who="${name}"]`];
  return places
    .map((place) => (place === null ? null : document.querySelector(`${place} .avatar`)))
    .find((avatar) => avatar !== null && avatar.getClientRects().length > 0);
}

/** So far from the edges of the screen it is seen whole, in rem. */
const EDGE = 3.25;
const SMALL = EDGE / 2;

/** How far it goes towards the middle of the table. */
const WAY = 0.4;

/** @param {string} by @param {string | null} me */
function startingAt(by, me) {
  /** @param {Element} element */
  return (element) => {
    const one = /** @type {HTMLElement} */ (element);
    if (one.dataset.at) return;
    const avatar = placeOf(by, me);
    const seat = avatar?.getBoundingClientRect();
    // In a list it stands on its row, small: on its way it would lie on others' names.
    const inRow = Boolean(avatar?.closest(".result"));
    const [over, down] = seat ? [seat.x + seat.width / 2, seat.y + seat.height / 2] : [window.innerWidth / 2, 96];
    const edge = (inRow ? SMALL : EDGE) * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const x = Math.min(Math.max(over, edge), window.innerWidth - edge);
    const y = Math.max(down, edge);
    const felt = document.querySelector(".felt")?.getBoundingClientRect();
    const [toX, toY] = inRow ? [x, y] : felt ? [felt.x + felt.width / 2, felt.y + felt.height / 2] : [x, y - 160];
    one.dataset.at = inRow ? "row" : seat ? "seat" : "top";
    one.dataset.side = seat === undefined ? "" : over < window.innerWidth / 2 ? "left" : "right";
    one.style.setProperty("--left", `${x}px`);
    one.style.setProperty("--top", `${y}px`);
    one.style.setProperty("--over", `${(toX - x) * WAY}px`);
    one.style.setProperty("--up", `${(toY - y) * WAY}px`);
  };
}

/** @param {Model} model */
export function reactions({ reactions: shown, update }) {
  const me = update?.you.name ?? null;
  return h(
    "div",
    { key: "reactions", class: "reactions", "aria-hidden": "true" },
    shown.map(({ id, by, reaction, words }) =>
      h(
        "span",
        {
          key: id,
          class: `shown-by${reaction === null ? " words" : ""}`,
          "data-by": by,
          "data-reaction": reaction,
          ref: startingAt(by, me),
        },
        reaction === null ? h("span", { class: "bubble" }, words) : sticker(reaction),
        // Who shows it is plain where they sit.
        h("b", { class: "shown-name" }, by),
      ),
    ),
  );
}
