// @ts-check
// Animates events at the table: flying cards, celebrations and seat changes.

import { afterPaint } from "../lib/after_paint.js";
import { loadDeferredAssets } from "../lib/deferred_assets.js";
import { runInOwnTask } from "../lib/tasks.js";

/**
 * @import { Moment } from "../events/presentation.js"
 * @import { Cast } from "./scenes.js"
 */

/** Load the animation modules and their styles. They load after the first drawing, which has no animations. */
async function loadAnimations() {
  const [{ CardFlights }, { Celebrations }, { animateSeatChanges }] = await Promise.all([
    import("./card_flights.js"),
    import("./celebrations.js"),
    import("./seat_moves.js"),
    loadDeferredAssets(),
  ]);
  return { travel: new CardFlights(), celebrations: new Celebrations(), animateSeatChanges };
}

/** Above this duration of a drawing, in milliseconds, animations start in a later frame. */
const SLOW_DRAWING_MS = 8;

/** Call a function and return its duration in milliseconds. @param {() => void} callback */
function measureDuration(callback) {
  const begun = performance.now();
  callback();
  return performance.now() - begun;
}

/** Starts the animations of a table between one drawing and the next. */
export class Animator {
  /** @type {Awaited<ReturnType<typeof loadAnimations>> | null} */
  #movers = null;
  #asked = false;
  #frame = 0;
  #great = 0;
  /** Counts calls of stopAll(). A celebration scheduled before such a call does not start. */
  #settled = 0;
  /** Whether the last animated drawing was slow. */
  slow = false;
  /** @type {Moment[]} Moments that the next drawing animates. */
  #waiting = [];
  #dealing = false;

  /**
   * Add moments for the next drawing and remember the current layout. Call this before anything else changes, while the
   * browser still has the layout at hand.
   * @param {ParentNode} root
   * @param {Moment[]} moments
   * @param {Cast} [ended] if a result comes, whose page it is
   * @returns {((draw: () => void) => void) | null} schedules the drawing, if a card must land first
   */
  prepareMoments(root, moments, ended) {
    this.#waiting.push(...moments);
    if (this.#movers === null || moments.length === 0) return null;
    const { travel, celebrations } = this.#movers;
    const deal = moments.some(({ journeys }) => journeys.some(({ to }) => to.where === "all"));
    celebrations.stopBefore(moments, deal);
    if (!ended && travel.captureLayout(root, moments) && deal) this.#dealing = true;
    return ended ? travel.landLastPlay(root, moments, ended.you.name) : null;
  }

  /** Return whether a visible deal starts now, and reset that flag. Your own cards appear a little later then. */
  takeDealFlag() {
    const deals = this.#dealing;
    this.#dealing = false;
    return deals;
  }

  /** Move the seats of a table that is drawn in stages. @param {HTMLElement} root @param {string[]} seats */
  moveSeats(root, seats) {
    this.#movers?.animateSeatChanges(root, seats);
  }

  /** End the flights before a drawing in stages: a card that lands would lie on the result. */
  endFlights() {
    if (this.#waiting.length > 0) this.#movers?.travel.finishAll();
  }

  /** Stop all animations at the table and drop waiting moments. */
  stopAll() {
    cancelAnimationFrame(this.#frame);
    cancelAnimationFrame(this.#great);
    this.#settled += 1;
    this.#waiting = [];
    this.#movers?.travel.finishAll();
    this.#movers?.celebrations.stopTableMoves();
  }

  /**
   * Draw the table and animate the waiting moments.
   * @param {HTMLElement} root
   * @param {Cast} cast
   * @param {() => void} draw
   */
  drawAndAnimate(root, cast, draw) {
    const seats = cast.table?.seats ?? [];
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
    // Force layout once, in a separate task before the next frame.
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
          // Layout has used up this frame. Start the animations in the next frame.
          travel.hideNewCards(root);
          this.#frame = requestAnimationFrame(begin);
          return;
        }
      }
      // Keep moments that were added since: they are not drawn yet.
      this.#waiting.splice(0, moments.length);
      animateSeatChanges(root, seats);
      travel.startFlights(root, moments, cast.you.name);
      // Flights start first. Celebrations start in a separate task after the next frame.
      const settled = this.#settled;
      this.#great = requestAnimationFrame(() =>
        runInOwnTask(() => {
          if (this.#settled === settled) celebrations.celebrate(root, moments, cast);
        }),
      );
    };
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(begin);
  }

  #fetch() {
    if (this.#asked) return;
    this.#asked = true;
    // If loading fails, the table works without animations.
    afterPaint(
      () =>
        void loadAnimations()
          .then((got) => (this.#movers = got))
          .catch(() => undefined),
    );
  }
}
