// @ts-check
// Passing by itself, for whoever has chosen that: decided here, from what one's own seat is told, and sent as any pass
// is. How long it takes is drawn from one spread, whatever the cards are and for whichever reason: who looks on learns
// nothing from it.

import { legalActions, isMyTurn } from "./state.js";

/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").Action} Action */
/** @typedef {NonNullable<Model["passing"]>} AutoPass */

/** Milliseconds that a pass takes which nobody presses: any time from least to most, each as likely as another. */
export const DELAY_RANGE = { least: 600, most: 1600 };

/** So many times as long takes what a page does by itself while others may be about to break in: they have to see it. */
export const BREAK_IN_FACTOR = 3;

/** Of what a clock leaves one, at most this part. */
const MAX_CLOCK_SHARE = 0.5;

/**
 * How long a pass takes. It is told neither cards nor reasons.
 * @param {number} random from 0 to 1
 * @param {number} timeLeft milliseconds on one's clock; Infinity where there is none
 * @param {boolean} [interruptible] whether others may be about to break in, for all that everybody sees
 */
export function autoActionDelay(random, timeLeft, interruptible = false) {
  const spread =
    (DELAY_RANGE.least + (DELAY_RANGE.most - DELAY_RANGE.least) * random) * (interruptible ? BREAK_IN_FACTOR : 1);
  return Math.max(0, Math.min(spread, timeLeft * MAX_CLOCK_SHARE));
}

/** Whether others may be about to break in, for all that everybody sees. @param {Update} update */
export function canOthersBreakIn({ table }) {
  return (table?.may_break_in.length ?? 0) > 0;
}

/** Milliseconds on my clock; Infinity where there is none. @param {Update} update */
export function clockTimeLeft({ room, you, now }) {
  const until = room.deadlines[you.name ?? ""];
  return until === undefined ? Infinity : until - now;
}

/** My legal actions that let the table stand. @param {Update} update @returns {Action[]} */
function legalPasses(update) {
  return legalActions(update).filter((action) => update.actions[action.do]?.passes === true);
}

/** The trick that lies on the table, told apart from all others of its match; null before a lead. @param {Update} update @returns {string | null} */
export function trickKey({ room, table }) {
  const first = table?.trick?.plays[0];
  if (!table || !first) return null;
  return JSON.stringify([room.match_id, table.number, table.pile_count, first.by, first.cards]);
}

/** Whether I play in this hand myself, by tricks, and have cards left. @param {Update} update */
function isPlayingTricks({ room, table, you }) {
  if (room.phase !== "playing" || table?.trick === undefined || !table.seats.includes(you.name ?? "")) return false;
  const mine = room.people.find((person) => person.name === you.name);
  return Boolean(you.cards) && room.rest === null && !mine?.playing_for && mine?.going === null;
}

/**
 * What may be chosen now: a trick that one takes no part in any more needs no passing.
 * @param {Update} update
 * @returns {AutoPass["until"][]}
 */
export function autoPassOptions(update) {
  if (!isPlayingTricks(update)) return [];
  const trick = update.table?.trick;
  const mine = update.you.name ?? "";
  return trick && !trick.barred.includes(mine) ? ["beats", "trick"] : ["beats"];
}

/**
 * What is left of the choice: a trick that is over takes it along.
 * @param {Model["passing"]} passing
 * @param {Update} update
 */
export function currentAutoPass(passing, update) {
  return passing?.until === "trick" && passing.trick !== trickKey(update) ? null : passing;
}

/**
 * The pass that is to be made for me now; null: none. Nobody leads by passing.
 * @param {Model["passing"]} passing
 * @param {Update} update
 * @returns {Action | null}
 */
export function dueAutoPass(passing, update) {
  if (
    currentAutoPass(passing, update) === null ||
    !isPlayingTricks(update) ||
    !isMyTurn(update) ||
    trickKey(update) === null
  )
    return null;
  const pass = legalPasses(update)[0] ?? null;
  const other = update.you.more === true || legalActions(update).length > legalPasses(update).length;
  return passing?.until === "beats" && other ? null : pass;
}

/**
 * What one is called for: nothing where the page is about to pass by itself.
 * @param {Model["passing"]} passing
 * @param {Update} update
 * @param {string} prompt what one is asked now; empty if nothing
 */
export function promptUnlessAutoPass(passing, update, prompt) {
  return dueAutoPass(passing, update) === null ? prompt : "";
}

/** Makes the passes, each after its delay. */
export class AutoPasser {
  /**
   * @param {(update: Update, action: Action) => Promise<unknown>} send sends an action that answers this update
   * @param {() => number} chance from 0 to 1
   * @param {{ set(done: () => void, ms: number): number, clear(id: number): void }} timers
   */
  constructor(send, chance, timers) {
    this.send = send;
    this.chance = chance;
    this.timers = timers;
    /** The timer of the pass that comes. @type {number | null} */
    this.armed = null;
    /** The request that the pass that comes is for. @type {number | null | undefined} */
    this.request = null;
    /** The moment for which a pass was sent: it is sent once, whatever becomes of it. */
    this.sent = -1;
    /** Whether it is still to be answered. */
    this.busy = false;
    /** @type {Model | null} */
    this.model = null;
  }

  /** @param {Model} model as it is now */
  onModelChange(model) {
    this.model = model;
    const { update } = model;
    const wanted = !this.busy && model.link === "open" && update?.seq !== this.sent && this.duePass() !== null;
    if (this.armed !== null && !(wanted && this.request === update?.you.request)) {
      this.timers.clear(this.armed);
      this.armed = null;
    }
    if (wanted && this.armed === null && update !== null) {
      this.request = update.you.request;
      this.armed = this.timers.set(
        () => this.sendPass(),
        autoActionDelay(this.chance(), clockTimeLeft(update), canOthersBreakIn(update)),
      );
    }
  }

  duePass() {
    const { update = null, passing = null } = this.model ?? {};
    return update === null ? null : dueAutoPass(passing, update);
  }

  sendPass() {
    this.armed = null;
    const action = this.duePass();
    const update = this.model?.update ?? null;
    if (action === null || update === null) return;
    this.sent = update.seq;
    this.busy = true;
    void this.send(update, action).finally(() => {
      this.busy = false;
      if (this.model !== null) this.onModelChange(this.model);
    });
  }
}
