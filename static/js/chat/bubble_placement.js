// @ts-check
// Find free space on a page for a chat bubble. Everything is pure, except `occupiedBoxes`, which reads the page.

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Edges */
/** @typedef {{ x: number, y: number }} Point */

/** Elements that a bubble must not cover: controls, headings, names and the latest events. */
const INTERACTIVE = "button, a[href], input, select, textarea, summary";
const READABLE = "h1, h2, h3, th, [data-zone=name], [data-zone=by], [data-zone=turn], [data-zone=latest]";

/** The search tries points at multiples of `STEP` pixels, in `DIRECTIONS` directions. */
const STEP = 12;
const DIRECTIONS = 16;

/** Free space around a bubble, in pixels. */
const MARGIN = 2;

/** Return the boxes of all headings, names and buttons that can be seen, as they are drawn now. @param {ParentNode} root @returns {Edges[]} */
export function occupiedBoxes(root) {
  const boxes = [...root.querySelectorAll(INTERACTIVE)].map((each) => each.getBoundingClientRect());
  const range = document.createRange();
  for (const each of root.querySelectorAll(READABLE)) {
    // Measure the letters of a line, without the empty space beside them.
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

/** Return the edges of a box centred on a point. @param {Point} at @param {{ width: number, height: number }} size @returns {Edges} */
function boxAround({ x, y }, { width, height }) {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

/** Tell whether a box around a point is within bounds and overlaps no other. @param {Point} at @param {{ width: number, height: number }} size @param {Edges[]} taken @param {Edges} bounds */
export function isPlaceFree(at, size, taken, bounds) {
  const box = boxAround(at, size);
  const within =
    box.left >= bounds.left && box.top >= bounds.top && box.right <= bounds.right && box.bottom <= bounds.bottom;
  return within && !taken.some((each) => overlaps(box, each));
}

/**
 * Find the free place nearest to a point. Among equally near places, prefer the direction of another point.
 * @param {Point} from
 * @param {Point} towards
 * @param {{ width: number, height: number }} size
 * @param {Edges[]} taken
 * @param {Edges} bounds
 * @param {number} farthest pixels
 * @returns {Point | null} the centre of the place, or null if all space is taken
 */
export function findFreePlace(from, towards, size, taken, bounds, farthest) {
  const ahead = Math.atan2(towards.y - from.y, towards.x - from.x);
  for (let far = 0; far <= farthest; far += STEP)
    for (let i = 0; i < (far === 0 ? 1 : DIRECTIONS); i += 1) {
      // Straight ahead first, then alternately farther to each side.
      const angle = ahead + (i % 2 === 0 ? 1 : -1) * Math.ceil(i / 2) * ((2 * Math.PI) / DIRECTIONS);
      const at = { x: from.x + far * Math.cos(angle), y: from.y + far * Math.sin(angle) };
      if (isPlaceFree(at, size, taken, bounds)) return at;
    }
  return null;
}
