// @ts-check
// What is done with one's own cards, whether by touch, mouse or keyboard: choosing them, and playing what is chosen.

import { withoutPrototype } from "../lib/null_prototype.js";
import { rankOf } from "../model/card_names.js";
import { cardOfSlot, combinations, actionsWithCards, toggleCard, findSlotIds } from "../model/card_selection.js";
import {
  cardActions,
  handSlots,
  legalActions,
  actionName,
  owedGifts,
  cardPurpose,
  playInterpretations,
} from "../model/state.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Model} Model */

/** The chosen cards, as they stand in the hand. @param {Desk} desk @returns {string[]} */
export function chosenCards({ model }) {
  return handSlots(model)
    .filter((slot) => model.chosen.includes(slot.id))
    .map((slot) => slot.card);
}

/** The one whose gift is being chosen, where several are owed. @param {Desk} desk */
function nextOpenGift({ model, update }) {
  const gifts = owedGifts(update);
  return gifts.find((gift) => (model.basket[gift.to] ?? []).length < gift.count) ?? null;
}

/** Cards for several people are chosen for each in turn. @param {Desk} desk */
const owesSeveral = ({ update }) => owedGifts(update).length > 1;

/** How many may be chosen where that is all that is sure; null where the possibilities are listed. @param {Desk} desk */
function maxChoosable({ update }) {
  const kind = cardPurpose(update);
  const some =
    kind === "free_cards" || kind === "gifts" ? update.you.particulars?.[actionName(update, kind)] : undefined;
  const offered = some?.most ?? null;
  const gift = owedGifts(update)[0];
  return offered !== null ? offered : kind === "gifts" && update.you.more && gift ? gift.count : null;
}

/** Two taps are one gesture within so many milliseconds. */
const DOUBLE_TAP_MS = 350;
/** @type {{ id: string, at: number, before: string[] } | null} the last tap, and what was chosen before it; null after any other choice */
let lastTap = null;

/**
 * A tap chooses a card or takes it back; two play it, with what is chosen with it or alone, if it may be played so.
 * @param {Desk} desk
 * @param {string} id of its slot
 * @param {MouseEvent} event by keys it has no detail: there is Enter
 */
export function handleCardPress(desk, id, { detail, timeStamp }) {
  const { model, update } = desk;
  const first = lastTap;
  lastTap = null;
  const twice =
    detail > 0 && first?.id === id && timeStamp - first.at < DOUBLE_TAP_MS && cardPurpose(update) === "cards";
  const ways = twice ? [first.before, model.chosen].filter((ids) => ids.includes(id)).concat([[id]]) : [];
  const ids = ways.find((way) => actionsWithCards(cardActions(model), way.map(cardOfSlot)).length > 0);
  if (ids !== undefined) return playSlots(desk, ids);
  lastTap = { id, at: timeStamp, before: model.chosen };
  toggleCardChoice(desk, id);
}

/** What else some cards are part of, smallest first. @param {Model} model @param {string[]} cards @returns {string[][]} cards of each */
export function largerCombinations(model, cards) {
  if (model.update === null || cardPurpose(model.update) !== "cards" || cards.length === 0) return [];
  return combinations(cardActions(model), cards).filter((each) => each.length > cards.length);
}

/** Choose a combination of one's cards. @param {Desk} desk @param {string[]} cards */
export function chooseCombination(desk, cards) {
  lastTap = null;
  chooseSlots(desk, findSlotIds(handSlots(desk.model), cards, desk.model.chosen));
}

/** Choose the next combination that the card is in which Tab comes to; none where it is in none. @param {Desk} desk @returns {boolean} whether it is in one */
export function chooseNextCombination(desk) {
  lastTap = null;
  const { model, update } = desk;
  const hand = handSlots(model);
  const slot = hand.find(({ id }) => id === model.stop) ?? hand[0];
  if (slot === undefined || cardPurpose(update) !== "cards") return false;
  const all = combinations(cardActions(model), [slot.card]);
  const now = all.findIndex(
    (cards) => actionsWithCards([{ do: "", cards: cards.join(" ") }], model.chosen.map(cardOfSlot)).length > 0,
  );
  const next = all[(now + 1) % all.length];
  if (next !== undefined) chooseSlots(desk, findSlotIds(hand, next, [slot.id]));
  return next !== undefined;
}

/** Choose a card, or take it back. @param {Desk} desk @param {string} id of its slot */
export function toggleCardChoice(desk, id) {
  const { model, update } = desk;
  if (model.fresh.includes(id)) desk.set({ fresh: model.fresh.filter((each) => each !== id) });
  if (owesSeveral(desk)) {
    const owner = Object.keys(model.basket).find((name) => model.basket[name]?.includes(id));
    const to = owner ?? nextOpenGift(desk)?.to;
    if (to === undefined) return;
    const now = model.basket[to] ?? [];
    desk.set({
      basket: withoutPrototype({ ...model.basket, [to]: owner ? now.filter((each) => each !== id) : [...now, id] }),
    });
    return;
  }
  const kind = cardPurpose(update);
  const listed = (kind === "cards" && update.you.more) || kind === "free_cards" ? [] : cardActions(model);
  chooseSlots(desk, toggleCard(handSlots(model), listed, model.chosen, id, maxChoosable(desk)));
}

/** Show just these as chosen, as many of the last as may be. @param {Desk} desk @param {string[]} ids of slots @returns {string[]} what is chosen then */
export function setChosen(desk, ids) {
  if (owesSeveral(desk)) return [];
  const some = maxChoosable(desk);
  const chosen = some === null ? ids : ids.slice(-some);
  desk.set({ chosen });
  return chosen;
}

/** Choose just these, and ask what they are where that is not listed. @param {Desk} desk @param {string[]} ids of slots */
export function chooseSlots(desk, ids) {
  const chosen = setChosen(desk, ids);
  const { update } = desk;
  if (update.you.more && cardPurpose(update) === "cards" && chosen.length > 0)
    lookUpActions(desk, chosen.map(cardOfSlot));
}

/** @param {Desk} desk @param {string[]} cards */
function lookUpActions(desk, cards) {
  if (actionsWithCards(cardActions(desk.model), cards).length === 0) desk.ask({ t: "look", cards: cards.join(" ") });
}

/** Put back whatever is chosen. @param {Desk} desk @returns {boolean} whether anything was */
export function clearChoice(desk) {
  const { chosen, basket } = desk.model;
  const some = chosen.length > 0 || Object.values(basket).some((ids) => ids.length > 0);
  if (some) desk.set({ chosen: [], basket: withoutPrototype() });
  return some;
}

/**
 * Choose the next card of a rank; where all of it are chosen, put them back.
 * @param {Desk} desk
 * @param {string} rank
 * @returns {boolean} whether there are any
 */
export function chooseRank(desk, rank) {
  const { model } = desk;
  const given = Object.values(model.basket).flat();
  const of = handSlots(model).filter((slot) => rankOf(slot.card) === rank);
  const next = of.find((slot) => !model.chosen.includes(slot.id) && !given.includes(slot.id));
  if (next !== undefined) {
    toggleCardChoice(desk, next.id);
    // Enter plays what is chosen from there, and ears hear which card it is.
    document.querySelector(/** @type {"button"} */ (`.hand [data-slot="${next.id}"]`))?.focus();
  } else if (of.length > 0) {
    const rest = (/** @type {string[]} */ ids) => ids.filter((id) => of.every((slot) => slot.id !== id));
    const basket = Object.entries(model.basket).map(([to, ids]) => [to, rest(ids)]);
    desk.set({ chosen: rest(model.chosen), basket: withoutPrototype(Object.fromEntries(basket)) });
  }
  return of.length > 0;
}

/**
 * Play the chosen cards, or give them: just as the button would. Where they may be played in several ways it is asked;
 * what is no play is for the server to refuse, with words.
 * @param {Desk} desk
 * @returns {boolean} whether there was anything to do
 */
export function playChosen(desk) {
  const { model } = desk;
  const [ready, ...more] = actionsWithCards(cardActions(model), model.chosen.map(cardOfSlot));
  if (ready === undefined) return sendUnlistedChoice(desk);
  if (more.length === 0) void desk.playAction(ready);
  else if (playInterpretations(model).length > 1) desk.set({ sheet: "ways" });
  else document.querySelector(/** @type {"button"} */ (`.actions [data-do=${ready.do}]`))?.focus();
  return true;
}

/** @param {Desk} desk @returns {boolean} whether cards are chosen, and as many as are asked for */
function sendUnlistedChoice(desk) {
  const { update } = desk;
  const kind = cardPurpose(update) ?? (update.you.more === true ? "cards" : null);
  const cards = chosenCards(desk);
  if (kind === null || cards.length === 0 || owesSeveral(desk)) return false;
  if (kind === "gifts" && owedGifts(update)[0]?.count !== cards.length) return false;
  void desk.playAction({ do: actionName(update, kind), cards: cards.join(" ") });
  return true;
}

/**
 * Play just these cards, or give them, whatever was chosen.
 * @param {Desk} desk
 * @param {string[]} ids of slots
 */
export function playSlots(desk, ids) {
  const { model, update } = desk;
  if (owesSeveral(desk) || (cardPurpose(update) === null && update.you.more !== true)) return;
  desk.set({ chosen: ids });
  playChosen({ ...desk, model: { ...model, chosen: ids } });
}

/** Do what may be done instead of playing, where it is one thing. @param {Desk} desk @returns {boolean} whether it is */
export function takeOnlyAlternative(desk) {
  const [beside, ...more] = legalActions(desk.update, "beside");
  if (beside === undefined || more.length > 0) return false;
  void desk.playAction(beside);
  return true;
}
