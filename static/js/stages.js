// @ts-check
// A table that appears is drawn in three frames, so that none of them takes long, and one's own cards are seen before all
// others' seats: first what stands whatever one holds, then one's cards, and then whoever sits around the felt, which goes
// by how large that has become.

import { whenDrawn } from "./drawn.js";

const HAND = 1;
const WHOLE = 2;

export class Stages {
  /** Whether it is time for the faces of one's cards: while they are dealt nobody sees them yet. */
  faces = true;
  #at = 0;
  #begun = false;

  /** @param {() => void} draw draws as much as it is time for */
  constructor(draw) {
    this.draw = draw;
  }

  /** Whether it is time for one's own cards. */
  get hand() {
    return this.#at >= HAND;
  }

  /** Whether it is time for all of it. */
  get whole() {
    return this.#at === WHOLE;
  }

  /** The table is drawn now: the next stage follows when that can be seen. */
  drawn() {
    if (this.#begun) return;
    this.#begun = true;
    this.#next();
  }

  /** Cards are dealt now: what they show follows in a frame of its own. */
  dealt() {
    this.faces = false;
    whenDrawn(() => {
      this.faces = true;
      this.draw();
    });
  }

  /** There is no table any more: the next one begins anew. */
  over() {
    this.#at = 0;
    this.#begun = false;
  }

  #next() {
    whenDrawn(() => {
      if (!this.#begun || this.whole) return;
      this.#at += 1;
      this.draw();
      this.#next();
    });
  }
}
