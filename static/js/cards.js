// @ts-check
// Cards: their names in words, their order in the hand, and their faces. Faces are text and small drawings.

import { h } from "./dom.js";
import { head } from "./birds.js";
import { list, t } from "./messages.js";
import { split } from "./selection.js";

/** @typedef {import("./dom.js").VNode} VNode */

const SUITS = "cdhsbr";

/** Suits as outlines in a box of 100 × 100. */
const SUIT_PATHS = {
  c: "M50 6a21 21 0 0 1 18.6 30.8A21 21 0 1 1 58 73.6c1.4 8.6 5 14.6 11 19.4H31c6-4.8 9.6-10.8 11-19.400A21 21 0 1 1 31.4 36.8 21 21 0 0 1 50 6z",
  d: "M50 4c9 17 20 31.5 33 46-13 14.5-24 29-33 46-9-17-20-31.5-33-46C30 35.5 41 21 50 4z",
  h: "M50 93C38 78 8 60 8 33 8 17 19 8 31 8c9 0 16 6 19 14 3-8 10-14 19-14 12 0 23 9 23 25 0 27-30 45-42 60z",
  s: "M50 5c10 17 39 32 39 55a19.5 19.5 0 0 1-31 15.800C59.5 84 63 89 69 94H31c6-5 9.5-10 11-18.200A19.5 19.5 0 0 1 11 60C11 37 40 22 50 5z",
};

/** @param {string} card */
export const rankOf = (card) => card.slice(0, 1);
/** @param {string} card */
export const suitOf = (card) => card.slice(1, 2);

/** A rank as it stands on a card. @param {string} rank */
export function rankText(rank) {
  return rank === "T" ? "10" : rank;
}

/** A rank in words. @param {string} rank */
export function rankName(rank) {
  return t(`rank.${rank}`);
}

/** A rank for a label: numbers as they are seen, so that who speaks to the page can name them. @param {string} rank */
export function rankLabel(rank) {
  return "JQKAX".includes(rank) ? rankName(rank) : rankText(rank);
}

/** A card in words, for those who listen: “7 of clubs”. @param {string} card */
export function cardName(card) {
  const rank = rankOf(card);
  if (rank === "X") return t(`joker.${suitOf(card)}`);
  return t("card.name", { rank: rankLabel(rank), suit: t(`suit.${suitOf(card)}`) });
}

/** A card in a line of text: “7♣”. @param {string} card */
function cardText(card) {
  const rank = rankOf(card);
  if (rank === "X") return t(`joker.short.${suitOf(card)}`);
  return rankText(rank) + ({ c: "♣", d: "♦", h: "♥", s: "♠" }[suitOf(card)] ?? "");
}

/** Cards in a line of text. @param {string | string[]} cards */
export function cardsText(cards) {
  return (Array.isArray(cards) ? cards : split(cards)).map(cardText).join(" ");
}

/** Cards for ears: “7 of clubs and 7 of hearts”. @param {string | string[]} cards */
export function cardsNamed(cards) {
  return list((Array.isArray(cards) ? cards : split(cards)).map(cardName));
}

/**
 * In the order of the hand: by rank as the server sends them (it knows the game's order), and within that by suit. While
 * low beats high the order is turned: what counts most stands last, as ever, with wild cards and jokers behind it.
 * @param {string[]} cards
 * @param {"rank" | "suit"} by
 * @param {{ ranks: string, wild: string } | null} [turned] the order in force, where low beats high
 */
export function arranged(cards, by, turned = null) {
  const ranked = turned === null ? cards : turnedBy(cards, turned);
  if (by === "rank") return ranked;
  const place = (/** @type {string} */ card) => SUITS.indexOf(suitOf(card));
  return [...ranked].sort((a, b) => place(a) - place(b));
}

/** @param {string[]} cards @param {{ ranks: string, wild: string }} turned */
function turnedBy(cards, { ranks, wild }) {
  const last = (/** @type {string} */ card) => rankOf(card) === "X" || wild.includes(rankOf(card));
  const level = (/** @type {string} */ card) => ranks.indexOf(rankOf(card));
  return [...cards.filter((card) => !last(card)).sort((a, b) => level(a) - level(b)), ...cards.filter(last)];
}

/** @param {string} suit @param {string} [extra] @returns {VNode} */
function suitMark(suit, extra = "") {
  const path = SUIT_PATHS[/** @type {keyof typeof SUIT_PATHS} */ (suit)];
  return h("svg", { class: `suit ${extra}`, viewBox: "0 0 100 100", "aria-hidden": "true" }, h("path", { d: path }));
}

/** What the middle of a face shows. @param {string} card */
function middle(card) {
  const rank = rankOf(card);
  const suit = suitOf(card);
  if (rank === "X") return head(suit === "r" ? "robin" : "crow", "face-art");
  if (rank === "K") return head("rooster", "face-art", true);
  if (rank === "Q") return head("hen", "face-art", true);
  if (rank === "J") return head("jay", "face-art");
  return suitMark(suit, "pip");
}

/**
 * The inside of a card's face.
 * @param {string} card
 * @returns {VNode[]}
 */
export function face(card) {
  const rank = rankOf(card);
  const suit = suitOf(card);
  const corner =
    rank === "X"
      ? h("span", { class: "index joker", "aria-hidden": "true" }, "★")
      : h("span", { class: "index", "aria-hidden": "true", translate: "no" }, h("b", null, rankText(rank)), suitMark(suit));
  return [corner, middle(card)];
}

/**
 * A card that lies somewhere and can't be pressed.
 * @param {string} card
 * @param {string} [extra] classes
 * @param {string} [key]
 */
export function lying(card, extra = "", key) {
  return h(
    "span",
    {
      key,
      class: `card ${extra}`,
      "data-suit": suitOf(card),
      "data-rank": rankOf(card),
      role: "img",
      "aria-label": cardName(card),
    },
    ...face(card),
  );
}

/** Some cards side by side, overlapping where there are many. @param {string | string[]} cards @param {string} [extra] */
export function row(cards, extra = "") {
  const all = Array.isArray(cards) ? cards : split(cards);
  return h(
    "span",
    { class: `cards-row ${extra}`, style: { "--n": all.length } },
    all.map((card, i) => lying(card, "", `${card}${i}`)),
  );
}

/** The back of a card. @param {string} [extra] */
export function back(extra = "") {
  return h("span", { class: `card back ${extra}`, "aria-hidden": "true" });
}
