// @ts-check
import assert from "node:assert/strict";
import { before, test } from "node:test";

import { use } from "../../../static/js/lib/messages.js";
import { worth } from "../../../static/js/rules/stake.js";
import { english } from "../english.js";

before(() => use(english()));

test("of one is said as of one", () => {
  const sips = { amount: 1, unit: "sips", one: "sip" };
  const euros = { amount: 0.5, unit: "euros", one: "euro" };
  assert.deepEqual([worth(sips, 1), worth(sips, 2)], ["1 sip", "2 sips"]);
  assert.deepEqual([worth(euros, 1), worth(euros, 2)], ["0.5 euros", "1 euro"]);
});
