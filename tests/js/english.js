// @ts-check
// The English catalogue as a server joins it, from the file of the pages and the texts beside each rule.

import { readFileSync } from "node:fs";

/** Every text by its key. `tests/project/test_english.py` compares the file with the server's texts. @returns {Record<string, string>} */
export function english() {
  return JSON.parse(readFileSync(new URL("english.json", import.meta.url), "utf8"));
}
