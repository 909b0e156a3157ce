// @ts-check
// What is seen as things happen: cards travel, great moments are celebrated, people change places.

import { whenDrawn } from "./drawn.js";
import { rest } from "./rest.js";

/** @typedef {import("./moments.js").Moment} Moment */

/** Whoever moves things, in the styles that they have. Nothing of a first look moves, so they come after it; until then nothing moves. */
async function movers() {
  const [{ Travel }, { Celebrations }, { seatsDrawn }] = await Promise.all([
    import("./travel.js"),
    import("./celebrations.js"),
    import("./moving.js"),
    rest(),
  ]);
  return { travel: new Travel(), celebrations: new Celebrations(), seatsDrawn };
}

/** What moves over a table, from one drawing to the next. */
export class Seen {
  /** @type {Awaited<ReturnType<typeof movers>> | null} */
  #movers = null;
  #asked = false;
  #frame = 0;
  /** @type {Moment[]} What the next drawing shows. */
  #waiting = [];

  /** Something has happened, and is about to be drawn. @param {Moment[]} moments */
  happened(moments) {
    this.#waiting.push(...moments);
  }

  /** All lies as it was drawn. */
  settle() {
    cancelAnimationFrame(this.#frame);
    this.#movers?.travel.land();
    this.#movers?.celebrations.settle();
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
    if (this.#movers === null) {
      drawing();
      this.#fetch();
      return;
    }
    const { travel, celebrations, seatsDrawn } = this.#movers;
    if (moments.length > 0) {
      cancelAnimationFrame(this.#frame);
      // A deal is the end of what came before.
      if (moments.some(({ journeys }) => journeys.some(({ to }) => to.where === "all"))) celebrations.end();
      else celebrations.settle();
      travel.leave(root, moments);
    }
    drawing();
    // Where all of it lies the browser finds out for the next frame, and not once more for this. First it is asked.
    const frame = requestAnimationFrame(() => {
      seatsDrawn(root, seats);
      if (moments.length === 0) return;
      travel.arrive(root, moments, me);
      celebrations.begin(root, moments, me);
    });
    if (moments.length > 0) this.#frame = frame;
  }

  #fetch() {
    if (this.#asked) return;
    this.#asked = true;
    // Where they can't be had nothing moves, and nothing depends on it.
    whenDrawn(() => void movers().then((got) => (this.#movers = got)).catch(() => undefined));
  }
}
