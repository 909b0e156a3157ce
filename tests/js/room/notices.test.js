// @ts-check
// The banner over the table.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { setMessages } from "../../../static/js/lib/messages.js";
import { initialModel } from "../../../static/js/model/state.js";
import { banner } from "../../../static/js/room/notices.js";
import { english } from "../english.js";

before(() => setMessages(english()));

/** @param {Partial<import("../../../static/js/types.d.ts").Model>} changes */
function classOfBanner(changes) {
  return banner({ ...initialModel(), link: "open", ...changes }, "").props.class;
}

test("only the page's own short texts are in the narrow banner beside the buttons", () => {
  const stands = "The server can’t save right now.";
  assert.equal(classOfBanner({}), "banner");
  assert.equal(classOfBanner({ slow: true }), "banner show brief");
  assert.equal(classOfBanner({ link: "lost" }), "banner show brief");
  assert.equal(classOfBanner({ stands }), "banner show");
  assert.equal(classOfBanner({ stands, slow: true }), "banner show");
  assert.equal(classOfBanner({ stands, link: "lost" }), "banner show");
});
