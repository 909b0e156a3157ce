// @ts-check
// The names of cards in words, and their order in the hand. Letters are those that this browser prefers.

import { formatList, formatNames, t } from "../lib/messages.js";
import { getPreference } from "../lib/preferences.js";
import { splitCards } from "./card_selection.js";

const SUITS = "cdhsbr";

/** @type {Record<string, string>} */
const SUIT_SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };

/** Source of a regular expression for a card or a suit alone in a text: “7♣”, “♥”. */
export const CARD_SIGN = "(?:10|[2-9JQKA])?[♣♦♥♠]";

/** The letters of ranks, in English and in all messages. */
export const LETTERS = "JQKA";

/** @param {string} card */
export const rankOf = (card) => card.slice(0, 1);
/** @param {string} card */
export const suitOf = (card) => card.slice(1, 2);

/** Return a rank as printed on a card, with the letters that this browser shows. @param {string} rank */
export function rankText(rank) {
  return rank === "T" ? "10" : (getPreference("letters", LETTERS)[LETTERS.indexOf(rank)] ?? rank);
}

/** Return a rank, a card or a joker for the order of cards: “10”, “3♠”, “joker”. @param {string} card */
function orderedCardText(card) {
  if (card === "X") return t("rank.X");
  return card.length === 1 ? rankText(card) : cardsText(card);
}

/**
 * Return the order of cards as a text: “Low to high: 3–10, J, Q, K, A, 2”, with the suits if they count; "" without
 * ranks. Equal cards have “=” between them.
 * @param {{ ranks?: string, order?: string[], suits?: string }} table all from low to high
 */
export function cardOrderText({ ranks = "", order = [...ranks], suits = "" }) {
  if (order.length === 0) return "";
  const texts = order.map((equal) => equal.split(" ").map(orderedCardText).join("="));
  const ranges = texts.join("\n").replace(/^(\d+)(?:\n\d)+\n(\d+)$/m, (_, from, to) => `${from}–${to}`);
  const values = {
    ranks: formatList(ranges.split("\n")),
    suits: [...suits].map((suit) => SUIT_SIGNS[suit]).join(" "),
  };
  return t(suits === "" ? "trick.order" : "trick.order.suits", values);
}

/** Return the sign that the rules say more about some cards: “Special cards: 2, joker”; "" without such cards. @param {{ special?: string[] }} table */
export function specialCardsText({ special = [] }) {
  return special.length === 0 ? "" : t("trick.special", { cards: formatList(special.map(orderedCardText)) });
}

/** Return the name of a rank in words. @param {string} rank */
export function rankName(rank) {
  return t(`rank.${rank}`);
}

/** Return a rank for a label. Numbers stay digits, as shown, so that voice control matches them. @param {string} rank */
export function rankLabel(rank) {
  return "JQKAX".includes(rank) ? rankName(rank) : rankText(rank);
}

/** Return the name of a card for screen readers: “7 of clubs”. @param {string} card */
export function cardName(card) {
  const rank = rankOf(card);
  if (rank === "X") return t(`joker.${suitOf(card)}`);
  return t("card.name", { rank: rankLabel(rank), suit: t(`suit.${suitOf(card)}`) });
}

/** Return the code of the suit of “7♣” or “♣”; undefined for other texts. @param {string} sign */
export function suitOfSign(sign) {
  return Object.keys(SUIT_SIGNS).find((suit) => SUIT_SIGNS[suit] === sign.slice(-1));
}

/** Return a card for a line of text: “7♣”, in every browser with the letters J, Q, K and A. @param {string} card */
export function cardText(card) {
  const rank = rankOf(card);
  if (rank === "X") return t(`joker.short.${suitOf(card)}`);
  return (rank === "T" ? "10" : rank) + (SUIT_SIGNS[suitOf(card)] ?? "");
}

/** Return cards for a line of text: “7♣ 7♥”. @param {string | string[]} cards */
export function cardsText(cards) {
  return (Array.isArray(cards) ? cards : splitCards(cards)).map(cardText).join(" ");
}

/** Return card names for screen readers: “7 of clubs and 7 of hearts”. @param {string | string[]} cards */
export function spokenCardNames(cards) {
  return formatNames((Array.isArray(cards) ? cards : splitCards(cards)).map(cardName));
}

/**
 * Sort a player's cards by rank or by suit. The server sends cards in the game's order of rank. While low cards beat high
 * cards, sort by `invertedOrder`: the highest-counting rank stands last, followed only by wild cards and jokers.
 * @param {string[]} cards by rank, as sent by the server
 * @param {"rank" | "suit"} by
 * @param {{ ranks: string, wild: string } | null} [invertedOrder] ranks in the current order, while low beats high
 */
export function sortCards(cards, by, invertedOrder = null) {
  const ranked = invertedOrder === null ? cards : sortByInvertedRank(cards, invertedOrder);
  if (by === "rank") return ranked;
  const place = (/** @type {string} */ card) => SUITS.indexOf(suitOf(card));
  return [...ranked].sort((a, b) => place(a) - place(b));
}

/** @param {string[]} cards @param {{ ranks: string, wild: string }} turned */
function sortByInvertedRank(cards, { ranks, wild }) {
  const last = (/** @type {string} */ card) => rankOf(card) === "X" || wild.includes(rankOf(card));
  const level = (/** @type {string} */ card) => ranks.indexOf(rankOf(card));
  return [...cards.filter((card) => !last(card)).sort((a, b) => level(a) - level(b)), ...cards.filter(last)];
}
