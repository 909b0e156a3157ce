// @ts-check
// Declarations of a game as the server sends them, for tests of the rules form.

/** @import { Domain, GameInfo } from "../../../static/js/types.d.ts" */

/** Declare an option; without a domain it is a number. @param {string} key @param {unknown} value @param {Domain} [domain] @returns {import("../../../static/js/types.d.ts").Switch} */
export const option = (key, value, domain = { type: "number", low: 0, high: 9, none_label: null }) => ({
  id: key,
  key,
  name: key,
  sentence: "",
  example: "",
  source: "",
  also: "",
  default: value,
  domain,
});

/** Declare a preset; its name is its key with a capital. @param {string} key @param {Record<string, unknown>} changes @param {string} [also] @returns {GameInfo["presets"][number]} */
export const preset = (key, changes, also = "") => ({
  id: key,
  key,
  name: key.replace(/^./, (first) => first.toUpperCase()),
  sentence: "",
  also,
  changes,
  source: "",
  players: [3, 8],
  picture: "",
  mark: "",
  mark_text: "",
  variant: "",
  variant_of: "",
  short: [],
});

/** Declare a game with one section. @param {GameInfo["sections"][number]["switches"]} switches @param {GameInfo["presets"]} presets @returns {GameInfo} */
export const game = (switches, presets) => ({
  key: "game",
  name: "Game",
  also: "Daihinmin, 大富豪",
  players: [3, 8],
  basics: [],
  conflicts: [],
  zero_sum: null,
  sections: [{ key: "one", name: "One", rules: [], switches }],
  short: [],
  questions: [],
  presets,
});
