// @ts-check
// Draws cards: faces of text and small drawings, backs, and cards side by side.

import { h } from "../lib/virtual_dom.js";
import { birdHead } from "./birds.js";
import { CARD_SIGN, cardName, cardText, rankOf, rankText, suitOf, suitOfSign } from "../model/card_names.js";
import { splitCards } from "../model/card_selection.js";

/** @import { VNode } from "../lib/virtual_dom.js" */

/** Outlines of the suits, as paths in a box of 100 × 100. */
const SUIT_PATHS = {
  c: "M50 6a21 21 0 0 1 18.6 30.8A21 21 0 1 1 58 73.6c1.4 8.6 5 14.6 11 19.4H31c6-4.8 9.6-10.8 11-19.400A21 21 0 1 1 31.4 36.8 21 21 0 0 1 50 6z",
  d: "M50 4c9 17 20 31.5 33 46-13 14.5-24 29-33 46-9-17-20-31.5-33-46C30 35.5 41 21 50 4z",
  h: "M50 93C38 78 8 60 8 33 8 17 19 8 31 8c9 0 16 6 19 14 3-8 10-14 19-14 12 0 23 9 23 25 0 27-30 45-42 60z",
  s: "M50 5c10 17 39 32 39 55a19.5 19.5 0 0 1-31 15.800C59.5 84 63 89 69 94H31c6-5 9.5-10 11-18.200A19.5 19.5 0 0 1 11 60C11 37 40 22 50 5z",
};

/** @param {string} suit @param {string} [extra] @returns {VNode} */
function suitMark(suit, extra = "") {
  const path = SUIT_PATHS[/** @type {keyof typeof SUIT_PATHS} */ (suit)];
  return h("svg", { class: `suit ${extra}`, viewBox: "0 0 100 100", "aria-hidden": "true" }, h("path", { d: path }));
}

/** Draw the middle of a card's face: a bird for court cards and jokers, else the suit. @param {string} card */
function faceCentre(card) {
  const rank = rankOf(card);
  const suit = suitOf(card);
  if (rank === "X") return birdHead(suit === "r" ? "robin" : "crow", "face-art");
  if (rank === "K") return birdHead("rooster", "face-art", true);
  if (rank === "Q") return birdHead("hen", "face-art", true);
  if (rank === "J") return birdHead("jay", "face-art");
  return suitMark(suit, "pip");
}

/**
 * Draw the inside of a card's face: the corner with rank and suit, and the middle.
 * @param {string} card
 * @returns {VNode[]}
 */
export function cardFace(card) {
  const rank = rankOf(card);
  const suit = suitOf(card);
  const corner =
    rank === "X"
      ? h("span", { class: "index joker", "aria-hidden": "true" }, "★")
      : h(
          "span",
          { class: "index", "aria-hidden": "true", translate: "no" },
          h("b", null, rankText(rank)),
          suitMark(suit),
        );
  return [corner, faceCentre(card)];
}

/**
 * Draw a face-up card that is not a button.
 * @param {string} card
 * @param {string} [extra] classes
 * @param {string} [key]
 * @param {number} [lean] degrees by which it is turned
 */
export function faceUpCard(card, extra = "", key, lean) {
  return h(
    "span",
    {
      key,
      class: `card ${extra}`,
      "data-suit": suitOf(card),
      "data-rank": rankOf(card),
      role: "img",
      "aria-label": cardName(card),
      style: lean === undefined ? undefined : { "--lean": `${lean}deg` },
    },
    ...cardFace(card),
  );
}

/**
 * Draw cards side by side; many cards overlap.
 * @param {string | string[]} cards @param {string} [extra] @param {(card: string) => number} [leanOf] the turn of each card
 */
export function cardRow(cards, extra = "", leanOf) {
  const all = Array.isArray(cards) ? cards : splitCards(cards);
  return h(
    "span",
    { "data-zone": "cards", class: `cards-row ${extra}`, style: { "--n": all.length } },
    all.map((card, i) => faceUpCard(card, "", `${card}${i}`, leanOf?.(card))),
  );
}

/** Draw a card in a line of text. @param {string} sign @param {string | undefined} suit */
function miniCard(sign, suit) {
  return h("span", { class: "mini", "data-suit": suit }, sign.replace(/^[A-Z](?!\w)/, rankText));
}

/** Draw cards in a line of text. @param {string | string[]} cards @returns {import("../lib/virtual_dom.js").Children} */
export function miniCards(cards) {
  const all = Array.isArray(cards) ? cards : splitCards(cards);
  return all.map((card, i) => [i > 0 ? " " : null, miniCard(cardText(card), suitOf(card))]);
}

/** Draw a text with its cards as mini cards. @param {string} text @returns {import("../lib/virtual_dom.js").Children} */
export function textWithMiniCards(text) {
  const parts = text.split(new RegExp(`(${CARD_SIGN})`));
  return parts.map((part, i) => (i % 2 === 1 ? miniCard(part, suitOfSign(part)) : part || null));
}

/** Draw the back of a card. @param {string} [extra] classes */
export function cardBack(extra = "") {
  return h("span", { "data-back": true, class: `card back ${extra}`, "aria-hidden": "true" });
}
