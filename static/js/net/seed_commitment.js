// @ts-check
// This browser's part in fair deals. It commits to a seed by sending its hash, and reveals the seed when the deal's list is
// closed. After the hand it checks the server's proof, or looks for it in the match's record. deal_lists.js decides. Its
// caller provides the functions for requests, timers and storage.

import { checkedDeal, emptyState, endList, findInRecord, findList, followRoom, openCommitment } from "./deal_lists.js";

/**
 * @import { Answer, Command, Update } from "../types.d.ts"
 * @import { DealState, Finding, KeptList } from "./deal_lists.js"
 * @import { CardMove } from "../replay/card_moves.js"
 * @import { Dealt, Proof } from "../replay/fairness_check.js"
 */
/** @typedef {Pick<typeof import("../replay/fairness_check.js"), "bytesToHex" | "checkSeenDeal" | "hexToBytes" | "renamedSince" | "sha256">
 *   & Pick<typeof import("../replay/card_moves.js"), "cardsBefore" | "movesOf" | "withHistory">} Tools */

const FIRST_WAIT = 2000;
const LONGEST_WAIT = 30000;
const SEED_WAIT = 250;
/** The server keeps the events of this number of changes for a slow reader, and sends this many events of a running hand at most. */
const MOST_CHANGES = 16;
const MOST_HISTORY = 200;

/** Error codes after which the same request can succeed later. */
const TEMPORARY_CODES = new Set(["too_fast", "unavailable"]);

/** Return sixteen random bytes as 32 hexadecimal digits. */
function randomSeed() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class SeedCommitter {
  /**
   * @param {(command: Command) => Promise<Answer>} ask
   * @param {(again: () => void, wait: number) => void} later calls a function after `wait` ms
   * @param {Tools} tools the hash and check functions
   * @param {{ read: () => string, write: (text: string) => void }} storage shared by all tabs of this browser in this room
   * @param {(path: string) => Promise<any>} fetchJson gets JSON from the server; null if there is none
   * @param {(findings: Finding[], about: { checked: boolean, first: boolean }) => void} found gets what this page found out.
   *   `checked`: a deal was checked. `first`: at the first update of a connection, which has no events.
   */
  constructor(ask, later, tools, storage, fetchJson, found) {
    this.ask = ask;
    this.later = later;
    this.tools = tools;
    this.storage = storage;
    this.fetchJson = fetchJson;
    this.found = found;
    /** The last commitment for which a seed hash was sent. */
    this.promised = "";
    /** This connection (deal_lists.js), and the list that it has answered. */
    this.acknowledged = "";
    this.revealed = "";
    /** @type {Set<string>} */
    this.seen = new Set();
    /** The moves of the running hand's cards; `whole`: none is missing. @type {{ commitment: string, moves: CardMove[], whole: boolean }} */
    this.story = { commitment: "", moves: [], whole: false };
    /** The moment of the last question for the record, by list: it is asked once for each phase of a hand. @type {Map<string, string>} */
    this.asked = new Map();
    /** @type {Update | null} */
    this.newest = null;
    /** Resolves when the last update is processed: updates are processed in order. */
    this.turn = Promise.resolve();
  }

  /** @returns {DealState} */
  get state() {
    try {
      const { kept, ...state } = JSON.parse(this.storage.read() || "{}");
      // An older version of the page kept one deal.
      return { ...emptyState(), ...(kept ? { promise: kept } : {}), ...(Array.isArray(state.lists) ? state : {}) };
    } catch {
      return emptyState();
    }
  }

  /** @param {DealState} state */
  set state(state) {
    this.storage.write(JSON.stringify(state));
  }

  /** The lists that this page answered in this match, for `pecking-order verify --list`; null if there are none. */
  get copy() {
    const { match, lists } = this.state;
    const own = lists.filter((kept) => kept.match === match || kept.match === null);
    if (own.length === 0) return null;
    const current = this.newest?.room.fair.commitment;
    return {
      match,
      lists: own.map(({ hand, list, hash, seed }) => ({
        ...{ hand, list, hash },
        ...(list.commitment === current ? { open: true } : { seed }),
      })),
    };
  }

  /** Queue an update for processing. @param {Update} update */
  onUpdate(update) {
    const before = this.newest;
    this.newest = update;
    this.turn = this.turn.then(() => this.processUpdate(update, before)).catch(() => {});
    return this.turn;
  }

  /** @param {Update} update @param {Update | null} before */
  async processUpdate(update, before) {
    const first = update.protocol !== undefined || before === null;
    if (first) {
      this.acknowledged = this.revealed = this.promised = "";
      this.seen.clear();
    }
    const gap = !first && update.seq - before.seq > MOST_CHANGES;
    if (gap) this.seen.clear();
    const { fair, phase } = update.room;
    this.followCards(update, first, gap);
    const proof = before?.room.fair.previous?.commitment ?? null;
    const connection = { first, acknowledged: this.acknowledged, seen: this.seen, proof };
    const { state, findings, reveal, proven, gone } = followRoom(
      this.state,
      update,
      connection,
      this.tools.renamedSince,
    );
    this.state = state;
    if (findings.length > 0) this.found(findings, { checked: false, first });
    if (reveal) this.revealSeed(reveal);
    this.keepCards(update);
    this.commitSeed(update);
    for (const { kept, proof, dealt } of proven) await this.checkDeal(kept, proof, dealt, null, first);
    for (const kept of gone) await this.lookForDeal(kept, update, first);
    if (fair.closed !== null || phase === "playing") this.seen.add(fair.commitment);
  }

  /** Follow the cards of the running hand, and of one that has just ended. @param {Update} update @param {boolean} first @param {boolean} gap whether events may be missing */
  followCards(update, first, gap) {
    const { people, fair, phase } = update.room;
    const now = phase === "playing" ? fair.commitment : (fair.previous?.commitment ?? "");
    const begins = this.story.commitment !== now;
    if (begins) this.story = { commitment: now, moves: [], whole: phase === "playing" };
    if (gap && !begins) this.story.whole = false;
    const history = (first && update.hand_history) || [];
    if (first) this.story.whole = phase === "playing" && history.length < MOST_HISTORY;
    const known = new Map(people.map(({ name, known: before }) => [name, before ?? name]));
    const nameOf = (/** @type {string} */ name) => known.get(name) ?? name;
    this.story.moves.push(...this.tools.movesOf([...history, ...update.events], update.event_animations, nameOf));
  }

  /** Keep this player's cards as they were dealt, from the first view of the hand. @param {Update} update */
  keepCards(update) {
    const { room, you } = update;
    const { state } = this;
    const kept = findList(state, room.fair.commitment);
    if (room.phase !== "playing" || !kept || kept.hand === null || kept.held !== null || you.cards === undefined)
      return;
    kept.held = you.cards ?? "";
    kept.cards = this.story.whole ? this.tools.cardsBefore(kept.held, this.story.moves, kept.name) : null;
    this.state = state;
  }

  /** Send the hash of a new or saved seed, unless that is done for the open commitment. @param {Update} update */
  commitSeed(update) {
    const commitment = openCommitment(update);
    if (commitment === null || commitment === this.promised) return;
    this.promised = commitment;
    const { state, tools } = this;
    let { promise } = state;
    if (promise?.commitment !== commitment) {
      const seed = randomSeed();
      promise = { commitment, seed, hash: tools.bytesToHex(tools.sha256(tools.hexToBytes(seed))) };
      this.state = { ...state, promise };
    }
    void this.sendSeedHash(commitment, promise.hash, FIRST_WAIT);
  }

  /** Send a seed hash; retry after temporary errors. @param {string} commitment @param {string} hash @param {number} wait */
  async sendSeedHash(commitment, hash, wait) {
    const answer = await this.ask({ t: "seed_hash", commitment, hash });
    if (answer.ok && this.promised === commitment) {
      this.acknowledged = commitment;
      const { state } = this;
      if (state.promise?.commitment === commitment)
        this.state = { ...state, promise: { ...state.promise, acknowledged: true } };
    }
    if (answer.ok || !TEMPORARY_CODES.has(answer.code ?? "")) return;
    this.later(() => {
      if (openCommitment(this.newest) === commitment)
        void this.sendSeedHash(commitment, hash, Math.min(2 * wait, LONGEST_WAIT));
    }, wait);
  }

  /** Send the seed for a list, once on each connection. Retry soon after temporary errors: the deal waits for a second. @param {Pick<KeptList, "seed" | "list">} kept */
  revealSeed({ seed, list }) {
    if (seed === this.revealed) return;
    this.revealed = seed;
    void this.ask({ t: "seed", value: seed }).then(({ ok, code }) => {
      if (ok || !TEMPORARY_CODES.has(code ?? "")) return;
      this.later(() => {
        const { phase, fair } = this.newest?.room ?? {};
        if (phase === "playing" || fair?.closed?.commitment !== list.commitment) return;
        this.revealed = "";
        this.revealSeed({ seed, list });
      }, SEED_WAIT);
    });
  }

  /**
   * Check a deal's proof against all that this page saw. The record tells the parts that it did not see.
   * @param {KeptList} kept @param {Proof} proof @param {Dealt | null} dealt @param {{ match: string, index: number } | null} place
   *   the hand in its record, if known @param {boolean} first
   */
  async checkDeal(kept, proof, dealt, place, first) {
    const { commitment } = kept.list;
    const { moves, whole } = this.story.commitment === commitment ? this.story : { moves: [], whole: false };
    const seen = { ...kept, moves, whole };
    let checked = this.tools.checkSeenDeal(kept.list, proof, dealt, seen);
    if (dealt && (checked.verdict === "foreign" || (checked.verdict === "fair" && checked.unseen.length > 0))) {
      const history = await this.fetchHistory(kept, place);
      if (history)
        checked = this.tools.checkSeenDeal(kept.list, proof, dealt, this.tools.withHistory(seen, history, dealt));
    }
    if (findList(this.state, commitment)?.done !== false) return; // another tab was faster
    const { state, findings } = checkedDeal(this.state, kept, proof, checked);
    this.state = state;
    this.found(findings, { checked: true, first });
  }

  /** Fetch the steps of a kept list's hand. @param {KeptList} kept @param {{ match: string, index: number } | null} place */
  async fetchHistory({ match, hand, list }, place) {
    if (place) return this.fetchJson(`/api/matches/${place.match}/hands/${place.index}`);
    if (match === null || hand === null) return null;
    const record = await this.fetchJson(`/matches/${match}/record.json`);
    const found = record?.hands.findIndex((/** @type {any} */ { fair }) => fair?.commitment === list.commitment);
    return found >= 0 ? this.fetchJson(`/api/matches/${match}/hands/${found}`) : null;
  }

  /** Find out how a deal ended that the room no longer shows. @param {KeptList} kept @param {Update} update @param {boolean} first */
  async lookForDeal(kept, { room, table }, first) {
    const { commitment } = kept.list;
    const seen = this.seen.has(commitment);
    const match = kept.match ?? room.match_id;
    const moment = [match, table?.number, room.phase].join();
    if (this.asked.get(commitment) === moment) return;
    this.asked.set(commitment, moment);
    // While this page was connected, it would have seen a hand from this list.
    const sure = kept.hand === null && seen;
    const record = match === null || sure ? null : await this.fetchJson(`/matches/${match}/record.json`);
    const told = record && findInRecord(kept, record, room.rewinds);
    if (told?.proof)
      return this.checkDeal(kept, told.proof, told.dealt, { match: String(match), index: told.index }, first);
    /** @type {Finding} */
    let finding = { kind: "open" };
    if (told?.finding) finding = told.finding;
    else if (room.rewinds > kept.rewinds) finding = { kind: "cancelled", reason: "lost_entries" };
    else if (sure || (record && kept.match !== null)) finding = { kind: kept.hand === null ? "redrawn" : "list" };
    const { state } = this;
    const still = findList(state, commitment);
    if (still?.done !== false || (finding.kind === "open" && still.told)) return;
    if (finding.kind === "open") {
      still.told = true;
      this.state = state;
    } else this.state = endList(state, kept, finding).state;
    this.found([finding], { checked: false, first: first || finding.reason === "lost_entries" });
  }

  /** What this page knows about the deals of this match. */
  get summary() {
    const { counts, deals, last, lists } = this.state;
    const open = lists.filter(({ done, list }) => !done && list.commitment !== this.newest?.room.fair.commitment);
    return { counts, deals, last, open: open.length };
  }
}
