// @ts-check
// Cards travel: from seat to trick, from the trick to whoever takes it, from hand to hand, from the pack to everybody.
// What has been drawn is how it will be; copies fly over it, and whatever comes next ends their flight.

import { split } from "./selection.js";
import { Play, boxOf, centre, mayMove } from "./stage.js";

/** @typedef {import("./stage.js").Box} Box */
/** @typedef {import("./moments.js").Moment} Moment */
/** @typedef {import("./moments.js").Journey} Journey */
/** @typedef {import("./moments.js").Place} Place */

/**
 * A card or a row of cards, as it lies somewhere: each card so wide; `old` in the trick of before.
 * @typedef {{ card: string, node: HTMLElement, box: Box, wide: number, old: boolean }} Lying
 */
/**
 * Where everything is drawn. `seats`: where the cards of somebody come from and go to; `held`: what lies before them;
 * `rows`: what lies in the trick.
 * @typedef {{ seats: Map<string, Box>, held: Map<string, HTMLElement>, hand: Lying[], rows: Lying[], mine: Box | null, me: Box | null, middle: Box | null, deck: Box | null }} Layout
 */

/** How long each takes, in milliseconds. */
const PLAYED = 280;
const SEEN = 200;
const TAKEN = 360;
const GIVEN = 460;
const DEALT = 340;
const NEXT_CARD = 55;

/** So many cards are enough to see that some go. */
const MOST_BACKS = 4;
/** So many are in the air at a deal, at most. */
const MOST_DEALT = 28;

/** Updates that come faster are not followed by eye. */
const SOONEST = 120;

const EASING = "cubic-bezier(0.25, 0.7, 0.3, 1)";

/** Where things are drawn. @param {ParentNode} root @returns {Layout} */
function layoutOf(root) {
  /** @param {string} selector */
  const one = (selector) => {
    const found = root.querySelector(selector);
    return found === null ? null : boxOf(found);
  };
  /** @type {Map<string, Box>} */
  const seats = new Map();
  /** @type {Map<string, HTMLElement>} */
  const held = new Map();
  for (const seat of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-seat]"))) {
    const name = seat.dataset.seat ?? "";
    const card = /** @type {HTMLElement | null} */ (seat.querySelector(":scope > .card"));
    const box = boxOf(card ?? seat.querySelector(".perch") ?? seat);
    // Behind a result there may be seats that are not seen.
    if (box.width === 0) continue;
    if (card !== null) held.set(name, card);
    seats.set(name, box);
  }
  const middle = one(".middle");
  return {
    seats,
    held,
    hand: lying(root, ".hand .card", (node) => node.dataset.card ?? ""),
    rows: lying(root, ".trick .cards-row", (node) =>
      [...node.querySelectorAll(".card")].map((card) => cardOf(/** @type {HTMLElement} */ (card))).join(" "),
    ),
    mine: one(".hand") ?? one(".me"),
    me: one(".me .avatar"),
    middle: middle && centre(middle),
    deck: one(".pack") ?? (middle && centre(middle)),
  };
}

/** @param {HTMLElement} card */
function cardOf(card) {
  return `${card.dataset.rank}${card.dataset.suit}`;
}

/** @param {ParentNode} root @param {string} selector @param {(node: HTMLElement) => string} named @returns {Lying[]} */
function lying(root, selector, named) {
  return /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)])
    .map((node) => {
      const one = node.matches(".card") ? node : node.querySelector(".card");
      const wide = /** @type {HTMLElement | null} */ (one)?.offsetWidth ?? 0;
      return { card: named(node), node, box: boxOf(node), wide, old: node.closest(".old") !== null };
    })
    .filter(({ box }) => box.width > 0);
}

/** Those of these that are not among the others, counting. @param {Lying[]} these @param {Lying[]} others */
function without(these, others) {
  const rest = others.map(({ card }) => card);
  return these.filter(({ card }) => {
    const at = rest.indexOf(card);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

/** Those with these cards, each once. @param {Lying[]} these @param {string[]} cards */
function withCards(these, cards) {
  const rest = [...cards];
  return these.filter(({ card }) => {
    const at = rest.indexOf(card);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

/** The same for the eye, as wide as it is there. @param {Lying} original */
function copyOf({ node, wide }) {
  const copy = /** @type {HTMLElement} */ (node.cloneNode(true));
  copy.removeAttribute("id");
  for (const attribute of ["role", "aria-label", "tabindex", "data-card"]) copy.removeAttribute(attribute);
  for (const card of copy.matches(".card") ? [copy] : copy.children)
    /** @type {HTMLElement} */ (card).style.setProperty("--w", `${wide}px`);
  copy.classList.remove("chosen", "good", "dim");
  copy.classList.add("flies");
  return copy;
}

/** How wide the back of a card is that flies. */
const BACK = 34;
const TALL = 1.42;

function newBack() {
  const back = document.createElement("span");
  back.className = "card back flies";
  back.style.setProperty("--w", `${BACK}px`);
  return back;
}

/** Where something so large lies with its middle on that of a box, so much smaller. @param {Box} size @param {Box} on @param {number} scale */
function placed(size, on, scale) {
  const { x, y } = centre(on);
  return `translate(${x - (size.width * scale) / 2}px, ${y - (size.height * scale) / 2}px) scale(${scale})`;
}

/** Cards on their way over a table. */
export class Travel {
  #play = new Play();
  /** @type {Layout | null} As it was drawn before. */
  #before = null;
  #last = -Infinity;

  /** All that is on its way is there. */
  land() {
    this.#last = -Infinity;
    this.#play.end();
  }

  /**
   * Remember where things are, before they are drawn anew.
   * @param {ParentNode} root
   * @param {Moment[]} moments what is to be seen
   */
  leave(root, moments) {
    const soon = performance.now() - this.#last < SOONEST;
    this.land();
    this.#before = null;
    if (soon || !mayMove() || moments.every(({ journeys }) => journeys.length === 0)) return;
    this.#before = layoutOf(root);
  }

  /**
   * Let cards come to where they are drawn now.
   * @param {ParentNode} root
   * @param {Moment[]} moments
   * @param {string | null} me who holds the hand that is drawn
   */
  arrive(root, moments, me) {
    const before = this.#before;
    this.#before = null;
    if (before === null) return;
    const now = (this.#last = performance.now());
    const begin = () => {
      if (this.#last !== now) return;
      const flight = new Flight(this.#play, before, layoutOf(root), me);
      let at = 0;
      for (const together of batches(moments)) {
        at += Math.max(...together.map((journey, i) => flight.begin(journey, at, i)));
      }
    };
    if (before.seats.size > 0) begin();
    else this.#whenSettled(root, begin);
  }

  /** A table that is drawn for the first time finds its size a moment later. @param {ParentNode} root @param {() => void} then */
  #whenSettled(root, then) {
    const hand = /** @type {HTMLElement | null} */ (root.querySelector(".hand"));
    if (hand) this.#play.move(hand, [{ opacity: 0 }, { opacity: 0 }], { duration: 60 });
    requestAnimationFrame(() => requestAnimationFrame(then));
  }
}

/** Journeys that begin together: those of the same kind of event, one after another. @param {Moment[]} moments */
function batches(moments) {
  /** @type {{ e: string, journeys: Journey[] }[]} */
  const all = [];
  for (const { event, journeys } of moments) {
    if (journeys.length === 0) continue;
    const last = all.at(-1);
    const swap = last?.e === event.e && journeys.every(({ to }) => to.name !== null);
    if (last !== undefined && swap) last.journeys.push(...journeys);
    else all.push({ e: event.e, journeys: [...journeys] });
  }
  return all.map(({ journeys }) => journeys);
}

/** The cards of one update on their way. */
class Flight {
  /** @type {Lying[]} What has come to the trick by now, to be taken from there. */
  #landed = [];

  /**
   * @param {Play} play
   * @param {Layout} before
   * @param {Layout} now
   * @param {string | null} me
   */
  constructor(play, before, now, me) {
    this.play = play;
    this.before = before;
    this.now = now;
    this.me = me;
  }

  /**
   * Begin a journey.
   * @param {Journey} journey
   * @param {number} at when, in milliseconds
   * @param {number} nth of those that begin together
   * @returns {number} how long it is before anything else goes on
   */
  begin(journey, at, nth) {
    const { from, to } = journey;
    if (to.where === "all") return this.#deal(at);
    if (from.where === "table") return this.#take(to, at);
    if (to.where === "table") return this.#put(journey, at);
    return this.#hand(journey, at + (nth * NEXT_CARD) / 2);
  }

  /** Where somebody's cards are, or the pack. @param {Layout} layout @param {Place} place */
  #at(layout, { where, name }) {
    if (where === "deck") return layout.deck;
    return (name === null ? null : layout.seats.get(name)) ?? (name === this.me || this.me === null ? layout.mine : null) ?? layout.middle;
  }

  /** To the trick. @param {Journey} journey @param {number} at */
  #put({ from, cards }, at) {
    const row = this.now.rows.find(({ card }) => card === cards.join(" ")) ?? this.#sameCards(cards);
    const seat = this.#at(this.before, from) ?? this.#at(this.now, from);
    if (row === undefined) {
      this.#aside(from, cards, at);
      return PLAYED;
    }
    const mine = from.name === this.me ? withCards(this.before.hand, cards) : [];
    const targets = mine.length > 0 ? lying(row.node, ".card", cardOf) : [];
    if (targets.length > 0 && targets.length === mine.length) {
      targets.forEach((target, i) => {
        const held = mine.find(({ card }) => card === target.card) ?? mine[i];
        const copy = copyOf(target);
        // In a row only the last shows its picture whole.
        copy.classList.toggle("covered", i < targets.length - 1);
        if (held) this.#fly(copy, target.box, held.box, held.box.width / target.box.width, target.box, 1, at, PLAYED);
      });
    } else if (seat !== null) {
      const small = Math.min(1, Math.max(0.3, seat.width / row.box.width));
      this.#fly(copyOf(row), row.box, seat, small, row.box, 1, at, PLAYED, [0.4, 1]);
    }
    this.#veil(row.node, at + PLAYED);
    this.#landed.push(row);
    return PLAYED + SEEN;
  }

  /** @param {string[]} cards */
  #sameCards(cards) {
    const wanted = [...cards].sort().join(" ");
    return this.now.rows.find(({ card }) => split(card).sort().join(" ") === wanted);
  }

  /** What goes to the middle and is seen there no more. @param {Place} from @param {string[]} cards @param {number} at */
  #aside(from, cards, at) {
    const { middle } = this.now;
    if (middle === null) return;
    const mine = from.name === this.me ? withCards(this.before.hand, cards) : [];
    for (const held of mine) this.#fly(copyOf(held), held.box, held.box, 1, middle, 0.8, at, TAKEN, [1, 0]);
    const seat = this.#at(this.before, from);
    if (mine.length === 0 && seat !== null) this.#backs(cards.length, seat, middle, at, TAKEN, [1, 1, 0]);
  }

  /** From the trick. @param {Place} to @param {number} at */
  #take(to, at) {
    const seat = to.name === this.me ? this.now.me : this.#at(this.now, to);
    if (seat === null) return 0;
    for (const row of [...this.before.rows.filter(({ old }) => !old), ...this.#landed]) {
      const small = Math.min(0.6, BACK / row.box.width);
      this.#fly(copyOf(row), row.box, row.box, 1, seat, small, at, TAKEN, [1, 0.9, 0]);
    }
    return TAKEN;
  }

  /** From one to another, or from the pack. @param {Journey} journey @param {number} at */
  #hand({ from, to, cards, count }, at) {
    const source = this.#at(this.before, from) ?? this.#at(this.now, from);
    const target = this.#at(this.now, to);
    if (source === null || target === null) return 0;
    const gone = from.name !== null && from.name === this.me ? without(this.before.hand, this.now.hand) : [];
    const come = to.name !== null && to.name === this.me ? without(this.now.hand, this.before.hand) : [];
    const given = cards.length > 0 ? withCards(gone, cards) : gone.slice(0, count);
    const taken = cards.length > 0 ? withCards(this.before.hand.length > 0 ? come : this.now.hand, cards) : come.slice(0, count);
    for (const held of given) this.#fly(copyOf(held), held.box, held.box, 1, target, BACK / held.box.width, at, GIVEN, [1, 1, 0.6]);
    for (const held of taken) {
      this.#fly(copyOf(held), held.box, source, BACK / held.box.width, held.box, 1, at, GIVEN, [0.6, 1, 1]);
      this.#veil(held.node, at + GIVEN);
    }
    const lies = to.name === null ? undefined : this.now.held.get(to.name);
    // What lies before somebody is seen all the way, until it lies there.
    if (given.length === 0 && taken.length === 0) this.#backs(count, source, target, at, GIVEN, lies ? [1, 1] : [1, 1, 0]);
    if (lies) this.#veil(lies, at + GIVEN);
    return GIVEN;
  }

  /** Backs of cards, one a little after another. @param {number} count @param {Box} from @param {Box} to @param {number} at @param {number} lasts @param {number[]} opacity on the way */
  #backs(count, from, to, at, lasts, opacity) {
    const size = { x: 0, y: 0, width: BACK, height: BACK * TALL };
    for (let i = 0; i < Math.min(count, MOST_BACKS); i += 1)
      this.#fly(newBack(), size, from, 0.7, to, 0.9, at + i * NEXT_CARD, lasts, opacity);
  }

  /** From the pack to everybody, round and round. @param {number} at */
  #deal(at) {
    const { deck, seats, hand, mine } = this.now;
    if (deck === null) return 0;
    const places = [...seats.values(), ...(hand.length > 0 && mine !== null ? [mine] : [])];
    const rounds = Math.max(1, Math.min(3, Math.floor(MOST_DEALT / places.length)));
    const step = Math.min(NEXT_CARD, 420 / (rounds * places.length));
    const size = { x: 0, y: 0, width: BACK, height: BACK * TALL };
    let nth = 0;
    for (let round = 0; round < rounds; round += 1)
      for (const place of places)
        this.#fly(newBack(), size, deck, 1, place, 0.8, at + step * nth++, DEALT, [1, 1, 0]);
    const whole = step * nth + DEALT;
    // One's own cards are there to be touched, and come into sight from left to right.
    hand.forEach(({ node }, i) => {
      const delay = at + DEALT + ((whole - DEALT) * i) / hand.length;
      this.play.move(node, [{ opacity: 0 }, { opacity: 1 }], { delay, duration: 160 });
    });
    return whole + 120;
  }

  /**
   * @param {HTMLElement} copy
   * @param {Box} size its own
   * @param {Box} from @param {number} small
   * @param {Box} to @param {number} large
   * @param {number} delay @param {number} duration
   * @param {number[]} [opacity] on the way
   */
  #fly(copy, size, from, small, to, large, delay, duration, opacity = [1, 1]) {
    const last = opacity.length - 1;
    const frames = opacity.map((seen, i) => {
      if (i > 0 && i < last) return { opacity: seen, offset: 0.7 };
      return { opacity: seen, transform: i === 0 ? placed(size, from, small) : placed(size, to, large) };
    });
    this.play.move(copy, frames, { delay, duration, easing: EASING }, true);
  }

  /** Not seen until its copy is there. @param {HTMLElement} node @param {number} until */
  #veil(node, until) {
    this.play.move(node, [{ opacity: 0 }, { opacity: 0 }], { duration: until });
  }
}
