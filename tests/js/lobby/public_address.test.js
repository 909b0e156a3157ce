// @ts-check
// The address at which others reach the server: typed with or without scheme and port, and never this computer's own.

import assert from "node:assert/strict";
import { test } from "node:test";

import { parseAddress } from "../../../static/js/lobby/public_address.js";

test("a typed address becomes an origin that others can reach", () => {
  for (const [typed, origin] of [
    ["192.168.1.20", "http://192.168.1.20:8000"],
    [" 192.168.1.20:9000 ", "http://192.168.1.20:9000"],
    ["https://cards.example/", "https://cards.example"],
    ["http://nest.local:8000/r/ABC", "http://nest.local:8000"],
    ["[fd00::5]", "http://[fd00::5]:8000"],
  ])
    assert.equal(parseAddress(typed ?? "", "8000"), origin);
});

test("an address of this computer only, and what is no address, is refused", () => {
  for (const typed of [
    "",
    "localhost",
    "127.0.0.1:8000",
    "http://[::1]/",
    "a b",
    "javascript:alert(1)",
    "x@host",
    "nest.localhost",
  ])
    assert.equal(parseAddress(typed, "8000"), "", typed);
});
