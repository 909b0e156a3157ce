// @ts-check
// Plays the cards that the player has chosen in advance when it is their turn.

import { t } from "../lib/messages.js";
import { resolvePremove, isPremoveDue, premoveDelay } from "../model/premove.js";

/** @import { Update } from "../types.d.ts" */

export class PremovePlayer {
  /** Timer that delays a play, so that other players can play out of turn first. 0: no timer. */
  #waiting = 0;

  /**
   * @param {import("./model_store.js").ModelStore} store
   * @param {Pick<import("./commands.js").Commands, "act" | "tell">} commands
   */
  constructor(store, commands) {
    this.store = store;
    this.commands = commands;
  }

  /** Play the chosen cards if it is time, or after a fair delay. Call this before drawing. */
  see() {
    const { update } = this.store.get();
    if (update === null || !isPremoveDue(this.store.get())) return;
    const ms = premoveDelay(update, Math.random());
    if (ms === 0) this.#play(update);
    else if (this.#waiting === 0) this.#waiting = window.setTimeout(() => this.#waited(update), ms);
  }

  /** @param {Update} before the update when the wait began */
  #waited(before) {
    this.#waiting = 0;
    const { update } = this.store.get();
    if (update === null || !isPremoveDue(this.store.get())) return;
    // A new request starts a new wait, because other players may play out of turn again.
    if (update.you.request === before.you.request) this.#play(update);
    this.store.set({});
  }

  /** Play the chosen cards, or report that they can't be played and leave them chosen. @param {Update} update */
  #play(update) {
    const action = resolvePremove(this.store.get());
    // The player has already chosen this play, so skip the confirmation.
    this.store.reduce((model) => ({ ...model, ahead: null, sure: action ?? null }));
    if (action) void this.commands.act(update, action);
    else if (action === null) this.commands.tell(t("ahead.not"), true);
  }
}
