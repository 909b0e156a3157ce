// @ts-check
// Reads the room's questions aloud. While a sheet is open, screen readers would not read them, so questions wait.

import { canAnnounce, flushAnnouncements } from "../a11y/live_region.js";
import { newPromptText } from "../a11y/announcements.js";
import { promptUnlessAutoPass } from "../model/auto_pass.js";

/** @import { Model, Update } from "../types.d.ts" */

export class QuestionAnnouncer {
  /** Whether a question was asked while a sheet was open. */
  #unheard = false;

  /** @param {(text: string) => void} urge interrupts and reads a text aloud */
  constructor(urge) {
    this.urge = urge;
  }

  /**
   * Announce the question of an update and return it: empty without a question or if the page passes by itself.
   * @param {Update | null} before
   * @param {Update} update
   * @param {Model["passing"]} passing
   */
  announce(before, update, passing) {
    const asked = promptUnlessAutoPass(passing, update, newPromptText(before, update));
    if (asked !== "") {
      // A sheet that is still loading does not block announcements.
      this.#unheard = !canAnnounce();
      if (!this.#unheard) this.urge(asked);
    }
    return asked;
  }

  /** Announce texts and questions that waited while a sheet was open. @param {Update} update */
  catchUp(update) {
    flushAnnouncements();
    if (this.#unheard) this.urge(newPromptText(null, update));
    this.#unheard = false;
  }
}
