// @ts-check
// Where something fits over a page without lying on anything that people read or press. Pure, but for `readAndPressed`.

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Edges */
/** @typedef {{ x: number, y: number }} Point */

/** What people press, and what they read to know who is who and what goes on. */
const INTERACTIVE = "button, a[href], input, select, textarea, summary";
const READABLE = "h1, h2, h3, th, [data-zone=name], [data-zone=by], [data-zone=turn], [data-zone=latest]";

/** Distances that are tried, and how many directions, pixels. */
const STEP = 12;
const DIRECTIONS = 16;

/** Pixels that stay free around it. */
const MARGIN = 2;

/** Return the boxes of all headings, names and buttons that can be seen, as they are drawn now. @param {ParentNode} root @returns {Edges[]} */
export function occupiedBoxes(root) {
  const boxes = [...root.querySelectorAll(INTERACTIVE)].map((each) => each.getBoundingClientRect());
  const range = document.createRange();
  for (const each of root.querySelectorAll(READABLE)) {
    // Of a line the letters count, not the room beside them.
    const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      range.selectNodeContents(texts.currentNode);
      boxes.push(...range.getClientRects());
    }
  }
  return boxes.filter(({ width, height }) => width > 0 && height > 0);
}

/** @param {Edges} one @param {Edges} other */
function overlaps(one, other) {
  return (
    one.left < other.right + MARGIN &&
    other.left < one.right + MARGIN &&
    one.top < other.bottom + MARGIN &&
    other.top < one.bottom + MARGIN
  );
}

/** The edges of a box with its middle there. @param {Point} at @param {{ width: number, height: number }} size @returns {Edges} */
function boxAround({ x, y }, { width, height }) {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

/** Tell whether a box with its middle there is within bounds, and on nothing. @param {Point} at @param {{ width: number, height: number }} size @param {Edges[]} taken @param {Edges} bounds */
export function isPlaceFree(at, size, taken, bounds) {
  const box = boxAround(at, size);
  const within =
    box.left >= bounds.left && box.top >= bounds.top && box.right <= bounds.right && box.bottom <= bounds.bottom;
  return within && !taken.some((each) => overlaps(box, each));
}

/**
 * Find the free place that is nearest to a point; of several as near, the one that lies most towards another point.
 * @param {Point} from
 * @param {Point} towards
 * @param {{ width: number, height: number }} size
 * @param {Edges[]} taken
 * @param {Edges} bounds
 * @param {number} farthest pixels
 * @returns {Point | null} the middle of it; null: there is none
 */
export function findFreePlace(from, towards, size, taken, bounds, farthest) {
  const ahead = Math.atan2(towards.y - from.y, towards.x - from.x);
  for (let far = 0; far <= farthest; far += STEP)
    for (let i = 0; i < (far === 0 ? 1 : DIRECTIONS); i += 1) {
      // Straight ahead first, then by turns more to either side.
      const angle = ahead + (i % 2 === 0 ? 1 : -1) * Math.ceil(i / 2) * ((2 * Math.PI) / DIRECTIONS);
      const at = { x: from.x + far * Math.cos(angle), y: from.y + far * Math.sin(angle) };
      if (isPlaceFree(at, size, taken, bounds)) return at;
    }
  return null;
}
