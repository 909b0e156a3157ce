// @ts-check
// Pure: which of the legal actions the chosen cards make, and what choosing one more card leads to.
// It knows no rules: it only compares cards with the actions that the server lists.

/** @typedef {import("../types.d.ts").Action} Action */
/** @typedef {{ id: string, card: string }} Slot */

/** @param {string | undefined} text @returns {string[]} */
export function splitCards(text) {
  return text === undefined || text === "" ? [] : text.trim().split(/\s+/);
}

/**
 * One's own cards with an id for each, also where two packs make two of a card.
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

/** The card of a slot. @param {string} id */
export function cardOfSlot(id) {
  return id.slice(0, 2);
}

/** The same cards make the same key, in whatever order. @param {string[]} cards */
function cardsKey(cards) {
  return [...cards].sort().join(" ");
}

/** @param {string[]} part @param {string[]} whole Whether the whole has all cards of the part, counting. */
export function isSubset(part, whole) {
  return part.every(cardTaker(whole));
}

/** How many cards two lists share. @param {string[]} one @param {string[]} other */
function countShared(one, other) {
  return one.filter(cardTaker(other)).length;
}

/** Says of each card whether it is among these still: of equal cards, as many. @param {string[]} cards @returns {(card: string) => boolean} */
function cardTaker(cards) {
  const left = [...cards];
  return (card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
}

/**
 * The actions that these cards make, just these.
 * @param {Action[]} actions
 * @param {string[]} cards
 */
export function actionsWithCards(actions, cards) {
  const key = cardsKey(cards);
  return actions.filter((action) => action.cards !== undefined && cardsKey(splitCards(action.cards)) === key);
}

/**
 * Which cards could come next: those of actions that hold all the chosen ones.
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
 * The combinations that some cards are in, smallest first, and of those that differ by suits alone the first.
 * @param {Action[]} actions
 * @param {string[]} cards
 * @returns {string[][]} cards of each
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
 * What some cards make together: the largest combinations that leave each card in one of them.
 * @param {string[][]} all combinations, the least first
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

/** @param {string[]} cards @param {string[]} taken as many of each as there are */
function removeCards(cards, taken) {
  const isTaken = cardTaker(taken);
  return cards.filter((card) => !isTaken(card));
}

/**
 * Cards side by side that go together: larger groups behind smaller ones; what is in none, by rank.
 * @param {string[]} cards by rank
 * @param {string[][]} groups of cards; one of which some are gone is none
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

/** The cards that all these lists have, counting. @param {string[][]} lists @returns {string[]} */
function commonCards(lists) {
  const [first, ...rest] = lists;
  return rest.reduce((left, cards) => left.filter(cardTaker(cards)), first ?? []);
}

/**
 * Choose a card more. What every fitting action has besides is chosen too; where no action has all of it, the
 * choice moves to an action that has the new card and as much as possible of the old choice.
 * @param {Action[]} actions those that may be made with cards now; empty when it isn't one's turn
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
 * Slots for cards: those chosen already stay the same slots, the rest are the first free ones.
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
 * Tap a card: choose it, or take it back.
 * @param {Slot[]} hand
 * @param {Action[]} actions
 * @param {string[]} chosen ids
 * @param {string} id
 * @param {number | null} [maximum] where just so many may be chosen and all possibilities aren't listed
 * @returns {string[]} ids
 */
export function toggleCard(hand, actions, chosen, id, maximum = null) {
  if (chosen.includes(id)) return chosen.filter((each) => each !== id);
  if (maximum !== null) return [...chosen, id].slice(-maximum);
  // Of two equal cards the one tapped counts as chosen first.
  return findSlotIds(hand, addToSelection(actions, chosen.map(cardOfSlot), cardOfSlot(id)), [...chosen, id]);
}

/**
 * In an order of one's own; what has no place in it comes behind, as it was.
 * @param {Slot[]} hand
 * @param {string[]} own ids
 */
export function applyCustomOrder(hand, own) {
  const placed = own.flatMap((id) => hand.filter((slot) => slot.id === id));
  return [...placed, ...hand.filter((slot) => !own.includes(slot.id))];
}

/**
 * Some cards put to another place, side by side.
 * @param {string[]} hand ids as they stand
 * @param {string[]} ids to be moved
 * @param {number} to how many of the others stand before them then
 * @returns {string[]} all ids as they stand then
 */
export function moveSlots(hand, ids, to) {
  const others = hand.filter((id) => !ids.includes(id));
  const at = Math.max(0, Math.min(others.length, to));
  return [...others.slice(0, at), ...hand.filter((id) => ids.includes(id)), ...others.slice(at)];
}

/**
 * The card that has the tab stop, after the cards in hand changed: the same one, or else the one beside it.
 * @param {Slot[]} before as they stood
 * @param {Slot[]} hand as they stand
 * @param {string | null} stop id
 * @returns {string | null} null where neither is left
 */
export function nearestRemainingSlot(before, hand, stop) {
  const at = before.findIndex((slot) => slot.id === stop);
  if (at < 0) return null;
  const ids = new Set(hand.map((slot) => slot.id));
  const nearest = [...before.slice(at), ...before.slice(0, at).reverse()];
  return nearest.find((slot) => ids.has(slot.id))?.id ?? null;
}

/**
 * The choice after the cards in hand changed.
 * @param {Slot[]} hand
 * @param {string[]} chosen ids
 */
export function keepHeldSlots(hand, chosen) {
  const ids = new Set(hand.map((slot) => slot.id));
  return chosen.filter((id) => ids.has(id));
}
