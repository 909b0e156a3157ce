// @ts-check
// Auto-pass: passes for players who turned it on. This page decides, from what the server tells its own seat, and sends
// an ordinary pass. The delay is random and does not depend on cards or reasons, so that others learn nothing from it.

import { legalActions, isBarred, isMyTurn, isSeated } from "./state.js";

/** @import { Action, Model, Update } from "../types.d.ts" */
/** @typedef {NonNullable<Model["passing"]>} AutoPass */

/** Shortest and longest delay of an automatic pass, in ms. All delays between them are equally likely. */
export const DELAY_RANGE = { least: 600, most: 1600 };

/** Automatic actions take this many times longer while other players may break in, so that they have time to react. */
export const BREAK_IN_FACTOR = 3;

/** An automatic action uses at most this part of the time left on the player's clock. */
const MAX_CLOCK_SHARE = 0.5;

/**
 * Return the delay of an automatic action, in ms. It must not depend on cards or reasons.
 * @param {number} random from 0 to 1
 * @param {number} timeLeft milliseconds on the player's clock; Infinity without a clock
 * @param {boolean} [interruptible] whether other players may break in, judged by public information only
 */
export function autoActionDelay(random, timeLeft, interruptible = false) {
  const spread =
    (DELAY_RANGE.least + (DELAY_RANGE.most - DELAY_RANGE.least) * random) * (interruptible ? BREAK_IN_FACTOR : 1);
  return Math.max(0, Math.min(spread, timeLeft * MAX_CLOCK_SHARE));
}

/** Return whether other players may break in, judged by public information only. @param {Update} update */
export function canOthersBreakIn({ table }) {
  return (table?.may_interrupt.length ?? 0) > 0;
}

/** Return the milliseconds left on this player's clock; Infinity without a clock. @param {Update} update */
export function clockTimeLeft({ room, you, server_time }) {
  const until = room.deadlines[you.name ?? ""];
  return until === undefined ? Infinity : until - server_time;
}

/** Return this player's legal actions that pass. @param {Update} update @returns {Action[]} */
export function legalPasses(update) {
  return legalActions(update).filter((action) => update.actions[action.do]?.passes === true);
}

/** Return a key for the current trick, unique in its match; null before a lead. @param {Update} update @returns {string | null} */
export function trickKey({ room, table }) {
  const first = table?.trick?.plays[0];
  if (!table || !first) return null;
  return JSON.stringify([room.match_id, table.number, table.pile_count, first.by, first.cards]);
}

/** Return whether this player has cards left in a game with tricks and is not replaced, leaving or paused. @param {Update} update */
export function isPlayingTricks(update) {
  const { room, table, you } = update;
  if (room.phase !== "playing" || table?.trick === undefined || !isSeated(update)) return false;
  if (table.phase !== "play") return false;
  const mine = room.people.find((person) => person.name === you.name);
  return Boolean(you.cards) && room.paused === null && !mine?.stand_in && mine?.leaving_as === null;
}

/**
 * Return the kinds of auto-pass that can begin now. "trick": the player may come back in the current trick, even after a
 * pass in this turn. "beats": no card can be played in this turn, or another player has the turn.
 * @param {Update} update
 * @returns {AutoPass["until"][]}
 */
export function autoPassOptions(update) {
  const mine = isMyTurn(update);
  if (!isPlayingTricks(update) || (mine && legalPasses(update).length === 0)) return [];
  const trick = update.table?.trick;
  const mayReturn = trick && !isBarred(update) && !(mine && trick.pass_bars);
  return [
    ...(mayReturn ? [/** @type {const} */ ("trick")] : []),
    ...(mine && !mustPass(update) ? [] : [/** @type {const} */ ("beats")]),
  ];
}

/** Return whether this player, whose turn it is, can do nothing but pass. @param {Update} update */
function mustPass(update) {
  const passes = legalPasses(update).length;
  return passes > 0 && update.you.more !== true && legalActions(update).length === passes;
}

/**
 * Return the auto-pass setting if it is still valid, else null. "trick" ends with its trick, "beats" when the player has
 * to lead or can play. Both end when the player is out or the hand is over.
 * @param {Model["passing"]} passing
 * @param {Update} update
 */
export function currentAutoPass(passing, update) {
  if (passing === null || !isPlayingTricks(update)) return null;
  const lies = trickKey(update);
  if (passing.until === "trick") return passing.trick === lies ? passing : null;
  return isMyTurn(update) && (lies === null || !mustPass(update)) ? null : passing;
}

/**
 * Return the pass to send for this player now, or null. A player who has to lead never passes automatically.
 * @param {Model["passing"]} passing
 * @param {Update} update
 * @returns {Action | null}
 */
export function dueAutoPass(passing, update) {
  if (currentAutoPass(passing, update) === null || !isMyTurn(update)) return null;
  return legalPasses(update)[0] ?? null;
}

/**
 * Return the prompt for the player, or "" if auto-pass is about to answer.
 * @param {Model["passing"]} passing
 * @param {Update} update
 * @param {string} prompt text that asks the player to act; may be empty
 */
export function promptUnlessAutoPass(passing, update, prompt) {
  return dueAutoPass(passing, update) === null ? prompt : "";
}

/** Sends automatic passes, each after its delay. */
export class AutoPasser {
  /**
   * @param {(update: Update, action: Action) => Promise<unknown>} send sends an action
   * @param {() => number} chance from 0 to 1
   * @param {{ set(done: () => void, ms: number): number, clear(id: number): void }} timers
   */
  constructor(send, chance, timers) {
    this.send = send;
    this.chance = chance;
    this.timers = timers;
    /** The timer of the next pass; null if none is due. @type {number | null} */
    this.armed = null;
    /** The request that the next pass answers. @type {number | null | undefined} */
    this.request = null;
    /** `seq` of the update for which a pass was last sent: it is sent only once, even if the server refuses it. */
    this.sent = -1;
    /** Whether a sent pass waits for its answer. */
    this.busy = false;
    /** @type {Model | null} */
    this.model = null;
  }

  /** Start or cancel the timer of the next pass. @param {Model} model the current model */
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
