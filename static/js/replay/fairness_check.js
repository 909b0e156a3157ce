// @ts-check
// Pure functions: check in the browser whether a deal was fair. app/rooms/model/shuffle_proof.py describes how secret,
// seeds and cut determine the deck. SHA-256 is implemented here because browsers offer theirs only on https.

import { dealtPile, impossibleCard, renamed } from "./card_moves.js";

/** @typedef {{ seats: string[], counted: { place: number, steps: Record<string, number> } | null, drawn: { pack: string, seats: string[], nth: number } | null }} DealOrder */
/** @typedef {{ commitment: string, cut: number | null, hashes: Record<string, string>, givers: Record<string, string>, order: DealOrder }} ClosedList */
/**
 * @typedef {{ commitment: string, secret: string, seeds: Record<string, string>, cut: number | null, pack: string, blocks?: string[],
 *   givers?: Record<string, string>, list?: ClosedList, known?: string, cancelled?: CancelledDeal[] }} Proof
 */
/**
 * The result of a check.
 * `list`: the proof's closed list differs from the list seen before, or from the proof itself.
 * `seed`: a seed is not on the list or does not fit its hash.
 * `promise`: the secret does not fit the commitment.
 * `cards`: the dealt cards differ from those that secret and seeds give.
 * `seats`: the piles are right but went to other seats.
 * `foreign`: a player put a card on the table that can't have come to them.
 * @typedef {"fair" | "list" | "seed" | "promise" | "cards" | "seats" | "foreign"} Verdict
 */
/** @import { CardMove } from "./card_moves.js" */
/**
 * A deal that the server cancelled after its list was closed. Secret and seeds are shown later.
 * @typedef {{ reason: "deleted" | "seats_changed" | "match_ended" | "lost_entries", by: string | null, list: ClosedList,
 *   givers: Record<string, string> }} CancelledDeal
 */
/** @typedef {{ cards: Record<string, string>, stock: string }} Dealt */

const PRIMES = [...primes(64)];
/** Return the first 32 bits of the fractional part of a prime's root. @param {number} root */
const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0;
const INITIAL_STATE = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND_CONSTANTS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

/** @param {number} count */
function* primes(count) {
  for (let n = 2, found = 0; found < count; n++) {
    let prime = true;
    for (let by = 2; by * by <= n && prime; by++) prime = n % by !== 0;
    if (!prime) continue;
    found++;
    yield n;
  }
}

/** @param {number} word @param {number} by */
const rotateRight = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * @param {Uint8Array} message
 * @returns {Uint8Array}
 */
export function sha256(message) {
  const padded = new Uint8Array(((message.length + 8) >> 6) * 64 + 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length * 8);
  const state = new Uint32Array(INITIAL_STATE);
  const words = new Uint32Array(64);
  /** @param {number} i */
  const w = (i) => words[i] ?? 0;
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(block + i * 4);
    for (let i = 16; i < 64; i++) {
      const small = rotateRight(w(i - 15), 7) ^ rotateRight(w(i - 15), 18) ^ (w(i - 15) >>> 3);
      const large = rotateRight(w(i - 2), 17) ^ rotateRight(w(i - 2), 19) ^ (w(i - 2) >>> 10);
      words[i] = w(i - 16) + small + w(i - 7) + large;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, last = 0] = state;
    for (let i = 0; i < 64; i++) {
      const one = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
      const plus = (last + one + ((e & f) ^ (~e & g)) + (ROUND_CONSTANTS[i] ?? 0) + w(i)) | 0;
      const two = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
      const most = (a & b) ^ (a & c) ^ (b & c);
      [last, g, f, e, d, c, b, a] = [g, f, e, (d + plus) | 0, c, b, a, (plus + two + most) | 0];
    }
    for (const [i, word] of [a, b, c, d, e, f, g, last].entries()) state[i] = (state[i] ?? 0) + word;
  }
  const out = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) out.setUint32(i * 4, word);
  return new Uint8Array(out.buffer);
}

/** @param {...Uint8Array} parts */
function concatBytes(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** @param {Uint8Array} key @param {Uint8Array} message */
export function hmac(key, message) {
  const short = key.length > 64 ? sha256(key) : key;
  const block = new Uint8Array(64);
  block.set(short);
  const inner = sha256(
    concatBytes(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    concatBytes(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

/** @param {string} hex */
export function hexToBytes(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** @param {Uint8Array} some */
export function bytesToHex(some) {
  return [...some].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return the bytes that the HMAC is computed over: all seeds and the cut. @param {Proof} proof */
function seedMessage(proof) {
  const lines = Object.keys(proof.seeds)
    .sort()
    .map((name) => `${name}:${proof.seeds[name]}\n`);
  return new TextEncoder().encode(`${lines.join("")}cut:${proof.cut ?? ""}`);
}

/**
 * Shuffle the cards with a stream of random 32-bit words and return the new order.
 * @param {string[]} cards
 * @param {Iterator<number>} words
 */
function shuffleByWords(cards, words) {
  const order = [...cards];
  for (let last = order.length - 1; last > 0; last--) {
    const places = last + 1;
    const limit = 2 ** 32 - (2 ** 32 % places);
    let word = words.next().value ?? 0;
    while (word >= limit) word = words.next().value ?? 0;
    const other = word % places;
    [order[last], order[other]] = [order[other] ?? "", order[last] ?? ""];
  }
  return order;
}

/** @param {(count: number) => Uint8Array} block */
function* wordStream(block) {
  for (let count = 0; ; count++) {
    const view = new DataView(block(count).buffer);
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
  }
}

/**
 * Compute the shuffled deck from a proof.
 * @param {Proof} proof
 * @returns {string[]}
 */
export function deckFromProof(proof) {
  const secret = hexToBytes(proof.secret);
  const said = concatBytes(seedMessage(proof), Uint8Array.of(0));
  const block = (/** @type {number} */ count) => {
    const number = new DataView(new ArrayBuffer(4));
    number.setUint32(0, count);
    // Older proofs lost names that were deleted. They contain the resulting HMAC blocks instead.
    const kept = proof.blocks?.[count];
    return kept ? hexToBytes(kept) : hmac(secret, concatBytes(said, new Uint8Array(number.buffer)));
  };
  return shuffleByWords(proof.pack.split(" "), wordStream(block));
}

/** Compute the seed of all other shuffles in the hand. @param {Proof} proof */
function secondarySeed(proof) {
  const digest = hmac(hexToBytes(proof.secret), concatBytes(seedMessage(proof), Uint8Array.of(1)));
  return digest.slice(0, 6).reduce((number, byte) => number * 256 + byte, 0);
}

/**
 * Return the seats in dealing order, beginning with the seat that gets the first card.
 * @param {DealOrder} order
 * @param {string[]} cards
 * @param {number} seed
 */
function dealingOrder(order, cards, seed) {
  const { seats, counted, drawn } = order;
  let turn = 0;
  if (drawn !== null) {
    const pack = drawn.pack.split(" ");
    const block = (/** @type {number} */ count) => sha256(new TextEncoder().encode(`${seed}/${drawn.nth}/${count}`));
    const drew = shuffleByWords(pack, wordStream(block)).slice(0, drawn.seats.length);
    const highest = drew.reduce((best, card) => (pack.indexOf(card) > pack.indexOf(best) ? card : best));
    turn += seats.indexOf(drawn.seats[drew.indexOf(highest)] ?? "");
  }
  if (counted !== null) turn += counted.steps[cards[counted.place]?.[0] ?? ""] ?? 0;
  turn %= seats.length;
  return [...seats.slice(turn), ...seats.slice(0, turn)];
}

/** @param {string[]} cards */
const sortedText = (cards) => [...cards].sort().join(" ");

/** Serialise a value to JSON with sorted keys, so that equal values give equal texts. @param {unknown} value @returns {string} */
function canonicalJson(value) {
  return JSON.stringify(value, (_key, part) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/**
 * Check that the secret fits its commitment and that the cards come from its deck, dealt one at a time.
 * With a closed list, also check each seed's hash and the seat of each pile. Older proofs do not contain these seats.
 * @param {Proof} proof
 * @param {Record<string, string>} cards as dealt, by name
 * @param {string} stock
 * @returns {Verdict}
 */
export function checkDeal(proof, cards, stock) {
  const { list } = proof;
  if (list && (list.commitment !== proof.commitment || list.cut !== proof.cut)) return "list";
  for (const [number, seed] of list ? Object.entries(proof.seeds) : [])
    if (list?.hashes[number] === undefined || bytesToHex(sha256(hexToBytes(seed))) !== list.hashes[number])
      return "seed";
  if (bytesToHex(sha256(hexToBytes(proof.secret))) !== proof.commitment) return "promise";
  const shuffled = deckFromProof(proof);
  const held = Object.entries(cards).filter(([, each]) => each !== "");
  const left = stock === "" ? [] : stock.split(" ");
  const dealt = shuffled.slice(0, shuffled.length - left.length);
  if (shuffled.slice(dealt.length).join(" ") !== left.join(" ")) return "cards";
  const piles = held.map((_, place) => sortedText(dealt.filter((_card, at) => at % held.length === place)));
  const hands = new Map(held.map(([name, each]) => [name, sortedText(each.split(" "))]));
  if ([...piles].sort().join("|") !== [...hands.values()].sort().join("|")) return "cards";
  if (!list) return "fair";
  const seats = dealingOrder(list.order, shuffled, secondarySeed(proof));
  return seats.length === held.length && seats.every((name, place) => hands.get(name) === piles[place])
    ? "fair"
    : "seats";
}

/** A name that the server gives to a player who deleted their data. */
const NAMELESS = /^Somebody \d+$/;

/**
 * Compare a closed list with the one that this browser saw before. Players may have deleted their data since.
 * @param {ClosedList} seen
 * @param {ClosedList | undefined} shown
 * @returns {Map<string, string> | null} the present names by earlier name; null if the lists differ
 */
export function renamedSince(seen, shown) {
  if (!shown) return null;
  const named = (/** @type {ClosedList} */ { givers, order: { seats, drawn } }) => [
    ...[
      seats,
      drawn?.seats ?? [],
      Object.keys(givers)
        .sort()
        .map((number) => givers[number] ?? ""),
    ],
  ];
  const unnamed = (/** @type {ClosedList} */ { commitment, cut, hashes, givers, order: { counted, drawn } }) =>
    canonicalJson([commitment, cut, hashes, Object.keys(givers).sort(), counted, drawn?.pack, drawn?.nth]);
  const [before, after] = [named(seen), named(shown)];
  if (unnamed(seen) !== unnamed(shown) || before.some((names, i) => names.length !== after[i]?.length)) return null;
  const names = new Map(before.flatMap((each, i) => each.map((name, at) => [name, after[i]?.[at] ?? ""])));
  const same = before.every((each, i) => each.every((name, at) => names.get(name) === after[i]?.[at]));
  const kept = [...names].every(([name, now]) => name === now || NAMELESS.test(now));
  return same && kept && new Set(names.values()).size === names.size ? names : null;
}

/**
 * Check a hand's proof against what this browser saw: the closed list, its own cards, and the cards that others played.
 * @param {ClosedList} list the closed list as received before any seed was revealed
 * @param {Proof} proof
 * @param {Dealt | null} dealt
 * @param {{ name: string, cards: string | null, moves: readonly CardMove[], whole: boolean }} seen the player's name and cards
 *   as dealt (null: unknown), and the hand's card moves; `whole`: no move is missing
 * @returns {{ verdict: Verdict, unseen: ("own" | "others")[] }} `unseen`: the parts that could not be compared
 */
export function checkSeenDeal(list, proof, dealt, { name, cards, moves, whole }) {
  const names = proof.commitment === list.commitment ? renamedSince(list, proof.list) : null;
  const verdict = names === null ? "list" : dealt === null ? "cards" : checkDeal(proof, dealt.cards, dealt.stock);
  /** @type {("own" | "others")[]} */
  const unseen = [
    ...(cards === null ? /** @type {const} */ (["own"]) : []),
    ...(whole ? [] : /** @type {const} */ (["others"])),
  ];
  if (verdict !== "fair" || dealt === null) return { verdict, unseen };
  const now = renamed(moves, names ?? new Map());
  const pile = dealtPile(dealt, now, names?.get(name) ?? name);
  if (cards !== null && pile !== null && sortedText(pile.split(" ")) !== sortedText(cards.split(" ")))
    return { verdict: "seats", unseen };
  return { verdict: whole && impossibleCard(dealt, now) !== null ? "foreign" : "fair", unseen };
}

/** Return how strong the proof of a fair deal is, the players whose seeds count, and the seats without a seed. @param {Proof} proof */
export function proofStrength(proof) {
  const given = Object.keys(proof.seeds);
  /** @type {"sealed" | "open" | "server"} */
  const kind = given.length === 0 ? "server" : proof.list ? "sealed" : "open";
  const { givers = proof.givers ?? {}, order } = proof.list ?? {};
  const gave = given.map((number) => givers[number] ?? number);
  return { kind, gave, without: order?.seats.filter((name) => !gave.includes(name)) ?? [] };
}
