// @ts-check
// Steps through the hands of a match: by button, automatically, or together with a watch party.

import { parseJson } from "../lib/null_prototype.js";
import { waitBeforeRetry, isTemporaryFailure } from "../lib/retry.js";
import { spokenCardNames } from "../model/card_names.js";
import { NO_HAND, SPEEDS } from "./replay_state.js";
import { addressOf, firstPlay, line, pauseAfter } from "./step_words.js";

/**
 * @import { Replay } from "./replay_state.js"
 * @import { ReplayPlace as Place } from "./watch_party_socket.js"
 */

export class Player {
  /** Number of the latest request. Answers to earlier requests are ignored. */
  #wanted = 0;
  /** The watch party; null for a file, because other people don't have it. @type {import("./watch_party.js").WatchParty | null} */
  party = null;

  /**
   * @param {import("./replay_state.js").ReplayStore} store
   * @param {import("./match_source.js").MatchSource} source
   * @param {(text: string) => void} say
   */
  constructor(store, source, say) {
    this.store = store;
    this.source = source;
    this.say = say;
  }

  /** @returns {Place} */
  here() {
    const { number, at, seat } = this.store.get();
    return { hand: number, move: at, seat };
  }

  /**
   * Load a hand, seen from a seat or with all cards open, and go to a step.
   * @param {number} which
   * @param {number | null} step null: the first play
   * @param {string | null} from
   * @returns {Promise<boolean>} whether the hand is shown; false if a newer request replaced this one
   */
  async look(which, step, from) {
    const mine = ++this.#wanted;
    const answer = await this.source.hand(which, from);
    if (mine === this.#wanted && isTemporaryFailure(answer)) await waitBeforeRetry();
    if (mine !== this.#wanted) return false;
    if (isTemporaryFailure(answer)) return this.look(which, step, from);
    if (!answer.ok && from !== null) return this.look(which, step, null);
    const hand = answer.ok ? parseJson(await answer.text()) : NO_HAND;
    this.store.set({
      ...(which === this.store.get().number ? {} : { checked: "" }),
      hand,
      number: which,
      seat: from,
      at: within(hand, step ?? firstPlay(hand)),
    });
    return true;
  }

  /** @param {number} which @param {string | null} from @param {number | null} [step] null: the first play */
  async change(which, from, step = null) {
    this.party?.stopFollowing();
    this.stop();
    if (await this.look(which, step, from)) this.go(this.store.get().at);
  }

  /** Go to a step by the viewer's own choice. Stops following; if this page leads, followers come along. @param {number} step */
  go(step) {
    this.party?.stopFollowing();
    this.stand(step);
    this.party?.sharePlace();
  }

  /** @param {number} step */
  stand(step) {
    const { hand } = this.store.get();
    const at = within(hand, step);
    this.store.reduce((state) => ({ ...state, at, copied: false }));
    if (at === hand.frames.length - 1) this.stop();
    history.replaceState(null, "", addressOf(this.store.get(), this.party?.token));
    this.store.set({});
    const frame = hand.frames[at];
    if (frame !== undefined) this.say(line(this.store.get(), frame, spokenCardNames));
  }

  stop() {
    window.clearTimeout(this.store.get().playing);
    this.store.reduce((state) => ({ ...state, playing: 0 }));
  }

  playOn() {
    this.stop();
    const { at, hand, speed } = this.store.get();
    const playing = window.setTimeout(() => this.#playNext(), SPEEDS[speed] * pauseAfter(hand, at));
    this.store.reduce((state) => ({ ...state, playing }));
  }

  #playNext() {
    this.go(this.store.get().at + 1);
    if (this.store.get().playing !== 0) this.playOn();
  }

  playOrStop() {
    const { playing, at, hand } = this.store.get();
    if (playing !== 0) this.stop();
    else {
      if (at === hand.frames.length - 1) this.store.reduce((state) => ({ ...state, at: firstPlay(hand) }));
      this.playOn();
    }
    this.store.set({});
  }

  /** @param {Replay["speed"]} speed */
  changeSpeed(speed) {
    this.store.reduce((state) => ({ ...state, speed }));
    if (this.store.get().playing !== 0) this.playOn();
    this.store.set({});
  }

  /** Go to the place of the watch party's leader. @param {Place} place */
  async goAlong(place) {
    const { number, seat } = this.store.get();
    if (place.hand === number && place.seat === seat) this.stay();
    else if (!(await this.look(place.hand, place.move, place.seat))) return;
    this.stand(place.move);
  }

  /** Ignore the answers of requests that are still running. */
  stay() {
    this.#wanted += 1;
  }
}

/** Limit a step number to the steps of the hand. @param {Replay["hand"]} hand @param {number} step */
function within({ frames }, step) {
  return Math.max(0, Math.min(frames.length - 1, step));
}
