// @ts-check
// When players change seats, each seat glides from its old position to its new one. When a match begins, each bird hops
// from the ring of the waiting room to its seat.

import { isMotionAllowed } from "./overlay.js";

const LASTS = 700;
const SHORTEST_WAY = 8;

/** The seats and their positions when last drawn. Kept because the result covers the seats between two hands. */
let lastDrawn = { seats: /** @type {string[]} */ ([]), places: /** @type {Map<string, DOMRect>} */ (new Map()) };

/** Measure where each seat is drawn, by name. @param {HTMLElement} root @returns {Map<string, DOMRect>} */
function measureSeats(root) {
  /** @type {Map<string, DOMRect>} */
  const found = new Map();
  for (const seat of root.querySelectorAll("[data-seat]"))
    found.set(/** @type {HTMLElement} */ (seat).dataset.seat ?? "", seat.getBoundingClientRect());
  return found;
}

/** Return the seats in order, starting at the alphabetically first name, so that rotations are equal. @param {string[]} seats */
function circularOrder(seats) {
  const first = seats.indexOf([...seats].sort()[0] ?? "");
  return [...seats.slice(first), ...seats.slice(0, first)].join("\n");
}

/** @param {HTMLElement} root @param {Map<string, DOMRect>} from @param {Map<string, DOMRect>} to */
function animateSeats(root, from, to) {
  for (const [name, there] of to) {
    const was = from.get(name);
    const seat = root.querySelector(`[data-seat="${CSS.escape(name)}"]`);
    if (was === undefined || seat === null) continue;
    const [x, y] = [was.x - there.x, was.y - there.y];
    if (Math.hypot(x, y) < SHORTEST_WAY) continue;
    seat.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], {
      duration: LASTS,
      easing: "cubic-bezier(0.3, 0, 0.2, 1)",
      composite: "add",
    });
  }
}

/** The height of a hop, in pixels. */
const HOP = 36;

/** The birds of the waiting room's ring when last drawn, by name. @type {Map<string, DOMRect>} */
let ring = new Map();

/** @param {HTMLElement} root */
function hopFromRing(root) {
  const from = ring;
  ring = new Map();
  for (const [name, was] of from) {
    // Only the bird moves: cards are dealt to its seat meanwhile.
    const bird = root.querySelector(`[data-seat="${CSS.escape(name)}"] .avatar`);
    const there = bird?.getBoundingClientRect();
    if (!bird || !there || there.width === 0) continue;
    const [x, y] = [was.x - there.x, was.y - there.y];
    bird.animate(
      [
        { transform: `translate(${x}px, ${y}px)`, easing: "ease-out" },
        { transform: `translate(${x / 2}px, ${y / 2 - HOP}px)`, easing: "ease-in" },
        { transform: "none" },
      ],
      { duration: LASTS },
    );
  }
}

/**
 * Animate the seats if their order has changed since the last drawing. Respects reduced motion.
 * @param {HTMLElement} root the drawn table
 * @param {string[]} seats names of all players, clockwise
 */
export function animateSeatChanges(root, seats) {
  const birds = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-sits]"));
  if (birds.length > 0)
    ring = new Map(
      [...birds].map((each) => [
        each.dataset.sits ?? "",
        (each.querySelector(".avatar") ?? each).getBoundingClientRect(),
      ]),
    );
  if (root.querySelector("[data-seat]") === null) return;
  if (ring.size > 0 && isMotionAllowed()) hopFromRing(root);
  const changed = lastDrawn.seats.length > 0 && circularOrder(lastDrawn.seats) !== circularOrder(seats);
  // Measuring forces the browser to lay out the page, so don't measure at every play.
  if (!changed && lastDrawn.seats.length > 0) return;
  const places = measureSeats(root);
  if (changed && isMotionAllowed()) animateSeats(root, lastDrawn.places, places);
  lastDrawn = { seats, places };
}
