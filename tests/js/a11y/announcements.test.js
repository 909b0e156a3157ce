// @ts-check
// The texts for people who use a screen reader.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { setMessages } from "../../../static/js/lib/messages.js";
import {
  cardCountsText,
  newPromptText,
  standingText,
  turnAndTrickText,
} from "../../../static/js/a11y/announcements.js";
import { handEndText, lastCardText, spokenEvents } from "../../../static/js/events/log_lines.js";
import { english } from "../english.js";
import { FIXTURES, SIGNS, room, table, update, you } from "../fixtures.js";

before(() => setMessages(english()));

const TRICK = { plays: [{ by: "Bob", cards: "Jc Jh", kind: "pair", as: "J" }], passed: ["Cat"], barred: [] };
const MINE = you({ cards: "Qc Qh", legal: [{ do: "pass" }, { do: "play", cards: "Qc Qh" }] });

/** @param {Partial<import("../../../static/js/types.d.ts").Table>} [more] @param {import("../../../static/js/types.d.ts").GameEvent[]} [events] */
const asked = (more = {}, events = []) => update(room(4), table(4, { trick: TRICK, ...more }), MINE, events);

test("all that an update tells is said, and cards by their names", () => {
  const events = [
    { e: "played", by: "Bob", cards: "Jc Jh", kind: "pair", as: "J" },
    { e: "passed", by: "Cat" },
  ];
  assert.equal(spokenEvents(asked({}, events)), "Bob plays jack of clubs and jack of hearts. Cat passes.");
});

test("a great event is heard before the others of its update", () => {
  const events = [
    { e: "played", by: "Bob", cards: "Jc Jd Jh Js", kind: "set", as: "J" },
    { e: "inverted", on: true, by: "Bob" },
  ];
  const heard = spokenEvents({ ...asked({}, events), event_prominence: { inverted: "great" } });
  assert.equal(heard, "Bob: inverted Bob plays jack of clubs, jack of diamonds, jack of hearts and jack of spades.");
});

test("the last card of another player is heard once, unless the game announces it", () => {
  const holding = (
    /** @type {number} */ cards,
    /** @type {import("../../../static/js/types.d.ts").GameEvent[]} */ events = [],
  ) => {
    const { players } = table(4);
    return asked({ players: { ...players, Bob: { .../** @type {any} */ (players.Bob), cards } } }, events);
  };
  assert.equal(lastCardText(holding(2), holding(1)), "Bob has one card left.");
  assert.equal(lastCardText(holding(1), holding(1)), "");
  assert.equal(lastCardText(holding(2), holding(1, [{ e: "last_cards", by: "Bob", count: 1 }])), "");
});

test("one's turn says what is to be beaten, for what was said before may be cut short by it", () => {
  assert.equal(
    newPromptText(null, asked()),
    "Your turn: beat Bob, or pass. To beat: jack of clubs and jack of hearts.",
  );
});

test("who waits is asked nothing, but told once that they may break in", () => {
  const waiting = (/** @type {import("../../../static/js/types.d.ts").Action[]} */ legal) =>
    update(room(4), table(4, { trick: TRICK, to_act: ["Dan"] }), you({ cards: "Jd Js", legal }));
  const may = waiting([{ do: "play", cards: "Jd Js" }]);
  assert.equal(newPromptText(null, waiting([])), "");
  assert.equal(
    newPromptText(waiting([]), may),
    "It is Dan’s turn, but you may play out of turn. To beat: jack of clubs and jack of hearts.",
  );
  assert.equal(newPromptText(may, may), "");
});

test("a question is asked once, but anew when others have acted in between", () => {
  const later = { ...TRICK, plays: [...TRICK.plays, { by: "Dan", cards: "Kc Kh", kind: "pair", as: "K" }] };
  assert.equal(newPromptText(asked(), asked({}, [{ e: "decreed", by: "Dan" }])), "");
  assert.match(newPromptText(asked(), asked({ trick: later })), /king of clubs and king of hearts/);
  assert.notEqual(newPromptText(asked(), asked({ number: 4 })), "");
});

test("what lies on the table is told from the newest play down, with what wild cards count as", () => {
  const plays = [...TRICK.plays, { by: "Dan", cards: "3c Qd", kind: "pair", as: "Q" }];
  assert.equal(
    turnAndTrickText(asked({ to_act: ["Ana"], trick: { ...TRICK, plays } })),
    "Your turn: beat Dan, or pass. Current trick, newest play first: Dan: 3 of clubs and queen of diamonds, as queen; " +
      "Bob: jack of clubs and jack of hearts. Cat has passed.",
  );
  assert.match(turnAndTrickText(asked({ trick: null })), /The table is empty\.$/);
  assert.match(
    turnAndTrickText(asked({ signs: [SIGNS.inverted, SIGNS.call] })),
    /Revolution: low beats high\. called rank by rank\.$/,
  );
  assert.match(
    turnAndTrickText(/** @type {import("../../../static/js/types.d.ts").Update} */ (FIXTURES.chase_20)),
    /23 dimes in the pot/,
  );
});

test("how many cards everybody has is told from oneself round the table", () => {
  assert.equal(cardCountsText(asked()), "Cards left: you 18 cards, Bob 9 cards, Cat 2 cards, Dan 13 cards.");
});

test("the standing tells who is out, and the ranks with their points", () => {
  assert.equal(
    standingText(asked({ standing: ["Cat"] })),
    "Out: Cat. Ranking: Ana, President, 0 points; Bob, Vice-President, 7 points; Cat, Vice-Scum, 5 points; " +
      "Dan, Scum, 3 points.",
  );
  const { chase_over: over } = FIXTURES;
  assert.match(
    standingText(/** @type {import("../../../static/js/types.d.ts").Update} */ (over)),
    /: Cat, 3 dimes; .* Gudrun, 0 dimes\.$/,
  );
});

test("in a game without points the standing tells titles only, and nothing before there are titles", () => {
  const { players } = table(4);
  const without = (/** @type {boolean} */ titled) =>
    Object.fromEntries(
      Object.entries(players).map(([name, each]) => [name, { ...each, total: 0, title: titled ? each.title : null }]),
    );
  assert.equal(
    standingText(asked({ players: without(true) })),
    "Ranking: Ana, President; Bob, Vice-President; Cat, Vice-Scum; Dan, Scum.",
  );
  assert.equal(standingText(asked({ players: without(false) })), "No titles or points yet.");
});

test("that a hand is over is said, and its order, once", () => {
  const last = /** @type {any} */ ({ standing: ["Cat", "Ana", "Bob", "Dan"] });
  const over = update(room(4, { phase: "between_hands" }), table(4, { last }), MINE);
  assert.equal(
    handEndText(asked(), over),
    `Hand ${over.table?.number} is over. From first to last: Cat, Ana, Bob and Dan.`,
  );
  assert.equal(handEndText(over, over), "");
  const told = { ...over.table, tally: { result_text: "Bob loses a dime: 5♣ is the lowest card." } };
  assert.match(
    handEndText(asked(), { ...over, table: /** @type {any} */ (told) }),
    /lowest card\. From first to last: /,
  );
  // Stopping a match in the middle of a hand does not end that hand.
  assert.equal(handEndText(asked({ last: over.table?.last ?? null }), over), "");
});

test("who owes cards hears what, and to whom", () => {
  const must_give = [{ to: "Bob", count: 2, which: /** @type {const} */ ("best") }];
  const mine = you({ cards: "Qc Qh", must_give, legal: [{ do: "give", cards: "Qc Qh" }] });
  assert.equal(
    newPromptText(null, update(room(4), table(4, { phase: "exchange" }), mine)),
    "Choose cards to give. Give Bob your 2 best cards.",
  );
});
