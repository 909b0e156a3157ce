// @ts-check
// The form to join a room: a guest chooses one of the free faces.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { joinForm } from "../../../static/js/lobby/join_form.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { initialModel } from "../../../static/js/model/state.js";
import { english } from "../english.js";
import { FIXTURES } from "../fixtures.js";

/**
 * @import { VNode } from "../../../static/js/lib/virtual_dom.js"
 * @import { Desk } from "../../../static/js/types.d.ts"
 */

/** The page's data for scripts. @type {Record<string, string>} */
let dataset = {};

before(() => {
  setMessages(english());
  Object.assign(globalThis, { document: { getElementById: () => ({ dataset }) } });
});

/** Return the radio buttons of the form. @param {Record<string, unknown>} form values chosen before */
function choices(form) {
  const desk = /** @type {Desk} */ (
    /** @type {unknown} */ ({
      model: { ...initialModel(), form },
      update: FIXTURES.lobby_join,
      fill: (/** @type {string} */ key, /** @type {unknown} */ value) => Object.assign(form, { [key]: value }),
    })
  );
  /** @param {VNode} node @returns {VNode[]} */
  const found = (node) => [node, ...node.children.flatMap(found)];
  const drawn = joinForm(desk);
  assert.ok(drawn !== null);
  return found(drawn)
    .filter(({ props }) => props.type === "radio")
    .map(({ props }) => props);
}

test("a guest chooses one of six free faces; the first is proposed, and a choice stays", () => {
  dataset = {};
  const form = {};
  const shown = choices(form);
  assert.deepEqual(shown.map((radio) => [radio.value, radio["aria-label"], radio.checked]).slice(0, 2), [
    ["sparrow lilac", "sparrow, lilac", true],
    ["robin moss", "robin, moss", false],
  ]);
  assert.equal(shown.length, 6);
  const choose = /** @type {(() => void) | undefined} */ (shown[3]?.onchange);
  choose?.();
  assert.deepEqual(
    choices(form).map(({ checked }) => checked),
    [false, false, false, true, false, false],
  );
});

test("a visitor who has saved a face chooses none", () => {
  dataset = { ownFace: "" };
  assert.deepEqual(choices({}), []);
});
