// @ts-check
// The browser's part in fair deals: it commits to a seed, reveals it, and detects a server that cheats. The servers'
// proofs are as good as possible: each deck follows from its secret and seeds.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { SeedCommitter } from "../../../static/js/net/seed_commitment.js";
import * as moves from "../../../static/js/replay/card_moves.js";
import * as checks from "../../../static/js/replay/fairness_check.js";

/** @import { ClosedList, Proof } from "../../../static/js/replay/fairness_check.js" */
/** @typedef {{ game: string, proof: Proof & { list: ClosedList }, dealt: { cards: Record<string, string>, stock: string }, order: string[] }} Deal */

const tools = { ...checks, ...moves };

/** Deals of all games, made by app/rooms/model/shuffle_proof.py. @type {Deal[]} */
const DEALS = JSON.parse(readFileSync(new URL("../sealed.json", import.meta.url), "utf8"));
const SECRETS = { first: "01".repeat(32), other: "02".repeat(32) };
const PACK = "3c 4c 5c 6c 7c 8c 9c Tc";
const SEATS = ["Bob", "Cat", "Dan", "Ana"];
const BOBS = "bb".repeat(16);
const ANIMATIONS = {
  shuffled: { paths: [["deck", "all"]] },
  laid: { paths: [["by", "table"]] },
  gave: { paths: [["by", "to"]] },
};

/** @param {string} hexadecimal */
const hashOf = (hexadecimal) => createHash("sha256").update(Buffer.from(hexadecimal, "hex")).digest("hex");

/** A server with one room. It is honest, except for the changes of a test. */
class House {
  constructor() {
    /** The commands of the page. @type {Record<string, any>[]} */
    this.asked = [];
    /** The findings of the page. @type {import("../../../static/js/net/deal_lists.js").Kind[]} */
    this.found = [];
    /** The match's record, null if the server refuses it. @type {Record<string, any> | null} */
    this.record = null;
    /** The command that the server refuses, and the error code. */
    this.refuses = "";
    this.code = "not_now";
    /** Functions that the page wants to call later. @type {(() => void)[]} */
    this.later = [];
    this.rewinds = 0;
    this.seq = 0;
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
        const ok = this.refuses !== command.t;
        return Promise.resolve({ t: "answer", id: "1", ok, ...(ok ? {} : { code: this.code }) });
      },
      (again) => this.later.push(again),
      tools,
      { read: () => this.stored, write: (text) => (this.stored = text) },
      () => Promise.resolve(this.record),
      (findings) => this.found.push(...findings.map(({ kind }) => kind)),
    );
  }

  /** Send the room to a page. @param {Record<string, any>} [more] @param {SeedCommitter} [page] */
  async show(more = {}, page = this.page) {
    const people = SEATS.map((name) => ({ name }));
    const room = {
      phase: this.phase,
      match_id: "m1",
      known_cards: null,
      people,
      rewinds: this.rewinds,
      fair: this.fair,
    };
    const you = { name: "Ana", role: "seated" };
    const table = { number: 3, seats: SEATS };
    const always = { seq: ++this.seq, event_animations: ANIMATIONS, events: [] };
    await page.onUpdate(/** @type {any} */ ({ room, table, you, ...always, ...more }));
    // The answer to a command comes later.
    await Promise.resolve();
  }

  /** Connect the page again. */
  async reconnect() {
    await this.show({ protocol: 5, hand_history: [] });
  }

  get seed() {
    return JSON.parse(this.stored).promise?.seed;
  }

  /** Offer the next deal, without a proof of the last one. @param {Record<string, any>} [more] */
  goOn(more = {}) {
    const commitment = hashOf("03".repeat(32));
    this.phase = "between_hands";
    this.fair = { commitment, hashes: {}, cut: null, closed: null, left_out: [], previous: null, dealt: null, ...more };
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

  /** Deal a hand. @param {string} [cards] that this page gets @param {Record<string, any>[]} [events] */
  async deal(cards = this.proven().cards.Ana, events = [{ e: "shuffled" }]) {
    this.phase = "playing";
    await this.show({ events, you: { name: "Ana", role: "seated", cards } });
  }

  /** Play the hand to its end, and return what the page found. @param {Proof} proof @param {Record<string, string>} cards */
  async play(proof, cards) {
    await this.deal();
    this.goOn({ previous: proof, dealt: { cards, stock: "" } });
    await this.show();
    return this.found;
  }
}

/** A proof with its list, and the same after players have deleted their data. @param {ClosedList} list @param {Record<string, string>} names */
function withNames(list, names) {
  const now = (/** @type {string} */ name) => names[name] ?? name;
  const givers = Object.fromEntries(Object.entries(list.givers).map(([number, name]) => [number, now(name)]));
  return { ...list, givers, order: { ...list.order, seats: list.order.seats.map(now) } };
}

test("the decks, orders and lists of all games are those of the server", () => {
  for (const { game, proof, dealt, order } of DEALS) {
    const name = proof.list.givers[1] ?? "";
    const seen = { name, cards: dealt.cards[name] ?? null, moves: [], whole: true };
    assert.equal(tools.checkDeal(proof, dealt.cards, dealt.stock), "fair", game);
    assert.equal(tools.checkSeenDeal(proof.list, proof, dealt, seen).verdict, "fair", game);
    assert.deepEqual(Object.keys(dealt.cards).sort(), [...order].sort());
    const names = Object.keys(dealt.cards);
    const turned = Object.fromEntries(
      names.map((each, at) => [each, dealt.cards[names[(at + 1) % names.length] ?? ""] ?? ""]),
    );
    assert.equal(tools.checkDeal(proof, turned, dealt.stock), "seats", game);
  }
});

test("a proof says of which kind it is, who gave a seed, and which seats lack one", () => {
  const lacking = DEALS.find(({ proof }) => Object.keys(proof.seeds).length < Object.keys(proof.list.hashes).length);
  assert.ok(lacking);
  const { gave, without, kind } = tools.proofStrength(lacking.proof);
  assert.equal(kind, "sealed");
  assert.ok(without.includes("Bob"));
  assert.deepEqual([...gave, ...without].sort(), [...lacking.proof.list.order.seats].sort());
  const { list, ...older } = lacking.proof;
  assert.equal(tools.proofStrength(older).kind, "open");
  assert.deepEqual(tools.proofStrength({ ...older, seeds: {} }), { kind: "server", gave: [], without: [] });
  assert.equal(
    tools.checkDeal({ ...lacking.proof, list: { ...list, cut: 3 } }, lacking.dealt.cards, lacking.dealt.stock),
    "list",
  );
});

test("a list is the same after players have deleted their data, but not with any other name", () => {
  for (const { proof } of DEALS) {
    const { list } = proof;
    const [one = "", other = ""] = list.order.seats;
    const same = (/** @type {Record<string, string>} */ names) =>
      tools.renamedSince(list, withNames(list, names)) !== null;
    if (list.order.drawn) continue;
    assert.ok(same({}));
    assert.ok(same({ [one]: "Somebody 1" }));
    assert.equal(tools.renamedSince(list, withNames(list, { [one]: "Somebody 1" }))?.get(one), "Somebody 1");
    assert.ok(!same({ [one]: other, [other]: one }));
    assert.ok(!same({ [one]: "Somebody" }));
    assert.ok(!same({ [one]: "Somebody 1", [other]: "Somebody 1" }));
    assert.equal(tools.renamedSince(list, { ...list, cut: 99 }), null);
  }
});

test("a page promises one seed for each commitment, and reveals it once on each connection", async () => {
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
  const reveals = () => house.asked.filter(({ t }) => t === "seed");
  assert.deepEqual(reveals(), [{ t: "seed", value: seed }]);
  await house.show();
  assert.equal(reveals().length, 1);
  // After a restart the server asks again.
  await house.reconnect();
  assert.deepEqual(reveals(), [reveals()[0], reveals()[0]]);
  // Another list for the same commitment gets no seed.
  house.fair = {
    ...house.fair,
    closed: { ...house.fair.closed, hashes: { ...house.fair.closed.hashes, 2: "0".repeat(64) } },
  };
  await house.reconnect();
  assert.equal(reveals().length, 2);
  assert.deepEqual(house.found, ["list"]);
});

test("a page sends hash and seed again after a temporary error", async () => {
  const house = new House();
  house.code = "too_fast";
  for (const [refused, send] of /** @type {const} */ ([
    ["seed_hash", () => house.show()],
    ["seed", () => house.close()],
  ])) {
    house.refuses = refused;
    await send();
    const sent = () => house.asked.filter(({ t }) => t === refused).length;
    assert.equal(sent(), 1);
    house.refuses = "";
    for (const again of house.later.splice(0)) again();
    assert.equal(sent(), 2);
  }
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

test("a page says why a deal has no seed of it, once", async () => {
  const order = { seats: SEATS, counted: null, drawn: null };
  const list = (/** @type {House} */ house) => ({
    ...{ commitment: house.fair.commitment, cut: null, hashes: { 2: hashOf(BOBS) }, givers: { 2: "Bob" }, order },
  });
  /** @type {[string, (house: House) => Promise<void>][]} */
  const reasons = [
    ["off", (house) => house.show()],
    ["away", (house) => house.reconnect()],
    ["away", (house) => house.show({ protocol: 5 }, house.opened())],
  ];
  for (const [kind, shown] of reasons) {
    const house = new House();
    await house.show();
    house.fair = { ...house.fair, closed: list(house) };
    await shown(house);
    house.phase = "playing";
    await house.show();
    await house.reconnect();
    assert.deepEqual(house.found, [kind]);
    assert.deepEqual(house.page.summary.counts, { [kind]: 1 });
    // The list is evidence if the server is to blame.
    assert.equal(house.page.copy?.lists.length ?? 0, kind === "off" ? 1 : 0);
  }
  const deaf = new House();
  deaf.refuses = "seed_hash";
  await deaf.show();
  deaf.fair = { ...deaf.fair, closed: list(deaf) };
  await deaf.show();
  assert.deepEqual(deaf.found, ["unheard"]);
  const alone = new House();
  await alone.show();
  alone.phase = "playing";
  await alone.show();
  assert.deepEqual(alone.found, ["alone"]);
});

test("a deal without this page's seed is no fault if the page has no seat, cards are known, or another device gave a seed", async () => {
  for (const change of ["seat", "known", "device", "new"]) {
    const house = new House();
    house.refuses = change === "device" ? "seed_hash" : "";
    if (change !== "new") await house.show();
    const seats = change === "seat" ? SEATS.slice(0, 3) : SEATS;
    const givers = { 1: change === "device" ? "Ana" : "Bob" };
    const list = { commitment: house.fair.commitment, cut: null, hashes: { 1: hashOf(BOBS) }, givers };
    house.fair = { ...house.fair, closed: { ...list, order: { seats, counted: null, drawn: null } } };
    const people = SEATS.map((name) => ({ name }));
    const room = { phase: "playing", match_id: "m1", people, rewinds: 0, fair: house.fair };
    await house.show({ room: { ...room, known_cards: change === "known" ? { how: "deals" } : null } });
    assert.deepEqual(house.found, [], change);
  }
});

test("an honest deal is found fair, also after a reload in the middle of the hand", async () => {
  const house = new House();
  await house.close();
  const { proof, cards } = house.proven();
  await house.deal();
  house.page = house.opened();
  await house.show({ protocol: 5, hand_history: [{ e: "shuffled" }] });
  assert.deepEqual(await house.play(proof, cards), []);
  const { last, deals, open } = house.page.summary;
  assert.deepEqual([last?.verdict, last?.unseen, deals, open], ["fair", [], 1, 0]);
  assert.deepEqual(house.page.copy, {
    match: "m1",
    lists: [{ hand: 3, list: house.list, hash: hashOf(house.mine), seed: house.mine }],
  });
});

test("a copied list has no seed while its deal is not over", async () => {
  const house = new House();
  await house.close();
  await house.deal();
  assert.deepEqual(house.page.copy?.lists, [{ hand: 3, list: house.list, hash: hashOf(house.mine), open: true }]);
});

test("a page keeps at most 30 lists, and new counts begin with a new match", async () => {
  const house = new House();
  for (let deal = 1; deal <= 33; deal++) {
    house.secret = String(deal + 10).repeat(32);
    house.goOn({ commitment: hashOf(house.secret) });
    await house.close();
    const { proof, cards } = house.proven({ seeds: { 2: BOBS } });
    await house.deal(cards.Ana);
    house.goOn({ previous: proof, dealt: { cards, stock: "" } });
    await house.show();
  }
  assert.equal(house.page.summary.counts.late, 33);
  assert.equal(house.page.copy?.lists.length, 30);
  const people = SEATS.map((name) => ({ name }));
  const room = { phase: "playing", match_id: "m2", people, rewinds: 0, known_cards: null, fair: house.fair };
  await house.show({ room: { ...room, fair: { ...house.fair, closed: null } } });
  assert.equal(house.page.summary.counts.late, undefined);
  assert.equal(house.page.copy, null);
});

test("the page compares its own cards even if the server sends no event", async () => {
  const house = new House();
  await house.close();
  const { proof, cards } = house.proven();
  await house.deal(cards.Bob, []);
  assert.deepEqual(await house.play(proof, cards), ["seats"]);
});

test("gifts explain other cards, and unknown gifts leave own cards uncompared", async () => {
  const { cards: piles } = await (async () => {
    const house = new House();
    await house.close();
    return house.proven();
  })();
  assert.ok(piles.Ana);
  for (const known of [true, false]) {
    const house = new House();
    await house.close();
    const { proof, cards } = house.proven();
    const [given = "", ...rest] = (cards.Ana ?? "").split(" ");
    const [got = ""] = (cards.Bob ?? "").split(" ");
    const gifts = [
      { e: "gave", by: "Ana", to: "Bob", ...(known ? { cards: given } : { count: 1 }) },
      { e: "gave", by: "Bob", to: "Ana", ...(known ? { cards: got } : { count: 1 }) },
    ];
    await house.deal([...rest, got].join(" "), [{ e: "shuffled" }, ...gifts]);
    await house.show({ events: [{ e: "laid", by: "Bob", cards: given }] });
    assert.deepEqual(await house.play(proof, cards), []);
    assert.deepEqual(house.page.summary.last?.unseen, known ? [] : ["own"]);
  }
});

test("cheating: another player plays a card that can't have come to them", async () => {
  const house = new House();
  await house.close();
  const { proof, cards } = house.proven();
  await house.deal();
  await house.show({ events: [{ e: "laid", by: "Bob", cards: (cards.Cat ?? "").split(" ")[0] }] });
  assert.deepEqual(await house.play(proof, cards), ["foreign"]);
});

test("cheating: the server closes the sockets and shows no proof, so the page finds the deal in the record", async () => {
  const house = new House();
  await house.close();
  const { proof, cards } = house.proven();
  const turned = { ...cards, Cat: cards.Dan ?? "", Dan: cards.Cat ?? "" };
  await house.deal();
  house.goOn();
  await house.reconnect();
  assert.deepEqual([house.found, house.page.summary.open], [["open"], 1]);
  await house.show();
  assert.deepEqual(house.found, ["open"], "it is said once");
  house.record = { hands: [{ fair: proof, cards: turned }] };
  await house.show({ protocol: 5, table: { number: 4, seats: SEATS } });
  assert.deepEqual([house.found, house.page.summary.open], [["open", "seats"], 0]);
});

test("cheating: the server draws again, and the record does not have the deal", async () => {
  for (const reconnects of [false, true]) {
    const house = new House();
    await house.close();
    house.record = { hands: [] };
    house.goOn();
    await (reconnects ? house.reconnect() : house.show());
    assert.deepEqual(house.found, ["redrawn"]);
    assert.notEqual(house.seed, house.mine);
  }
});

test("a cancelled deal is calm with a true reason, and a warning with a false one", async () => {
  const other = ["Bob", "Cat", "Dan", "Eve"];
  /** @type {[string, string, { rewinds?: number, seats?: string[] }][]} */
  const cases = [
    ["deleted", "cancelled", {}],
    ["match_ended", "cancelled", {}],
    ["lost_entries", "cancelled", { rewinds: 1 }],
    ["lost_entries", "redrawn", {}],
    ["seats_changed", "cancelled", { seats: other }],
    ["seats_changed", "redrawn", {}],
  ];
  for (const [reason, kind, { rewinds = 0, seats = SEATS }] of cases) {
    const house = new House();
    await house.close();
    house.goOn({ cancelled: [{ reason, by: null, list: house.list, givers: {} }] });
    house.rewinds = rewinds;
    await house.show();
    if (reason === "seats_changed") assert.deepEqual(house.found, [], "the next seats decide");
    house.phase = "playing";
    await house.show({ table: { number: 3, seats } });
    assert.ok(house.found.includes(/** @type {"cancelled"} */ (kind)), reason);
    assert.equal(house.page.summary.counts[/** @type {"cancelled"} */ (kind)], 1);
  }
});

test("a list that the database lost is told as lost entries", async () => {
  const house = new House();
  await house.close();
  house.goOn();
  house.rewinds = 1;
  await house.reconnect();
  assert.deepEqual(house.found, ["cancelled"]);
});

test("a page finds a cancelled deal in the record", async () => {
  const house = new House();
  await house.close();
  const told = { reason: "deleted", by: "Somebody 1", list: house.list, givers: {} };
  const { proof, cards } = house.proven();
  house.record = { hands: [{ fair: { ...proof, commitment: "0".repeat(64), cancelled: [told] }, cards }] };
  house.goOn();
  await house.reconnect();
  assert.deepEqual(house.found, ["cancelled"]);
});

test("a page of an older version finds its promise", async () => {
  const house = new House();
  house.stored = JSON.stringify({
    kept: { commitment: house.fair.commitment, seed: BOBS, hash: hashOf(BOBS), list: null },
  });
  await house.show();
  assert.equal(house.asked[0]?.hash, hashOf(BOBS));
});

test("cheating: the right deck is dealt to other seats", async () => {
  const house = new House();
  await house.close();
  const { proof, cards } = house.proven();
  const turned = Object.fromEntries(SEATS.map((name, at) => [name, cards[SEATS[(at + 1) % 4] ?? ""] ?? ""]));
  assert.deepEqual(await house.play(proof, turned), ["seats"]);
});

test("cheating: the commitment is swapped once the seeds are known", async () => {
  const house = new House();
  await house.close();
  const commitment = hashOf(SECRETS.other);
  const list = /** @type {ClosedList} */ ({ .../** @type {any} */ (house.list), commitment });
  const { proof, cards } = house.proven({ secret: SECRETS.other, commitment, list });
  assert.equal(tools.checkDeal(proof, cards, ""), "fair", "by itself the proof is good");
  assert.deepEqual(await house.play(proof, cards), ["list"]);
});

test("cheating: a seed is replaced after the reveal", async () => {
  const other = "dd".repeat(16);
  const house = new House();
  await house.close();
  const { proof, cards } = house.proven({ seeds: { 1: /** @type {any} */ (house.mine), 2: other } });
  assert.deepEqual(await house.play(proof, cards), ["seed"]);
  // The same if the list is falsified to match.
  const again = new House();
  await again.close();
  const hashes = { .../** @type {any} */ (again.list).hashes, 2: hashOf(other) };
  const list = /** @type {ClosedList} */ ({ .../** @type {any} */ (again.list), hashes });
  const made = again.proven({ seeds: { 1: /** @type {any} */ (again.mine), 2: other }, list });
  assert.equal(tools.checkDeal(made.proof, made.cards, ""), "fair", "by itself the proof is good");
  assert.deepEqual(await again.play(made.proof, made.cards), ["list"]);
});

test("cheating: the server adds a seed of its own", async () => {
  const own = "ee".repeat(16);
  const house = new House();
  await house.close();
  const seeds = { 1: /** @type {any} */ (house.mine), 2: BOBS, 3: own };
  const { proof, cards } = house.proven({ seeds });
  assert.deepEqual(await house.play(proof, cards), ["seed"]);
  const again = new House();
  await again.close();
  const { hashes, givers } = /** @type {any} */ (again.list);
  const more = { hashes: { ...hashes, 3: hashOf(own) }, givers: { ...givers, 3: "Pip" } };
  const list = /** @type {ClosedList} */ ({ .../** @type {any} */ (again.list), ...more });
  const made = again.proven({ seeds: { ...seeds, 1: again.mine ?? "" }, list });
  assert.equal(tools.checkDeal(made.proof, made.cards, ""), "fair", "by itself the proof is good");
  assert.deepEqual(await again.play(made.proof, made.cards), ["list"]);
});
