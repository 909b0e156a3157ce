// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  BREAK_IN_FACTOR,
  AutoPasser,
  DELAY_RANGE,
  autoActionDelay,
  dueAutoPass,
  promptUnlessAutoPass,
  autoPassOptions,
  currentAutoPass,
  trickKey,
} from "../../../static/js/model/auto_pass.js";
import { initialModel } from "../../../static/js/model/state.js";
import { room, table, update, you } from "../fixtures.js";

/** @import { Action, Model, Update } from "../../../static/js/types.d.ts" */

const PASS = { do: "pass" };
const TRICK = { plays: [{ by: "Bob", cards: "8c", kind: "single" }], passed: [], barred: [] };
const BEATS = /** @type {Model["passing"]} */ ({ until: "beats", trick: null });

/** An update with my turn over this trick and these legal actions. @param {Action[]} legal @param {Record<string, unknown>} [more] @param {Record<string, unknown>} [mine] @param {Record<string, unknown>} [here] */
function turn(legal, more = {}, mine = {}, here = {}) {
  const shown = table(4, { trick: TRICK, pile_count: 0, ...more });
  return update(room(4, here), shown, you({ cards: "3c 9d", legal, ...mine }));
}

/** @param {Update} shown */
function thisTrick(shown) {
  return /** @type {Model["passing"]} */ ({ until: "trick", trick: trickKey(shown) });
}

test("what can't be beaten is passed, and what can be is not", () => {
  assert.deepEqual(dueAutoPass(BEATS, turn([PASS])), PASS);
  assert.equal(dueAutoPass(BEATS, turn([PASS, { do: "play", cards: "9d" }])), null);
  assert.equal(dueAutoPass(BEATS, turn([PASS], {}, { more: true })), null, "there is more than is listed");
  assert.equal(dueAutoPass(null, turn([PASS])), null, "nobody has chosen that");
});

test("a trick is passed to its end, whatever could be played, and no further", () => {
  const now = turn([PASS, { do: "play", cards: "9d" }]);
  const chosen = thisTrick(now);
  assert.deepEqual(dueAutoPass(chosen, now), PASS);
  const more = { plays: [...TRICK.plays, { by: "Cat", cards: "Th", kind: "single" }], passed: [], barred: [] };
  assert.deepEqual(dueAutoPass(chosen, turn([PASS], { trick: more })), PASS, "the same trick, higher");
  const next = turn([PASS], { trick: { plays: [{ by: "Dan", cards: "4c", kind: "single" }], passed: [], barred: [] } });
  assert.equal(dueAutoPass(chosen, next), null);
  assert.equal(currentAutoPass(chosen, next), null);
  assert.equal(currentAutoPass(chosen, turn([], { trick: null })), null, "it is over as soon as nothing lies there");
  assert.equal(currentAutoPass(chosen, turn([PASS], { number: 4 })), null, "another hand");
  assert.deepEqual(currentAutoPass(BEATS, next), BEATS, "the other choice stays");
});

test("passing until a player can play ends when they can, are out, or the hand is over", () => {
  assert.deepEqual(currentAutoPass(BEATS, turn([PASS])), BEATS);
  assert.deepEqual(currentAutoPass(BEATS, turn([], { to_act: ["Bob"] })), BEATS);
  assert.equal(currentAutoPass(BEATS, turn([PASS, { do: "play", cards: "9d" }])), null);
  assert.equal(currentAutoPass(BEATS, turn([{ do: "play", cards: "9d" }], { trick: null })), null, "they lead");
  assert.equal(currentAutoPass(BEATS, turn([], { to_act: ["Bob"] }, { cards: "" })), null, "they are out");
  assert.equal(currentAutoPass(BEATS, turn([], {}, {}, { phase: "between_hands" })), null);
});

test("a turn offers a pass until the trick ends where the player may come back, and auto-pass where nothing beats", () => {
  const can = [PASS, { do: "play", cards: "9d" }];
  const final = { trick: { ...TRICK, pass_bars: true } };
  assert.deepEqual(autoPassOptions(turn(can)), ["trick"]);
  assert.deepEqual(autoPassOptions(turn([PASS])), ["trick", "beats"]);
  assert.deepEqual(autoPassOptions(turn(can, final)), [], "any pass is final");
  assert.deepEqual(autoPassOptions(turn([PASS], final)), ["beats"]);
  assert.deepEqual(autoPassOptions(turn([{ do: "play", cards: "9d" }], { trick: null })), [], "they lead");
});

test("nobody leads by passing, acts when it isn't their turn, or takes a seat back from a bot", () => {
  assert.equal(dueAutoPass(BEATS, turn([PASS], { trick: null })), null);
  assert.equal(dueAutoPass(BEATS, turn([PASS], { to_act: ["Bob"] })), null);
  assert.equal(dueAutoPass(BEATS, turn([PASS], {}, {}, { phase: "between_hands" })), null);
  const helped = turn([PASS]);
  helped.room.people = helped.room.people.map((one) => (one.name === "Ana" ? { ...one, stand_in: "easy" } : one));
  assert.equal(dueAutoPass(BEATS, helped), null);
  // A question of the game is never a pass, even if its answer is the only legal action.
  assert.equal(dueAutoPass(BEATS, turn([{ do: "give", cards: "3c" }])), null);
});

test("nobody is called for a pass that the page makes", () => {
  assert.equal(promptUnlessAutoPass(BEATS, turn([PASS]), "Your turn."), "");
  assert.equal(promptUnlessAutoPass(BEATS, turn([PASS, { do: "play", cards: "9d" }]), "Your turn."), "Your turn.");
  assert.equal(promptUnlessAutoPass(null, turn([PASS]), "Your turn."), "Your turn.");
});

test("it is offered where there are tricks, to who plays in them", () => {
  assert.deepEqual(autoPassOptions(turn([], { phase: "exchange", trick: null })), []);
  const bob = { to_act: ["Bob"] };
  assert.deepEqual(autoPassOptions(turn([], bob)), ["trick", "beats"]);
  assert.deepEqual(autoPassOptions(turn([], { ...bob, trick: null })), ["beats"]);
  assert.deepEqual(autoPassOptions(turn([], { ...bob, trick: { ...TRICK, barred: ["Ana"] } })), ["beats"]);
  assert.deepEqual(autoPassOptions(turn([], {}, { cards: "" })), [], "who is out");
  assert.deepEqual(autoPassOptions(turn([], {}, { name: null })), [], "who watches");
  const shown = turn([]);
  delete shown.table?.trick;
  assert.deepEqual(autoPassOptions(shown), [], "a game without tricks");
});

test("how long it takes is drawn from one spread, and told neither cards nor reasons", () => {
  assert.equal(autoActionDelay(0, Infinity), DELAY_RANGE.least);
  assert.equal(autoActionDelay(1, Infinity), DELAY_RANGE.most);
  assert.equal(autoActionDelay(0.5, Infinity), (DELAY_RANGE.least + DELAY_RANGE.most) / 2);
  assert.equal(autoActionDelay(0.5, 400), 200, "a clock leaves less");
  assert.equal(
    autoActionDelay(0.5, Infinity, true),
    BREAK_IN_FACTOR * autoActionDelay(0.5, Infinity),
    "others may be about to break in",
  );

  const hands = ["3c", "3c 9d", "As Ad Ah 2c 2d 2h 2s Xr"];
  const reasons = [
    { legal: [PASS], until: "beats" },
    { legal: [PASS], until: "trick" },
    { legal: [PASS, { do: "play", cards: "9d" }, { do: "play", cards: "As Ad" }], until: "trick" },
  ];
  const drawn = hands.flatMap((cards) =>
    reasons.map(({ legal, until }) => {
      const shown = turn(legal, {}, { cards });
      const waited = played(shown, until === "beats" ? BEATS : thisTrick(shown));
      assert.deepEqual(waited.sent, [PASS]);
      return waited.asked;
    }),
  );
  assert.deepEqual([...new Set(drawn.flat())], [autoActionDelay(0.25, Infinity)]);
  assert.equal(drawn.flat().length, drawn.length, "one draw for each pass");
});

test("it leaves others a moment where they may break in, whoever can", () => {
  const told = { ...TRICK, plays: [{ by: "Bob", cards: "7c 7d", kind: "pair" }] };
  const waited = (/** @type {string[]} */ names) =>
    played(turn([PASS], { trick: told, may_interrupt: names }), BEATS).asked;
  assert.deepEqual(waited([]), [autoActionDelay(0.25, Infinity)]);
  assert.deepEqual(waited(["Cat"]), [autoActionDelay(0.25, Infinity, true)]);
  assert.deepEqual(waited(["Cat", "Dan"]), waited(["Cat"]));
});

/** Show the model, let time pass, and return the actions sent with their delays. @param {Update} shown @param {Model["passing"]} passing */
function played(shown, passing) {
  const { passer, asked, sent, ring } = clockwork();
  passer.onModelChange({ ...initialModel(), link: "open", update: shown, passing });
  ring();
  return { asked, sent };
}

function clockwork() {
  /** @type {number[]} */
  const asked = [];
  /** @type {Action[]} */
  const sent = [];
  /** @type {(() => void) | null} */
  let due = null;
  const timers = {
    set: (/** @type {() => void} */ done, /** @type {number} */ ms) => {
      asked.push(ms);
      due = done;
      return 1;
    },
    clear: () => {
      due = null;
    },
  };
  const answers = /** @type {(() => void)[]} */ ([]);
  const requests = /** @type {unknown[]} */ ([]);
  const send = (/** @type {Update} */ update, /** @type {Action} */ action) => {
    sent.push(action);
    requests.push(update.you.request);
    return new Promise((done) => answers.push(() => done(null)));
  };
  const ring = () => {
    const now = due;
    due = null;
    now?.();
  };
  return { passer: new AutoPasser(send, () => 0.25, timers), asked, sent, requests, ring, answers };
}

test("who stops it in time has not passed, and each turn is passed once", async () => {
  const { passer, asked, sent, ring, answers } = clockwork();
  const model = { ...initialModel(), link: /** @type {const} */ ("open"), update: turn([PASS]), passing: BEATS };
  passer.onModelChange(model);
  passer.onModelChange({ ...model, passing: null });
  ring();
  assert.deepEqual(sent, []);

  passer.onModelChange(model);
  passer.onModelChange({ ...model, chosen: ["3c"] });
  assert.equal(asked.length, 2, "what else is drawn begins nothing anew");
  ring();
  passer.onModelChange(model);
  ring();
  assert.deepEqual(sent, [PASS], "it is still to be answered");
  answers[0]?.();
  await new Promise((done) => setImmediate(done));
  passer.onModelChange(model);
  ring();
  assert.deepEqual(sent, [PASS], "the same moment, whatever the answer was");
  passer.onModelChange({ ...model, update: { ...turn([PASS]), seq: 60 } });
  ring();
  assert.deepEqual(sent, [PASS, PASS]);
  passer.onModelChange({ ...model, link: "lost", update: { ...turn([PASS]), seq: 61 } });
  ring();
  assert.equal(sent.length, 2, "nothing is sent into a line that is down");
});

test("a pass answers the request for which it was decided, and waits anew for another one", () => {
  const { passer, asked, requests, ring } = clockwork();
  const model = { ...initialModel(), link: /** @type {const} */ ("open"), update: turn([PASS]), passing: BEATS };
  /** @param {number} request */
  const asking = (request) => ({ ...model, update: { ...model.update, you: { ...model.update.you, request } } });
  passer.onModelChange(asking(7));
  passer.onModelChange(asking(9));
  assert.equal(asked.length, 2, "somebody broke in: the delay begins again");
  ring();
  assert.deepEqual(requests, [9]);
});
