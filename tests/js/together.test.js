// @ts-check
// Those who look at one match together: what is said of them, and when.

import assert from "node:assert/strict";
import { test } from "node:test";

import { use } from "../../static/js/messages.js";
import { whereTheyAre, worthSaying } from "../../static/js/render_together.js";
import { english } from "./english.js";

use(english());

/** @type {import("../../static/js/together.js").Picture} */
const bob = { leader: "Ana", hand: 2, move: 16, seat: null, offered: false, followers: 1, you: "follower" };
/** @type {import("../../static/js/together.js").Picture} */
const ana = { ...bob, you: "leader" };

test("who follows hears who leads, where, and by whose eyes", () => {
  assert.equal(whereTheyAre(bob, false), "Ana leads: hand 3, step 17.");
  assert.equal(whereTheyAre({ ...bob, seat: "Cat" }, false), "Ana leads: hand 3, step 17, seen by Cat.");
  assert.equal(whereTheyAre(bob, true), "You look alone. Ana is at hand 3, step 17.");
  assert.equal(whereTheyAre({ ...bob, you: "may_lead" }, false), "Ana leads: hand 3, step 17. You may take the lead.");
});

test("who leads hears how many follow, and that the lead is offered", () => {
  assert.equal(whereTheyAre({ ...ana, followers: 0 }, false), "You lead. Nobody follows yet.");
  assert.equal(whereTheyAre({ ...ana, followers: 3 }, false), "You lead. 3 follow you.");
  assert.equal(whereTheyAre({ ...ana, offered: true }, false), "You lead, till somebody else takes the lead.");
});

test("moves are told as they happen, so only what they don't tell is said besides", () => {
  assert.ok(worthSaying(null, bob));
  assert.ok(!worthSaying(bob, { ...bob, move: 17, followers: 2 }));
  assert.ok(worthSaying(bob, { ...bob, hand: 3 }));
  assert.ok(worthSaying(bob, { ...bob, seat: "Cat" }));
  assert.ok(worthSaying(bob, { ...bob, leader: "Cat" }));
  assert.ok(worthSaying(bob, { ...bob, you: "may_lead" }));
  assert.ok(!worthSaying(ana, { ...ana, hand: 3, seat: "Cat" }));
  assert.ok(worthSaying(ana, { ...ana, followers: 2 }));
  assert.ok(worthSaying(ana, { ...ana, offered: true }));
});
