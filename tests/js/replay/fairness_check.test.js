// @ts-check
// The browser computes the same decks as the server and notices every cheat. app/rooms/model/shuffle_proof.py made
// fair.json.

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { deckFromProof, bytesToHex, hmac, sha256, checkDeal } from "../../../static/js/replay/fairness_check.js";

/** @type {{ proof: import("../../../static/js/replay/fairness_check.js").Proof, deck: string, cards: Record<string, string>, stock: string }[]} */
const DEALS = JSON.parse(readFileSync(new URL("../fair.json", import.meta.url), "utf8"));

test("SHA-256 and HMAC are those of everybody else", () => {
  for (let length = 0; length < 200; length++) {
    const message = Uint8Array.from({ length }, (_, i) => (i * 37 + length) % 256);
    assert.equal(bytesToHex(sha256(message)), createHash("sha256").update(message).digest("hex"), String(length));
    const key = message.slice(0, length / 2);
    assert.equal(
      bytesToHex(hmac(key, message)),
      createHmac("sha256", key).update(message).digest("hex"),
      String(length),
    );
  }
});

test("secret, seeds and cut make the server's deck, and the cards dealt are that deck", () => {
  for (const { proof, deck: wanted, cards, stock } of DEALS) {
    assert.equal(deckFromProof(proof).join(" "), wanted);
    assert.equal(checkDeal(proof, cards, stock), "fair");
  }
});

test("another secret than the one promised is noticed", () => {
  const [one] = DEALS;
  assert.ok(one);
  const secret = one.proof.secret.replace(/^../, "ff");
  assert.equal(checkDeal({ ...one.proof, secret }, one.cards, one.stock), "promise");
});

test("cards of another deck are noticed, and so is a seed or a cut that was changed", () => {
  const [one] = DEALS;
  assert.ok(one);
  const swapped = { ...one.cards, Ana: one.cards.Bob ?? "", Bob: one.cards.Ana ?? "" };
  assert.equal(checkDeal(one.proof, swapped, one.stock), "fair", "whoever got which pile is the game's business");
  const [ana = "", bob = ""] = [one.cards.Ana, one.cards.Bob];
  const cheated = { ...one.cards, Ana: bob.slice(0, 2) + ana.slice(2), Bob: ana.slice(0, 2) + bob.slice(2) };
  assert.equal(checkDeal(one.proof, cheated, one.stock), "cards");
  assert.equal(checkDeal({ ...one.proof, cut: 3 }, one.cards, one.stock), "cards");
  assert.equal(checkDeal({ ...one.proof, seeds: {} }, one.cards, one.stock), "cards");
});
