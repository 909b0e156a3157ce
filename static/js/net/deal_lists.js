// @ts-check
// Pure: what a page knows about fair deals in one room. It keeps each closed list that it answered with its seed until the
// deal is checked, and counts what went wrong. seed_commitment.js stores this state and talks to the server.

import { withoutPrototype } from "../lib/null_prototype.js";

/**
 * @import { Update } from "../types.d.ts"
 * @import { CancelledDeal, ClosedList, Dealt, Proof, Verdict } from "../replay/fairness_check.js"
 */
/**
 * What a page can say about a deal, in addition to a verdict.
 * `redrawn`: its list was closed, and other cards were dealt without a true reason. `cancelled`: the same with a reason.
 * `off`: the list lacks this page's acknowledged hash. `alone`: no list, though the hash was acknowledged.
 * `away`: this page was not connected. `unheard`: the hash was not acknowledged in time. `late`: the seed was left out.
 * `open`: the deal is not checked yet.
 * @typedef {Exclude<Verdict, "fair"> | "redrawn" | "cancelled" | "off" | "alone" | "away" | "unheard" | "late" | "open"} Kind
 */
/** @typedef {{ kind: Kind, by?: string | null, reason?: CancelledDeal["reason"] }} Finding */
/** @typedef {{ commitment: string, seed: string, hash: string, acknowledged?: boolean }} SeedPromise */
/**
 * A closed list that this page answered with its seed.
 * @typedef {object} KeptList
 * @property {ClosedList} list as this page saw it before it sent its seed
 * @property {string} seed
 * @property {string} hash
 * @property {number} rewinds `room.rewinds` at that time
 * @property {string | null} match null until it is known
 * @property {number | null} hand number of the hand from 1, null until its cards were seen
 * @property {string} name this player's name in the match
 * @property {string | null} held this player's cards when the page first saw the hand
 * @property {string | null} cards this player's cards as dealt; null: unknown
 * @property {boolean} done whether the deal is checked or cancelled: kept until the match ends, to be copied
 * @property {boolean} [told] whether the page has said that the deal is not checked yet
 */
/** @typedef {{ commitment: string, verdict: Verdict | null, unseen: string[], kinds: Kind[] }} LastDeal */
/**
 * `counts` and `deals` are of the match. `missed`: the last deal without this page's seed.
 * @typedef {{ promise: SeedPromise | null, lists: KeptList[], match: string | null, counts: Partial<Record<Kind, number>>,
 *   deals: number, missed: string, last: LastDeal | null }} DealState
 */
/**
 * This page's connection. `first`: the update is its first one. `acknowledged`: the commitment whose hash it acknowledged.
 * `seen`: commitments of the lists that were open or running during this connection. `proof`: the commitment of the proof
 * that the last update showed.
 * @typedef {{ first: boolean, acknowledged: string, seen: ReadonlySet<string>, proof: string | null }} Connection
 */

const MOST_LISTS = 30;

/** @returns {DealState} */
export const emptyState = () => ({
  promise: null,
  lists: [],
  match: null,
  counts: {},
  deals: 0,
  missed: "",
  last: null,
});

/** Return this player's name in the match. @param {Pick<Update, "room" | "you">} update */
export const ownName = ({ room, you }) => room.people.find(({ name }) => name === you.name)?.known ?? you.name ?? "";

/** Return the open commitment for which this person may promise a seed, or null. @param {Update | null} update */
export function openCommitment(update) {
  if (update === null) return null;
  const { room, you } = update;
  const mayAdd = you.name !== null && you.role !== "spectator" && room.phase !== "playing";
  return mayAdd && room.fair.closed === null ? room.fair.commitment : null;
}

/** Return the number of a hash in a list; undefined if it is missing. @param {ClosedList} list @param {string} hash */
const numberOf = (list, hash) => Object.keys(list.hashes).find((each) => list.hashes[each] === hash);

/** Return a list by its commitment. @param {DealState} state @param {string | undefined} commitment */
export const findList = ({ lists }, commitment) => lists.find(({ list }) => list.commitment === commitment);

/** @param {DealState} state @param {string} commitment @param {Partial<KeptList>} change @returns {DealState} */
const withList = (state, commitment, change) => ({
  ...state,
  lists: state.lists.map((kept) => (kept.list.commitment === commitment ? { ...kept, ...change } : kept)),
});

/**
 * Count findings about a deal.
 * @param {DealState} state @param {string} commitment @param {Finding[]} findings @param {Partial<LastDeal>} [more]
 * @returns {DealState}
 */
function withFindings(state, commitment, findings, more = {}) {
  const counts = { ...state.counts };
  for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
  const before = state.last?.commitment === commitment ? state.last : null;
  const kinds = [...(before?.kinds ?? []), ...findings.map(({ kind }) => kind)];
  return { ...state, counts, last: { verdict: null, unseen: [], ...before, ...more, commitment, kinds } };
}

/** Start new counts when a match begins. Its first list is closed before the match has an id. @param {DealState} state @param {Update["room"]} room @returns {DealState} */
function withMatch(state, { match_id: match, fair }) {
  if (match === state.match || (match === null && fair.closed === null)) return state;
  if (state.match === null) return { ...state, match };
  return { ...state, match, counts: {}, deals: 0, lists: state.lists.filter(({ done }) => !done) };
}

/** Return what this page keeps of a closed list. @param {Update} update @param {ClosedList} list @param {SeedPromise} promise @returns {KeptList} */
function newList(update, list, { seed, hash }) {
  const { rewinds, match_id: match } = update.room;
  return { list, seed, hash, rewinds, match, hand: null, name: ownName(update), held: null, cards: null, done: false };
}

/** Add a list that this page answers. The oldest checked list makes room for it, or else the oldest one. @param {DealState} state @param {KeptList} kept @returns {DealState} */
function withNewList(state, kept) {
  const lists = [...state.lists, kept];
  if (lists.length > MOST_LISTS)
    lists.splice(
      Math.max(
        0,
        lists.findIndex(({ done }) => done),
      ),
      1,
    );
  return { ...state, lists };
}

/**
 * Return why the deal that is closed or running has no seed of this page; null if it has one, or none was wanted.
 * @param {DealState} state @param {Update} update @param {Connection} connection @returns {Kind | null}
 */
function missingSeed(state, { room, table, you }, connection) {
  const { closed, commitment, left_out } = room.fair;
  const playing = room.phase === "playing";
  const dealt = closed !== null || playing;
  const { promise } = state;
  if (!dealt || promise === null || you.name === null || room.known_cards !== null) return null;
  if (commitment === state.missed || findList(state, commitment)) return null;
  const me = ownName({ room, you });
  if (!(closed === null ? table?.seats.includes(you.name) : closed.order.seats.includes(me))) return null;
  const mine = promise.commitment === commitment;
  const acknowledged = mine && connection.acknowledged === commitment;
  const listed = closed !== null && mine && numberOf(closed, promise.hash) !== undefined;
  // Another device of this person gave a seed.
  const given = closed !== null && Object.values(closed.givers).includes(me) && !left_out.includes(you.name);
  if (acknowledged && !listed) return closed === null ? "alone" : "off";
  if (given) return null;
  return connection.first || listed || promise.acknowledged || !mine ? "away" : "unheard";
}

/**
 * Judge what the server says about a deal of a kept list that it cancelled; null if the next deal must be seen first.
 * @param {KeptList} kept @param {CancelledDeal} told @param {number} rewinds now
 * @param {readonly string[] | null} seats of the deal that followed, null if none did yet
 * @returns {Finding | null}
 */
function judgeCancelled(kept, told, rewinds, seats) {
  const { reason, by } = told;
  if (reason === "seats_changed" && seats === null) return null;
  const untrue =
    (reason === "seats_changed" && [...(seats ?? [])].sort().join() === [...told.list.order.seats].sort().join()) ||
    (reason === "lost_entries" && rewinds <= kept.rewinds);
  return untrue ? { kind: "redrawn" } : { kind: "cancelled", reason, by };
}

/**
 * Say how the deal of a kept list ended.
 * @param {DealState} state @param {KeptList} kept @param {Finding} finding
 * @returns {{ state: DealState, findings: Finding[] }}
 */
export function endList(state, { list }, finding) {
  const { commitment } = list;
  return {
    state: withFindings(withList(state, commitment, { done: true }), commitment, [finding]),
    findings: [finding],
  };
}

/**
 * Take the result of a check of a kept list's deal into the state.
 * @param {DealState} state @param {KeptList} kept @param {Proof} proof @param {{ verdict: Verdict, unseen: string[] }} checked
 * @returns {{ state: DealState, findings: Finding[] }}
 */
export function checkedDeal(state, { list, hash }, proof, { verdict, unseen }) {
  const { commitment } = list;
  /** @type {Finding[]} */
  const findings = verdict === "fair" ? [] : [{ kind: verdict }];
  if (proof.seeds[numberOf(list, hash) ?? ""] === undefined) findings.push({ kind: "late" });
  const done = { ...withList(state, commitment, { done: true }), deals: state.deals + 1 };
  return { state: withFindings(done, commitment, findings, { verdict, unseen }), findings };
}

/**
 * Follow a room to its next update.
 * `reveal`: the list that waits for this page's seed. `proven`: lists whose deals can be checked now, with their proofs.
 * `gone`: lists that the room no longer shows, so that only the record can tell how they ended.
 * @param {DealState} before @param {Update} update @param {Connection} connection
 * @param {(seen: ClosedList, shown: ClosedList) => unknown} isSame whether a list is one seen before, but for deleted names
 */
export function followRoom(before, update, connection, isSame) {
  let state = withMatch(before, update.room);
  const { room, table } = update;
  const { closed, commitment, previous } = room.fair;
  const playing = room.phase === "playing";
  /** @type {Finding[]} */
  const findings = [];
  /** @type {{ kept: KeptList, proof: Proof, dealt: Dealt | null }[]} */
  const proven = [];
  /** @type {KeptList[]} */
  const gone = [];
  const { promise } = state;
  if (
    closed &&
    !playing &&
    promise?.commitment === commitment &&
    numberOf(closed, promise.hash) &&
    !findList(state, commitment)
  )
    state = withNewList(state, newList(update, closed, promise));
  const missing = missingSeed(state, update, connection);
  if (missing) {
    findings.push({ kind: missing });
    // Keep the list as evidence.
    if (missing === "off" && closed && promise)
      state = withNewList(state, { ...newList(update, closed, promise), done: true });
    state = withFindings({ ...state, missed: commitment }, commitment, [{ kind: missing }]);
  }
  const cancelled = [...(room.fair.cancelled ?? []), ...(previous?.cancelled ?? [])];
  const seats = closed?.order.seats ?? (playing ? (table?.seats ?? null) : null);
  if (playing && table && findList(state, commitment)?.hand === null)
    state = withList(state, commitment, { match: room.match_id, hand: table.number });
  for (const kept of state.lists.filter(({ done }) => !done)) {
    const { commitment: own } = kept.list;
    const told = cancelled.find(({ list }) => list.commitment === own);
    if (told) {
      const finding = judgeCancelled(kept, told, room.rewinds, seats ?? previous?.list?.order.seats ?? null);
      if (finding) ({ state } = endList(state, kept, finding));
      if (finding) findings.push(finding);
    } else if (previous?.commitment === own && !playing) proven.push({ kept, proof: previous, dealt: room.fair.dealt });
    else if (kept.hand !== null && connection.seen.has(own) && previous && previous.commitment !== connection.proof) {
      // This hand has just ended, with the proof of another list.
      ({ state } = endList(state, kept, { kind: "list" }));
      findings.push({ kind: "list" });
    } else if (commitment !== own) gone.push(kept);
  }
  const waiting = closed && !playing ? findList(state, commitment) : undefined;
  if (closed && waiting && !waiting.done && !isSame(waiting.list, closed)) {
    ({ state } = endList(state, waiting, { kind: "list" }));
    findings.push({ kind: "list" });
  }
  const reveal = waiting && findList(state, commitment)?.done === false ? waiting : null;
  return { state, findings, reveal, proven, gone };
}

/**
 * Find how the deal of a kept list ended in the record of its match.
 * @param {KeptList} kept @param {Record<string, any>} record @param {number} rewinds now
 * @returns {{ proof: Proof, dealt: Dealt, index: number } | { finding: Finding } | null}
 */
export function findInRecord(kept, record, rewinds) {
  const { commitment } = kept.list;
  /** @type {Record<string, any>[]} */
  const hands = record.hands;
  const is = (/** @type {{ list?: ClosedList }} */ { list }) => list?.commitment === commitment;
  for (const [index, { fair, cards, stock = "" }] of hands.entries()) {
    if (fair?.commitment === commitment)
      return { proof: fair, dealt: { cards: withoutPrototype(cards), stock }, index };
    const told = fair?.cancelled?.find(is);
    const finding = told && judgeCancelled(kept, told, rewinds, fair.list?.order.seats ?? Object.keys(cards));
    if (finding) return { finding };
  }
  const told = record.cancelled?.find(is);
  const finding = told && judgeCancelled(kept, told, rewinds, []);
  return finding ? { finding } : null;
}
