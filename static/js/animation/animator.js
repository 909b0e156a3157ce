// @ts-check
// What is seen as things happen: cards travel, great moments are celebrated, people change places.

import { afterPaint } from "../lib/after_paint.js";
import { loadDeferredAssets } from "../lib/deferred_assets.js";
import { runInOwnTask } from "../lib/tasks.js";

/** @typedef {import("../events/presentation.js").Moment} Moment */

/** Whoever moves things, in the styles that they have. Nothing of a first look moves, so they come after it; until then nothing moves. */
async function loadAnimations() {
  const [{ CardFlights }, { Celebrations }, { animateSeatChanges }] = await Promise.all([
    import("./card_flights.js"),
    import("./celebrations.js"),
    import("./seat_moves.js"),
    loadDeferredAssets(),
  ]);
  return { travel: new CardFlights(), celebrations: new Celebrations(), animateSeatChanges };
}

/** A drawing that takes so long, in milliseconds, leaves no time in its frame for all else. */
const SLOW_DRAWING_MS = 8;

/** How long something takes, in milliseconds. @param {() => void} callback */
function measureDuration(callback) {
  const begun = performance.now();
  callback();
  return performance.now() - begun;
}

/** What moves over a table, from one drawing to the next. */
export class Animator {
  /** @type {Awaited<ReturnType<typeof loadAnimations>> | null} */
  #movers = null;
  #asked = false;
  #frame = 0;
  #great = 0;
  /** How often all was made to lie as it was drawn: what was still to begin then does not. */
  #settled = 0;
  /** Whether a drawing takes long here. */
  slow = false;
  /** @type {Moment[]} What the next drawing shows. */
  #waiting = [];
  #dealing = false;

  /**
   * Something has happened, and is about to be drawn: where things lie is remembered while the browser knows it, before
   * anything else changes.
   * @param {ParentNode} root
   * @param {Moment[]} moments
   */
  prepareMoments(root, moments) {
    this.#waiting.push(...moments);
    if (this.#movers === null || moments.length === 0) return;
    const { travel, celebrations } = this.#movers;
    const deal = moments.some(({ journeys }) => journeys.some(({ to }) => to.where === "all"));
    // It is the end of what came before.
    if (deal) celebrations.stopAll();
    else celebrations.stopTableMoves();
    if (travel.captureLayout(root, moments) && deal) this.#dealing = true;
  }

  /** Whether cards are dealt now, and will be seen to be: one's own come into sight a while later. It is asked once. */
  takeDealFlag() {
    const deals = this.#dealing;
    this.#dealing = false;
    return deals;
  }

  /** All lies as it was drawn. */
  stopAll() {
    cancelAnimationFrame(this.#frame);
    cancelAnimationFrame(this.#great);
    this.#settled += 1;
    this.#waiting = [];
    this.#movers?.travel.finishAll();
    this.#movers?.celebrations.stopTableMoves();
  }

  /**
   * Draw, and let what has happened be seen.
   * @param {HTMLElement} root
   * @param {string | null} me
   * @param {string[]} seats everybody, clockwise
   * @param {() => void} draw
   */
  drawAndAnimate(root, me, seats, draw) {
    const moments = [...this.#waiting];
    if (this.#movers === null) {
      this.#waiting = [];
      draw();
      this.#fetch();
      return;
    }
    const { travel, celebrations, animateSeatChanges } = this.#movers;
    if (moments.length > 0) travel.finishAll();
    let took = measureDuration(draw);
    if (moments.length === 0) {
      requestAnimationFrame(() => animateSeatChanges(root, seats));
      return;
    }
    // Where all of it lies the browser finds out in a task between this and the frame, and once.
    let found = false;
    const find = () => {
      found = true;
      took += measureDuration(() => root.getBoundingClientRect());
      this.slow = took > SLOW_DRAWING_MS;
    };
    runInOwnTask(() => {
      if (!found) find();
    });
    const begin = () => {
      celebrations.holdOldCloth(root, moments);
      if (!found) {
        find();
        if (this.slow) {
          // Now it has done so for this frame, and that is enough for one.
          travel.hideNewCards(root);
          this.#frame = requestAnimationFrame(begin);
          return;
        }
      }
      // What has happened since is not drawn yet.
      this.#waiting.splice(0, moments.length);
      animateSeatChanges(root, seats);
      travel.startFlights(root, moments, me);
      // Where things fly is seen to first: what is over them has a task of its own, after the next frame.
      const settled = this.#settled;
      this.#great = requestAnimationFrame(() =>
        runInOwnTask(() => {
          if (this.#settled === settled) celebrations.celebrate(root, moments, me);
        }),
      );
    };
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(begin);
  }

  #fetch() {
    if (this.#asked) return;
    this.#asked = true;
    // Where they can't be had nothing moves, and nothing depends on it.
    afterPaint(
      () =>
        void loadAnimations()
          .then((got) => (this.#movers = got))
          .catch(() => undefined),
    );
  }
}
