// @ts-check
// This browser's part in fair deals: it promises a seed by its hash, reveals it when the list of a deal is closed, and
// when the hand is over compares the proof with all that it saw before. It knows no page: asking, waiting and storage are
// handed in.

/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").Answer} Answer */
/** @typedef {import("../types.d.ts").Command} Command */
/** @typedef {import("../types.d.ts").Dealing} Dealing */
/** @typedef {import("../replay/fairness_check.js").ClosedList} ClosedList */
/** @typedef {typeof import("../replay/fairness_check.js")} Tools */
/**
 * What is kept until the hand is over.
 * @typedef {object} PendingSeed
 * @property {string} commitment for whose deal the seed is
 * @property {string} seed
 * @property {string} hash of the seed
 * @property {ClosedList | null} list as this browser saw it before it revealed the seed
 * @property {number | null} hand its number, from 1, once its cards were seen
 * @property {string | null} cards dealt to this browser's seat, where they were seen before any other card moved
 */
/** @typedef {{ kept: PendingSeed | null, match: string | null, left: number, deals: number, last: Dealing | null }} State */

const FIRST_WAIT = 2000;
const LONGEST_WAIT = 30000;

/** After these codes it is worth asking again: the moment was bad, not the seed. */
const TEMPORARY_CODES = new Set(["too_fast", "unavailable"]);

/** @returns {State} */
const emptyState = () => ({ kept: null, match: null, left: 0, deals: 0, last: null });

/** The commitment that still lacks this person's promise. @param {Update | null} update */
function findOpenCommitment(update) {
  if (update === null) return null;
  const { room, you } = update;
  const mayAdd = you.name !== null && you.role !== "watcher" && room.phase !== "playing";
  if (!mayAdd || room.fair.closed !== null || room.fair.hashes[you.name ?? ""] !== undefined) return null;
  return room.fair.commitment;
}

/** Sixteen random bytes. */
function randomSeed() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** How cards move as they are dealt. */
const DEAL_ROUTE = [["deck", "all"]].join();

export class SeedCommitter {
  /**
   * @param {(command: Command) => Promise<Answer>} ask
   * @param {(again: () => void, wait: number) => void} later
   * @param {() => Promise<Tools>} tools
   * @param {{ read: () => string, write: (text: string) => void }} storage shared by all tabs of this browser in this room
   * @param {(last: Dealing, left: number) => void} found is told what the check of a hand has found, and how often this
   *   browser's seed was left out in this match
   */
  constructor(ask, later, tools, storage, found) {
    this.ask = ask;
    this.later = later;
    this.tools = tools;
    this.storage = storage;
    this.found = found;
    /** The promise that has been answered, or is being. */
    this.promise = "";
    /** The seed that has been revealed, or is being. */
    this.revealed = "";
    /** How cards move in events that move any, as the first update says. @type {Map<string, string>} */
    this.moving = new Map();
    /** @type {Update | null} */
    this.newest = null;
    /** One update is looked at after the other. */
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

  /** What the check of the last hand has found in the match that goes on, and how often a seed was left out in it. */
  get told() {
    const { last, left, deals } = this.state;
    return { last, left, deals };
  }

  /** What a player hands to `pecking-order verify --list`: the closed list, as this browser saw it; null if it saw none. */
  get seen() {
    const { kept, last } = this.state;
    const list = kept?.list ?? last?.list;
    return list ? { hand: kept?.list ? kept.hand : (last?.hand ?? null), list } : null;
  }

  /** Look whether there is anything to do. @param {Update} update */
  onUpdate(update) {
    this.newest = update;
    if (update.motions)
      this.moving = new Map(
        Object.entries(update.motions).flatMap(([e, { ways }]) => (ways?.length ? [[e, ways.join()]] : [])),
      );
    // Without a part in any deal there is nothing to be loaded for it.
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
        // Later cards may have moved: then nothing can be said of this seat's own.
        const moved = (update.events ?? []).flatMap(({ e }) => this.moving.get(e) ?? []);
        const cards = moved.length > 0 && moved.every((ways) => ways === DEAL_ROUTE) ? (you.cards ?? null) : null;
        this.saveState({ kept: { ...mine, hand: table?.number ?? null, cards } });
      }
    }
    this.commitSeed(update, tools);
  }

  /** Which of a list's numbers is this browser's; null: it is not on it. @param {ClosedList} list @param {PendingSeed} kept */
  findOwnNumber(list, kept) {
    return Object.keys(list.hashes).find((each) => list.hashes[each] === kept.hash) ?? null;
  }

  /** Promise a seed, if that is still to be done. @param {Update} update @param {Tools} tools */
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

  /** @param {string} commitment @param {string} hash @param {number} wait */
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
   * Once the hand is over, compare its proof with the list that this browser saw.
   * @param {Update} update @param {PendingSeed} kept @param {ClosedList} list @param {Tools} tools
   */
  verifyHand(update, kept, list, tools) {
    const { fair, phase } = update.room;
    const over = phase !== "playing" && fair.commitment !== kept.commitment;
    const proven = fair.previous?.commitment === kept.commitment;
    // Another commitment takes the place of one on a closed list only if no hand came of it, unless it was played.
    const swapped = phase === "playing" ? fair.commitment !== kept.commitment : over && kept.hand !== null;
    if (!proven && !swapped) {
      if (over) this.saveState({ kept: null });
      return;
    }
    if (!proven && update.protocol !== undefined) {
      // This page was away for as long as it takes to play that hand: its record still shows what became of it.
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
