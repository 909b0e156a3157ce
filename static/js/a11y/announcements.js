// @ts-check
// Pure: what those hear who don't see the table. Cards have their names here, “jack of clubs”, not their signs.

import { cardsNamed } from "../model/card_names.js";
import { list, shown, t } from "../lib/messages.js";
import { around, handOf, legal, myTurn, owed, places, turnWords } from "../model/state.js";
import { owing, scoreWords, standsFor, titleName } from "../events/labels.js";

/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").Table} Table */
/** @typedef {import("../types.d.ts").Play} Play */

/** The cards of a play, and what they count as. @param {Play} play */
function cardsOf(play) {
  const as = standsFor(play);
  return as ? t("hear.cards.as", { cards: cardsNamed(play.cards), as }) : cardsNamed(play.cards);
}

/** What I am asked now, with what lies on the table: it interrupts, so it stands for itself. @param {Update} update */
function question(update) {
  const last = update.table?.phase === "play" ? update.table.trick?.plays.at(-1) : undefined;
  return [turnWords(update), ...owed(update).map(owing), last ? t("hear.on_top", { cards: cardsOf(last) }) : ""]
    .filter(Boolean)
    .join(" ");
}

/** Whether I may play though it is not my turn. @param {Update | null} update */
function mayBreakIn(update) {
  return update !== null && !myTurn(update) && legal(update, "cards").length > 0;
}

/** What I am asked, if I was not asked the same before; or that I may break in, if I could not before. @param {Update | null} before @param {Update} update */
export function newQuestion(before, update) {
  if (mayBreakIn(update)) return mayBreakIn(before) ? "" : question(update);
  if (!myTurn(update)) return "";
  const same =
    before !== null &&
    myTurn(before) &&
    before.table?.number === update.table?.number &&
    JSON.stringify(before.table?.trick?.plays) === JSON.stringify(update.table?.trick?.plays) &&
    turnWords(before) === turnWords(update);
  return same ? "" : question(update);
}

/** @param {Table} table */
function middle(table) {
  if (table.middle === "panels") {
    const lines = table.panels.flatMap((panel) => panel.lines);
    return `${lines.map(({ text, state }) => [text, state].filter(Boolean).map(shown).join(": ")).join(", ")}.`;
  }
  const plays = [...(table.trick?.plays ?? [])].reverse();
  if (plays.length === 0) return t("hear.nothing");
  const said = plays.map((play) => t("hear.play", { by: play.by, cards: cardsOf(play) })).join("; ");
  const passed = table.trick?.passed ?? [];
  return [
    t("hear.trick", { plays: said }),
    passed.length > 0 ? t("hear.passed", { names: list(passed), count: passed.length }) : "",
    ...(table.signs ?? []).map(({ text }) => `${shown(text)}.`),
  ]
    .filter(Boolean)
    .join(" ");
}

/** Whose turn it is and what lies on the table, the newest first. @param {Update} update */
export function trickWords(update) {
  return update.table === null ? "" : [turnWords(update), middle(update.table)].filter(Boolean).join(" ");
}

/** How many cards everybody has, I first, then from my left, or how many of what the game counts. @param {Update} update */
export function countWords(update) {
  const { table, you } = update;
  if (table === null) return "";
  const others = around({ table, me: you.name });
  const order = you.name !== null && table.seats.includes(you.name) ? [you.name, ...others] : others;
  const counts = order.map((name) => {
    const player = table.players[name];
    const has = player?.counter ? shown(player.counter.text) : t("seat.cards", { count: player?.cards ?? 0 });
    return t("hear.has", { name: name === you.name ? t("lobby.you") : name, has });
  });
  return t("hear.counts", { counts: counts.join(", ") });
}

/** @param {Table} table @param {string} one @param {string} other */
function better({ players }, one, other) {
  const more = (players[other]?.counter?.count ?? 0) - (players[one]?.counter?.count ?? 0);
  return more || (players[one]?.place ?? Infinity) - (players[other]?.place ?? Infinity) || 0;
}

/** Title and points of a player, or only what the game counts instead; empty if there is neither. @param {Table} table @param {string} name */
function rankOf(table, name) {
  const player = table.players[name];
  return [player?.counter ? "" : titleName(player?.title), scoreWords(table, name)].filter(Boolean).join(", ");
}

/** Which players are out, and the title and the points of each player. @param {Update} update */
export function standingWords({ table }) {
  if (table === null) return "";
  const out = places(table.standing, table.seats.length).filter(({ name }) => table.players[name]?.state === "out");
  const ranks = [...table.seats]
    .sort((one, other) => better(table, one, other))
    .map((name) => ({ name, rank: rankOf(table, name) }));
  const some = ranks.some(({ rank }) => rank !== "");
  const each = ranks.map(({ name, rank }) => (rank === "" ? name : t("hear.rank", { name, rank })));
  return [
    out.length > 0 ? t("hear.out", { names: list(out.map(({ name }) => name)), count: out.length }) : "",
    some ? t("hear.standing", { ranks: each.join("; ") }) : t("hear.no_standing"),
  ]
    .filter(Boolean)
    .join(" ");
}

/** What I hold, and what of it I have chosen. @param {Update} update @param {Model} model */
function handWords({ you }, model) {
  const hand = handOf(model);
  if (you.name === null) return t("hear.no_hand");
  const chosen = hand.filter((slot) => model.chosen.includes(slot.id));
  const named = (/** @type {typeof hand} */ slots) => cardsNamed(slots.map((slot) => slot.card));
  return [
    hand.length > 0 ? t("hear.hand", { cards: named(hand), count: hand.length }) : t("hear.no_hand"),
    chosen.length > 0 ? t("hear.chosen", { cards: named(chosen) }) : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** Keys, what each is said to tell, and what it tells. @type {Map<string, { words: string, tells: (update: Update, model: Model) => string }>} */
export const ASKED = new Map([
  ["t", { words: "keys.trick", tells: trickWords }],
  ["c", { words: "keys.counts", tells: countWords }],
  ["s", { words: "keys.standing", tells: standingWords }],
  ["h", { words: "keys.hand", tells: handWords }],
]);
