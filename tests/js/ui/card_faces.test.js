// @ts-check
// Mini cards in lines of text: each has the colour of its suit.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { h, textOf } from "../../../static/js/lib/virtual_dom.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { miniCards, textWithMiniCards } from "../../../static/js/ui/card_faces.js";
import { english } from "../english.js";

before(() => setMessages(english()));

/** Return the suits and texts of the mini cards, and the whole text. @param {import("../../../static/js/lib/virtual_dom.js").Children} children */
function drawn(children) {
  const line = h("p", null, children);
  const cards = line.children.filter((part) => part.props.class === "mini");
  return [cards.map((card) => [card.props["data-suit"], textOf(card)]), textOf(line)];
}

test("cards are drawn as mini cards with spaces between them, jokers by name", () => {
  const cards = [
    ["h", "10♥"],
    ["s", "A♠"],
    ["r", "red joker"],
  ];
  assert.deepEqual(drawn(miniCards("Th As Xr")), [cards, "10♥ A♠ red joker"]);
  assert.deepEqual(drawn(miniCards(["Th", "As", "Xr"])), drawn(miniCards("Th As Xr")));
});

test("a text keeps its words around mini cards, and a suit alone is one as well", () => {
  const cards = [
    ["h", "10♥"],
    ["c", "♣"],
  ];
  const text = "10♥ is locked to ♣.";
  assert.deepEqual(drawn(textWithMiniCards(text)), [cards, text]);
  assert.deepEqual(drawn(textWithMiniCards("Bob passes.")), [[], "Bob passes."]);
});
