// @ts-check
// A table is drawn in several frames where much of it is new, so that none of them takes long. One that appears shows what
// stands whatever one holds, then one's cards, before all others' seats, which go by how large the felt has become. Where
// cards are dealt, one's own come once all else stands, and what they show a frame later: nobody sees it yet. Where all
// takes a turn, as at the end of a hand, the felt is drawn before one's own side; but where a hand begins they go together,
// with room for its cards, or the felt would reach down to where these come for a frame.

import { whenDrawn } from "../lib/after_paint.js";

/** What is drawn of one's cards, what they show, whoever sits around, and one's own side as it is now. @typedef {{ hand: boolean, faces: boolean, seats: boolean, own: boolean }} Stage */

/** @type {Stage} */
const WHOLE = { hand: true, faces: true, seats: true, own: true };

/** @type {Stage[]} */
const APPEARS = [{ ...WHOLE, hand: false, seats: false }, { ...WHOLE, seats: false }, WHOLE];
/** @type {Stage[]} */
const DEALT = [{ ...WHOLE, hand: false }, { ...WHOLE, faces: false }, WHOLE];
/** Cards are dealt at a table that appears: how large its felt is decides how people sit round it. @type {Stage[]} */
const APPEARS_DEALT = [{ ...WHOLE, hand: false, seats: false }, ...DEALT];
/** @type {Stage[]} */
const BEGINS = [{ ...WHOLE, hand: false }, WHOLE];
/** @type {Stage[]} */
const TURNED = [{ ...WHOLE, own: false }, WHOLE];

export class Stages {
  /** @type {Stage[]} What is still to come, after what it is time for. */
  #coming = [...APPEARS];
  #begun = false;

  /** @param {() => void} draw draws as much as it is time for */
  constructor(draw) {
    this.draw = draw;
  }

  /** What it is time for. @returns {Stage} */
  get now() {
    return /** @type {Stage} */ (this.#coming[0]);
  }

  /** Whether everything has its place by now. */
  get whole() {
    return this.now.hand && this.now.seats && this.now.own;
  }

  /** The table is drawn now: the next stage follows when that can be seen. */
  drawn() {
    if (this.#begun) return;
    this.#begun = true;
    this.#next(this.#coming);
  }

  /** The next drawing is that of a deal. */
  dealt() {
    this.#anew(this.now.seats ? DEALT : APPEARS_DEALT);
  }

  /** The next drawing is that of a hand which begins, and no card is seen to be dealt; while the table appears it is drawn anyway. */
  begins() {
    if (this.whole) this.#anew(BEGINS);
  }

  /** The next drawing is one in which all has taken a turn; while the table appears it is drawn anyway. */
  turned() {
    if (this.whole) this.#anew(TURNED);
  }

  /** @param {Stage[]} stages */
  #anew(stages) {
    this.#coming = [...stages];
    this.#begun = true;
    this.#next(this.#coming);
  }

  /** There is no table any more: the next one begins anew. */
  over() {
    this.#coming = [...APPEARS];
    this.#begun = false;
  }

  /** @param {Stage[]} coming as it is now; where something else has begun meanwhile, that goes on */
  #next(coming) {
    if (coming.length === 1) return;
    whenDrawn(() => {
      if (!this.#begun || this.#coming !== coming) return;
      this.#coming = coming.slice(1);
      this.draw();
      this.#next(this.#coming);
    });
  }
}
