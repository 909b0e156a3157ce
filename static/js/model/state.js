// @ts-check
// Pure: the state of a room's page, and how each update changes it.

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

/** @import { Action, Control, Model, Owes, Room, Update } from "../types.d.ts" */

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
    added: [],
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
    startsUnready: false,
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

/** Return whether two felt sizes are equal. @param {Model["felt"]} one @param {Model["felt"]} other */
export function sameSize(one, other) {
  return Object.entries(one).every(([name, value]) => other[/** @type {keyof typeof other} */ (name)] === value);
}

/**
 * Return the most cards that this player will hold at a time if the gifts of the exchange are given in order.
 * @param {Update} update
 * @param {number} held number of cards now
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

/**
 * Return whether no player has cards yet, in the same game as before: its cards will need the same space.
 * @param {Update} update @param {Update | null} before
 */
function isBeforeDeal({ room, table }, before) {
  const players = Object.values(table?.players ?? {});
  return before?.room.game === room.game && players.length > 0 && players.every(({ cards }) => !cards);
}

/**
 * Return the model after an update. Ignore updates older than the current update.
 * @param {Model} model
 * @param {Update} update
 * @param {number} now this browser's clock, epoch milliseconds
 * @returns {Model}
 */
export function applyUpdate(model, update, now) {
  const before = model.update;
  if (before !== null && isOlder(update, before)) return model;
  const hand = update.table?.number ?? 0;
  // Updates within a hand, or in the waiting room, must not clear the forms that this person is filling in.
  const sameHand = before !== null && (before.table?.number ?? 0) === hand;
  const anew = !sameHand || before?.table?.phase !== update.table?.phase;
  // A page of the menu stays open when a hand begins or ends.
  const inMenu = model.sheet === "menu" || model.sheet === "question";
  // The first update of a page contains the earlier events of the hand.
  const earlier = before === null ? (update.hand_history ?? []) : [];
  const happened = [...earlier, ...update.events].map((event) => ({ event, hand, news: before !== null }));
  // On the first update, `model.own` is the saved card order of this hand.
  const own = sameHand || before === null ? model.own : [];
  const groups = findCardGroups(update) ?? (sameHand ? model.groups : []);
  const mine = sortedHand(update, model.sort, own, groups);
  const next = {
    ...model,
    update,
    offset: update.server_time - now,
    untold: [...model.untold, ...happened],
    // The end of the own turn ends the choice: a refused card must not become a premove.
    chosen: sameHand && (!isMyTurn(before) || isMyTurn(update)) ? keepHeldSlots(mine, model.chosen) : [],
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
    // Within a turn the list stays, so that an update about something else does not redraw it under a finger.
    prospects: isMyTurn(update) && before?.you.request === update.you.request ? model.prospects : null,
    most: Math.max(
      maxCardsAfterExchange(update, mine.length),
      sameHand || isBeforeDeal(update, before) ? model.most : 0,
    ),
    form: !inMenu && (anew || before?.room.phase !== update.room.phase) ? {} : model.form,
  };
  // Close the sheet that asks how to play the cards if at most one way is left.
  return model.sheet === "ways" && playInterpretations(next).length < 2 ? { ...next, sheet: null } : next;
}

/**
 * Return whether an update is older. Compare rewinds first: a rewind of the server's log lowers `seq`.
 * @param {Update} update @param {Update} before
 */
function isOlder(update, before) {
  const rewinds = (update.room.rewinds ?? 0) - (before.room.rewinds ?? 0);
  return rewinds === 0 ? update.seq < before.seq : rewinds < 0;
}

/**
 * Return whether a guest in the waiting room must be told that the rules have changed. This ends when the guest is ready.
 * @param {Model} model
 * @param {Update} update
 */
function haveRulesChanged({ update: before, rulesChanged }, { room, you }) {
  const me = room.people.find(({ name }) => name === you.name);
  if (room.phase !== "lobby" || you.host || me === undefined || me.ready) return false;
  return rulesChanged || (before !== null && before.room.phase === "lobby" && !sameRules(before.room, room));
}

/** Tell whether game, options, stake and turn time are equal. @param {Room} one @param {Room} other */
export function sameRules(one, other) {
  const rules = (/** @type {Room} */ { game, options, stake, clock }) =>
    JSON.stringify([game, options, stake, clock.turn]);
  return rules(one) === rules(other);
}

/**
 * Return the slots marked as new: cards that have just come, and earlier new cards still marked.
 * @param {string[]} fresh @param {Update} before @param {import("./card_selection.js").Slot[]} mine
 */
function newSlots(fresh, before, mine) {
  const had = new Set(buildSlots(splitCards(before.you.cards)).map(({ id }) => id));
  // If the player had no cards before, this is a deal: mark nothing.
  return had.size === 0 ? [] : mine.map(({ id }) => id).filter((id) => fresh.includes(id) || !had.has(id));
}

/**
 * Return the slots of cards given to this player in the update's events, after a deal that was not shown yet.
 * @param {Update} update @param {import("./card_selection.js").Slot[]} mine
 */
function receivedGiftSlots(update, mine) {
  const me = update.you.name;
  const journeys = cardMovesOf(update.events, update.event_animations).flat();
  const cards = journeys.filter(({ to }) => me !== null && to.name === me).flatMap((journey) => journey.cards);
  return buildSlots(cards)
    .map(({ id }) => id)
    .filter((id) => mine.some((slot) => slot.id === id));
}

/**
 * Return the combinations in this player's cards, known when the player leads; else null.
 * @param {Update} update @returns {string[][] | null}
 */
function findCardGroups(update) {
  return isMyLead(update)
    ? partitionIntoGroups(
        legalActions(update, "cards").map((action) => splitCards(action.cards)),
        splitCards(update.you.cards),
      )
    : null;
}

/**
 * Return this player's cards as slots, in the chosen order.
 * @param {Update} update
 * @param {import("../types.d.ts").Sort} sort
 * @param {string[]} own slots in the player's own order; cards that came later follow them
 * @param {string[][]} groups combinations of the cards
 */
function sortedHand(update, sort, own, groups) {
  const { inverted, ranks, wild } = update.table ?? {};
  const turned = inverted && ranks ? { ranks, wild: wild ?? "" } : null;
  const ranked = sortCards(splitCards(update.you.cards), sort === "suit" ? "suit" : "rank", turned);
  const all = buildSlots(sort === "sets" ? sortByGroups(ranked, groups) : ranked);
  return sort === "own" ? applyCustomOrder(all, own) : all;
}

/** Return this player's cards as slots, in the order shown. @param {Model} model @returns {import("./card_selection.js").Slot[]} */
export function handSlots({ update, sort, own, groups }) {
  return update === null ? [] : sortedHand(update, sort, own, groups);
}

/**
 * Return the other seats in order, starting after this player's seat. A spectator gets all seats, from the first.
 * @param {Pick<import("../types.d.ts").Scene, "table" | "me">} scene
 * @returns {string[]}
 */
export function otherSeats({ table, me }) {
  const seats = table?.seats ?? [];
  const at = seats.indexOf(me ?? "");
  return at < 0 ? seats : [...seats.slice(at + 1), ...seats.slice(0, at)];
}

/**
 * Build the scene from which the felt is drawn.
 * @param {Update} update @param {Pick<Model, "felt" | "great">} model @returns {import("../types.d.ts").Scene}
 */
export function buildScene({ room, table, you }, { felt: size, great }) {
  const names = room.people.map((person) => person.name);
  const playing = room.phase === "playing" || table?.last === null;
  return {
    table,
    names,
    birds: room.birds,
    hues: room.hues,
    here: room,
    me: you.name,
    panels: you.panels ?? [],
    playing,
    great,
    size,
  };
}

/** Return whether a match is being played or pauses between hands. @param {Update} update */
export function isMatchRunning({ room }) {
  return room.phase === "playing" || room.phase === "between_hands";
}

/** Return whether this person has a seat at the table. @param {Update} update */
export function isSeated({ table, you }) {
  return table?.seats.includes(you.name ?? "") === true;
}

/** @param {Update} update Return whether this player has to act. */
export function isMyTurn(update) {
  const { room, table } = update;
  return room.phase === "playing" && table !== null && hasToAct(update, table);
}

/** Return whether this player has passed and can't act again in this trick. @param {Update} update */
export function isBarred({ table, you }) {
  return table?.trick?.barred.includes(you.name ?? "") === true;
}

/** Return whether this player starts a trick now. @param {Update} update */
export function isMyLead(update) {
  return isMyTurn(update) && update.table?.phase === "play" && !update.table.trick?.plays.length;
}

/** Return whether this player has to act. Givers in a secret exchange stay in `to_act` until the last has chosen.
 * @param {Update} update @param {NonNullable<Update["table"]>} table */
function hasToAct({ you }, table) {
  const named = you.name !== null && table.to_act.includes(you.name);
  return named && (table.phase !== "exchange" || (you.legal ?? []).length > 0);
}

/**
 * Return the control with which an action is made, such as cards or a button.
 * @param {Update} update @param {Action} action @returns {Control}
 */
export function actionControl(update, action) {
  return update.actions[action.do]?.control ?? "button";
}

/**
 * Return this player's legal actions: all, or those made with this kind of control.
 * @param {Update} update @param {Control} [control] @returns {Action[]}
 */
export function legalActions(update, control) {
  const all = update.you.legal ?? [];
  return control === undefined ? all : all.filter((action) => actionControl(update, action) === control);
}

/**
 * Return the name of the action made with this kind of control; "" without such an action.
 * @param {Update} update @param {Control} control
 */
export function actionName(update, control) {
  const asked = legalActions(update, control)[0]?.do;
  return asked ?? Object.keys(update.actions).find((name) => update.actions[name]?.control === control) ?? "";
}

const CARD_CONTROLS = /** @type {const} */ (["gifts", "cards", "free_cards"]);

/**
 * Return the purpose of the player's cards now: gifts, plays or free cards; null for none.
 * @param {Update} update @returns {typeof CARD_CONTROLS[number] | null}
 */
export function cardPurpose(update) {
  return CARD_CONTROLS.find((control) => legalActions(update, control).length > 0) ?? null;
}

/** Return the gifts that this player has to give. @param {Update} update @returns {Owes[]} */
export function owedGifts(update) {
  return update.you.must_give ?? [];
}

/** Return the legal actions with cards: those listed, and those that the server returned for looked-up cards. @param {Model} model */
export function cardActions(model) {
  const update = model.update;
  if (update === null) return [];
  const looked = Object.values(model.looked).flatMap(({ plays }) => plays);
  const control = cardPurpose(update);
  return control === null
    ? []
    : [...legalActions(update, control), ...looked.filter((action) => actionControl(update, action) === control)];
}

/** Return the server's answer about the chosen cards, if it has come. @param {Model} model */
export function lookedUp({ looked, chosen }) {
  return looked[chosen.map(cardOfSlot).join(" ")];
}

/** Return the different ways to play the chosen cards, the usual way first. @param {Model} model @returns {Action[]} */
export function playInterpretations(model) {
  /** @type {Map<string, Action>} */
  const ways = new Map();
  if (model.update === null || cardPurpose(model.update) !== "cards") return [];
  for (const action of actionsWithCards(cardActions(model), model.chosen.map(cardOfSlot)))
    ways.set(`${action.as ?? ""}/${action.call ?? ""}`, action);
  return [...ways.values()];
}

/** Return the text that tells this player what to lead. @param {Update} update */
function leadText(update) {
  const plays = legalActions(update, "cards").map((action) => splitCards(action.cards));
  const mine = splitCards(update.you.cards);
  const [one, ...more] = mine.filter((card) => plays.every((cards) => cards.includes(card)));
  // With `more`, the list of plays is incomplete: the server is asked once cards are chosen.
  if (update.you.more || plays.length === 0 || mine.length === 1) return t("turn.you.lead");
  if (one !== undefined && more.length === 0) return t("turn.you.lead.with", { cards: cardsText(one) });
  return t(mine.every((card) => plays.flat().includes(card)) ? "turn.you.lead" : "turn.you.lead.some");
}

/**
 * Return the line that says whose turn it is; "" outside a hand.
 * @param {Update} update
 * @returns {string}
 */
export function turnText(update) {
  const { room, table, you } = update;
  if (table === null || room.phase !== "playing") return "";
  if (room.paused) return t("rest.on", { by: room.paused.by });
  const mine = hasToAct(update, table);
  const asked = mine ? you.prompt : table.prompt;
  if (asked) return formatValue(asked);
  if (table.phase === "exchange") return mine ? t("turn.exchange.you") : t("turn.exchange");
  if (mine) {
    const last = table.trick?.plays.at(-1);
    if (legalActions(update, "cards").length === 0 && legalActions(update, "beside").length > 0)
      return t("turn.you.cannot");
    if (last === undefined) return leadText(update);
    return t(legalActions(update, "beside").length > 0 ? "turn.you.beat" : "turn.you.must", { by: last.by });
  }
  if (table.to_act.length !== 1) return "";
  return t(legalActions(update, "cards").length > 0 ? "turn.other.but_you" : "turn.other", { name: table.to_act[0] });
}

/**
 * Return each player's place. An inner list holds names that share a place.
 * @param {import("../types.d.ts").Place[]} standing best first; while it is incomplete, it holds the last places
 * @param {number} [count] number of players
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
