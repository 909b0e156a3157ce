// @ts-check
// Pure: texts for screen readers. Cards have names such as “jack of clubs” instead of symbols.

import { spokenCardNames } from "../model/card_names.js";
import { formatNames, formatValue, t, formatList, formatSeries, joinSentences, labelled } from "../lib/messages.js";
import { otherSeats, handSlots, legalActions, isMyTurn, owedGifts, placements, turnText } from "../model/state.js";
import { owedGiftText, scoreText, standsForText, titleName } from "../events/labels.js";

/** @import { Model, Play, Table, Update } from "../types.d.ts" */

/** Name the cards of a play, and the rank that they count as. @param {Play} play */
function spokenPlay(play) {
  const as = standsForText(play);
  return as ? t("hear.cards.as", { cards: spokenCardNames(play.cards), as }) : spokenCardNames(play.cards);
}

/** Describe the player's task and the cards on top of the trick. It is complete, since it interrupts others. @param {Update} update */
function promptText(update) {
  const last = update.table?.phase === "play" ? update.table.trick?.plays.at(-1) : undefined;
  return joinSentences([
    turnText(update),
    ...owedGifts(update).map(owedGiftText),
    last ? t("hear.on_top", { cards: spokenPlay(last) }) : "",
  ]);
}

/** Tell whether the player may play out of turn. @param {Update | null} update */
function canBreakIn(update) {
  return update !== null && !isMyTurn(update) && legalActions(update, "cards").length > 0;
}

/** Return the prompt if the player's task is new or playing out of turn became possible; else "". @param {Update | null} before @param {Update} update */
export function newPromptText(before, update) {
  if (canBreakIn(update)) return canBreakIn(before) ? "" : promptText(update);
  if (!isMyTurn(update)) return "";
  const same =
    before !== null &&
    isMyTurn(before) &&
    before.table?.number === update.table?.number &&
    JSON.stringify(before.table?.trick?.plays) === JSON.stringify(update.table?.trick?.plays) &&
    turnText(before) === turnText(update);
  return same ? "" : promptText(update);
}

/** @param {Table} table */
function middleText(table) {
  if (table.middle === "panels") {
    const lines = table.panels.flatMap((panel) => panel.lines);
    const said = lines.map(({ text, state }) => labelled(formatValue(text), state ? formatValue(state) : ""));
    return t("hear.over", { what: formatList(said) });
  }
  const plays = [...(table.trick?.plays ?? [])].reverse();
  if (plays.length === 0) return t("hear.nothing");
  const said = formatSeries(plays.map((play) => t("hear.play", { by: play.by, cards: spokenPlay(play) })));
  const passed = table.trick?.passed ?? [];
  return joinSentences([
    t("hear.trick", { plays: said }),
    passed.length > 0 ? t("hear.passed", { names: formatNames(passed), count: passed.length }) : "",
    ...(table.signs ?? []).map(({ text }) => t("hear.over", { what: text })),
  ]);
}

/** Describe the turn and the cards on the table, newest play first. @param {Update} update */
export function turnAndTrickText(update) {
  return update.table === null ? "" : joinSentences([turnText(update), middleText(update.table)]);
}

/** List each player's number of cards, or the game's counter: the reader first, then from their left. @param {Update} update */
export function cardCountsText(update) {
  const { table, you } = update;
  if (table === null) return "";
  const others = otherSeats({ table, me: you.name });
  const order = you.name !== null && table.seats.includes(you.name) ? [you.name, ...others] : others;
  const counts = order.map((name) => {
    const player = table.players[name];
    const has = player?.counter ? formatValue(player.counter.text) : t("seat.cards", { count: player?.cards ?? 0 });
    return t("hear.has", { name: name === you.name ? t("lobby.you") : name, has });
  });
  return t("hear.counts", { counts: formatList(counts) });
}

/** @param {Table} table @param {string} one @param {string} other */
function compareStanding({ players }, one, other) {
  const more = (players[other]?.counter?.count ?? 0) - (players[one]?.counter?.count ?? 0);
  return more || (players[one]?.place ?? Infinity) - (players[other]?.place ?? Infinity) || 0;
}

/** Return a player's title and points, or the game's counter instead; "" without any of these. @param {Table} table @param {string} name */
function titleAndPoints(table, name) {
  const player = table.players[name];
  return formatList([player?.counter ? "" : titleName(player?.title), scoreText(table, name)]);
}

/** List the players who are out, and the title and points of every player. @param {Update} update */
export function standingText({ table }) {
  if (table === null) return "";
  const out = placements(table.standing, table.seats.length).filter(({ name }) => table.players[name]?.state === "out");
  const ranks = [...table.seats]
    .sort((one, other) => compareStanding(table, one, other))
    .map((name) => ({ name, rank: titleAndPoints(table, name) }));
  const some = ranks.some(({ rank }) => rank !== "");
  const each = ranks.map(({ name, rank }) => (rank === "" ? name : t("hear.rank", { name, rank })));
  return joinSentences([
    out.length > 0 ? t("hear.out", { names: formatNames(out.map(({ name }) => name)), count: out.length }) : "",
    some ? t("hear.standing", { ranks: formatSeries(each) }) : t("hear.no_standing"),
  ]);
}

/** List the player's cards, and the chosen cards among them. @param {Update} update @param {Model} model */
function handText({ you }, model) {
  const hand = handSlots(model);
  if (you.name === null) return t("hear.no_hand");
  const chosen = hand.filter((slot) => model.chosen.includes(slot.id));
  const named = (/** @type {typeof hand} */ slots) => spokenCardNames(slots.map((slot) => slot.card));
  return joinSentences([
    hand.length > 0 ? t("hear.hand", { cards: named(hand), count: hand.length }) : t("hear.no_hand"),
    chosen.length > 0 ? t("hear.chosen", { cards: named(chosen) }) : "",
  ]);
}

/** Keys, with each key's description and report. @type {Map<string, { words: string, tells: (update: Update, model: Model) => string }>} */
export const SPOKEN_REPORTS = new Map([
  ["t", { words: "keys.trick", tells: turnAndTrickText }],
  ["c", { words: "keys.counts", tells: cardCountsText }],
  ["s", { words: "keys.standing", tells: standingText }],
  ["h", { words: "keys.hand", tells: handText }],
]);
