// @ts-check
// Pure: what a finger or a mouse means that is put on a card and moves.

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ left: number, top: number, width: number, height: number }} Box */

/** Pixels within which a press is still a press. */
export const DRAG_THRESHOLD = 9;

/**
 * What a movement means: along the hand it chooses a run of cards. Up, or from a card that is chosen or was held down for
 * a moment, it carries the card away.
 * @param {Point} from
 * @param {Point} to
 * @param {boolean} lifted whether the card would be carried whichever way
 * @returns {"run" | "carry" | null} null: nothing yet
 */
export function dragIntent(from, to, lifted) {
  const [x, y] = [to.x - from.x, to.y - from.y];
  if (Math.hypot(x, y) < DRAG_THRESHOLD) return null;
  return lifted || -y > Math.abs(x) ? "carry" : "run";
}

/**
 * The cards from one to another, as they stand.
 * @param {string[]} hand ids
 * @param {string} from
 * @param {string} to
 */
export function slotRange(hand, from, to) {
  const [a, b] = [hand.indexOf(from), hand.indexOf(to)].sort((one, other) => one - other);
  return a === undefined || b === undefined || a < 0 ? [] : hand.slice(a, b + 1);
}

/**
 * How many cards stand before a point: it lies left of the middle of the next one in its row, or that is in a row below.
 * @param {Box[]} cards of those that stay, as they stand
 * @param {Point} point
 */
export function insertionIndex(cards, { x, y }) {
  const row = nearestRow(cards, y);
  const next = cards.findIndex(
    ({ left, top, width }) => top > row + DRAG_THRESHOLD || (top > row - DRAG_THRESHOLD && x < left + width / 2),
  );
  return next < 0 ? cards.length : next;
}

/** The top of the row that a height belongs to: rows may lie on each other, and what is seen of each is its upper part. @param {Box[]} cards @param {number} y */
function nearestRow(cards, y) {
  const above = cards.filter(({ top }) => top <= y).map(({ top }) => top);
  return above.length > 0 ? Math.max(...above) : Math.min(...cards.map(({ top }) => top));
}
