// @ts-check
// Pure: finds the legal actions that match the chosen cards, and how a choice changes when a card is added.
// It contains no rules of games: it only compares cards with the actions that the server lists.

/** @import { Action } from "../types.d.ts" */
/** @typedef {{ id: string, card: string }} Slot */

/** @param {string | undefined} text @returns {string[]} */
export function splitCards(text) {
  return text === undefined || text === "" ? [] : text.trim().split(/\s+/);
}

/**
 * Give each of a player's cards a slot with a unique id. With two decks, the second 7♣ gets the id "7c.2".
 * @param {string[]} cards
 * @returns {Slot[]}
 */
export function buildSlots(cards) {
  /** @type {Record<string, number>} */
  const seen = {};
  return cards.map((card) => {
    const n = (seen[card] ?? 0) + 1;
    seen[card] = n;
    return { id: n === 1 ? card : `${card}.${n}`, card };
  });
}

/** Return the card of a slot id. @param {string} id */
export function cardOfSlot(id) {
  return id.slice(0, 2);
}

/** Return a key for a list of cards that does not depend on their order. @param {string[]} cards */
function cardsKey(cards) {
  return [...cards].sort().join(" ");
}

/** @param {string[]} part @param {string[]} whole Return whether `whole` has all cards of `part`; equal cards count separately. */
function isSubset(part, whole) {
  return part.every(cardTaker(whole));
}

/** Count the cards that two lists share. @param {string[]} one @param {string[]} other */
function countShared(one, other) {
  return one.filter(cardTaker(other)).length;
}

/**
 * Return a function that removes a card from a copy of the list and tells if it was there.
 * @param {string[]} cards @returns {(card: string) => boolean}
 */
function cardTaker(cards) {
  const left = [...cards];
  return (card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
}

/**
 * Return the actions that use exactly these cards.
 * @param {Action[]} actions
 * @param {string[]} cards
 */
export function actionsWithCards(actions, cards) {
  const key = cardsKey(cards);
  return actions.filter((action) => action.cards !== undefined && cardsKey(splitCards(action.cards)) === key);
}

/**
 * Return the cards of all actions that contain every chosen card: these can be chosen next.
 * @param {Action[]} actions
 * @param {string[]} chosen
 * @returns {Set<string>}
 */
export function combinableCards(actions, chosen) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const action of actions) {
    const cards = splitCards(action.cards);
    if (isSubset(chosen, cards)) for (const card of cards) found.add(card);
  }
  return found;
}

/**
 * Return the combinations that contain these cards, smallest first. Of combinations that differ only in suits, keep the
 * first.
 * @param {Action[]} actions
 * @param {string[]} cards
 * @returns {string[][]} cards of each combination
 */
export function combinations(actions, cards) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const action of actions) {
    const all = splitCards(action.cards);
    const ranks = cardsKey(all.map((card) => card.slice(0, 1)));
    if (all.length > 0 && isSubset(cards, all) && !found.has(ranks)) found.set(ranks, all);
  }
  return [...found.values()].sort((one, other) => one.length - other.length);
}

/**
 * Split cards into the largest combinations, so that each card is in at most one of them.
 * @param {string[][]} all combinations, the lowest first
 * @param {string[]} cards
 * @returns {string[][]} largest first
 */
export function partitionIntoGroups(all, cards) {
  let rest = cards;
  const found = [];
  for (const each of [...all].reverse().sort((one, other) => other.length - one.length)) {
    if (each.length < 2 || !isSubset(each, rest)) continue;
    found.push(each);
    rest = removeCards(rest, each);
  }
  return found;
}

/** @param {string[]} cards @param {string[]} taken cards to remove; each entry removes a single card */
export function removeCards(cards, taken) {
  const isTaken = cardTaker(taken);
  return cards.filter((card) => !isTaken(card));
}

/**
 * Sort cards so that groups stand together, smaller groups first. Cards outside all groups are grouped by rank.
 * @param {string[]} cards by rank
 * @param {string[][]} groups of cards; a group with missing cards is ignored
 */
export function sortByGroups(cards, groups) {
  let rest = cards;
  const found = groups.filter((group) => {
    if (!isSubset(group, rest)) return false;
    rest = removeCards(rest, group);
    return true;
  });
  const ranks = [...new Set(rest.map((card) => card[0]))].map((rank) => rest.filter((card) => card[0] === rank));
  const place = (/** @type {string[]} */ [first = ""]) => cards.indexOf(first);
  return [...found.map((group) => cards.filter(cardTaker(group))), ...ranks]
    .sort((one, other) => one.length - other.length || place(one) - place(other))
    .flat();
}

/** Return the cards that all lists share; equal cards count separately. @param {string[][]} lists @returns {string[]} */
function commonCards(lists) {
  const [first, ...rest] = lists;
  return rest.reduce((left, cards) => left.filter(cardTaker(cards)), first ?? []);
}

/**
 * Add a card to the choice. Cards that every matching action contains are added with it. If no action contains the whole
 * choice, switch to an action that has the new card and most of the old choice.
 * @param {Action[]} actions legal actions with cards; empty when it isn't the player's turn
 * @param {string[]} chosen
 * @param {string} card
 * @returns {string[]} cards, the new choice
 */
export function addToSelection(actions, chosen, card) {
  const next = [...chosen, card];
  const all = actions.map((action) => splitCards(action.cards)).filter((cards) => cards.length > 0);
  const fits = all.filter((cards) => isSubset(next, cards));
  if (fits.length > 0) return completeSelection(fits, next);
  const having = all.filter((cards) => cards.includes(card));
  if (having.length === 0) return actions.length > 0 ? [card] : next;
  const most = Math.max(...having.map((cards) => countShared(next, cards)));
  const nearest = having.filter((cards) => countShared(next, cards) === most);
  const kept = most > 1 ? (nearest[0] ?? []) : [card];
  const start = most > 1 ? chosen.filter((each) => kept.includes(each)).concat(card) : [card];
  const left = nearest.filter((cards) => isSubset(start, cards));
  return left.length > 0 ? completeSelection(left, start) : start;
}

/** @param {string[][]} fits @param {string[]} chosen */
function completeSelection(fits, chosen) {
  const key = cardsKey(chosen);
  if (fits.some((cards) => cardsKey(cards) === key)) return chosen;
  const sure = commonCards(fits);
  return isSubset(chosen, sure) ? sure : chosen;
}

/**
 * Find slots for cards: prefer slots that are already chosen, else take the first free slots.
 * @param {Slot[]} hand
 * @param {string[]} cards
 * @param {string[]} before ids
 * @returns {string[]} ids
 */
export function findSlotIds(hand, cards, before) {
  /** @type {string[]} */
  const taken = [];
  for (const card of cards) {
    const mine = hand.filter((slot) => slot.card === card && !taken.includes(slot.id));
    const slot = mine.find((each) => before.includes(each.id)) ?? mine[0];
    if (slot !== undefined) taken.push(slot.id);
  }
  return taken;
}

/**
 * Choose a card, or remove it from the choice, as a tap does.
 * @param {Slot[]} hand
 * @param {Action[]} actions
 * @param {string[]} chosen ids
 * @param {string} id
 * @param {number | null} [maximum] limit of the choice, if the server doesn't list all possible actions
 * @returns {string[]} ids
 */
export function toggleCard(hand, actions, chosen, id, maximum = null) {
  if (chosen.includes(id)) return chosen.filter((each) => each !== id);
  if (maximum !== null) return [...chosen, id].slice(-maximum);
  // Of two equal cards, prefer the tapped slot.
  return findSlotIds(hand, addToSelection(actions, chosen.map(cardOfSlot), cardOfSlot(id)), [...chosen, id]);
}

/**
 * Return the slots that were chosen along with a tapped card and that the player has not tapped. If the tap removed a
 * card, all others count as tapped.
 * @param {string[]} added such slots before the tap
 * @param {string[]} before ids chosen before the tap
 * @param {string[]} chosen ids chosen after it
 * @param {string} id tapped slot
 * @returns {string[]} ids
 */
export function addedSlots(added, before, chosen, id) {
  return chosen.includes(id)
    ? chosen.filter((each) => each !== id && (added.includes(each) || !before.includes(each)))
    : [];
}

/**
 * Sort slots in the player's own order. Slots that are not in it follow in their previous order.
 * @param {Slot[]} hand
 * @param {string[]} own ids in the player's order
 */
export function applyCustomOrder(hand, own) {
  const placed = own.flatMap((id) => hand.filter((slot) => slot.id === id));
  return [...placed, ...hand.filter((slot) => !own.includes(slot.id))];
}

/**
 * Move cards to another position, next to each other.
 * @param {string[]} hand ids in the current order
 * @param {string[]} ids to be moved
 * @param {number} to number of other cards that stand before the moved cards
 * @returns {string[]} all ids in the new order
 */
export function moveSlots(hand, ids, to) {
  const others = hand.filter((id) => !ids.includes(id));
  const at = Math.max(0, Math.min(others.length, to));
  return [...others.slice(0, at), ...hand.filter((id) => ids.includes(id)), ...others.slice(at)];
}

/**
 * Return the slot that gets the tab stop after the player's cards changed: the same slot, or the nearest that is left. Slots
 * behind it are tried first.
 * @param {Slot[]} before slots before the change
 * @param {Slot[]} hand slots after the change
 * @param {string | null} stop id
 * @returns {string | null} null if no slot is left
 */
export function nearestRemainingSlot(before, hand, stop) {
  const at = before.findIndex((slot) => slot.id === stop);
  if (at < 0) return null;
  const ids = new Set(hand.map((slot) => slot.id));
  const nearest = [...before.slice(at), ...before.slice(0, at).reverse()];
  return nearest.find((slot) => ids.has(slot.id))?.id ?? null;
}

/**
 * Return the chosen ids that the player still holds.
 * @param {Slot[]} hand
 * @param {string[]} chosen ids
 */
export function keepHeldSlots(hand, chosen) {
  const ids = new Set(hand.map((slot) => slot.id));
  return chosen.filter((id) => ids.has(id));
}
