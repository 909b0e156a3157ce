// @ts-check
// Pure: whether a deal was fair, computed here and not on the server. Secret, seeds and cut make the deck as
// app/rooms/fairness.py says. SHA-256 is written out, since browsers offer theirs only on https.

/** @typedef {{ commitment: string, secret: string, seeds: Record<string, string>, cut: number | null, pack: string, blocks?: string[] }} Proof */
/** @typedef {"fair" | "promise" | "cards"} Verdict */

const PRIMES = [...primes(64)];
/** The first 32 bits of the fractional parts of the roots of the first primes. @param {number} root */
const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0;
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

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
const turned = (word, by) => (word >>> by) | (word << (32 - by));

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
  const state = new Uint32Array(START);
  const words = new Uint32Array(64);
  /** @param {number} i */
  const w = (i) => words[i] ?? 0;
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(block + i * 4);
    for (let i = 16; i < 64; i++) {
      const small = turned(w(i - 15), 7) ^ turned(w(i - 15), 18) ^ (w(i - 15) >>> 3);
      const large = turned(w(i - 2), 17) ^ turned(w(i - 2), 19) ^ (w(i - 2) >>> 10);
      words[i] = w(i - 16) + small + w(i - 7) + large;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, last = 0] = state;
    for (let i = 0; i < 64; i++) {
      const one = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const plus = (last + one + ((e & f) ^ (~e & g)) + (ROUNDS[i] ?? 0) + w(i)) | 0;
      const two = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const most = (a & b) ^ (a & c) ^ (b & c);
      [last, g, f, e, d, c, b, a] = [g, f, e, (d + plus) | 0, c, b, a, (plus + two + most) | 0];
    }
    [a, b, c, d, e, f, g, last].forEach((word, i) => (state[i] = (state[i] ?? 0) + word));
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setUint32(i * 4, word));
  return new Uint8Array(out.buffer);
}

/** @param {...Uint8Array} parts */
function joined(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** @param {Uint8Array} key @param {Uint8Array} message */
export function hmac(key, message) {
  const short = key.length > 64 ? sha256(key) : key;
  const block = new Uint8Array(64);
  block.set(short);
  const inner = sha256(
    joined(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    joined(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

/** @param {string} hex */
export function bytes(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** @param {Uint8Array} some */
export function hex(some) {
  return [...some].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The deck that a proof leads to.
 * @param {Proof} proof
 * @returns {string[]}
 */
export function deck(proof) {
  const secret = bytes(proof.secret);
  const lines = Object.keys(proof.seeds)
    .sort()
    .map((name) => `${name}:${proof.seeds[name]}\n`);
  const message = joined(new TextEncoder().encode(`${lines.join("")}cut:${proof.cut ?? ""}`), Uint8Array.of(0));
  const words = (function* () {
    for (let count = 0; ; count++) {
      const number = new DataView(new ArrayBuffer(4));
      number.setUint32(0, count);
      // Where a name was taken out of an older proof, there is what it came to.
      const kept = proof.blocks?.[count];
      const block = kept ? bytes(kept) : hmac(secret, joined(message, new Uint8Array(number.buffer)));
      const view = new DataView(block.buffer);
      for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
    }
  })();
  const cards = proof.pack.split(" ");
  for (let last = cards.length - 1; last > 0; last--) {
    const places = last + 1;
    const limit = 2 ** 32 - (2 ** 32 % places);
    let word = words.next().value ?? 0;
    while (word >= limit) word = words.next().value ?? 0;
    const other = word % places;
    [cards[last], cards[other]] = [cards[other] ?? "", cards[last] ?? ""];
  }
  return cards;
}

/** @param {string[]} cards */
const sortedText = (cards) => [...cards].sort().join(" ");

/**
 * Whether the secret is the one promised, and the cards dealt are that deck, one at a time round the table.
 * @param {Proof} proof
 * @param {Record<string, string>} cards as dealt, by name
 * @param {string} stock
 * @returns {Verdict}
 */
export function verdict(proof, cards, stock) {
  if (hex(sha256(bytes(proof.secret))) !== proof.commitment) return "promise";
  const shuffled = deck(proof);
  const hands = Object.values(cards).filter((held) => held !== "");
  const left = stock === "" ? [] : stock.split(" ");
  const dealt = shuffled.slice(0, shuffled.length - left.length);
  const piles = hands.map((_, place) => sortedText(dealt.filter((_card, at) => at % hands.length === place)));
  const held = hands.map((each) => sortedText(each.split(" ")));
  const same = piles.sort().join("|") === held.sort().join("|");
  return same && shuffled.slice(dealt.length).join(" ") === left.join(" ") ? "fair" : "cards";
}
