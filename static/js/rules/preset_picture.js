// @ts-check
// Pictures of rules: a few cards with a sign beside them.

import { h } from "../lib/virtual_dom.js";
import { cardRow } from "../ui/card_faces.js";

/** @typedef {{ picture: string, mark: string }} Picture */

/** More than any number of changes: puts further versions of a preset last. */
const FURTHER_VERSION = 1000;

/** Draw cards that illustrate a preset, hidden from screen readers. @param {Picture} preset */
export function presetPicture({ picture: cards, mark }) {
  return h(
    "span",
    { class: "pictured", "aria-hidden": "true" },
    cardRow(cards, "small fan"),
    mark === "" ? null : h("span", { class: "mark" }, mark),
  );
}

/**
 * Choose the picture of a changed option: that of the preset which is closest to this change alone. Presets
 * with an entry of their own come first, because the picture of a further version shows what that version adds. Without
 * such a preset it is a sign: the number, or whether the option is on.
 * @param {readonly (Picture & { changes: Record<string, unknown>, variant_of?: string })[]} presets
 * @param {string} key
 * @param {unknown} value
 * @returns {Picture}
 */
export function optionPicture(presets, key, value) {
  const same = presets.filter(({ changes }) => JSON.stringify(changes[key]) === JSON.stringify(value));
  /** @param {typeof presets[number]} preset */
  const distance = ({ changes, variant_of: entry }) => Object.keys(changes).length + (entry ? FURTHER_VERSION : 0);
  const [closest] = same.sort((one, other) => distance(one) - distance(other));
  if (closest !== undefined) return closest;
  const mark = typeof value === "number" ? String(value) : value === true ? "✓" : value === false ? "✗" : "≠";
  return { picture: "", mark };
}
