// @ts-check
// Pure: interprets pointer movements on cards.

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ left: number, top: number, width: number, height: number }} Box */

/** Distance in pixels from which a movement is a drag. */
const DRAG_THRESHOLD = 9;

/**
 * Return the effect of a movement. Up, or from a picked-up card, it carries the card. Any other movement chooses the cards
 * that it passes over.
 * @param {Point} from
 * @param {Point} to
 * @param {boolean} lifted whether the card was chosen before, or held down
 * @returns {"run" | "carry" | null} null: too short to be a drag
 */
export function dragIntent(from, to, lifted) {
  const [x, y] = [to.x - from.x, to.y - from.y];
  if (Math.hypot(x, y) < DRAG_THRESHOLD) return null;
  return lifted || -y > Math.abs(x) ? "carry" : "run";
}

/** Shortest way of a flick in pixels, and its longest time in milliseconds. */
const FLICK = { way: 30, time: 250 };

/**
 * Return whether a movement is a flick: short, quick and more up than sideways.
 * @param {Point} from @param {Point} to @param {number} time milliseconds
 */
export function isFlick(from, to, time) {
  const up = from.y - to.y;
  return time <= FLICK.time && up >= FLICK.way && up > Math.abs(to.x - from.x);
}

/**
 * Return the ids from one slot to another, both included, in the order shown.
 * @param {string[]} hand ids of all slots
 * @param {string} from
 * @param {string} to
 */
export function slotRange(hand, from, to) {
  const [a, b] = [hand.indexOf(from), hand.indexOf(to)].sort((one, other) => one - other);
  return a === undefined || b === undefined || a < 0 ? [] : hand.slice(a, b + 1);
}

/**
 * Return the index at which cards dropped at a point are inserted. The next card is the first in the point's row whose
 * middle is right of the point, else the first card of a lower row.
 * @param {Box[]} cards boxes of the cards that are not carried, in order
 * @param {Point} point
 */
export function insertionIndex(cards, { x, y }) {
  const row = nearestRow(cards, y);
  const next = cards.findIndex(
    ({ left, top, width }) => top > row + DRAG_THRESHOLD || (top > row - DRAG_THRESHOLD && x < left + width / 2),
  );
  return next < 0 ? cards.length : next;
}

/**
 * Return the top of the row at a height. Rows overlap, and only the upper part of each is visible.
 * @param {Box[]} cards @param {number} y
 */
function nearestRow(cards, y) {
  const above = cards.filter(({ top }) => top <= y).map(({ top }) => top);
  return above.length > 0 ? Math.max(...above) : Math.min(...cards.map(({ top }) => top));
}
