// @ts-check
// Draws a table in several frames when much of it is new, so that no frame takes long.
// First visit: everything except the cards and the other seats, then your cards, then the seats. The seats come last
// because their arrangement depends on the size of the felt.
// Deal: your cards come after the rest, and their faces a frame later, because nobody sees them yet.
// Change of phase, such as the end of a hand: the felt is drawn before your own side.
// Start of a hand: both are drawn together, with space for the cards. Otherwise the felt would reach too far down.

import { afterPaint } from "../lib/after_paint.js";

/** Which parts are drawn: your cards, their faces, the other seats, your own side as it is now. @typedef {{ hand: boolean, faces: boolean, seats: boolean, own: boolean }} Stage */

/** @type {Stage} */
const EVERYTHING = { hand: true, faces: true, seats: true, own: true };

/** @type {Stage[]} */
const FIRST_STAGES = [{ ...EVERYTHING, hand: false, seats: false }, { ...EVERYTHING, seats: false }, EVERYTHING];
/** @type {Stage[]} */
const DEAL_STAGES = [{ ...EVERYTHING, hand: false }, { ...EVERYTHING, faces: false }, EVERYTHING];
/** For a deal at a table that is just appearing. The size of its felt decides how the seats are arranged. @type {Stage[]} */
const FIRST_DEAL_STAGES = [{ ...EVERYTHING, hand: false, seats: false }, ...DEAL_STAGES];
/** @type {Stage[]} */
const HAND_START_STAGES = [{ ...EVERYTHING, hand: false }, EVERYTHING];
/** @type {Stage[]} */
const PHASE_CHANGE_STAGES = [{ ...EVERYTHING, own: false }, EVERYTHING];

export class StagedRender {
  /** @type {Stage[]} The current stage, then the stages that follow. */
  #coming = [...FIRST_STAGES];
  #begun = false;

  /** @param {() => void} draw draws the table as far as stage `now` allows */
  constructor(draw) {
    this.draw = draw;
  }

  /** The current stage. @returns {Stage} */
  get now() {
    return /** @type {Stage} */ (this.#coming[0]);
  }

  /** Whether cards, seats and your own side are all drawn. */
  get whole() {
    return this.now.hand && this.now.seats && this.now.own;
  }

  /** Schedule the remaining stages after the first drawing has been painted. */
  onDrawn() {
    if (this.#begun) return;
    this.#begun = true;
    this.#next(this.#coming);
  }

  /** Restart the stages for a deal, which the next drawing shows. */
  startDeal() {
    this.#anew(this.now.seats ? DEAL_STAGES : FIRST_DEAL_STAGES);
  }

  /** Restart the stages for a new hand without a visible deal. Ignored while the table is still appearing. */
  startHand() {
    if (this.whole) this.#anew(HAND_START_STAGES);
  }

  /** Restart the stages for a change of phase. Ignored while the table is still appearing. */
  startPhaseChange() {
    if (this.whole) this.#anew(PHASE_CHANGE_STAGES);
  }

  /** @param {Stage[]} stages */
  #anew(stages) {
    this.#coming = [...stages];
    this.#begun = true;
    this.#next(this.#coming);
  }

  /** Forget the stages because the table is gone. The next table starts with the first stage. */
  reset() {
    this.#coming = [...FIRST_STAGES];
    this.#begun = false;
  }

  /** @param {Stage[]} coming the stages to continue; ignored if others have replaced them meanwhile */
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
