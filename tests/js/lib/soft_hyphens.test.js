// @ts-check
// The places where long words may be broken.

import assert from "node:assert/strict";
import { test } from "node:test";

import { addSoftHyphens } from "../../../static/js/lib/soft_hyphens.js";

/** @param {string} text */
const shown = (text) => addSoftHyphens(text).replaceAll("\u00ad", "-");

test("long words break between syllables, and nothing else does", () => {
  for (const [text, told] of Object.entries({
    Daihinmin: "Dai-hin-min",
    Bartholomäus: "Bar-tho-lomäus",
    Wilhelmina: "Wil-hel-mina",
    "Bartholomäus Brenner": "Bar-tho-lomäus Brenner",
    "Vice-President": "Vice-Pre-sident",
    Magpie: "Magpie",
    WWWWWWWWWWWWWWWWWWWW: "WWWWWWWWWWWWWWWWWWWW",
    "": "",
  }))
    assert.equal(shown(text), told);
});
