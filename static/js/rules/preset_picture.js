// @ts-check
// Pictures of rules: a few cards with a sign beside them.

import { h } from "../lib/virtual_dom.js";
import { avatar } from "../ui/avatar.js";
import { cardRow } from "../ui/card_faces.js";

/** @typedef {{ picture: string, mark: string }} Picture Cards, or places of players: `first`, `second` and `last`. */

/** Faces of players in these places. @type {Record<string, Parameters<typeof avatar>[0]>} */
const PLACES = {
  first: { bird: "robin", hue: 0, worn: "crown" },
  second: { bird: "jay", hue: 1, worn: "hat" },
  last: { bird: "owl", hue: 2, worn: "shell" },
};

/** Draw cards or players that illustrate rules, hidden from screen readers. @param {Picture} rules */
export function presetPicture({ picture, mark }) {
  const faces = picture.split(" ").flatMap((each) => PLACES[each] ?? []);
  return h(
    "span",
    { class: "pictured", "aria-hidden": "true" },
    faces.length > 0 ? faces.map((each) => avatar({ ...each, size: "small" })) : cardRow(picture, "small fan"),
    mark === "" ? null : h("span", { class: "mark" }, mark),
  );
}

/**
 * Choose the picture of a changed option: that of the preset with this value and the fewest other changes. The picture of
 * a further version shows what it adds to its preset, so it is used only if no preset has the value. Without any, it is a
 * sign: the number, or whether the option is on.
 * @param {readonly (Picture & { changes: Record<string, unknown>, variant_of?: string })[]} presets
 * @param {string} key
 * @param {unknown} value
 * @returns {Picture}
 */
export function optionPicture(presets, key, value) {
  const same = presets.filter(({ changes }) => JSON.stringify(changes[key]) === JSON.stringify(value));
  const entries = same.filter((preset) => !preset.variant_of);
  const [closest] = (entries.length > 0 ? entries : same).sort(
    (one, other) => Object.keys(one.changes).length - Object.keys(other.changes).length,
  );
  if (closest !== undefined) return closest;
  const mark = typeof value === "number" ? String(value) : value === true ? "✓" : value === false ? "✗" : "≠";
  return { picture: "", mark };
}
