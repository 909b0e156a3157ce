// @ts-check
// The English catalogue as a server joins it: what pages say is in a file, and each rule has its own words beside it.

import { readFileSync } from "node:fs";

/** Every text by its key. `tests/project/test_english.py` holds the file against the server's texts. @returns {Record<string, string>} */
export function english() {
  return JSON.parse(readFileSync(new URL("english.json", import.meta.url), "utf8"));
}
