// @ts-check

import assert from "node:assert/strict";
import { test } from "node:test";

import { staticFile } from "../../../static/js/lib/static_file.js";

test("a static file's address does not depend on the folder of the script that asks", () => {
  assert.equal(staticFile("css/base.css"), new URL("../../../static/css/base.css", import.meta.url).href);
});
