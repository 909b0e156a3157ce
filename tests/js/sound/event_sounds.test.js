// @ts-check
// What is heard and felt of what happens, and when.

import assert from "node:assert/strict";
import { test } from "node:test";

import { heard } from "../../../static/js/sound/event_sounds.js";
import { lasts, SOUNDS } from "../../../static/js/sound/synth.js";
import { feltOf } from "../../../static/js/device/vibration.js";

/** @typedef {import("../../../static/js/events/presentation.js").Moment} Moment */
/** @typedef {import("../../../static/js/types.d.ts").Where} Where */

/** Something that declares this of itself. @param {{ tone?: string, celebrated?: Moment["celebrated"], ways?: [Where, Where][] }} declared @returns {Moment} */
function moment({ tone = "plain", celebrated = null, ways = [] }) {
  const journeys = ways.map(([from, to]) => ({
    from: { where: from, name: null },
    to: { where: to, name: null },
    cards: [],
    count: 1,
  }));
  return { event: { e: "whatever" }, text: "", tone, celebrated, journeys };
}

const PLAYED = moment({ tone: "move", ways: [["by", "table"]] });
const TAKEN = moment({ tone: "quiet", ways: [["table", "by"]] });
const BURST = moment({ tone: "great", celebrated: "blast" });

test("a play, a pass, a trick that is swept, a deal and an exchange sound by the way the cards go", () => {
  assert.deepEqual(heard([PLAYED], ""), ["slap"]);
  assert.deepEqual(heard([moment({ tone: "still" })], ""), ["tap"]);
  assert.deepEqual(heard([TAKEN], ""), ["sweep"]);
  assert.deepEqual(heard([moment({ tone: "quiet", ways: [["deck", "all"]] })], ""), ["riffle"]);
  assert.deepEqual(heard([moment({ ways: [["by", "to"]] })], ""), ["slide"]);
  assert.deepEqual(
    heard(
      [
        moment({
          ways: [
            ["by", "to"],
            ["to", "by"],
          ],
        }),
      ],
      "",
    ),
    ["slide"],
  );
});

test("what is celebrated sounds by how it is", () => {
  /** @param {Moment["celebrated"]} celebrated */
  const of = (celebrated) => heard([moment({ celebrated, ways: [["by", "table"]] })], "");
  assert.deepEqual([of("turn"), of("flip"), of("reverse")], [["tumble"], ["tumble"], ["tumble"]]);
  assert.deepEqual([of("blast"), of("launch")], [["boom"], ["boom"]]);
  assert.deepEqual([of("crown"), of("bow"), of("fall")], [["rise"], ["sink"], ["sink"]]);
  assert.deepEqual([of("lock"), of("triumph")], [["latch"], ["chorus"]]);
});

test("of several at once only the greatest is heard, whatever their order", () => {
  assert.deepEqual(heard([PLAYED, BURST, TAKEN], ""), ["boom"]);
  assert.deepEqual(heard([TAKEN, moment({ tone: "still" })], ""), ["sweep"]);
  assert.deepEqual(heard([BURST, moment({ celebrated: "triumph" })], ""), ["chorus"]);
});

test("one's turn is heard after what has happened", () => {
  assert.deepEqual(heard([PLAYED], "Your turn."), ["slap", "bell"]);
  assert.deepEqual(heard([], "Your turn."), ["bell"]);
});

test("what has nothing to sound is silent", () => {
  assert.deepEqual(heard([moment({})], ""), []);
  assert.deepEqual(heard([moment({ tone: "quiet" })], ""), []);
});

test("one's turn and what bursts are felt, the greater of both alone", () => {
  const [turn, burst] = [feltOf([PLAYED], "Your turn."), feltOf([BURST], "")];
  assert.ok(turn.length > 0 && burst.length > turn.length);
  assert.deepEqual(feltOf([BURST], "Your turn."), burst);
  assert.deepEqual(feltOf([PLAYED, TAKEN], ""), []);
});

test("no sound lasts longer than 1.2 s", () => {
  const names = /** @type {(keyof typeof SOUNDS)[]} */ (Object.keys(SOUNDS));
  assert.deepEqual(
    names.filter((name) => !(lasts(name) <= 1.2)),
    [],
  );
});
