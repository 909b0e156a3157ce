// @ts-check
// The menu's page about fair deals: the last deal, what was checked, and the counts of the match.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { emptyPart } from "../document.js";
import { english } from "../english.js";
import { room, update, you } from "../fixtures.js";

const { draw } = await import("../../../static/js/lib/virtual_dom.js");
const { initialModel } = await import("../../../static/js/model/state.js");
const { setMessages } = await import("../../../static/js/lib/messages.js");
const { fairnessSection } = await import("../../../static/js/menu/fairness.js");

const TEXTS = english();
before(() => setMessages(TEXTS));

const KINDS = [
  ...["list", "seed", "promise", "cards", "seats", "foreign", "redrawn", "off", "alone"],
  ...["away", "unheard", "late", "open"],
];

/** Draw the page, and return its text. @param {Record<string, any>} summary @param {Record<string, any>} [fair] @param {object | null} [copy] @param {object} [more] */
function shown(summary, fair = {}, copy = null, more = {}) {
  const here = room(4, more);
  const deals = { summary: { counts: {}, deals: 0, last: null, open: 0, ...summary }, copy };
  const shownFair = { commitment: "c0ffee", hashes: {}, left_out: [], closed: null, previous: null, ...fair };
  const now = update(/** @type {any} */ ({ ...here, phase: "between_hands", fair: shownFair }), null, you());
  const root = emptyPart();
  draw(root, fairnessSection(/** @type {any} */ ({ model: initialModel(), update: now, fairDeals: deals })));
  return root;
}

test("each finding has a line of at most 60 characters, a sentence in the menu and a count", () => {
  for (const kind of KINDS) {
    const line = TEXTS[`fair.line.${kind}`] ?? "";
    assert.ok(line.length > 0 && line.length <= 60, kind);
    const page = shown({
      last: { commitment: "c", verdict: "fair", unseen: [], kinds: [kind] },
      counts: { [kind]: 2 },
      open: kind === "open" ? 2 : 0,
    });
    assert.ok(page.textContent?.includes(`${line} ${TEXTS[`fair.means.${kind}`]}`), kind);
    assert.match(page.querySelector(".counts")?.textContent ?? "", /: 2/, kind);
  }
});

test("the last deal names the givers and the seats without a seed, and the parts that were compared", () => {
  const list = { givers: { 1: "Ana", 2: "Bob" }, order: { seats: ["Ana", "Bob", "Pip"] } };
  const previous = { secret: "ab", seeds: { 1: "00" }, list };
  const last = { commitment: "c", verdict: "fair", unseen: [], kinds: [] };
  const fair = shown({ last, deals: 1 }, { previous }).textContent ?? "";
  assert.ok(fair.includes("Seeds in the last deal: Ana"));
  assert.ok(fair.includes("Seats without a seed: Bob and Pip"));
  assert.ok(fair.includes("it was fair"));
  assert.ok(fair.includes("Drawn again with a reason: 0"));
  const part = shown({ last: { ...last, unseen: ["own"] }, deals: 1 }, { previous }).textContent ?? "";
  assert.ok(!part.includes("it was fair"));
  assert.ok(part.includes("Own cards not compared."));
  assert.ok(!(shown({ last: null }, { previous }).textContent ?? "").includes("it was fair"));
});

test("a look of the operator at hidden data is told and counted", () => {
  assert.doesNotMatch(shown({}).textContent ?? "", /operator of the server has/);
  assert.match(shown({}, {}, null, { operator_looks: 2 }).textContent ?? "", /hidden data of this room 2 times/);
});

test("lists can be copied once there are some", () => {
  assert.equal(shown({}).querySelector("[data-do=copy-list]"), null);
  assert.ok(shown({}, {}, { match: null, lists: [] }).querySelector("[data-do=copy-list]"));
});
