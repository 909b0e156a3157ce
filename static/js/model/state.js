// @ts-check
// Pure: all that the page of a room knows, and how each message changes it.

import { withoutPrototype } from "../lib/null_prototype.js";
import { sortCards, cardsText } from "./card_names.js";
import { cardMovesOf } from "./card_moves.js";
import { formatValue, t } from "../lib/messages.js";
import {
  applyCustomOrder,
  nearestRemainingSlot,
  cardOfSlot,
  actionsWithCards,
  partitionIntoGroups,
  sortByGroups,
  buildSlots,
  splitCards,
  keepHeldSlots,
} from "./card_selection.js";

/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").Room} Room */
/** @typedef {import("../types.d.ts").Action} Action */
/** @typedef {import("../types.d.ts").Control} Control */
/** @typedef {import("../types.d.ts").Owes} Owes */
/** @typedef {import("../types.d.ts").GameEvent} GameEvent */

/** @returns {Model} */
export function initialModel() {
  return {
    update: null,
    link: "connecting",
    stands: "",
    unfair: "",
    offset: 0,
    untold: [],
    log: [],
    rulesChanged: false,
    slow: false,
    latest: [],
    great: false,
    chosen: [],
    fresh: [],
    stop: null,
    basket: withoutPrototype(),
    looked: {},
    waiting: {},
    notice: null,
    reactions: [],
    chat: { lines: [], unread: [] },
    sheet: null,
    sure: null,
    ahead: null,
    passing: null,
    watching: false,
    felt: { width: 0, height: 0, text: 1, wide: false, tall: false, scrolls: false },
    sort: "rank",
    own: [],
    groups: [],
    drag: null,
    prospects: null,
    tale: null,
    most: 0,
    calling: "",
    pushing: "",
    form: {},
  };
}

/** @param {Model["felt"]} one @param {Model["felt"]} other */
export function sameSize(one, other) {
  return Object.entries(one).every(([name, value]) => other[/** @type {keyof typeof other} */ (name)] === value);
}

/**
 * Count the cards that this player will hold at most, if the gifts of the exchange are given in their order.
 * @param {Update} update
 * @param {number} held cards
 */
function maxCardsAfterExchange({ table, you }, held) {
  let [now, most] = [held, held];
  for (const { from, to, count, done } of table?.exchange?.gifts ?? []) {
    if (done) continue;
    now += (to === you.name ? count : 0) - (from === you.name ? count : 0);
    most = Math.max(most, now);
  }
  return most;
}

/** Tell whether nobody has cards yet, in a hand after others of this game: it will need as much room for them. @param {Update} update @param {Update | null} before */
function isBeforeDeal({ room, table }, before) {
  const players = Object.values(table?.players ?? {});
  return before?.room.game === room.game && players.length > 0 && players.every(({ cards }) => !cards);
}

/**
 * The model after an update.
 * @param {Model} model
 * @param {Update} update
 * @param {number} now our clock, epoch milliseconds
 * @returns {Model}
 */
export function applyUpdate(model, update, now) {
  const before = model.update;
  // After the server's log went back its numbers are lower, but newer than all before.
  if (before !== null && isOlder(update, before)) return model;
  const hand = update.table?.number ?? 0;
  // In the waiting room, too, nothing that somebody is typing is lost by what others do.
  const sameHand = before !== null && (before.table?.number ?? 0) === hand;
  const anew = !sameHand || before?.table?.phase !== update.table?.phase;
  // A page that has just been opened is told the hand so far.
  const earlier = before === null ? (update.earlier ?? []) : [];
  const happened = [...earlier, ...update.events].map((event) => ({ event, hand, news: before !== null }));
  // A page that has just been opened knows how this hand was put.
  const own = sameHand || before === null ? model.own : [];
  const groups = findCardGroups(update) ?? (sameHand ? model.groups : []);
  const mine = sortedHand(update, model.sort, own, groups);
  const next = {
    ...model,
    update,
    offset: update.now - now,
    untold: [...model.untold, ...happened],
    chosen: sameHand ? keepHeldSlots(mine, model.chosen) : [],
    fresh: before === null ? [] : sameHand ? newSlots(model.fresh, before, mine) : receivedGiftSlots(update, mine),
    stop:
      before !== null && sameHand
        ? nearestRemainingSlot(sortedHand(before, model.sort, own, model.groups), mine, model.stop)
        : null,
    own,
    groups,
    drag: sameHand && model.drag?.ids.every((id) => mine.some((slot) => slot.id === id)) ? model.drag : null,
    basket: withoutPrototype(
      anew ? {} : Object.fromEntries(Object.entries(model.basket).map(([to, ids]) => [to, keepHeldSlots(mine, ids)])),
    ),
    rulesChanged: haveRulesChanged(model, update),
    looked: {},
    prospects: null,
    most: Math.max(
      maxCardsAfterExchange(update, mine.length),
      sameHand || isBeforeDeal(update, before) ? model.most : 0,
    ),
    form: anew || before?.room.phase !== update.room.phase ? {} : model.form,
  };
  // A question about cards that can't be played so any more is none.
  return model.sheet === "ways" && playInterpretations(next).length < 2 ? { ...next, sheet: null } : next;
}

/** @param {Update} update @param {Update} before */
function isOlder(update, before) {
  const rewinds = (update.room.rewinds ?? 0) - (before.room.rewinds ?? 0);
  return rewinds === 0 ? update.seq < before.seq : rewinds < 0;
}

/**
 * Whether a guest in the waiting room still has to read that the rules have changed: until they are ready.
 * @param {Model} model
 * @param {Update} update
 */
function haveRulesChanged({ update: before, rulesChanged }, { room, you }) {
  const me = room.people.find(({ name }) => name === you.name);
  if (room.phase !== "lobby" || you.host || me === undefined || me.ready) return false;
  const rules = (/** @type {Room} */ { game, options, stake, clock }) =>
    JSON.stringify([game, options, stake, clock.turn]);
  return rulesChanged || (before !== null && before.room.phase === "lobby" && rules(before.room) !== rules(room));
}

/** The cards that stand out: those that were new before, and are untouched, and those that have come since. @param {string[]} fresh @param {Update} before @param {import("./card_selection.js").Slot[]} mine */
function newSlots(fresh, before, mine) {
  const had = new Set(buildSlots(splitCards(before.you.cards)).map(({ id }) => id));
  // All of them at once are a deal.
  return had.size === 0 ? [] : mine.map(({ id }) => id).filter((id) => fresh.includes(id) || !had.has(id));
}

/** Those that somebody has given me since a deal that I have not seen yet. @param {Update} update @param {import("./card_selection.js").Slot[]} mine */
function receivedGiftSlots(update, mine) {
  const me = update.you.name;
  const journeys = cardMovesOf(update.events, update.motions).flat();
  const cards = journeys.filter(({ to }) => me !== null && to.name === me).flatMap((journey) => journey.cards);
  return buildSlots(cards)
    .map(({ id }) => id)
    .filter((id) => mine.some((slot) => slot.id === id));
}

/** What my cards make: who leads may play any of it. null: it is not known now. @param {Update} update @returns {string[][] | null} */
function findCardGroups(update) {
  const leads = isMyTurn(update) && update.table?.phase === "play" && !update.table.trick?.plays.length;
  return leads
    ? partitionIntoGroups(
        legalActions(update, "cards").map((action) => splitCards(action.cards)),
        splitCards(update.you.cards),
      )
    : null;
}

/**
 * Cards held, in an order that somebody likes.
 * @param {Update} update
 * @param {import("../types.d.ts").Sort} sort
 * @param {string[]} own slots as I have put them; what came later stands behind them
 * @param {string[][]} groups what they make together
 */
function sortedHand(update, sort, own, groups) {
  const { inverted, ranks, wild } = update.table ?? {};
  const turned = inverted && ranks ? { ranks, wild: wild ?? "" } : null;
  const ranked = sortCards(splitCards(update.you.cards), sort === "suit" ? "suit" : "rank", turned);
  const all = buildSlots(sort === "sets" ? sortByGroups(ranked, groups) : ranked);
  return sort === "own" ? applyCustomOrder(all, own) : all;
}

/** My cards in the order shown. @param {Model} model @returns {import("./card_selection.js").Slot[]} */
export function handSlots({ update, sort, own, groups }) {
  return update === null ? [] : sortedHand(update, sort, own, groups);
}

/**
 * Seats from my left round to my right, without me; all seats for a watcher, from the first.
 * @param {Pick<import("../types.d.ts").Scene, "table" | "me">} scene
 * @returns {string[]}
 */
export function otherSeats({ table, me }) {
  const seats = table?.seats ?? [];
  const at = seats.indexOf(me ?? "");
  return at < 0 ? seats : [...seats.slice(at + 1), ...seats.slice(0, at)];
}

/** What lies on the felt of a room. @param {Update} update @param {Pick<Model, "felt" | "great">} model @returns {import("../types.d.ts").Scene} */
export function buildScene({ room, table, you }, { felt: size, great }) {
  const names = room.people.map((person) => person.name);
  const playing = room.phase === "playing" || table?.last === null;
  return {
    table,
    names,
    hues: room.hues,
    looks: room.people,
    here: room,
    me: you.name,
    panels: you.panels ?? [],
    playing,
    great,
    size,
  };
}

/** @param {Update} update Whether something is asked of me. */
export function isMyTurn(update) {
  const { room, table } = update;
  return room.phase === "playing" && table !== null && hasToAct(update, table);
}

/** Whether I am to act. Where gifts are chosen unseen, all givers are shown as choosing until the last has chosen.
 * @param {Update} update @param {NonNullable<Update["table"]>} table */
function hasToAct({ you }, table) {
  const named = you.name !== null && table.to_act.includes(you.name);
  return named && (table.phase !== "exchange" || (you.legal ?? []).length > 0);
}

/** What an action is done with. @param {Update} update @param {Action} action @returns {Control} */
export function actionControl(update, action) {
  return update.actions[action.do]?.control ?? "button";
}

/** My legal actions, those that are done with this or all. @param {Update} update @param {Control} [control] @returns {Action[]} */
export function legalActions(update, control) {
  const all = update.you.legal ?? [];
  return control === undefined ? all : all.filter((action) => actionControl(update, action) === control);
}

/** What is done with this is called so. @param {Update} update @param {Control} control */
export function actionName(update, control) {
  const asked = legalActions(update, control)[0]?.do;
  return asked ?? Object.keys(update.actions).find((name) => update.actions[name]?.control === control) ?? "";
}

const CARD_CONTROLS = /** @type {const} */ (["gifts", "cards", "free_cards"]);

/** What the cards in hand are for now. @param {Update} update @returns {typeof CARD_CONTROLS[number] | null} */
export function cardPurpose(update) {
  return CARD_CONTROLS.find((control) => legalActions(update, control).length > 0) ?? null;
}

/** The gifts that I owe. @param {Update} update @returns {Owes[]} */
export function owedGifts(update) {
  return update.you.owes ?? [];
}

/** Actions that the chosen cards may make: those listed, and what the server said about these very cards. @param {Model} model */
export function cardActions(model) {
  const update = model.update;
  if (update === null) return [];
  const looked = Object.values(model.looked).flat();
  const control = cardPurpose(update);
  return control === null
    ? []
    : [...legalActions(update, control), ...looked.filter((action) => actionControl(update, action) === control)];
}

/** The ways in which the chosen cards may be played, each once, the usual one first. @param {Model} model @returns {Action[]} */
export function playInterpretations(model) {
  /** @type {Map<string, Action>} */
  const ways = new Map();
  if (model.update === null || cardPurpose(model.update) !== "cards") return [];
  for (const action of actionsWithCards(cardActions(model), model.chosen.map(cardOfSlot)))
    ways.set(`${action.as ?? ""}/${action.call ?? ""}`, action);
  return [...ways.values()];
}

/** What I may lead, in words. @param {Update} update */
function leadText(update) {
  const plays = legalActions(update, "cards").map((action) => splitCards(action.cards));
  const mine = splitCards(update.you.cards);
  const [one, ...more] = mine.filter((card) => plays.every((cards) => cards.includes(card)));
  // Which others there are is asked for when cards are chosen.
  if (update.you.more || plays.length === 0 || mine.length === 1) return t("turn.you.lead");
  if (one !== undefined && more.length === 0) return t("turn.you.lead.with", { cards: cardsText(one) });
  return t(mine.every((card) => plays.flat().includes(card)) ? "turn.you.lead" : "turn.you.lead.some");
}

/**
 * Whose turn it is, in words.
 * @param {Update} update
 * @returns {string}
 */
export function turnText(update) {
  const { room, table, you } = update;
  if (table === null || room.phase !== "playing") return "";
  if (room.rest) return t("rest.on", { by: room.rest.by });
  const mine = hasToAct(update, table);
  const asked = mine ? you.asked : table.asked;
  if (asked) return formatValue(asked);
  if (table.phase === "exchange") return mine ? t("turn.exchange.you") : t("turn.exchange");
  if (mine) {
    const last = table.trick?.plays.at(-1);
    if (legalActions(update, "cards").length === 0 && legalActions(update, "beside").length > 0)
      return t("turn.you.cannot");
    return last === undefined ? leadText(update) : t("turn.you.beat", { by: last.by });
  }
  if (table.to_act.length !== 1) return "";
  return t(legalActions(update, "cards").length > 0 ? "turn.other.but_you" : "turn.other", { name: table.to_act[0] });
}

/**
 * Everybody's place. Names that share one stand in an inner list.
 * @param {import("../types.d.ts").Place[]} standing where not all are in it yet, theirs are the last places
 * @param {number} [count] of players
 * @returns {{ place: number, name: string }[]}
 */
export function placements(standing, count = 0) {
  let place = 1 + Math.max(0, count - standing.flat().length);
  return standing.flatMap((each) => {
    const names = Array.isArray(each) ? each : [each];
    const here = names.map((name) => ({ place, name }));
    place += names.length;
    return here;
  });
}
