// @ts-check
// Choosing and playing the player's own cards, by touch, mouse or keyboard.

import { withoutPrototype } from "../lib/null_prototype.js";
import { getPreference } from "../lib/preferences.js";
import { autoPassOptions, legalPasses, trickKey } from "../model/auto_pass.js";
import { rankOf } from "../model/card_names.js";
import {
  cardOfSlot,
  combinations,
  actionsWithCards,
  addedSlots,
  toggleCard,
  findSlotIds,
} from "../model/card_selection.js";
import { cardActions, handSlots, actionName, owedGifts, cardPurpose, playInterpretations } from "../model/state.js";

/** @import { Desk, Model } from "../types.d.ts" */

/** Return the chosen cards, in the order shown. @param {Desk} desk @returns {string[]} */
export function chosenCards({ model }) {
  return handSlots(model)
    .filter((slot) => model.chosen.includes(slot.id))
    .map((slot) => slot.card);
}

/** Return the first gift that still lacks cards, or null. @param {Desk} desk */
function nextOpenGift({ model, update }) {
  const gifts = owedGifts(update);
  return gifts.find((gift) => (model.basket[gift.to] ?? []).length < gift.count) ?? null;
}

/** Return whether the player has to give cards to several people. @param {Desk} desk */
const owesSeveral = ({ update }) => owedGifts(update).length > 1;

/** Return the most cards that can be chosen, if only a number is known; null if the legal actions are listed. @param {Desk} desk */
function maxChoosable({ update }) {
  const kind = cardPurpose(update);
  const some =
    kind === "free_cards" || kind === "gifts" ? update.you.action_limits?.[actionName(update, kind)] : undefined;
  const offered = some?.most ?? null;
  const gift = owedGifts(update)[0];
  return offered !== null ? offered : kind === "gifts" && update.you.more && gift ? gift.count : null;
}

/** Longest time between the taps of a double tap, in ms. */
const DOUBLE_TAP_MS = 350;
/** @type {{ id: string, at: number, before: string[] } | null} the last tap, and the slots chosen before it; null after any other choice */
let lastTap = null;

/**
 * Choose a card on a tap, or remove it from the choice. The first tap on a card that was added with another card keeps it:
 * the player means to add it. A double tap plays a card: with the chosen cards if that is legal, else alone if that is legal.
 * @param {Desk} desk
 * @param {string} id slot id of the card
 * @param {MouseEvent} event its `detail` is 0 for key presses, which never count as double taps
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
  if (detail > 0 && model.chosen.includes(id) && model.added.includes(id))
    desk.set({ added: model.added.filter((each) => each !== id) });
  else toggleCardChoice(desk, id);
}

/**
 * Return larger combinations with these cards, smallest first.
 * @param {Model} model @param {string[]} cards @returns {string[][]} cards of each
 */
export function largerCombinations(model, cards) {
  if (model.update === null || cardPurpose(model.update) !== "cards" || cards.length === 0) return [];
  return combinations(cardActions(model), cards).filter((each) => each.length > cards.length);
}

/** Choose the cards of a combination. @param {Desk} desk @param {string[]} cards */
export function chooseCombination(desk, cards) {
  lastTap = null;
  chooseSlots(desk, findSlotIds(handSlots(desk.model), cards, desk.model.chosen));
}

/**
 * Choose the next combination that contains the card with the tab stop.
 * @param {Desk} desk @returns {boolean} whether there is a combination
 */
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

/** Choose a card, or remove it from the choice or from a gift. @param {Desk} desk @param {string} id slot id of the card */
function toggleCardChoice(desk, id) {
  const { model, update } = desk;
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
  const chosen = toggleCard(handSlots(model), listed, model.chosen, id, maxChoosable(desk));
  chooseSlots(desk, chosen, addedSlots(model.added, model.chosen, chosen, id));
}

/**
 * Choose only these slots, the last of them if there is a limit.
 * @param {Desk} desk @param {string[]} ids of slots @param {string[]} [added] those that the player has not tapped
 * @returns {string[]} what is chosen now
 */
export function setChosen(desk, ids, added = []) {
  if (owesSeveral(desk)) return [];
  const some = maxChoosable(desk);
  const chosen = some === null ? ids : ids.slice(-some);
  desk.set({ chosen, added });
  return chosen;
}

/**
 * Choose only these slots. If they match no listed play, ask the server for their plays, or for the reason.
 * @param {Desk} desk @param {string[]} ids of slots @param {string[]} [added] those that the player has not tapped
 */
export function chooseSlots(desk, ids, added) {
  const chosen = setChosen(desk, ids, added);
  const cards = chosen.map(cardOfSlot);
  if (cards.length === 0 || cardPurpose(desk.update) !== "cards") return;
  const [first] = combinations(cardActions(desk.model), cards);
  // A listed combination with more cards is suggested instead.
  if (first === undefined || (desk.update.you.more && first.length > cards.length))
    desk.ask({ t: "preview_cards", cards: cards.join(" ") });
}

/** Clear the choice and all gifts. @param {Desk} desk @returns {boolean} whether anything was */
export function clearChoice(desk) {
  const { chosen, basket } = desk.model;
  const some = chosen.length > 0 || Object.values(basket).some((ids) => ids.length > 0);
  if (some) desk.set({ chosen: [], basket: withoutPrototype() });
  return some;
}

/**
 * Choose the next card of a rank. If all its cards are chosen, remove them from the choice.
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
    // With the focus on the card, Enter plays the choice, and screen readers name the card.
    document.querySelector(/** @type {"button"} */ (`.hand [data-slot="${next.id}"]`))?.focus();
  } else if (of.length > 0) {
    const rest = (/** @type {string[]} */ ids) => ids.filter((id) => of.every((slot) => slot.id !== id));
    const basket = Object.entries(model.basket).map(([to, ids]) => [to, rest(ids)]);
    desk.set({ chosen: rest(model.chosen), basket: withoutPrototype(Object.fromEntries(basket)) });
  }
  return of.length > 0;
}

/**
 * Play or give the chosen cards, as the button does. If there are several ways to play them, ask which. Cards that can't be
 * played are sent too: the server refuses them and says why.
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

/** Send chosen cards that match no listed action. @param {Desk} desk @returns {boolean} whether the right number of cards is chosen */
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
 * Play or give exactly these cards, instead of the current choice.
 * @param {Desk} desk
 * @param {string[]} ids of slots
 */
export function playSlots(desk, ids) {
  const { model, update } = desk;
  if (owesSeveral(desk) || (cardPurpose(update) === null && update.you.more !== true)) return;
  desk.set({ chosen: ids });
  playChosen({ ...desk, model: { ...model, chosen: ids } });
}

/** Return whether a pass of this person holds until the trick ends (a setting of the menu). */
export const isPassForTrick = () => getPreference("pass_for", "turn") === "trick";

/**
 * Pass on the player's turn.
 * @param {Desk} desk
 * @param {boolean} [forTrick] whether to pass until the trick ends, if the player may come back in it
 * @returns {boolean} whether there is a pass
 */
export function passTurn(desk, forTrick = isPassForTrick()) {
  const { update } = desk;
  const [pass] = legalPasses(update);
  if (pass === undefined) return false;
  const trick = forTrick && autoPassOptions(update).includes("trick") ? trickKey(update) : null;
  // After the answer, because auto-pass must not send this pass again.
  void desk.playAction(pass).then((done) => done && trick !== null && desk.set({ passing: { until: "trick", trick } }));
  return true;
}
