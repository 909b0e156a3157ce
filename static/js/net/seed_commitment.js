// @ts-check
// This browser's part in fair deals. It commits to a seed by sending its hash, and reveals the seed when the deal's list is
// closed. After the hand it checks the server's proof. It does not touch the page: its caller provides the functions for
// requests, timers and storage.

/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").Answer} Answer */
/** @typedef {import("../types.d.ts").Command} Command */
/** @typedef {import("../types.d.ts").Dealing} Dealing */
/** @typedef {import("../replay/fairness_check.js").ClosedList} ClosedList */
/** @typedef {typeof import("../replay/fairness_check.js")} Tools */
/**
 * The data saved for a deal until its hand is over.
 * @typedef {object} PendingSeed
 * @property {string} commitment the deal that uses the seed
 * @property {string} seed
 * @property {string} hash of the seed
 * @property {ClosedList | null} list as this browser saw it before it revealed the seed
 * @property {number | null} hand number of the hand, from 1; null until its cards were seen
 * @property {string | null} cards dealt to this browser's seat; null unless seen before any other card moved
 */
/** @typedef {{ kept: PendingSeed | null, match: string | null, left: number, deals: number, last: Dealing | null }} State */

const FIRST_WAIT = 2000;
const LONGEST_WAIT = 30000;

/** Error codes after which the same request can succeed later. */
const TEMPORARY_CODES = new Set(["too_fast", "unavailable"]);

/** @returns {State} */
const emptyState = () => ({ kept: null, match: null, left: 0, deals: 0, last: null });

/** Return the open commitment that lacks this person's seed hash; null if they can't or need not add it. @param {Update | null} update */
function findOpenCommitment(update) {
  if (update === null) return null;
  const { room, you } = update;
  const mayAdd = you.name !== null && you.role !== "spectator" && room.phase !== "playing";
  if (!mayAdd || room.fair.closed !== null || room.fair.hashes[you.name ?? ""] !== undefined) return null;
  return room.fair.commitment;
}

/** Return sixteen random bytes as 32 hexadecimal digits. */
function randomSeed() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The card move of a deal: from the deck to all players. */
const DEAL_ROUTE = [["deck", "all"]].join();

export class SeedCommitter {
  /**
   * @param {(command: Command) => Promise<Answer>} ask
   * @param {(again: () => void, wait: number) => void} later calls a function after `wait` ms
   * @param {() => Promise<Tools>} tools loads the hash and check functions
   * @param {{ read: () => string, write: (text: string) => void }} storage shared by all tabs of this browser in this room
   * @param {(last: Dealing, left: number) => void} found gets the result of a hand's check, and the number of hands in
   *   this match that left out this browser's seed
   */
  constructor(ask, later, tools, storage, found) {
    this.ask = ask;
    this.later = later;
    this.tools = tools;
    this.storage = storage;
    this.found = found;
    /** The last commitment for which a seed hash was sent. */
    this.promise = "";
    /** The last seed that was revealed. */
    this.revealed = "";
    /** Card moves by event type, from the first update; only events that move cards. @type {Map<string, string>} */
    this.moving = new Map();
    /** @type {Update | null} */
    this.newest = null;
    /** Resolves when the last update is processed: updates are processed in order. */
    this.turn = Promise.resolve();
  }

  /** @returns {State} */
  get state() {
    try {
      return { ...emptyState(), ...JSON.parse(this.storage.read() || "{}") };
    } catch {
      return emptyState();
    }
  }

  /** @param {Partial<State>} change */
  saveState(change) {
    this.storage.write(JSON.stringify({ ...this.state, ...change }));
  }

  /** The last check's result in this match, the number of hands that left out the seed, and the number of hands checked. */
  get told() {
    const { last, left, deals } = this.state;
    return { last, left, deals };
  }

  /** The closed list that this browser saw, for `pecking-order verify --list`; null if it saw no list. */
  get seen() {
    const { kept, last } = this.state;
    const list = kept?.list ?? last?.list;
    return list ? { hand: kept?.list ? kept.hand : (last?.hand ?? null), list } : null;
  }

  /** Queue an update for processing, if a deal with seeds is open or being checked. @param {Update} update */
  onUpdate(update) {
    this.newest = update;
    if (update.event_animations)
      this.moving = new Map(
        Object.entries(update.event_animations).flatMap(([e, { paths }]) => (paths?.length ? [[e, paths.join()]] : [])),
      );
    // Don't load the tools unless this browser takes part in a deal.
    if (findOpenCommitment(update) === null && update.room.fair.closed === null && this.state.kept === null)
      return this.turn;
    this.turn = this.turn.then(() => this.processUpdate(update)).catch(() => {});
    return this.turn;
  }

  /** @param {Update} update */
  async processUpdate(update) {
    const tools = await this.tools();
    const { room, table, you } = update;
    const { fair } = room;
    if (room.match_id !== null && room.match_id !== this.state.match)
      this.saveState({ match: room.match_id, left: 0, deals: 0 });
    const { kept } = this.state;
    if (kept?.list) this.verifyHand(update, kept, kept.list, tools);
    const closed = fair.closed;
    const { kept: now } = this.state;
    if (
      now !== null &&
      closed !== null &&
      closed.commitment === now.commitment &&
      this.findOwnNumber(closed, now) !== null
    ) {
      if (now.list === null && room.phase !== "playing") this.saveState({ kept: { ...now, list: closed } });
      const { kept: mine } = this.state;
      if (room.phase !== "playing" && mine !== null) this.revealSeed(mine.seed);
      else if (mine?.list && mine.hand === null) {
        // If other cards moved after the deal, the dealt cards of this seat are unknown.
        const moved = (update.events ?? []).flatMap(({ e }) => this.moving.get(e) ?? []);
        const cards = moved.length > 0 && moved.every((ways) => ways === DEAL_ROUTE) ? (you.cards ?? null) : null;
        this.saveState({ kept: { ...mine, hand: table?.number ?? null, cards } });
      }
    }
    this.commitSeed(update, tools);
  }

  /** Return the number of this browser's hash in a list; null if it is missing. @param {ClosedList} list @param {PendingSeed} kept */
  findOwnNumber(list, kept) {
    return Object.keys(list.hashes).find((each) => list.hashes[each] === kept.hash) ?? null;
  }

  /** Send the hash of a new or saved seed, unless that is done for the open commitment. @param {Update} update @param {Tools} tools */
  commitSeed(update, tools) {
    const commitment = findOpenCommitment(update);
    if (commitment === null || commitment === this.promise) return;
    this.promise = commitment;
    let { kept } = this.state;
    if (kept?.commitment !== commitment) {
      const seed = randomSeed();
      kept = {
        commitment,
        seed,
        hash: tools.bytesToHex(tools.sha256(tools.hexToBytes(seed))),
        list: null,
        hand: null,
        cards: null,
      };
      this.saveState({ kept });
    }
    void this.sendSeedHash(commitment, kept.hash, FIRST_WAIT);
  }

  /** Send a seed hash; retry after temporary errors. @param {string} commitment @param {string} hash @param {number} wait */
  async sendSeedHash(commitment, hash, wait) {
    const answer = await this.ask({ t: "seed_hash", commitment, hash });
    if (answer.ok || !TEMPORARY_CODES.has(answer.code ?? "")) return;
    this.later(() => {
      if (findOpenCommitment(this.newest) === commitment)
        void this.sendSeedHash(commitment, hash, Math.min(2 * wait, LONGEST_WAIT));
    }, wait);
  }

  /** @param {string} seed */
  revealSeed(seed) {
    if (seed === this.revealed) return;
    this.revealed = seed;
    void this.ask({ t: "seed", value: seed });
  }

  /**
   * After the hand, check its proof against the list that this browser saw, save the result and report it.
   * @param {Update} update @param {PendingSeed} kept @param {ClosedList} list @param {Tools} tools
   */
  verifyHand(update, kept, list, tools) {
    const { fair, phase } = update.room;
    const over = phase !== "playing" && fair.commitment !== kept.commitment;
    const proven = fair.previous?.commitment === kept.commitment;
    // The server may replace a commitment after its list closed only if no hand was dealt from it.
    const swapped = phase === "playing" ? fair.commitment !== kept.commitment : over && kept.hand !== null;
    if (!proven && !swapped) {
      if (over) this.saveState({ kept: null });
      return;
    }
    if (!proven && update.protocol !== undefined) {
      // The page was disconnected until that hand ended, so it has no proof. The match record still contains it.
      this.saveState({ kept: null });
      return;
    }
    const proof = proven ? fair.previous : null;
    const verdict =
      proof === null ? "list" : tools.checkOwnDeal(list, proof, fair.dealt, { hash: kept.hash, cards: kept.cards });
    const mine = this.findOwnNumber(list, kept) ?? "";
    const left = proof !== null && proof.seeds[mine] === undefined;
    const { left: before, deals } = this.state;
    const last = { verdict, left, hand: kept.hand, list };
    this.saveState({ kept: null, last, left: before + (left ? 1 : 0), deals: deals + 1 });
    this.found(last, this.state.left);
  }
}
