// @ts-check
// A room's file is split without a change to any number in it, or not at all.

import assert from "node:assert/strict";
import { test } from "node:test";

import { splitIntoFiles, extractMatches } from "../../../static/js/replay/room_file.js";

const ODD = String.raw`{"record": {"players": ["a]\"}\\", "é\u005d"], "seed": 123456789012345678901234567890}}`;
const room = (/** @type {string} */ matches) =>
  `\r\n{"people": [["matches"]], "matches": ${matches}, "format": "climbing-room/1"}`;

test("matches are found as they stand", () => {
  assert.deepEqual(extractMatches(room(`[${ODD} ,\n ${ODD}]`)), [ODD, ODD]);
  assert.deepEqual(extractMatches(room("[]")), []);
});

test("what can't be taken apart is left whole", () => {
  for (const text of [
    "",
    "[]",
    '"matches',
    ODD,
    room("{}"),
    room("[null]"),
    room('["{}"]'),
    room("[7, {}]"),
    room("[{}"),
    room('[], "matches": []'),
    room("[]").replace("room/1", "record/1"),
    `${room("[]")}]`,
    room("[{]}]"),
  ]) {
    const found = extractMatches(text);
    assert.ok(found === null || found.some((each) => each === "{]"), text);
  }
});

test("pieces hold as much as they may, and number their matches", () => {
  const pieces = splitIntoFiles(["{1}", "{2}", "{long one}", "{4}"], 6);
  assert.deepEqual(
    pieces.map(({ first, count }) => [first, count]),
    [
      [1, 2],
      [3, 1],
      [4, 1],
    ],
  );
  assert.equal(pieces[0]?.text, '{"format":"climbing-room/1","matches":[{1},{2}]}');
  assert.deepEqual(splitIntoFiles([], 6), []);
});
