// @ts-check
// Pure: the names of cards in words, and their order in the hand.

import { formatNames, t } from "../lib/messages.js";
import { splitCards } from "./card_selection.js";

const SUITS = "cdhsbr";

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
  return (Array.isArray(cards) ? cards : splitCards(cards)).map(cardText).join(" ");
}

/** Cards for ears: “7 of clubs and 7 of hearts”. @param {string | string[]} cards */
export function spokenCardNames(cards) {
  return formatNames((Array.isArray(cards) ? cards : splitCards(cards)).map(cardName));
}

/**
 * In the order of the hand: by rank as the server sends them (it knows the game's order), and within that by suit. While
 * low beats high the order is turned: what counts most stands last, as ever, with wild cards and jokers behind it.
 * @param {string[]} cards
 * @param {"rank" | "suit"} by
 * @param {{ ranks: string, wild: string } | null} [invertedOrder] the order in force, where low beats high
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
