// @ts-check
// The effects of an update on the page's model.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { setMessages } from "../../../static/js/lib/messages.js";
import {
  otherSeats,
  cardActions,
  handSlots,
  initialModel,
  isMyTurn,
  placements,
  cardPurpose,
  applyUpdate,
  turnText,
} from "../../../static/js/model/state.js";
import { english } from "../english.js";
import { FIXTURES, room, table, update, you } from "../fixtures.js";

before(() => setMessages(english()));

const CARDS = "3c 7c 7d";

/** @param {number} seq @param {Partial<import("../../../static/js/types.d.ts").Update>} [more] */
function at(seq, more = {}) {
  return { ...update(room(4), table(4), you({ cards: CARDS, legal: [{ do: "play", cards: "3c" }] })), seq, ...more };
}

test("an update older than what is known changes nothing", () => {
  const model = applyUpdate(initialModel(), at(9), 0);
  assert.equal(applyUpdate(model, at(8), 0), model);
});

test("the list of plays stays within a turn, and is fetched anew for the next", () => {
  const prospects = { all: [], next: null, failed: false };
  const then = (/** @type {number} */ seq, /** @type {number} */ request) => {
    const shown = at(seq);
    return { ...shown, you: { ...shown.you, request } };
  };
  const model = { ...applyUpdate(initialModel(), then(4, 7), 0), prospects };
  assert.equal(applyUpdate(model, then(5, 7), 0).prospects, prospects);
  assert.equal(applyUpdate(model, then(5, 8), 0).prospects, null);
});

test("an update with a lower number is taken after the log went back", () => {
  const model = applyUpdate(initialModel(), at(9, { room: room(4, { rewinds: 0 }) }), 0);
  const rewound = at(4, { room: room(4, { rewinds: 1 }) });
  assert.equal(applyUpdate(model, rewound, 0).update, rewound);
  assert.equal(
    applyUpdate(applyUpdate(model, rewound, 0), at(9, { room: room(4, { rewinds: 0 }) }), 0).update,
    rewound,
  );
});

test("updates of the older history are taken after the database was switched to a copy and back", () => {
  const seen = (/** @type {number} */ rewinds, /** @type {number} */ seq) => at(seq, { room: room(4, { rewinds }) });
  const model = applyUpdate(initialModel(), seen(1, 160), 0);
  const back = seen(2, 127);
  const after = applyUpdate(model, back, 0);
  assert.equal(after.update, back);
  assert.equal(applyUpdate(after, seen(1, 161), 0), after, "a late update of the copy");
  const next = seen(2, 128);
  assert.equal(applyUpdate(after, next, 0).update, next);
});

test("the card that Tab comes to stays it while it is held, then the one beside it is, and a new hand begins anew", () => {
  const hand = (/** @type {number} */ seq, /** @type {string} */ cards) => at(seq, { you: you({ cards }) });
  let model = applyUpdate(
    { ...applyUpdate(initialModel(), hand(1, "3c 7c 7d 9h"), 0), stop: "7d" },
    hand(2, "3c 7d 9h"),
    0,
  );
  assert.equal(model.stop, "7d");
  model = applyUpdate(model, hand(3, "3c 9h"), 0);
  assert.equal(model.stop, "9h");
  model = applyUpdate(model, hand(4, "3c"), 0);
  assert.equal(model.stop, "3c");
  model = applyUpdate(model, { ...hand(5, "3c 7d"), table: table(4, { number: 4 }) }, 0);
  assert.equal(model.stop, null);
});

test("chosen cards stay chosen as long as they are held, and go with a new hand", () => {
  let model = { ...applyUpdate(initialModel(), at(1), 0), chosen: ["7c", "3c"] };
  model = applyUpdate(model, at(2, { you: you({ cards: "3c 7d" }) }), 0);
  assert.deepEqual(model.chosen, ["3c"]);
  model = applyUpdate(model, at(3, { table: table(4, { number: 4 }) }), 0);
  assert.deepEqual(model.chosen, []);
});

test("the choice ends with the own turn, so that a refused card does not become a premove", () => {
  const mine = { ...applyUpdate(initialModel(), at(1), 0), chosen: ["7c"] };
  assert.deepEqual(applyUpdate(mine, at(2), 0).chosen, ["7c"]);
  const other = applyUpdate(mine, at(2, { table: table(4, { to_act: ["Bob"] }) }), 0);
  assert.deepEqual(other.chosen, []);
  const ahead = applyUpdate({ ...other, chosen: ["7c"] }, at(3, { table: table(4, { to_act: ["Cat"] }) }), 0);
  assert.deepEqual(applyUpdate(ahead, at(4), 0).chosen, ["7c"]);
});

test("the server's clock is known by its difference from ours", () => {
  assert.equal(applyUpdate(initialModel(), at(1, { server_time: 5000 }), 4000).offset, 1000);
});

test("others sit from my left round to my right", () => {
  const seen = update(room(4), table(4, { seats: ["Bob", "Ana", "Cat", "Dan"] }), you());
  assert.deepEqual(otherSeats({ table: seen.table, me: "Ana" }), ["Cat", "Dan", "Bob"]);
  assert.deepEqual(otherSeats({ table: seen.table, me: null }), ["Bob", "Ana", "Cat", "Dan"]);
});

test("it says whose turn it is, and what the cards are for", () => {
  const lead = at(1);
  assert.ok(isMyTurn(lead));
  assert.equal(cardPurpose(lead), "cards");
  const leads = (/** @type {string[]} */ ...plays) =>
    turnText(at(1, { you: you({ cards: CARDS, legal: plays.map((cards) => ({ do: "play", cards })) }) }));
  assert.equal(leads("3c", "7c", "7d", "7c 7d"), "Your turn: play a card or a set.");
  assert.equal(leads("3c"), "Your turn: your play must include 3♣.");
  assert.equal(leads("3c", "3c 7c"), "Your turn: your play must include 3♣.");
  assert.equal(leads("7c", "7d", "7c 7d"), "Your turn: some of your cards can’t be played first.");
  assert.equal(
    turnText(at(1, { you: you({ cards: "3c", legal: [{ do: "play", cards: "3c" }] }) })),
    "Your turn: play a card or a set.",
  );
  const unlisted = you({ cards: CARDS, legal: [{ do: "play", cards: "3c" }], more: true });
  assert.equal(
    turnText(at(1, { you: unlisted })),
    "Your turn: play a card or a set.",
    "not all that may be led is listed",
  );
  const beat = /** @type {import("../../../static/js/types.d.ts").Update} */ (FIXTURES.turn_4);
  const plays = beat.you.legal?.filter((action) => action.do === "play");
  assert.equal(turnText(beat), "Your turn: beat Dan, or pass.");
  assert.equal(turnText({ ...beat, you: { ...beat.you, legal: plays } }), "Your turn: you must beat Dan.");
  const wait = at(1, { table: table(4, { to_act: ["Bob"] }), you: you({ cards: CARDS }) });
  assert.ok(!isMyTurn(wait));
  assert.equal(cardPurpose(wait), null);
  assert.equal(turnText(wait), "It is Bob’s turn.");
  const honour = at(1, { table: table(4, { to_act: ["Bob"] }) });
  assert.equal(turnText(honour), "It is Bob’s turn, but you may play out of turn.");
  const gifts = table(4, { phase: "exchange", to_act: ["Ana", "Bob"] });
  assert.equal(turnText(at(1, { table: gifts, you: you({ legal: [{ do: "give" }] }) })), "Choose cards to give.");
  const asked = table(4, { to_act: ["Ana"], prompt: "All wait for Ana." });
  const mine = you({ prompt: "Do it." });
  assert.equal(
    turnText(at(1, { table: asked, you: mine })),
    "Do it.",
    "what a game asks comes before what goes without saying",
  );
  assert.equal(turnText(at(1, { table: { ...asked, to_act: ["Bob"] }, you: mine })), "All wait for Ana.");
});

test("what the server said about chosen cards counts among the choices", () => {
  const model = {
    ...applyUpdate(initialModel(), at(1), 0),
    looked: { "7c 7d": { plays: [{ do: "play", cards: "7c 7d", as: "7" }], why: "" } },
  };
  assert.deepEqual(
    cardActions(model).map((action) => action.cards),
    ["3c", "7c 7d"],
  );
});

test("those who are out before the others are done have the last places", () => {
  assert.deepEqual(placements(["Dan", "Bob"], 4), [
    { place: 3, name: "Dan" },
    { place: 4, name: "Bob" },
  ]);
});

test("those who share a place have the same number", () => {
  assert.deepEqual(placements(["Dan", ["Ana", "Bob"], "Cat"]), [
    { place: 1, name: "Dan" },
    { place: 2, name: "Ana" },
    { place: 2, name: "Bob" },
    { place: 4, name: "Cat" },
  ]);
});

test("every made-up update can be taken in", () => {
  for (const [name, each] of Object.entries(FIXTURES))
    assert.equal(applyUpdate(initialModel(), each, 0).update, each, name);
});

test("what somebody is typing in the waiting room stays when others come and go", () => {
  const lobby = at(1, { table: null, room: { ...room(4), phase: "lobby" } });
  const typing = { ...applyUpdate(initialModel(), lobby, 0), form: { stake: "10 cents" } };
  assert.deepEqual(applyUpdate(typing, { ...lobby, seq: 2 }, 0).form, { stake: "10 cents" });
  assert.deepEqual(applyUpdate(typing, at(3), 0).form, {}, "the match has begun");
});

test("an open page of the menu, and its question, stay open when the match begins", () => {
  const lobby = at(1, { table: null, room: { ...room(4), phase: "lobby" } });
  const form = { page: "people", person: "Bob" };
  for (const sheet of ["menu", "question"]) {
    const open = { ...applyUpdate(initialModel(), lobby, 0), sheet, form };
    assert.deepEqual(applyUpdate(open, at(3), 0).form, form);
  }
});

test("a hand is sorted as one likes, by what counts now, and one's own order goes with the hand", () => {
  const cards = "3d 4c 7c 7d Kc Xr 2h";
  const ranks = "2AKQJT9876543";
  /** @param {import("../../../static/js/types.d.ts").Sort} sort @param {Partial<import("../../../static/js/types.d.ts").Table>} [more] */
  const as = (sort, more = {}) => {
    const model = { ...initialModel(), sort, own: ["Kc", "3d"] };
    const seen = applyUpdate(model, at(1, { table: table(4, more), you: you({ cards }) }), 0);
    return handSlots(seen)
      .map((slot) => slot.id)
      .join(" ");
  };
  assert.equal(as("rank"), cards);
  assert.equal(as("rank", { inverted: true, ranks, wild: "" }), "2h Kc 7c 7d 4c 3d Xr");
  assert.equal(as("suit"), "4c 7c Kc 3d 7d 2h Xr");
  assert.equal(as("suit", { inverted: true, ranks, wild: "" }), "Kc 7c 4c 7d 3d 2h Xr");
  assert.equal(as("sets"), "3d 4c Kc Xr 2h 7c 7d");
  assert.equal(as("own"), "Kc 3d 4c 7c 7d Xr 2h");
  let model = applyUpdate({ ...initialModel(), own: ["Kc"] }, at(1), 0);
  assert.deepEqual(model.own, ["Kc"]);
  model = applyUpdate(model, at(2, { table: table(4, { number: 4 }) }), 0);
  assert.deepEqual(model.own, []);
});

test("what one could lead stays together as long as the hand goes on", () => {
  const legal = [
    { do: "play", cards: "5c" },
    { do: "play", cards: "5c 6c 7c" },
  ];
  const mine = { cards: "4d 5c 6c 7c 9s" };
  const leads = at(1, { table: table(4, { trick: null }), you: you({ ...mine, legal }) });
  const order = (/** @type {import("../../../static/js/types.d.ts").Model} */ model) =>
    handSlots(model)
      .map((slot) => slot.card)
      .join(" ");
  let model = applyUpdate({ ...initialModel(), sort: "sets" }, leads, 0);
  assert.equal(order(model), "4d 9s 5c 6c 7c");
  model = applyUpdate(model, at(2, { table: table(4, { to_act: ["Bob"] }), you: you(mine) }), 0);
  assert.equal(order(model), "4d 9s 5c 6c 7c");
  model = applyUpdate(model, at(3, { table: table(4, { number: 4, to_act: ["Bob"] }), you: you(mine) }), 0);
  assert.equal(order(model), mine.cards);
});

test("room is kept for the most cards of a hand: those that gifts will bring, and those of the hand before until cards are dealt", () => {
  const gift = (/** @type {string} */ from, /** @type {string} */ to, /** @type {number} */ count) => ({
    from,
    to,
    count,
    which: /** @type {const} */ ("best"),
    chosen: false,
    done: false,
  });
  const gifts = [gift("Dan", "Ana", 2), gift("Ana", "Dan", 2)];
  const asked = at(1, { table: table(4, { exchange: { gifts } }) });
  let model = applyUpdate(initialModel(), asked, 0);
  assert.equal(model.most, 5, "the other player gives first");
  assert.equal(
    applyUpdate(initialModel(), { ...asked, table: table(4, { exchange: { gifts: [...gifts].reverse() } }) }, 0).most,
    3,
  );
  model = applyUpdate(
    model,
    at(2, { table: table(4, { exchange: { gifts: gifts.map((each) => ({ ...each, done: true })) } }) }),
    0,
  );
  assert.equal(model.most, 5, "as long as the hand lasts");
  const next = table(4, { number: 4 });
  for (const player of Object.values(next.players)) player.cards = 0;
  model = applyUpdate(model, at(3, { table: next, you: you({ cards: "" }) }), 0);
  assert.equal(model.most, 5, "until cards are dealt");
  model = applyUpdate(model, at(4, { table: table(4, { number: 5 }) }), 0);
  assert.equal(model.most, 3);
  model = applyUpdate(
    model,
    at(5, { room: room(4, { game: "chase_the_ace" }), table: next, you: you({ cards: "" }) }),
    0,
  );
  assert.equal(model.most, 0, "another game needs other room");
});
