// @ts-check
// The sounds and vibrations of events, and their times.

import assert from "node:assert/strict";
import { test } from "node:test";

import { soundsFor } from "../../../static/js/sound/event_sounds.js";
import { soundDuration, SOUNDS } from "../../../static/js/sound/synth.js";
import { vibrationPattern } from "../../../static/js/device/vibration.js";

/**
 * @import { Moment } from "../../../static/js/events/presentation.js"
 * @import { Where } from "../../../static/js/types.d.ts"
 */

/** A moment with these declarations. @param {{ tone?: string, celebrated?: Moment["celebrated"], ways?: [Where, Where][] }} declared @returns {Moment} */
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
  assert.deepEqual(soundsFor([PLAYED], ""), ["slap"]);
  assert.deepEqual(soundsFor([moment({ tone: "still" })], ""), ["tap"]);
  assert.deepEqual(soundsFor([TAKEN], ""), ["sweep"]);
  assert.deepEqual(soundsFor([moment({ tone: "quiet", ways: [["deck", "all"]] })], ""), ["riffle"]);
  assert.deepEqual(soundsFor([moment({ ways: [["by", "to"]] })], ""), ["slide"]);
  assert.deepEqual(
    soundsFor(
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
  const of = (celebrated) => soundsFor([moment({ celebrated, ways: [["by", "table"]] })], "");
  assert.deepEqual([of("turn"), of("flip"), of("reverse")], [["tumble"], ["tumble"], ["tumble"]]);
  assert.deepEqual([of("blast"), of("launch")], [["boom"], ["boom"]]);
  assert.deepEqual([of("crown"), of("bow"), of("fall")], [["rise"], ["sink"], ["sink"]]);
  assert.deepEqual([of("lock"), of("triumph")], [["latch"], ["fanfare"]]);
});

test("of several at once only the greatest is heard, whatever their order", () => {
  assert.deepEqual(soundsFor([PLAYED, BURST, TAKEN], ""), ["boom"]);
  assert.deepEqual(soundsFor([TAKEN, moment({ tone: "still" })], ""), ["sweep"]);
  assert.deepEqual(soundsFor([BURST, moment({ celebrated: "triumph" })], ""), ["fanfare"]);
});

test("one's turn is heard after what has happened", () => {
  assert.deepEqual(soundsFor([PLAYED], "Your turn."), ["slap", "bell"]);
  assert.deepEqual(soundsFor([], "Your turn."), ["bell"]);
});

test("what has nothing to sound is silent", () => {
  assert.deepEqual(soundsFor([moment({})], ""), []);
  assert.deepEqual(soundsFor([moment({ tone: "quiet" })], ""), []);
});

test("one's turn and what bursts are felt, the greater of both alone", () => {
  const [turn, burst] = [vibrationPattern([PLAYED], "Your turn."), vibrationPattern([BURST], "")];
  assert.ok(turn.length > 0 && burst.length > turn.length);
  assert.deepEqual(vibrationPattern([BURST], "Your turn."), burst);
  assert.deepEqual(vibrationPattern([PLAYED, TAKEN], ""), []);
});

test("no sound lasts longer than 1.2 s", () => {
  const names = /** @type {(keyof typeof SOUNDS)[]} */ (Object.keys(SOUNDS));
  assert.deepEqual(
    names.filter((name) => !(soundDuration(name) <= 1.2)),
    [],
  );
});
