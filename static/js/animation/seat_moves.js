// @ts-check
// People who change places are seen to go: each seat glides from where it was to where it is.

const LASTS = 700;
const SHORTEST_WAY = 8;

/** Where people sat when seats were drawn last: between two hands the result lies over them. */
let lastDrawn = { seats: /** @type {string[]} */ ([]), places: /** @type {Map<string, DOMRect>} */ (new Map()) };

/** Where the seats are drawn. @param {HTMLElement} root @returns {Map<string, DOMRect>} */
function measureSeats(root) {
  /** @type {Map<string, DOMRect>} */
  const found = new Map();
  for (const seat of root.querySelectorAll("[data-seat]"))
    found.set(/** @type {HTMLElement} */ (seat).dataset.seat ?? "", seat.getBoundingClientRect());
  return found;
}

/** The order in which people sit, whoever is named first. @param {string[]} seats */
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
 * Let those who sit elsewhere than in the last drawing with seats go there, if that is wanted.
 * @param {HTMLElement} root what was drawn
 * @param {string[]} seats everybody, clockwise
 */
export function animateSeatChanges(root, seats) {
  if (root.querySelector("[data-seat]") === null) return;
  const changed = lastDrawn.seats.length > 0 && circularOrder(lastDrawn.seats) !== circularOrder(seats);
  // Reading where things are makes the browser lay them out: not at every play.
  if (!changed && lastDrawn.seats.length > 0) return;
  const places = measureSeats(root);
  if (changed && !matchMedia("(prefers-reduced-motion: reduce)").matches) animateSeats(root, lastDrawn.places, places);
  lastDrawn = { seats, places };
}
