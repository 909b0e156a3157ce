// @ts-check
// Reads aloud what the room asks the player. While a sheet is open nothing can be heard, so the question waits.

import { canAnnounce, flushAnnouncements } from "../a11y/live_region.js";
import { newPromptText } from "../a11y/announcements.js";
import { promptUnlessAutoPass } from "../model/auto_pass.js";

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
    const asked = promptUnlessAutoPass(passing, update, newPromptText(before, update));
    if (asked !== "") {
      // A sheet that is still on its way keeps nobody from hearing.
      this.#unheard = !canAnnounce();
      if (!this.#unheard) this.urge(asked);
    }
    return asked;
  }

  /** Say what has waited since a sheet was open, and what is still asked. @param {Update} update */
  catchUp(update) {
    flushAnnouncements();
    if (this.#unheard) this.urge(newPromptText(null, update));
    this.#unheard = false;
  }
}
