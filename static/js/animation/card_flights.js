// @ts-check
// Flies cards from seat to trick, from the trick to its winner, between players, and from the deck to all players.
// The page already shows the final state. Copies of cards fly over it, and the next event ends their flight.

import { cardRow } from "../ui/card_faces.js";
import { draw } from "../lib/virtual_dom.js";
import {
  cardOfElement,
  cardsOfRow,
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
import { areScenesOn } from "./scene_setting.js";

/**
 * @import { Box } from "./overlay.js"
 * @import { Moment } from "../events/presentation.js"
 * @import { CardLocation as Place, CardMove as Journey } from "../model/card_moves.js"
 * @import { CardElement as Lying, Layout } from "./card_layout.js"
 */

/** Durations and delays, in milliseconds. */
const PLAYED = 280;
const SEEN = 200;
const ENDED = 270;
const TAKEN = 290;
const LIES = 180;
const LAID = 700;
const GIVEN = 300;
const DEALT = 340;
const NEXT_CARD = 55;
const CLOSED = 200;

/** Most card backs in one flight. */
const MAX_BACKS = 4;
/** Most card backs in the flights of a deal. */
const MAX_DEALT = 28;

/** Most batches of an update that are animated one after another. Earlier batches are skipped. */
const MAX_BATCHES = 5;

/** Above this number of moves, flights start in the next frame. */
const MOVES_PER_FRAME = 4;

/** Longest frame expected on a slow machine, in milliseconds. */
const MAX_FRAME_MS = 100;

/** Updates closer together than this, in milliseconds, are not animated. */
const MIN_UPDATE_INTERVAL = 120;

const EASING = "cubic-bezier(0.25, 0.7, 0.3, 1)";

/** Smallest width of a flying card back in pixels, and its width as a share of a larger avatar. */
const MIN_BACK_WIDTH = 34;
const SHARE_OF_AVATAR = 0.85;

/** Create a row of known cards that are not drawn on the page. It is centred on the overlay's corner. @param {string[]} cards */
function createCardRow(cards) {
  const copy = document.createElement("span");
  copy.className = "flies laid";
  copy.dataset.flies = "";
  draw(copy, [cardRow(cards)]);
  return copy;
}

/** The width of a card without a place (css/components/cards.css), in pixels. */
const CARD_WIDTH = 56;

/** The size of an element centred on its corner. */
const NOTHING = { width: 0, height: 0 };

/** @param {number} wide */
function createCardBack(wide) {
  const back = document.createElement("span");
  back.className = "card back flies";
  back.dataset.back = back.dataset.flies = "";
  back.style.setProperty("--w", `${wide}px`);
  return back;
}

/** Starts and ends the card flights of a table. */
export class CardFlights {
  #play = new AnimationGroup();
  /** @type {Layout | null} The layout before the next drawing. */
  #before = null;
  #last = -Infinity;
  /** Whether earlier plays of the trick have been visible in their new places for a frame. */
  #movedAtOnce = false;

  /** End all flights: cards show where they were drawn. */
  finishAll() {
    this.#last = -Infinity;
    this.#play.cancelAll();
  }

  /**
   * Remember the layout before the next drawing. Keeps the first layout if several updates share one drawing.
   * @param {ParentNode} root
   * @param {Moment[]} moments the moments to animate
   * @returns {boolean} whether a layout is remembered, so that flights can be shown
   */
  captureLayout(root, moments) {
    const soon = performance.now() - this.#last < MIN_UPDATE_INTERVAL;
    if (soon || !isMotionAllowed()) this.#before = null;
    else if (moments.some(({ journeys }) => journeys.length > 0)) this.#before ??= measureLayout(root);
    return this.#before !== null;
  }

  /**
   * Hide newly drawn cards for one frame, until their flights start. Earlier plays of the trick stay visible in their
   * new places. They don't move there later, because they would jump back.
   * @param {ParentNode} root
   */
  hideNewCards(root) {
    if (this.#before === null) return;
    this.#movedAtOnce = true;
    const { hand, rows } = this.#before;
    const known = new Set(hand.map(({ node }) => node));
    // Earlier plays are new elements with the same cards.
    const played = new Set(rows.map(({ card }) => card));
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".hand .card, .trick .cards-row")))
      if (!known.has(node) && !played.has(cardsOfRow(node)))
        this.#play.animate(node, [{ opacity: 0 }, { opacity: 0 }], { duration: MAX_FRAME_MS });
  }

  /**
   * Let the last play of a hand land on the table as it is drawn now, before the result replaces it.
   * @param {ParentNode} root
   * @param {Moment[]} moments
   * @param {string | null} me
   * @returns {((draw: () => void) => void) | null} schedules the drawing of the result; null if no cards land
   */
  landLastPlay(root, moments, me) {
    const journeys = moments.flatMap((moment) => moment.journeys);
    const last = journeys.findLast(({ to, cards }) => to.where === "table" && cards.length > 0);
    if (last === undefined || !isMotionAllowed() || root.querySelector(".result, .end-picture") !== null) return null;
    this.finishAll();
    const now = measureLayout(root);
    new FlightBatch(this.#play, now, now, me, (does) => does()).land(last);
    this.#before = null;
    return (draw) => {
      const end = () => {
        window.clearTimeout(timer);
        for (const kind of ["pointerdown", "keydown"]) window.removeEventListener(kind, end, true);
        this.finishAll();
        draw();
      };
      const timer = window.setTimeout(end, PLAYED + ENDED);
      for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, end, true);
    };
  }

  /**
   * Start the flights to where cards are drawn now. Cards of an exchange move in its scene.
   * @param {ParentNode} root
   * @param {Moment[]} moments
   * @param {string | null} me name of the player whose cards are drawn
   */
  startFlights(root, moments, me) {
    const [before, movedAtOnce] = [this.#before, this.#movedAtOnce];
    this.#before = null;
    this.#movedAtOnce = false;
    // A result covers seats and trick. Cards that flew there would lie on its lines.
    if (before === null || root.querySelector(".result, .end-picture") !== null) return;
    const now = performance.now();
    this.#last = now;
    const begin = () => {
      if (this.#last !== now) return;
      const schedule = (/** @type {() => void} */ does) => requestAnimationFrame(() => this.#last === now && does());
      const flight = new FlightBatch(this.#play, before, measureLayout(root), me, schedule);
      let at = 0;
      const flown = areScenesOn() ? moments.filter(({ celebrated }) => celebrated !== "exchange") : moments;
      for (const together of groupIntoBatches(flown)) {
        at += Math.max(...together.map((journey, i) => flight.addFlight(journey, at, i)));
      }
      // An exchange re-sorts the cards. Animate only the given and received cards, not the others.
      const moved = flight.gifts ? 0 : flight.closeGaps(!movedAtOnce);
      flight.start(moved);
    };
    if (before.seats.size > 0) begin();
    else this.#whenSettled(root, begin);
  }

  /**
   * Wait two frames: a newly drawn table settles its size late. Your cards are hidden meanwhile.
   * @param {ParentNode} root
   * @param {() => void} then
   */
  #whenSettled(root, then) {
    const hand = /** @type {HTMLElement | null} */ (root.querySelector(".hand"));
    if (hand) this.#play.animate(hand, [{ opacity: 0 }, { opacity: 0 }], { duration: 60 });
    requestAnimationFrame(() => requestAnimationFrame(then));
  }
}

/** Tell whether a journey goes from one player to another. @param {Journey} journey */
function isGift({ from, to }) {
  return from.name !== null && to.name !== null;
}

/**
 * Group journeys into batches that start together: consecutive gifts, or journeys to players by the same kind of event.
 * Returns only the last MAX_BATCHES batches.
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

/** The card flights of one update. */
class FlightBatch {
  /** @type {(Lying & { at: number })[]} Rows that fly to the trick, and when they arrive, in milliseconds. */
  #landed = [];
  /** @type {(() => void)[]} Functions that start the prepared flights. */
  #flying = [];
  /** Whether a player gives cards to another. */
  gifts = false;

  /**
   * @param {AnimationGroup} play
   * @param {Layout} before
   * @param {Layout} now
   * @param {string | null} me
   * @param {(does: () => void) => void} later calls back in the next frame if this batch is still current
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
   * Prepare the flights of a journey.
   * @param {Journey} move
   * @param {number} startAt delay in milliseconds
   * @param {number} index position among the journeys that start together
   * @returns {number} milliseconds until the next batch may start
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
   * Start the prepared flights. With many moves, start in the next frame: hiding the cards has used up this frame.
   * @param {number} movedCount number of cards that closeGaps() moves
   */
  start(movedCount) {
    const go = () => {
      for (const begin of this.#flying) begin();
    };
    if (this.gifts || movedCount + this.#flying.length > MOVES_PER_FRAME) this.later(go);
    else go();
  }

  /**
   * Animate remaining cards to their new positions, in your hand and in the trick.
   * @param {boolean} inTrick whether the plays of the trick move too
   * @returns {number} number of elements moved
   */
  closeGaps(inTrick) {
    const { before, now } = this;
    const rows = (/** @type {Layout} */ layout) => layout.rows.filter(({ old }) => inTrick && !old);
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

  /** Find where a player's cards start. Prefer the seat as drawn now, because seats may have moved. @param {Place} place */
  #source(place) {
    const seat = place.name === null ? undefined : this.now.seats.get(place.name);
    return seat ?? this.#at(this.before, place) ?? this.#at(this.now, place);
  }

  /** Find a player's cards or the deck in a layout. Falls back to the middle. @param {Layout} layout @param {Place} place */
  #at(layout, { where, name }) {
    if (where === "deck") return layout.deck;
    return (
      (name === null ? null : layout.seats.get(name)) ??
      (name === this.me || this.me === null ? layout.mine : null) ??
      layout.middle
    );
  }

  /** Start the flight of a play to the middle, where it stays until the next drawing. @param {Journey} journey */
  land({ from, cards }) {
    const { hand, rows, middle } = this.now;
    const source = this.#source(from);
    if (middle === null || source === null) return;
    const mine = from.name === this.me ? pickCards(hand, cards) : [];
    for (const { node } of mine) this.#veil(node, PLAYED + ENDED);
    const row = createCardRow(cards);
    // It covers the play before.
    const top = rows.findLast(({ old }) => !old);
    const large = (top?.wide ?? CARD_WIDTH) / CARD_WIDTH;
    const lies = placementTransform(NOTHING, top?.box ?? middle, large);
    const start = { transform: placementTransform(NOTHING, mine[0]?.box ?? source, large / 2), easing: EASING };
    const frames = [start, { transform: lies, offset: PLAYED / (PLAYED + ENDED) }, { transform: lies }];
    this.play.animate(row, frames, { duration: PLAYED + ENDED }, true);
  }

  /** Prepare the flight of a play to the trick. @param {Journey} journey @param {number} at */
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
        // In a row only the last card is fully visible.
        const looks = i < targets.length - 1 ? "covered" : "";
        this.#fly(() => cloneForFlight(there, looks), lay, placementTransform(there.box, there.box, 1, target.turn), {
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

  /** Enlarge a row of the ended trick, which is drawn smaller, to the size of the plays before. @param {Lying} row @returns {Lying} */
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

  /** Prepare the flight of cards to the middle, where they fade out. @param {Place} from @param {string[]} cards @param {number} at */
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

  /** Prepare the flight of the trick to the player who takes it. @param {Place} to @param {number} at */
  #take(to, at) {
    const seat = to.name === this.me ? this.now.me : this.#at(this.now, to);
    if (seat === null) return 0;
    const lay = this.before.rows.filter(({ old }) => !old).map((row) => ({ ...row, at: 0 }));
    for (const row of [...lay, ...this.#landed]) {
      const small = Math.min(0.6, this.wide / row.box.width);
      // Hidden until the row has landed, because it may cover names in the new drawing.
      const way = { at: Math.min(at, row.at + LIES), lasts: TAKEN, opacity: [1, 0.9, 0], seen: row.at };
      // Rows that land later lie above rows that were there before.
      const looks = row.at === 0 ? "below" : "";
      this.#fly(
        () => cloneForFlight(row, looks),
        placementTransform(row.box, row.box, 1),
        placementTransform(row.box, seat, small),
        way,
      );
    }
    // The last play stays drawn as a reminder. Hide it until the trick has flown away.
    for (const { node } of this.now.rows.filter(({ old }) => old)) this.#veil(node, at + TAKEN);
    return TAKEN;
  }

  /** Prepare the flight of cards between players, or from the deck. @param {Journey} journey @param {number} at */
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
    // Keep the back opaque if the player has a visible card that it lands on.
    if (given.length === 0 && taken.length === 0)
      this.#backs(count, source, target, at, GIVEN, lies ? [1, 1] : [1, 1, 0]);
    if (lies) this.#veil(lies, at + GIVEN);
    return GIVEN;
  }

  /**
   * Prepare flights of card backs with a short delay between them.
   * @param {number} count
   * @param {Box} from
   * @param {Box} to
   * @param {number} at
   * @param {number} lasts
   * @param {number[]} opacity during the flight
   */
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

  /** Prepare the flights of a deal, in up to three rounds. Returns milliseconds until it ends. @param {number} at */
  #deal(at) {
    const { deck, seats, hand, mine } = this.now;
    if (deck === null) return 0;
    const places = [...seats.values(), ...(hand.length > 0 && mine !== null ? [mine] : [])];
    const rounds = Math.max(1, Math.min(3, Math.floor(MAX_DEALT / places.length)));
    const step = Math.min(NEXT_CARD, 420 / (rounds * places.length));
    const whole = step * rounds * places.length + DEALT;
    // Your own cards can be used at once. They fade in from left to right.
    hand.forEach(({ node }, i) => {
      const delay = at + DEALT + ((whole - DEALT) * i) / hand.length;
      this.play.animate(node, [{ opacity: 0 }, { opacity: 1 }], { delay, duration: 160 });
    });
    let nth = 0;
    for (let round = 0; round < rounds; round += 1)
      for (const place of places) {
        // Each card is visible at the deck from the start, so the deck seems to shrink.
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
   * @param {() => HTMLElement} copy creates the flying element
   * @param {string} from transform at the start
   * @param {string} to
   * @param {{ at: number, lasts: number, opacity?: number[], seen?: number }} way delay and duration in milliseconds; opacity
   *   during the flight; `seen`: when it becomes visible, by default at the start
   */
  #fly(copy, from, to, { at, lasts, opacity = [1, 1], seen = at }) {
    const last = opacity.length - 1;
    const frames = opacity.map((each, i) => {
      if (i > 0 && i < last) return { opacity: each, offset: 0.7 };
      return { opacity: each, transform: i === 0 ? from : to };
    });
    this.#flying.push(() => {
      const node = copy();
      node.style.setProperty("--at", `${at}ms`);
      node.style.setProperty("--lasts", `${lasts}ms`);
      this.play.animate(node, frames, { delay: at, duration: lasts, easing: EASING }, true);
      if (seen > 0) this.#veil(node, seen);
    });
  }

  /** Hide an element for the first `until` milliseconds. @param {HTMLElement} node @param {number} until */
  #veil(node, until) {
    this.play.animate(node, [{ opacity: 0 }, { opacity: 0 }], { duration: until });
  }
}
