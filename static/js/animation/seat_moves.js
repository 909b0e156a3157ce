// @ts-check
// When players change seats, each seat glides from its old position to its new one.

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

/**
 * Animate the seats if their order has changed since the last drawing. Respects reduced motion.
 * @param {HTMLElement} root the drawn table
 * @param {string[]} seats names of all players, clockwise
 */
export function animateSeatChanges(root, seats) {
  if (root.querySelector("[data-seat]") === null) return;
  const changed = lastDrawn.seats.length > 0 && circularOrder(lastDrawn.seats) !== circularOrder(seats);
  // Measuring forces the browser to lay out the page, so don't measure at every play.
  if (!changed && lastDrawn.seats.length > 0) return;
  const places = measureSeats(root);
  if (changed && !matchMedia("(prefers-reduced-motion: reduce)").matches) animateSeats(root, lastDrawn.places, places);
  lastDrawn = { seats, places };
}
