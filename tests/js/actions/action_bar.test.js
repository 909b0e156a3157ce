// @ts-check
// The accessible name of each button of the action bar contains its visible text, so that a person who speaks to the
// page can name what they see. A sign such as K♣ counts as its name, because nobody can say the sign.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { cardName, cardsText, rankName, rankText } from "../../../static/js/model/card_names.js";
import { textOf } from "../../../static/js/lib/virtual_dom.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { trickKey } from "../../../static/js/model/auto_pass.js";
import { actionBar } from "../../../static/js/actions/action_bar.js";
import { handSlots, initialModel, applyUpdate } from "../../../static/js/model/state.js";
import { english } from "../english.js";
import { FIXTURES } from "../fixtures.js";

before(() => setMessages(english()));

/**
 * @import { VNode } from "../../../static/js/lib/virtual_dom.js"
 * @import { Model } from "../../../static/js/types.d.ts"
 */

const RANKS = [..."3456789TJQKA2"];

/** A text as a person says it: names instead of signs, without punctuation and without "and". @param {string} text */
function spoken(text) {
  let said = text;
  for (const card of RANKS.flatMap((rank) => [..."cdhs"].map((suit) => rank + suit)))
    said = said.replaceAll(cardsText(card), ` ${cardName(card)} `);
  const words = said
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && word !== "and");
  const rank = words.length === 1 ? RANKS.find((each) => rankText(each).toLowerCase() === words[0]) : undefined;
  return ` ${rank === undefined ? words.join(" ") : rankName(rank).toLowerCase()} `;
}

/** Every button in what is drawn. @param {VNode | null} node @returns {VNode[]} */
function buttons(node) {
  if (node === null) return [];
  return [...(node.tag === "button" ? [node] : []), ...(node.children ?? []).flatMap(buttons)];
}

/** The visible text of a button, with spaces between its parts. @param {VNode} node @returns {string} */
const seen = (node) => [node.text ?? "", ...(node.children ?? []).map(seen)].join(" ");

/** The buttons that a player has with this model. @param {Model} model */
function bar(model) {
  const desk = {
    model,
    update: model.update,
    act: async () => true,
    ask: async () => true,
    set: () => undefined,
    fill: () => undefined,
  };
  return buttons(/** @type {VNode | null} */ (actionBar(/** @type {any} */ (desk))));
}

/** Every state in which a player may be: without, with some and with legal cards chosen, and with automatic passes. @returns {Generator<[string, Model]>} */
function* models() {
  for (const [name, update] of Object.entries(FIXTURES)) {
    if (update.table === null) continue;
    const model = applyUpdate(initialModel(), update, 0);
    const slots = handSlots(model);
    const legal = (update.you.legal ?? []).flatMap(({ cards }) =>
      typeof cards === "string" ? [cards.split(" ")] : [],
    );
    const sets = [[], slots.slice(0, 1).map(({ card }) => card), ...legal];
    for (const set of sets) {
      const chosen = set.map((card) => slots.find((slot) => slot.card === card)?.id ?? "").filter(Boolean);
      for (const until of /** @type {const} */ ([null, "beats", "trick"])) {
        const passing = until === null ? null : { until, trick: until === "trick" ? trickKey(update) : null };
        yield [
          `${name}, ${set.join(" ") || "nothing chosen"}, ${until ?? "not passing"}`,
          { ...model, chosen, passing },
        ];
      }
    }
  }
}

test("every button of the action bar is called what stands on it", () => {
  const wrong = [];
  let named = 0;
  for (const [where, model] of models())
    for (const each of bar(model)) {
      const label = each.props["aria-label"];
      if (typeof label !== "string") {
        assert.notEqual(textOf(each).trim(), "", `${where}: a button without any name`);
        continue;
      }
      named += 1;
      if (!spoken(label).includes(spoken(seen(each)).trim()))
        wrong.push(`${where}: “${seen(each)}” is called “${label}”`);
    }
  assert.ok(named > 50, "too few buttons have a name of their own for this test to mean anything");
  assert.deepEqual([...new Set(wrong)], []);
});

test("while auto-pass is about to pass, only the button that stops it is left", () => {
  const state = /** @type {any} */ (FIXTURES.turn_4);
  const update = { ...state, you: { ...state.you, legal: [{ do: "pass" }] } };
  const model = { ...applyUpdate(initialModel(), update, 0), passing: /** @type {Model["passing"]} */ (null) };
  const passes = (/** @type {Model["passing"]} */ passing) =>
    bar({ ...model, passing }).filter(({ props }) => props["data-do"] === "pass").length;
  assert.equal(passes(null), 1);
  assert.equal(passes({ until: "beats", trick: null }), 0);
});

test("an offer needs a chosen card", () => {
  const update = Object.values(FIXTURES).find(({ you }) => you.legal?.some((action) => action.do === "offer"));
  assert.ok(update);
  const model = applyUpdate(initialModel(), update, 0);
  const chosen = handSlots(model).slice(0, 1);
  const disabled = (/** @type {string[]} */ ids) =>
    bar({ ...model, chosen: ids }).find(({ props }) => props["data-do"] === "offer")?.props["disabled"];
  assert.equal(disabled([]), true);
  assert.equal(disabled(chosen.map(({ id }) => id)), false);
});
