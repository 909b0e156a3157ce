// @ts-check
// Replays of files: bots have their names in the page's language, and the server gets the names of the file.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { setMessages } from "../../../static/js/lib/messages.js";
import { matchSourceOf, storeFile } from "../../../static/js/replay/match_source.js";
import { english } from "../english.js";

afterEach(() => setMessages(english()));

test("a replay of a file shows bots by their names in the page's language", async () => {
  setMessages({ ...english(), "said.Pip": "Piep", "said.Dot": "Ana" });
  const stored = new Map();
  const hand = { players: ["Ana", "Dot", "Pip"], by: "Pip" };
  /** @type {string[]} */
  const addresses = [];
  Object.assign(globalThis, {
    sessionStorage: {
      setItem: (/** @type {string} */ key, /** @type {string} */ text) => stored.set(key, text),
      getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
    },
    fetch: async (/** @type {string} */ address) => {
      addresses.push(address);
      return new Response(JSON.stringify(hand));
    },
  });
  storeFile({ text: "{}", matches: [{ game: "president", hands: 1, players: hand.players }] });
  const nameFields = JSON.stringify({ under: ["by", "players"], each: [], without: [] });
  const source = matchSourceOf(/** @type {any} */ ({ dataset: { file: "0", nameFields } }));
  // A person has the name Ana, so Dot keeps its name.
  assert.deepEqual(await (await source.hand(0, "Piep")).json(), { players: ["Ana", "Dot", "Piep"], by: "Piep" });
  assert.deepEqual(addresses, ["/api/imports/hands/0?match=0&seat=Pip"]);
  // English pages show the stored names.
  const plain = matchSourceOf(/** @type {any} */ ({ dataset: { file: "0" } }));
  assert.deepEqual(await (await plain.hand(0, null)).json(), hand);
});
