// @ts-check
// Plays the cards that the player chose in advance, when their turn comes.

import { t } from "../lib/messages.js";
import { resolvePremove, isPremoveDue, premoveDelay } from "../model/premove.js";

/** @typedef {import("../types.d.ts").Update} Update */

export class PremovePlayer {
  /** The timer of a play that waits for other players, who may be about to break in; 0: none waits. */
  #waiting = 0;

  /**
   * @param {import("./model_store.js").ModelStore} store
   * @param {Pick<import("./commands.js").Commands, "act" | "tell">} commands
   * @param {() => void} draw draws the page
   */
  constructor(store, commands, draw) {
    this.store = store;
    this.commands = commands;
    this.draw = draw;
  }

  /** Play when it is fair, if it is time. The page is about to be drawn. */
  see() {
    const { update } = this.store.get();
    if (update === null || !isPremoveDue(this.store.get())) return;
    const ms = premoveDelay(update, Math.random());
    if (ms === 0) this.#play(update);
    else if (this.#waiting === 0) this.#waiting = window.setTimeout(() => this.#waited(update), ms);
  }

  /** @param {Update} before what was shown when the wait began */
  #waited(before) {
    this.#waiting = 0;
    const { update } = this.store.get();
    if (update === null || !isPremoveDue(this.store.get())) return;
    // Another request waits anew: others may break in there, too.
    if (update.you.request === before.you.request) this.#play(update);
    this.draw();
  }

  /** Play, or say that it can't be played and leave the cards chosen. @param {Update} update */
  #play(update) {
    const action = resolvePremove(this.store.get());
    // The player has chosen it already, so it needs no confirmation.
    this.store.reduce((model) => ({ ...model, ahead: null, sure: action ?? null }));
    if (action) void this.commands.act(update, action);
    else if (action === null) this.commands.tell(t("ahead.not"), true);
  }
}
