// @ts-check
// Passing by itself, for whoever has chosen that: decided here, from what one's own seat is told, and sent as any pass
// is. How long it takes is drawn from one spread, whatever the cards are and for whichever reason: who looks on learns
// nothing from it.

import { legal, myTurn } from "./state.js";

/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").Action} Action */
/** @typedef {NonNullable<Model["passing"]>} Passing */

/** Milliseconds that a pass takes which nobody presses: any time from least to most, each as likely as another. */
export const SPREAD = { least: 600, most: 1600 };

/** So many times as long takes what a page does by itself while others may be about to break in: they have to see it. */
export const FAIR = 3;

/** Of what a clock leaves one, at most this part. */
const OF_THE_CLOCK = 0.5;

/**
 * How long a pass takes. It is told neither cards nor reasons.
 * @param {number} chance from 0 to 1
 * @param {number} left milliseconds on one's clock; Infinity where there is none
 * @param {boolean} [open] whether others may be about to break in, for all that everybody sees
 */
export function delay(chance, left, open = false) {
  const spread = (SPREAD.least + (SPREAD.most - SPREAD.least) * chance) * (open ? FAIR : 1);
  return Math.max(0, Math.min(spread, left * OF_THE_CLOCK));
}

/** Whether others may be about to break in, for all that everybody sees. @param {Update} update */
export function isOpen({ table }) {
  return (table?.may_break_in.length ?? 0) > 0;
}

/** Milliseconds on my clock; Infinity where there is none. @param {Update} update */
export function left({ room, you, now }) {
  const until = room.deadlines[you.name ?? ""];
  return until === undefined ? Infinity : until - now;
}

/** My legal actions that let the table stand. @param {Update} update @returns {Action[]} */
function passes(update) {
  return legal(update).filter((action) => update.actions[action.do]?.passes === true);
}

/** The trick that lies on the table, told apart from all others of its match; null before a lead. @param {Update} update @returns {string | null} */
export function trickOf({ room, table }) {
  const first = table?.trick?.plays[0];
  if (!table || !first) return null;
  return JSON.stringify([room.match_id, table.number, table.pile_count, first.by, first.cards]);
}

/** Whether I play in this hand myself, by tricks, and have cards left. @param {Update} update */
function plays({ room, table, you }) {
  if (room.phase !== "playing" || table?.trick === undefined || !table.seats.includes(you.name ?? "")) return false;
  const mine = room.people.find((person) => person.name === you.name);
  return Boolean(you.cards) && room.rest === null && !mine?.playing_for && mine?.going === null;
}

/**
 * What may be chosen now: a trick that one takes no part in any more needs no passing.
 * @param {Update} update
 * @returns {Passing["until"][]}
 */
export function offers(update) {
  if (!plays(update)) return [];
  const trick = update.table?.trick;
  const mine = update.you.name ?? "";
  return trick && !trick.barred.includes(mine) ? ["beats", "trick"] : ["beats"];
}

/**
 * What is left of the choice: a trick that is over takes it along.
 * @param {Model["passing"]} passing
 * @param {Update} update
 */
export function still(passing, update) {
  return passing?.until === "trick" && passing.trick !== trickOf(update) ? null : passing;
}

/**
 * The pass that is to be made for me now; null: none. Nobody leads by passing.
 * @param {Model["passing"]} passing
 * @param {Update} update
 * @returns {Action | null}
 */
export function due(passing, update) {
  if (still(passing, update) === null || !plays(update) || !myTurn(update) || trickOf(update) === null) return null;
  const pass = passes(update)[0] ?? null;
  const other = update.you.more === true || legal(update).length > passes(update).length;
  return passing?.until === "beats" && other ? null : pass;
}

/**
 * What one is called for: nothing where the page is about to pass by itself.
 * @param {Model["passing"]} passing
 * @param {Update} update
 * @param {string} asked what one is asked now; empty if nothing
 */
export function leftToOneself(passing, update, asked) {
  return due(passing, update) === null ? asked : "";
}

/** Makes the passes, each after its delay. */
export class Passer {
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
  see(model) {
    this.model = model;
    const { update } = model;
    const wanted = !this.busy && model.link === "open" && update?.seq !== this.sent && this.next() !== null;
    if (this.armed !== null && !(wanted && this.request === update?.you.request)) {
      this.timers.clear(this.armed);
      this.armed = null;
    }
    if (wanted && this.armed === null && update !== null) {
      this.request = update.you.request;
      this.armed = this.timers.set(() => this.fire(), delay(this.chance(), left(update), isOpen(update)));
    }
  }

  next() {
    const { update = null, passing = null } = this.model ?? {};
    return update === null ? null : due(passing, update);
  }

  fire() {
    this.armed = null;
    const action = this.next();
    const update = this.model?.update ?? null;
    if (action === null || update === null) return;
    this.sent = update.seq;
    this.busy = true;
    void this.send(update, action).finally(() => {
      this.busy = false;
      if (this.model !== null) this.see(this.model);
    });
  }
}
