// @ts-check
// Measure where cards are drawn, and make the copies and transforms that show them in another place.

import { measureBox, centre } from "./overlay.js";

/** @import { Box } from "./overlay.js" */

/**
 * A measured card or row of cards. `box`: as it would lie without its turn; `turn`: in degrees; `wide`: the width of one
 * card in pixels; `old`: it belongs to the previous trick.
 * @typedef {{ card: string, node: HTMLElement, box: Box, turn: number, wide: number, old: boolean }} CardElement
 */
/**
 * Where everything is drawn. `seats`: where each player's cards start and end their flights; `held`: the card drawn at
 * each seat; `rows`: the plays in the trick.
 * @typedef {{ seats: Map<string, Box>, held: Map<string, HTMLElement>, hand: CardElement[], rows: CardElement[], mine: Box | null, me: Box | null, middle: Box | null, deck: Box | null }} Layout
 */

/** Measure where seats and cards are drawn. @param {ParentNode} root @returns {Layout} */
export function measureLayout(root) {
  /** @param {string} selector */
  const one = (selector) => {
    const found = root.querySelector(selector);
    return found === null ? null : measureBox(found);
  };
  /** @type {Map<string, Box>} */
  const seats = new Map();
  /** @type {Map<string, HTMLElement>} */
  const held = new Map();
  for (const seat of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-seat]"))) {
    const name = seat.dataset.seat ?? "";
    const card = /** @type {HTMLElement | null} */ (seat.querySelector(":scope > .card"));
    const box = measureBox(card ?? seat.querySelector(".perch") ?? seat);
    // Behind a result there may be hidden seats.
    if (box.width === 0) continue;
    if (card !== null) held.set(name, card);
    seats.set(name, box);
  }
  const middle = one(".middle");
  return {
    seats,
    held,
    hand: findCardElements(root, ".hand .card", (node) => node.dataset.card ?? ""),
    rows: findCardElements(root, ".trick .cards-row", cardsOfRow),
    mine: one(".hand") ?? one(".me"),
    me: one(".me .avatar"),
    middle: middle && centre(middle),
    deck: one(".pack") ?? (middle && centre(middle)),
  };
}

/** @param {HTMLElement} card */
export function cardOfElement(card) {
  return `${card.dataset.rank}${card.dataset.suit}`;
}

/** @param {HTMLElement} row */
export function cardsOfRow(row) {
  return [...row.querySelectorAll(".card")].map((card) => cardOfElement(/** @type {HTMLElement} */ (card))).join(" ");
}

/** @param {ParentNode} root @param {string} selector @param {(node: HTMLElement) => string} cardsOf @returns {CardElement[]} */
export function findCardElements(root, selector, cardsOf) {
  return /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)])
    .map((node) => {
      const one = node.matches(".card") ? node : node.querySelector(".card");
      const wide = /** @type {HTMLElement | null} */ (one)?.offsetWidth ?? 0;
      const turn = parseFloat(node.style.getPropertyValue("--lean")) || 0;
      return { card: cardsOf(node), node, box: measureUpright(node), turn, wide, old: node.closest(".old") !== null };
    })
    .filter(({ box }) => box.width > 0);
}

/** Measure an element as if it were not turned: turning it about its centre enlarges the measured box. @param {HTMLElement} node @returns {Box} */
function measureUpright(node) {
  const { x, y } = centre(measureBox(node));
  const { offsetWidth: width, offsetHeight: height } = node;
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/**
 * Return the entries of `first` whose card is not in `second`. Each entry of `second` cancels only one.
 * @param {CardElement[]} first
 * @param {CardElement[]} second
 */
export function onlyInFirst(first, second) {
  const rest = second.map(({ card }) => card);
  return first.filter(({ card }) => {
    const at = rest.indexOf(card);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

/**
 * Pair the entries with the same card: [before, now]. Each entry is used once.
 * @template {{ card: string }} Each
 * @param {Each[]} before
 * @param {Each[]} now
 * @returns {[Each, Each][]}
 */
export function matchCards(before, now) {
  const rest = [...before];
  return now.flatMap((is) => {
    const at = rest.findIndex(({ card }) => card === is.card);
    const [was] = at < 0 ? [] : rest.splice(at, 1);
    return was === undefined ? [] : [/** @type {[Each, Each]} */ ([was, is])];
  });
}

/** Ignore moves shorter than this, in pixels. */
const MIN_DISTANCE = 1;

/** Return the transform that shows an element at its old box, or null if it has not moved. @param {Box} was @param {Box} is */
export function flipTransform(was, is) {
  const [one, other] = [centre(was), centre(is)];
  const [x, y] = [one.x - other.x, one.y - other.y];
  if (Math.hypot(x, y) < MIN_DISTANCE && Math.abs(was.width - is.width) < MIN_DISTANCE) return null;
  return `translate(${x}px, ${y}px) scale(${was.width / is.width})`;
}

/**
 * Return the entries whose card is in `cards`. Each element of `cards` is used once.
 * @param {CardElement[]} these
 * @param {string[]} cards
 */
export function pickCards(these, cards) {
  const rest = [...cards];
  return these.filter(({ card }) => {
    const at = rest.indexOf(card);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

/** Copy a card or row for the overlay, without roles and data. @param {CardElement} original @param {string} [looks] classes */
export function cloneForFlight({ node, wide }, looks = "") {
  const copy = /** @type {HTMLElement} */ (node.cloneNode(true));
  copy.removeAttribute("id");
  for (const attribute of ["role", "aria-label", "tabindex", "data-card", "data-zone", "data-fits"])
    copy.removeAttribute(attribute);
  const cards = /** @type {Iterable<HTMLElement>} */ (copy.matches(".card") ? [copy] : copy.children);
  for (const card of cards) card.style.setProperty("--w", `${wide}px`);
  copy.classList.remove("chosen", "good", "dim");
  copy.className = `${copy.className} flies ${looks}`.trim();
  copy.dataset.flies = "";
  return copy;
}

/**
 * Return the transform that scales an element, turns it and centres it on a box.
 * @param {{ width: number, height: number }} size @param {Box} on @param {number} scale @param {number} [turn] degrees
 */
export function placementTransform(size, on, scale, turn = 0) {
  const { x, y } = centre(on);
  return `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale}) translate(${-size.width / 2}px, ${-size.height / 2}px)`;
}

/** Scale a box about the centre of another box. @param {Box} box @param {number} factor @param {Box} within */
export function scaleBox(box, factor, within) {
  const { x, y } = centre(within);
  return {
    x: x + (box.x - x) * factor,
    y: y + (box.y - y) * factor,
    width: box.width * factor,
    height: box.height * factor,
  };
}
