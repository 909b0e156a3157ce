// @ts-check
// The sheet with the rules of a room.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { emptyPart } from "../document.js";
import { english } from "../english.js";
import { FIXTURES } from "../fixtures.js";

const { draw } = await import("../../../static/js/lib/virtual_dom.js");
const { initialModel } = await import("../../../static/js/model/state.js");
const { setMessages } = await import("../../../static/js/lib/messages.js");
const { rulesSheet } = await import("../../../static/js/rules/rules_sheet.js");

before(() => {
  setMessages(english());
  window.HTMLDialogElement.prototype.showModal = function showModal() {
    this.setAttribute("open", "");
  };
});

/** Draw the sheet in the waiting room, for a preset with these short rules. @param {string[]} short */
function sheet(short) {
  const part = emptyPart();
  const first = { key: "first", short: [] };
  const preset = { key: "pagat", name: "Pagat", sentence: "", picture: "", mark: "", short };
  const catalogue = {
    games: [{ key: "president", presets: [first, preset], sections: [], short: ["Be first.", "Twos win."] }],
  };
  const desk = { model: initialModel(), update: FIXTURES.lobby_host, catalogue, fetchCatalogueOnce: () => undefined };
  draw(part, rulesSheet(/** @type {any} */ (desk)));
  const sentences = [...part.querySelectorAll("[data-zone=short] li")].map((each) => each.textContent);
  return {
    heading: part.querySelector("h3")?.textContent,
    sentences,
    link: part.querySelector("a")?.getAttribute("href"),
  };
}

test("the sheet has the short rules of the preset, or of its game, and a link to all rules", () => {
  const own = sheet(["Twos are trumps."]);
  assert.deepEqual(own.sentences, ["Twos are trumps."]);
  assert.equal(own.heading, "In short");
  const { heading, sentences, link } = sheet([]);
  assert.equal(heading, "The basic game in short");
  assert.deepEqual(sentences, ["Be first.", "Twos win."]);
  assert.equal(link, "/rules/president?room=KQ7F3M");
});
