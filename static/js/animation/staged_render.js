// @ts-check
// A table is drawn in several frames where much of it is new, so that none of them takes long. One that appears shows what
// stands whatever one holds, then one's cards, before all others' seats, which go by how large the felt has become. Where
// cards are dealt, one's own come once all else stands, and what they show a frame later: nobody sees it yet. Where all
// takes a turn, as at the end of a hand, the felt is drawn before one's own side; but where a hand begins they go together,
// with room for its cards, or the felt would reach down to where these come for a frame.

import { afterPaint } from "../lib/after_paint.js";

/** What is drawn of one's cards, what they show, whoever sits around, and one's own side as it is now. @typedef {{ hand: boolean, faces: boolean, seats: boolean, own: boolean }} Stage */

/** @type {Stage} */
const EVERYTHING = { hand: true, faces: true, seats: true, own: true };

/** @type {Stage[]} */
const FIRST_STAGES = [{ ...EVERYTHING, hand: false, seats: false }, { ...EVERYTHING, seats: false }, EVERYTHING];
/** @type {Stage[]} */
const DEAL_STAGES = [{ ...EVERYTHING, hand: false }, { ...EVERYTHING, faces: false }, EVERYTHING];
/** Cards are dealt at a table that appears: how large its felt is decides how people sit round it. @type {Stage[]} */
const FIRST_DEAL_STAGES = [{ ...EVERYTHING, hand: false, seats: false }, ...DEAL_STAGES];
/** @type {Stage[]} */
const HAND_START_STAGES = [{ ...EVERYTHING, hand: false }, EVERYTHING];
/** @type {Stage[]} */
const PHASE_CHANGE_STAGES = [{ ...EVERYTHING, own: false }, EVERYTHING];

export class StagedRender {
  /** @type {Stage[]} What is still to come, after what it is time for. */
  #coming = [...FIRST_STAGES];
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
  onDrawn() {
    if (this.#begun) return;
    this.#begun = true;
    this.#next(this.#coming);
  }

  /** The next drawing is that of a deal. */
  startDeal() {
    this.#anew(this.now.seats ? DEAL_STAGES : FIRST_DEAL_STAGES);
  }

  /** The next drawing is that of a hand which begins, and no card is seen to be dealt; while the table appears it is drawn anyway. */
  startHand() {
    if (this.whole) this.#anew(HAND_START_STAGES);
  }

  /** The next drawing is one in which all has taken a turn; while the table appears it is drawn anyway. */
  startPhaseChange() {
    if (this.whole) this.#anew(PHASE_CHANGE_STAGES);
  }

  /** @param {Stage[]} stages */
  #anew(stages) {
    this.#coming = [...stages];
    this.#begun = true;
    this.#next(this.#coming);
  }

  /** There is no table any more: the next one begins anew. */
  reset() {
    this.#coming = [...FIRST_STAGES];
    this.#begun = false;
  }

  /** @param {Stage[]} coming as it is now; where something else has begun meanwhile, that goes on */
  #next(coming) {
    if (coming.length === 1) return;
    afterPaint(() => {
      if (!this.#begun || this.#coming !== coming) return;
      this.#coming = coming.slice(1);
      this.draw();
      this.#next(this.#coming);
    });
  }
}
