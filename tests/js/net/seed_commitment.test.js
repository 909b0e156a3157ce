// @ts-check
// The browser's part in fair deals: it commits to a seed, reveals it, and detects a server that cheats. The servers'
// proofs are as good as possible: each deck follows from its secret and seeds.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { SeedCommitter } from "../../../static/js/net/seed_commitment.js";
import * as tools from "../../../static/js/replay/fairness_check.js";

/** @typedef {import("../../../static/js/replay/fairness_check.js").Proof} Proof */
/** @typedef {import("../../../static/js/replay/fairness_check.js").ClosedList} ClosedList */
/** @typedef {{ game: string, proof: Proof & { list: ClosedList }, dealt: { cards: Record<string, string>, stock: string }, order: string[] }} Deal */

/** Deals of all games, made by app/rooms/model/shuffle_proof.py. @type {Deal[]} */
const DEALS = JSON.parse(readFileSync(new URL("../sealed.json", import.meta.url), "utf8"));
const SECRETS = { first: "01".repeat(32), other: "02".repeat(32) };
const PACK = "3c 4c 5c 6c 7c 8c 9c Tc";
const SEATS = ["Bob", "Cat", "Dan", "Ana"];
const BOBS = "bb".repeat(16);

/** @param {string} hexadecimal */
const hashOf = (hexadecimal) => createHash("sha256").update(Buffer.from(hexadecimal, "hex")).digest("hex");

/** A server with one room. It is honest, except for the changes of a test. */
class House {
  constructor() {
    /** The commands of the page. @type {Record<string, any>[]} */
    this.asked = [];
    /** The reports of the page. @type {any[]} */
    this.found = [];
    /** @type {string} */
    this.stored = "";
    this.secret = SECRETS.first;
    /** @type {Record<string, any>} */
    this.fair = {
      commitment: hashOf(this.secret),
      hashes: {},
      cut: null,
      closed: null,
      left_out: [],
      previous: null,
      dealt: null,
    };
    this.phase = "between_hands";
    this.page = this.opened();
  }

  /** A page of this person: the first one, one after a reload, or a second tab. */
  opened() {
    return new SeedCommitter(
      (command) => {
        this.asked.push(command);
        return Promise.resolve({ t: "answer", id: "1", ok: true });
      },
      () => {},
      () => Promise.resolve(tools),
      { read: () => this.stored, write: (text) => (this.stored = text) },
      (found) => this.found.push(found),
    );
  }

  /** Send the room to a page. @param {Record<string, any>} [more] @param {SeedCommitter} [page] */
  async show(more = {}, page = this.page) {
    const room = { phase: this.phase, match_id: "m1", fair: this.fair };
    await page.onUpdate(
      /** @type {any} */ ({ room, table: { number: 3 }, you: { name: "Ana", role: "seated" }, events: [], ...more }),
    );
  }

  get seed() {
    return JSON.parse(this.stored).kept?.seed;
  }

  /** Let the page commit to its seed, and close the list. */
  async close() {
    await this.show();
    const promised = this.asked.findLast(({ t }) => t === "seed_hash");
    const hashes = { 1: promised?.hash, 2: hashOf(BOBS) };
    const order = { seats: SEATS, counted: null, drawn: null };
    this.list = { commitment: this.fair.commitment, cut: null, hashes, givers: { 1: "Ana", 2: "Bob" }, order };
    this.mine = this.seed;
    this.fair = { ...this.fair, hashes: { Ana: promised?.hash, Bob: hashOf(BOBS) }, closed: this.list };
    await this.show();
  }

  /** The honest proof of the deal with changes, and the cards that follow from it. @param {Partial<Proof>} [change] */
  proven(change = {}) {
    const seeds = { 1: this.mine, 2: BOBS };
    const proof = /** @type {Proof} */ ({
      ...{
        commitment: hashOf(this.secret),
        secret: this.secret,
        seeds,
        givers: { 1: "Ana", 2: "Bob" },
        cut: null,
        pack: PACK,
      },
      ...{ list: this.list, ...change },
    });
    const deck = tools.deckFromProof(proof);
    const piles = SEATS.map((name, place) => [name, deck.filter((_, at) => at % SEATS.length === place).join(" ")]);
    return { proof, cards: Object.fromEntries(piles) };
  }

  /** Play the hand to its end. @param {Proof} proof @param {Record<string, string>} cards */
  async play(proof, cards) {
    this.phase = "playing";
    const moved = { event_animations: { shuffled: { paths: [["deck", "all"]] } }, events: [{ e: "shuffled" }] };
    await this.show({ ...moved, you: { name: "Ana", role: "seated", cards: this.proven().cards.Ana } });
    this.phase = "between_hands";
    const commitment = hashOf("03".repeat(32));
    this.fair = {
      commitment,
      hashes: {},
      cut: null,
      closed: null,
      left_out: [],
      previous: proof,
      dealt: { cards, stock: "" },
    };
    await this.show();
    return this.found[0];
  }
}

test("the decks, orders and lists of all games are those of the server", () => {
  for (const { game, proof, dealt, order } of DEALS) {
    const own = { hash: proof.list.hashes[1] ?? "", cards: dealt.cards[proof.list.givers[1] ?? ""] ?? null };
    assert.equal(tools.checkDeal(proof, dealt.cards, dealt.stock), "fair", game);
    assert.equal(tools.checkOwnDeal(proof.list, proof, dealt, own), "fair", game);
    assert.deepEqual(Object.keys(dealt.cards).sort(), [...order].sort());
    const names = Object.keys(dealt.cards);
    const turned = Object.fromEntries(
      names.map((name, at) => [name, dealt.cards[names[(at + 1) % names.length] ?? ""] ?? ""]),
    );
    assert.equal(tools.checkDeal(proof, turned, dealt.stock), "seats", game);
  }
});

test("a proof says of which kind it is, and whose seeds it lacks", () => {
  const lacking = DEALS.find(({ proof }) => Object.keys(proof.seeds).length < Object.keys(proof.list.hashes).length);
  assert.ok(lacking);
  assert.deepEqual(tools.proofStrength(lacking.proof), { kind: "sealed", left: ["Bob"] });
  const { list, ...older } = lacking.proof;
  assert.deepEqual(tools.proofStrength(older), { kind: "open", left: [] });
  assert.deepEqual(tools.proofStrength({ ...older, seeds: {} }), { kind: "server", left: [] });
  assert.equal(
    tools.checkDeal({ ...lacking.proof, list: { ...list, cut: 3 } }, lacking.dealt.cards, lacking.dealt.stock),
    "list",
  );
});

test("a page promises one seed for each commitment, and reveals it when its hash is on the closed list", async () => {
  const house = new House();
  await house.show();
  const { seed } = house;
  assert.match(seed, /^[0-9a-f]{32}$/);
  assert.deepEqual(house.asked, [{ t: "seed_hash", commitment: house.fair.commitment, hash: hashOf(seed) }]);
  await house.show();
  assert.equal(house.asked.length, 1);
  // A reload and a second tab send the same hash.
  await house.show({}, house.opened());
  assert.deepEqual(house.asked[1], house.asked[0]);
  await house.close();
  assert.deepEqual(house.asked.at(-1), { t: "seed", value: seed });
});

test("a page reveals nothing for a list without its own hash, or for another commitment", async () => {
  for (const change of [{ hashes: { 1: "0".repeat(64) } }, { commitment: "0".repeat(64) }]) {
    const house = new House();
    await house.show();
    const order = { seats: SEATS, counted: null, drawn: null };
    const list = {
      commitment: house.fair.commitment,
      cut: null,
      hashes: { 1: hashOf(house.seed) },
      givers: { 1: "Ana" },
      order,
    };
    house.fair = { ...house.fair, closed: { ...list, ...change } };
    await house.show();
    assert.ok(house.asked.every(({ t }) => t !== "seed"));
  }
});

test("an honest deal is found fair, also after a reload in the middle of the hand", async () => {
  const house = new House();
  await house.close();
  const { proof, cards } = house.proven();
  house.phase = "playing";
  await house.show();
  house.page = house.opened();
  const found = await house.play(proof, cards);
  assert.deepEqual([found.verdict, found.left, house.page.told.deals], ["fair", false, 1]);
  assert.deepEqual(house.page.seen, { hand: 3, list: house.list });
});

test("a page notices that its seed was left out, and counts how often in this match", async () => {
  const house = new House();
  for (let deal = 1; deal <= 2; deal++) {
    house.found = [];
    house.secret = deal === 1 ? SECRETS.first : "03".repeat(32);
    await house.close();
    const { proof, cards } = house.proven({ seeds: { 2: BOBS } });
    house.phase = "playing";
    await house.show();
    house.phase = "between_hands";
    const commitment = hashOf(deal === 1 ? "03".repeat(32) : "04".repeat(32));
    house.fair = {
      commitment,
      hashes: {},
      cut: null,
      closed: null,
      left_out: [],
      previous: proof,
      dealt: { cards, stock: "" },
    };
    await house.show();
    assert.deepEqual([house.found[0].verdict, house.found[0].left, house.page.told.left], ["fair", true, deal]);
  }
  house.phase = "playing";
  await house.show({ room: { phase: "playing", match_id: "m2", fair: house.fair } });
  assert.equal(house.page.told.left, 0);
});

test("a deal that was called off is no cheat, and its seed is used no more", async () => {
  const house = new House();
  await house.close();
  const { mine } = house;
  house.fair = { ...house.fair, commitment: hashOf(SECRETS.other), hashes: {}, closed: null };
  await house.show();
  assert.deepEqual(house.found, []);
  assert.notEqual(house.seed, mine);
});

test("cheating: the right deck is dealt to other seats", async () => {
  const house = new House();
  await house.close();
  const { proof, cards } = house.proven();
  const turned = Object.fromEntries(SEATS.map((name, at) => [name, cards[SEATS[(at + 1) % 4] ?? ""] ?? ""]));
  assert.equal((await house.play(proof, turned)).verdict, "seats");
});

test("cheating: this seat got other cards than the proof shows", async () => {
  const house = new House();
  await house.close();
  const { proof, cards } = house.proven();
  house.phase = "playing";
  const moved = { event_animations: { shuffled: { paths: [["deck", "all"]] } }, events: [{ e: "shuffled" }] };
  await house.show({ ...moved, you: { name: "Ana", role: "seated", cards: cards.Bob } });
  assert.equal((await house.play(proof, cards)).verdict, "seats");
});

test("cheating: the commitment is swapped once the seeds are known", async () => {
  const house = new House();
  await house.close();
  const commitment = hashOf(SECRETS.other);
  const list = /** @type {ClosedList} */ ({ .../** @type {any} */ (house.list), commitment });
  const { proof, cards } = house.proven({ secret: SECRETS.other, commitment, list });
  assert.equal(tools.checkDeal(proof, cards, ""), "fair", "by itself the proof is good");
  assert.equal((await house.play(proof, cards)).verdict, "list");
});

test("cheating: a seed is replaced after the reveal", async () => {
  const other = "dd".repeat(16);
  const house = new House();
  await house.close();
  const { proof, cards } = house.proven({ seeds: { 1: /** @type {any} */ (house.mine), 2: other } });
  assert.equal((await house.play(proof, cards)).verdict, "seed");
  // The same if the list is falsified to match.
  const again = new House();
  await again.close();
  const hashes = { .../** @type {any} */ (again.list).hashes, 2: hashOf(other) };
  const list = /** @type {ClosedList} */ ({ .../** @type {any} */ (again.list), hashes });
  const made = again.proven({ seeds: { 1: /** @type {any} */ (again.mine), 2: other }, list });
  assert.equal(tools.checkDeal(made.proof, made.cards, ""), "fair", "by itself the proof is good");
  assert.equal((await again.play(made.proof, made.cards)).verdict, "list");
});

test("cheating: the server adds a seed of its own", async () => {
  const own = "ee".repeat(16);
  const house = new House();
  await house.close();
  const seeds = { 1: /** @type {any} */ (house.mine), 2: BOBS, 3: own };
  const { proof, cards } = house.proven({ seeds });
  assert.equal((await house.play(proof, cards)).verdict, "seed");
  const again = new House();
  await again.close();
  const { hashes, givers } = /** @type {any} */ (again.list);
  const more = { hashes: { ...hashes, 3: hashOf(own) }, givers: { ...givers, 3: "Pip" } };
  const list = /** @type {ClosedList} */ ({ .../** @type {any} */ (again.list), ...more });
  const made = again.proven({ seeds: { ...seeds, 1: again.mine ?? "" }, list });
  assert.equal(tools.checkDeal(made.proof, made.cards, ""), "fair", "by itself the proof is good");
  assert.equal((await again.play(made.proof, made.cards)).verdict, "list");
});
