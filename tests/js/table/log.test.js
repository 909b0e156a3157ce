// @ts-check
// Lines of the log never change and are described once, so that a drawing skips them (lib/virtual_dom.js).

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { setMessages } from "../../../static/js/lib/messages.js";
import { logView } from "../../../static/js/table/log.js";
import { english } from "../english.js";

before(() => setMessages(english()));

/** @import { LogLine } from "../../../static/js/types.d.ts" */

test("lines of the log, whatever comes after them", () => {
  /** @type {LogLine[]} */
  const lines = [
    { id: 1, hand: 1, kind: "plain", text: "Bob plays 7♣." },
    { id: 2, hand: 1, kind: "plain", text: "Cat passes." },
  ];
  /** @param {LogLine[]} all */
  const drawn = (all) =>
    logView(null, all, null)
      .at(-1)
      ?.children.filter(({ key }) => key?.startsWith("l")) ?? [];
  const [one, other] = drawn(lines);
  const later = drawn([...lines, { id: 3, hand: 1, kind: "plain", text: "Ana passes." }]);
  assert.equal(later.length, 3);
  assert.equal(later[0], one);
  assert.equal(later[1], other);
});
