// @ts-check
// What is seen as things happen: cards travel, great moments are celebrated, people change places.

import { Celebrations } from "./celebrations.js";
import { seatsDrawn } from "./moving.js";
import { Travel } from "./travel.js";

/** @typedef {import("./moments.js").Moment} Moment */

/** What moves over a table, from one drawing to the next. */
export class Seen {
  #travel = new Travel();
  #celebrations = new Celebrations();
  /** @type {Moment[]} What the next drawing shows. */
  #waiting = [];

  /** Something has happened, and is about to be drawn. @param {Moment[]} moments */
  happened(moments) {
    this.#waiting.push(...moments);
  }

  /** All lies as it was drawn. */
  settle() {
    this.#travel.land();
    this.#celebrations.settle();
  }

  /**
   * Draw, and let what has happened be seen.
   * @param {HTMLElement} root
   * @param {string | null} me
   * @param {string[]} seats everybody, clockwise
   * @param {() => void} drawing
   */
  drawn(root, me, seats, drawing) {
    const moments = this.#waiting;
    this.#waiting = [];
    if (moments.length > 0) {
      // A deal is the end of what came before.
      if (moments.some(({ journeys }) => journeys.some(({ to }) => to.where === "all"))) this.#celebrations.end();
      else this.#celebrations.settle();
      this.#travel.leave(root, moments);
    }
    drawing();
    if (moments.length > 0) {
      this.#travel.arrive(root, moments, me);
      this.#celebrations.begin(root, moments, me);
    }
    seatsDrawn(root, seats);
  }
}
