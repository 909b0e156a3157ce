// @ts-check
// Mini cards in lines of text: each has the colour of its suit.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { h, textOf } from "../../../static/js/lib/virtual_dom.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { setPreference } from "../../../static/js/lib/preferences.js";
import { cardName, cardOrderText } from "../../../static/js/model/card_names.js";
import { cardFace, miniCards, textWithMiniCards } from "../../../static/js/ui/card_faces.js";
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

test("a browser shows the letters that its person chose, and screen readers hear the rank", () => {
  setPreference("letters", "VDRA");
  assert.equal(drawn(miniCards("Jh Qc Ks As Th"))[1], "V♥ D♣ R♠ A♠ 10♥");
  assert.equal(drawn(textWithMiniCards("J♥ beats 10♥."))[1], "V♥ beats 10♥.");
  assert.equal(textOf(h("p", null, cardFace("Kd"))), "R");
  assert.match(cardOrderText({ ranks: "9TJQKA2" }), /10, V, D, R, A, 2/);
  assert.equal(cardName("Kd"), "king of diamonds");
  setPreference("letters", "JQKA");
  assert.equal(drawn(miniCards("Jh"))[1], "J♥");
});
