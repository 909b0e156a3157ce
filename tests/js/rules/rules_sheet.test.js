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

/** Draw the sheet in the waiting room of a preset with these short rules. @param {string[]} short @param {Record<string, boolean>} differences */
function sheet(short, differences) {
  const part = emptyPart();
  const preset = { key: "pagat", name: "Pagat", sentence: "", picture: "", mark: "", short, changes: {} };
  const sections = [{ key: "all", name: "All", switches: [] }];
  const catalogue = {
    games: [{ key: "president", presets: [preset], sections, short: [] }],
  };
  const { room, ...more } = /** @type {import("../../../static/js/types.d.ts").Update} */ (FIXTURES.lobby_host);
  const update = { ...more, room: { ...room, differences } };
  const desk = { model: initialModel(), update, catalogue, fetchCatalogueOnce: () => undefined };
  draw(part, rulesSheet(/** @type {any} */ (desk)));
  const sentences = [...part.querySelectorAll("[data-zone=short] li")].map((each) => each.textContent);
  return {
    heading: [...part.querySelectorAll("h3")].at(-1)?.textContent,
    sentences,
    link: part.querySelector("a")?.getAttribute("href"),
  };
}

test("the sheet has the short rules of the preset and a link to all rules", () => {
  const { heading, sentences, link } = sheet(["Twos are trumps."], {});
  assert.deepEqual(sentences, ["Twos are trumps."]);
  assert.equal(heading, "In short");
  assert.equal(link, "/rules/president?room=KQ7F3M");
});

test("in a room with changes, the heading says that the short rules are without them", () => {
  const { heading, sentences } = sheet(["Twos are trumps."], { throw_in: true });
  assert.deepEqual(sentences, ["Twos are trumps."]);
  assert.equal(heading, "Pagat in short, without these changes");
});
