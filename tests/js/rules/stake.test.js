// @ts-check
import assert from "node:assert/strict";
import { before, test } from "node:test";

import { setMessages } from "../../../static/js/lib/messages.js";
import { stakeWorthText } from "../../../static/js/rules/stake.js";
import { english } from "../english.js";

before(() => setMessages(english()));

test("of one is said as of one", () => {
  const sips = { amount: 1, unit: "sips", unit_singular: "sip" };
  const euros = { amount: 0.5, unit: "euros", unit_singular: "euro" };
  assert.deepEqual([stakeWorthText(sips, 1), stakeWorthText(sips, 2)], ["1 sip", "2 sips"]);
  assert.deepEqual([stakeWorthText(euros, 1), stakeWorthText(euros, 2)], ["0.5 euros", "1 euro"]);
});
