// @ts-check
// Cards travel: from seat to trick, from the trick to whoever takes it, from hand to hand, from the pack to everybody.
// What has been drawn is how it will be; copies fly over it, and whatever comes next ends their flight.

import { cardRow } from "../ui/card_faces.js";
import { draw } from "../lib/virtual_dom.js";
import {
  cardOfElement,
  cloneForFlight,
  measureLayout,
  findCardElements,
  placementTransform,
  scaleBox,
  matchCards,
  flipTransform,
  pickCards,
  onlyInFirst,
} from "./card_layout.js";
import { splitCards } from "../model/card_selection.js";
import { AnimationGroup, isMotionAllowed } from "./overlay.js";

/** @typedef {import("./overlay.js").Box} Box */
/** @typedef {import("../events/presentation.js").Moment} Moment */
/** @typedef {import("../events/presentation.js").Journey} Journey */
/** @typedef {import("../model/card_moves.js").CardLocation} Place */

/** @typedef {import("./card_layout.js").Layout} Layout */
/** @typedef {import("./card_layout.js").CardElement} Lying */

/** How long each takes, in milliseconds. */
const PLAYED = 280;
const SEEN = 200;
const TAKEN = 360;
const LIES = 180;
const LAID = 700;
const GIVEN = 460;
const DEALT = 340;
const NEXT_CARD = 55;
const CLOSED = 200;

/** So many cards are enough to see that some go. */
const MAX_BACKS = 4;
/** So many are in the air at a deal, at most. */
const MAX_DEALT = 28;

/** Of what has happened at once so much is shown, one after another; what came before it has been. */
const MAX_BATCHES = 5;

/** More than so many that move are enough for a frame. */
const MOVES_PER_FRAME = 4;

/** Frames of a slow machine take no longer. */
const MAX_FRAME_MS = 100;

/** Updates that come faster are not followed by eye. */
const MIN_UPDATE_INTERVAL = 120;

const EASING = "cubic-bezier(0.25, 0.7, 0.3, 1)";

/** How wide the back of a card is that flies, at least; beside a larger bird it is so much of that. */
const MIN_BACK_WIDTH = 34;
const SHARE_OF_AVATAR = 0.85;

/** Cards that are known, and are drawn nowhere; with their middle at the corner. @param {string[]} cards */
function createCardRow(cards) {
  const copy = document.createElement("span");
  copy.className = "flies laid";
  copy.dataset.flies = "";
  draw(copy, [cardRow(cards)]);
  return copy;
}

/** As large as a corner. */
const NOTHING = { width: 0, height: 0 };

/** @param {number} wide */
function createCardBack(wide) {
  const back = document.createElement("span");
  back.className = "card back flies";
  back.dataset.back = back.dataset.flies = "";
  back.style.setProperty("--w", `${wide}px`);
  return back;
}

/** Cards on their way over a table. */
export class CardFlights {
  #play = new AnimationGroup();
  /** @type {Layout | null} As it was drawn before. */
  #before = null;
  #last = -Infinity;

  /** All that is on its way is there. */
  finishAll() {
    this.#last = -Infinity;
    this.#play.cancelAll();
  }

  /**
   * Remember where things are, before they are drawn anew; of what has not been drawn since, where they were at first.
   * @param {ParentNode} root
   * @param {Moment[]} moments what is to be seen
   * @returns {boolean} whether any of it will be seen
   */
  captureLayout(root, moments) {
    const soon = performance.now() - this.#last < MIN_UPDATE_INTERVAL;
    if (soon || !isMotionAllowed()) this.#before = null;
    else if (moments.some(({ journeys }) => journeys.length > 0)) this.#before ??= measureLayout(root);
    return this.#before !== null;
  }

  /** What has been drawn and is still to come is not seen yet, in a frame that goes by before. @param {ParentNode} root */
  hideNewCards(root) {
    const { hand, rows } = this.#before ?? { hand: [], rows: [] };
    const known = new Set([...hand, ...rows].map(({ node }) => node));
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".hand .card, .trick .cards-row")))
      if (this.#before !== null && !known.has(node))
        this.#play.animate(node, [{ opacity: 0 }, { opacity: 0 }], { duration: MAX_FRAME_MS });
  }

  /**
   * Let cards come to where they are drawn now.
   * @param {ParentNode} root
   * @param {Moment[]} moments
   * @param {string | null} me who holds the hand that is drawn
   */
  startFlights(root, moments, me) {
    const before = this.#before;
    this.#before = null;
    // A result takes the place of seats and trick: cards that went there would come to lie on its lines.
    if (before === null || root.querySelector(".result") !== null) return;
    const now = performance.now();
    this.#last = now;
    const begin = () => {
      if (this.#last !== now) return;
      const schedule = (/** @type {() => void} */ does) => requestAnimationFrame(() => this.#last === now && does());
      const flight = new FlightBatch(this.#play, before, measureLayout(root), me, schedule);
      let at = 0;
      for (const together of groupIntoBatches(moments)) {
        at += Math.max(...together.map((journey, i) => flight.addFlight(journey, at, i)));
      }
      // Where there are gifts a hand is sorted anew: what comes and goes is to be seen, and not that the rest makes room.
      const moved = flight.gifts ? 0 : flight.closeGaps();
      flight.start(moved);
    };
    if (before.seats.size > 0) begin();
    else this.#whenSettled(root, begin);
  }

  /** A table that is drawn for the first time finds its size a moment later. @param {ParentNode} root @param {() => void} then */
  #whenSettled(root, then) {
    const hand = /** @type {HTMLElement | null} */ (root.querySelector(".hand"));
    if (hand) this.#play.animate(hand, [{ opacity: 0 }, { opacity: 0 }], { duration: 60 });
    requestAnimationFrame(() => requestAnimationFrame(then));
  }
}

/** From one to another. @param {Journey} journey */
function isGift({ from, to }) {
  return from.name !== null && to.name !== null;
}

/**
 * Journeys that begin together, one lot after another: gifts, whoever is told of which cards, and those to somebody by
 * the same kind of event. The last few lots.
 * @param {Moment[]} moments
 */
export function groupIntoBatches(moments) {
  /** @type {{ e: string, journeys: Journey[] }[]} */
  const all = [];
  for (const { event, journeys } of moments) {
    if (journeys.length === 0) continue;
    const last = all.at(-1);
    const alike = last?.e === event.e && journeys.every(({ to }) => to.name !== null);
    const gifts = last?.journeys.every(isGift) && journeys.every(isGift);
    if (last !== undefined && (alike || gifts)) last.journeys.push(...journeys);
    else all.push({ e: event.e, journeys: [...journeys] });
  }
  return all.slice(-MAX_BATCHES).map(({ journeys }) => journeys);
}

/** The cards of one update on their way. */
class FlightBatch {
  /** @type {(Lying & { at: number })[]} What comes to the trick, and when, to be taken from there. */
  #landed = [];
  /** @type {(() => void)[]} What goes over the table, once it goes. */
  #flying = [];
  /** Whether anybody gives somebody something. */
  gifts = false;

  /**
   * @param {AnimationGroup} play
   * @param {Layout} before
   * @param {Layout} now
   * @param {string | null} me
   * @param {(does: () => void) => void} later does something in the next frame, if this is still to be seen then
   */
  constructor(play, before, now, me, later) {
    this.play = play;
    this.before = before;
    this.now = now;
    this.me = me;
    this.later = later;
    this.wide = Math.max(MIN_BACK_WIDTH, ...[...now.seats.values()].map(({ width }) => width * SHARE_OF_AVATAR));
    this.card = { width: this.wide, height: this.wide * 1.42 };
  }

  /**
   * Begin a journey.
   * @param {Journey} move
   * @param {number} startAt when, in milliseconds
   * @param {number} index of those that begin together
   * @returns {number} how long it is before anything else goes on
   */
  addFlight(move, startAt, index) {
    const { from, to } = move;
    if (to.where === "all") return this.#deal(startAt);
    if (from.where === "table") return this.#take(to, startAt);
    if (to.where === "table") return this.#put(move, startAt);
    this.gifts ||= isGift(move);
    return this.#hand(move, startAt + (index * NEXT_CARD) / 2);
  }

  /**
   * What flies begins to. Where much moves, in the next frame: what is to be out of sight is so by now, and that is enough for one.
   * @param {number} movedCount so many go by themselves
   */
  start(movedCount) {
    const go = () => {
      for (const begin of this.#flying) begin();
    };
    if (this.gifts || movedCount + this.#flying.length > MOVES_PER_FRAME) this.later(go);
    else go();
  }

  /** What stays goes to its new place: one's cards close up, and older plays make room for what comes. @returns {number} how many go */
  closeGaps() {
    const { before, now } = this;
    const rows = (/** @type {Layout} */ layout) => layout.rows.filter(({ old }) => !old);
    let count = 0;
    for (const [was, is] of [...matchCards(before.hand, now.hand), ...matchCards(rows(before), rows(now))]) {
      const moved = flipTransform(was.box, is.box);
      if (moved === null) continue;
      count += 1;
      // Added to the transform that places a card in the hand (css/table/hand.css).
      this.play.animate(is.node, [{ transform: moved }, { transform: "none" }], {
        duration: CLOSED,
        easing: EASING,
        composite: "add",
      });
    }
    return count;
  }

  /** Where somebody's cards come from: as seats are drawn now, for nobody sits any more where they were. @param {Place} place */
  #source(place) {
    const seat = place.name === null ? undefined : this.now.seats.get(place.name);
    return seat ?? this.#at(this.before, place) ?? this.#at(this.now, place);
  }

  /** Where somebody's cards are, or the pack. @param {Layout} layout @param {Place} place */
  #at(layout, { where, name }) {
    if (where === "deck") return layout.deck;
    return (
      (name === null ? null : layout.seats.get(name)) ??
      (name === this.me || this.me === null ? layout.mine : null) ??
      layout.middle
    );
  }

  /** To the trick. @param {Journey} journey @param {number} at */
  #put({ from, cards }, at) {
    const drawn = this.now.rows.find(({ card }) => card === cards.join(" ")) ?? this.#sameCards(cards);
    const seat = this.#source(from);
    if (drawn === undefined) {
      this.#aside(from, cards, at);
      return PLAYED;
    }
    const row = this.#asPlayed(drawn);
    const mine = from.name === this.me ? pickCards(this.before.hand, cards) : [];
    const targets = mine.length > 0 ? findCardElements(row.node, ".card", cardOfElement) : [];
    if (targets.length > 0 && targets.length === mine.length) {
      const larger = row.wide / drawn.wide;
      targets.forEach((target, i) => {
        const held = mine.find(({ card }) => card === target.card) ?? mine[i];
        const there = { ...target, cardWidth: target.wide * larger, box: scaleBox(target.box, larger, drawn.box) };
        if (held === undefined) return;
        const lay = placementTransform(there.box, held.box, held.box.width / there.box.width);
        // In a row only the last shows its picture whole.
        const looks = i < targets.length - 1 ? "covered" : "";
        this.#fly(() => cloneForFlight(there, looks), lay, placementTransform(there.box, there.box, 1), {
          at,
          lasts: PLAYED,
        });
      });
    } else if (seat !== null) {
      const small = Math.min(1, Math.max(0.3, seat.width / row.box.width));
      this.#fly(
        () => cloneForFlight(row),
        placementTransform(row.box, seat, small),
        placementTransform(row.box, row.box, 1),
        {
          at,
          lasts: PLAYED,
          opacity: [0.4, 1],
        },
      );
    }
    this.#veil(row.node, at + PLAYED);
    this.#landed.push({ ...row, at: at + PLAYED });
    return PLAYED + SEEN;
  }

  /** As large as what lay there, if it is drawn smaller, as what a trick ended with. @param {Lying} row @returns {Lying} */
  #asPlayed(row) {
    const last = this.before.rows.findLast(({ old }) => !old);
    if (!row.old || last === undefined || row.wide === 0) return row;
    const larger = last.wide / row.wide;
    return { ...row, wide: last.wide, box: scaleBox(row.box, larger, row.box) };
  }

  /** @param {string[]} cards */
  #sameCards(cards) {
    const wanted = [...cards].sort().join(" ");
    return this.now.rows.find(({ card }) => splitCards(card).sort().join(" ") === wanted);
  }

  /** What goes to the middle and is seen there no more. @param {Place} from @param {string[]} cards @param {number} at */
  #aside(from, cards, at) {
    const { middle } = this.now;
    if (middle === null) return;
    const mine = from.name === this.me ? pickCards(this.before.hand, cards) : [];
    for (const held of mine) {
      const way = { at, lasts: LAID, opacity: [1, 1, 0], seen: 0 };
      this.#fly(
        () => cloneForFlight(held),
        placementTransform(held.box, held.box, 1),
        placementTransform(held.box, middle, 0.8),
        way,
      );
    }
    const seat = this.#source(from);
    if (mine.length > 0 || seat === null) return;
    if (cards.length === 0) this.#backs(1, seat, middle, at, TAKEN, [1, 1, 0]);
    else
      this.#fly(
        () => createCardRow(cards),
        placementTransform(NOTHING, seat, 0.5),
        placementTransform(NOTHING, middle, 1),
        {
          at,
          lasts: LAID,
          opacity: [1, 1, 0],
        },
      );
  }

  /** From the trick. @param {Place} to @param {number} at */
  #take(to, at) {
    const seat = to.name === this.me ? this.now.me : this.#at(this.now, to);
    if (seat === null) return 0;
    const lay = this.before.rows.filter(({ old }) => !old).map((row) => ({ ...row, at: 0 }));
    for (const row of [...lay, ...this.#landed]) {
      const small = Math.min(0.6, this.wide / row.box.width);
      // It may lie on names of the next picture meanwhile.
      const way = { at: Math.min(at, row.at + LIES), lasts: TAKEN, opacity: [1, 0.9, 0], seen: row.at };
      // What is still to come lies on top of what lay there.
      const looks = row.at === 0 ? "below" : "";
      this.#fly(
        () => cloneForFlight(row, looks),
        placementTransform(row.box, row.box, 1),
        placementTransform(row.box, seat, small),
        way,
      );
    }
    // What the trick ended with lies there as a memory of it once it has gone.
    for (const { node } of this.now.rows.filter(({ old }) => old)) this.#veil(node, at + TAKEN);
    return TAKEN;
  }

  /** From one to another, or from the pack. @param {Journey} journey @param {number} at */
  #hand({ from, to, cards, count }, at) {
    const source = this.#source(from);
    const target = this.#at(this.now, to);
    if (source === null || target === null) return 0;
    const gone = from.name !== null && from.name === this.me ? onlyInFirst(this.before.hand, this.now.hand) : [];
    const come = to.name !== null && to.name === this.me ? onlyInFirst(this.now.hand, this.before.hand) : [];
    const given = cards.length > 0 ? pickCards(gone, cards) : gone.slice(0, count);
    const taken =
      cards.length > 0 ? pickCards(this.before.hand.length > 0 ? come : this.now.hand, cards) : come.slice(0, count);
    for (const held of given) {
      const there = placementTransform(held.box, target, this.wide / held.box.width);
      this.#fly(() => cloneForFlight(held), placementTransform(held.box, held.box, 1), there, {
        at,
        lasts: GIVEN,
        opacity: [1, 1, 0.6],
        seen: 0,
      });
    }
    for (const held of taken) {
      const here = placementTransform(held.box, held.box, 1);
      this.#fly(() => cloneForFlight(held), placementTransform(held.box, source, this.wide / held.box.width), here, {
        at,
        lasts: GIVEN,
        opacity: [0.6, 1, 1],
      });
      this.#veil(held.node, at + GIVEN);
    }
    const lies = to.name === null ? undefined : this.now.held.get(to.name);
    // What lies before somebody is seen all the way, until it lies there.
    if (given.length === 0 && taken.length === 0)
      this.#backs(count, source, target, at, GIVEN, lies ? [1, 1] : [1, 1, 0]);
    if (lies) this.#veil(lies, at + GIVEN);
    return GIVEN;
  }

  /** Backs of cards, one a little after another. @param {number} count @param {Box} from @param {Box} to @param {number} at @param {number} lasts @param {number[]} opacity on the way */
  #backs(count, from, to, at, lasts, opacity) {
    for (let i = 0; i < Math.min(count, MAX_BACKS); i += 1)
      this.#fly(
        () => createCardBack(this.wide),
        placementTransform(this.card, from, 0.7),
        placementTransform(this.card, to, 0.9),
        {
          at: at + i * NEXT_CARD,
          lasts,
          opacity,
        },
      );
  }

  /** From the pack to everybody, round and round. @param {number} at */
  #deal(at) {
    const { deck, seats, hand, mine } = this.now;
    if (deck === null) return 0;
    const places = [...seats.values(), ...(hand.length > 0 && mine !== null ? [mine] : [])];
    const rounds = Math.max(1, Math.min(3, Math.floor(MAX_DEALT / places.length)));
    const step = Math.min(NEXT_CARD, 420 / (rounds * places.length));
    const whole = step * rounds * places.length + DEALT;
    // One's own cards are there to be touched, and come into sight from left to right.
    hand.forEach(({ node }, i) => {
      const delay = at + DEALT + ((whole - DEALT) * i) / hand.length;
      this.play.animate(node, [{ opacity: 0 }, { opacity: 1 }], { delay, duration: 160 });
    });
    let nth = 0;
    for (let round = 0; round < rounds; round += 1)
      for (const place of places) {
        // The pack is seen to grow less.
        const way = { at: at + step * nth++, lasts: DEALT, opacity: [1, 1, 0], seen: 0 };
        this.#fly(
          () => createCardBack(this.wide),
          placementTransform(this.card, deck, 1),
          placementTransform(this.card, place, 0.8),
          way,
        );
      }
    return whole + 120;
  }

  /**
   * @param {() => HTMLElement} copy makes what goes
   * @param {string} from where, as a transform
   * @param {string} to
   * @param {{ at: number, lasts: number, opacity?: number[], seen?: number }} way when, and how long; its opacity on the way; from
   *   when on it is seen, if not from when it goes
   */
  #fly(copy, from, to, { at, lasts, opacity = [1, 1], seen = at }) {
    const last = opacity.length - 1;
    const frames = opacity.map((each, i) => {
      if (i > 0 && i < last) return { opacity: each, offset: 0.7 };
      return { opacity: each, transform: i === 0 ? from : to };
    });
    this.#flying.push(() => {
      const node = copy();
      this.play.animate(node, frames, { delay: at, duration: lasts, easing: EASING }, true);
      if (seen > 0) this.#veil(node, seen);
    });
  }

  /** Not seen until its copy is there. @param {HTMLElement} node @param {number} until */
  #veil(node, until) {
    this.play.animate(node, [{ opacity: 0 }, { opacity: 0 }], { duration: until });
  }
}
