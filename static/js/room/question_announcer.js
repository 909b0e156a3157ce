// @ts-check
// Reads aloud what the room asks the player. While a sheet is open nothing can be heard, so the question waits.

import { canBeHeard, release } from "../a11y/live_region.js";
import { newQuestion } from "../a11y/announcements.js";
import { leftToOneself } from "../model/auto_pass.js";

/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Update} Update */

export class QuestionAnnouncer {
  /** Whether a question was asked while a sheet was open. */
  #unheard = false;

  /** @param {(text: string) => void} urge interrupts and reads a text aloud */
  constructor(urge) {
    this.urge = urge;
  }

  /**
   * Announce what an update asks, and return it: an empty text if it asks nothing, or if the page passes by itself.
   * @param {Update | null} before
   * @param {Update} update
   * @param {Model["passing"]} passing
   */
  announce(before, update, passing) {
    const asked = leftToOneself(passing, update, newQuestion(before, update));
    if (asked !== "") {
      // A sheet that is still on its way keeps nobody from hearing.
      this.#unheard = !canBeHeard();
      if (!this.#unheard) this.urge(asked);
    }
    return asked;
  }

  /** Say what has waited since a sheet was open, and what is still asked. @param {Update} update */
  catchUp(update) {
    release();
    if (this.#unheard) this.urge(newQuestion(null, update));
    this.#unheard = false;
  }
}
