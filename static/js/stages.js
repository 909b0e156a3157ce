// @ts-check
// A table is drawn in several frames where much of it is new, so that none of them takes long. One that appears shows what
// stands whatever one holds, then one's cards, before all others' seats, which go by how large the felt has become. Where
// cards are dealt, one's own come once all else stands, and what they show a frame later: nobody sees it yet.

import { whenDrawn } from "./drawn.js";

/** What is drawn of one's cards, what they show, and whoever sits around. @typedef {{ hand: boolean, faces: boolean, seats: boolean }} Stage */

/** @type {Stage[]} */
const APPEARS = [
  { hand: false, faces: true, seats: false },
  { hand: true, faces: true, seats: false },
  { hand: true, faces: true, seats: true },
];
/** @type {Stage[]} */
const DEALT = [
  { hand: false, faces: false, seats: true },
  { hand: true, faces: false, seats: true },
  { hand: true, faces: true, seats: true },
];

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
    return this.now.hand && this.now.seats;
  }

  /** The table is drawn now: the next stage follows when that can be seen. */
  drawn() {
    if (this.#begun) return;
    this.#begun = true;
    this.#next(this.#coming);
  }

  /** The next drawing is that of a deal. */
  dealt() {
    this.#coming = [...DEALT];
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
