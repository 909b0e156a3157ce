// @ts-check
// Spoken card names in all texts that are read aloud, also in sentences with card symbols.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { spokenText, textWithSpokenCards } from "../../../static/js/a11y/spoken_cards.js";
import { textOf } from "../../../static/js/lib/virtual_dom.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { logView } from "../../../static/js/table/log.js";
import { english } from "../english.js";

before(() => setMessages(english()));

test("a card, cards, suits alone and jokers among them are heard by name", () => {
  for (const [seen, heard] of [
    [
      "3♣ can’t beat 7♣. Play a higher card, or pass.",
      "3 of clubs can’t beat 7 of clubs. Play a higher card, or pass.",
    ],
    ["J♦ J♥ or 10♠ 10♣ A♥", "jack of diamonds and jack of hearts or 10 of spades, 10 of clubs and ace of hearts"],
    ["a black joker", "a black joker"],
    ["The trick is locked to ♥ ♠.", "The trick is locked to hearts and spades."],
    ["Bob decrees: “2 jokers, no black joker”", "Bob decrees: “2 jokers, no black joker”"],
  ])
    assert.equal(spokenText(String(seen)), heard);
});

test("where a text has signs eyes are shown these and ears the names; another stands there once", () => {
  assert.equal(textWithSpokenCards("You are next."), "You are next.");
  const [seen, heard] = /** @type {import("../../../static/js/lib/virtual_dom.js").VNode[]} */ (
    textWithSpokenCards("K♦ first")
  );
  assert.deepEqual([seen?.props["aria-hidden"], textOf(seen)], ["true", "K♦ first"]);
  assert.deepEqual([heard?.props.class, textOf(heard)], ["sr-only", "king of diamonds first"]);
  assert.deepEqual(
    seen?.children.map((part) => [part.props["data-suit"], textOf(part)]),
    [
      ["d", "K♦"],
      [undefined, " first"],
    ],
  );
});

/** The text that a screen reader reads. @param {import("../../../static/js/lib/virtual_dom.js").VNode | null} node @returns {string} */
function walked(node) {
  if (node === null || node.props["aria-hidden"] === "true") return "";
  return node.text + node.children.map(walked).join("");
}

test("who walks along the log hears cards by name, too, in its lines and in the trick before", () => {
  const plays = [{ by: "Bob", cards: "Jd Jh" }];
  const table = /** @type {import("../../../static/js/types.d.ts").Table} */ (
    /** @type {unknown} */ ({ last_trick: plays })
  );
  const lines = /** @type {import("../../../static/js/types.d.ts").LogLine[]} */ ([
    { id: 1, hand: 1, kind: "move", text: "Bob plays J♦ J♥." },
    { id: 2, hand: 1, kind: "still", text: "Cat passes." },
  ]);
  const heard = logView(table, lines, null).map(walked);
  assert.match(heard.join(" "), /Bob plays jack of diamonds and jack of hearts\.Cat passes\./);
  assert.doesNotMatch(heard.join(" "), /[♣♦♥♠]/);
});
