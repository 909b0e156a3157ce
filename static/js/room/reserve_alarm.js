// @ts-check
// Tells a player when their time reserve begins, and when ten seconds of it are left.

import { t } from "../lib/messages.js";
import { playSound } from "../sound/player.js";

/** @import { Model, Update } from "../types.d.ts" */

const LAST_MS = 10_000;

export class ReserveAlarm {
  /** @type {number[]} */
  #timers = [];

  /** @param {() => Model} model @param {(text: string) => void} say */
  constructor(model, say) {
    this.model = model;
    this.say = say;
  }

  /** Set the alarms for the player's turn. @param {Update} update */
  onUpdate({ you }) {
    for (const timer of this.#timers) window.clearTimeout(timer);
    const { deadline, reserve_from: from } = you;
    if (typeof deadline !== "number" || typeof from !== "number") return;
    const now = Date.now() + this.model().offset;
    const seconds = Math.ceil((deadline - from) / 1000);
    /** @type {[number, string][]} */
    const alarms = [
      [from, t("reserve.runs", { count: seconds })],
      [deadline - LAST_MS, t("reserve.ends", { count: LAST_MS / 1000 })],
    ];
    this.#timers = alarms
      .filter(([at], i) => at > now && (i === 0 || at > from))
      .map(([at, text]) => window.setTimeout(() => this.#ring(text), at - now));
  }

  /** @param {string} text */
  #ring(text) {
    this.say(text);
    playSound("nudge");
  }
}
