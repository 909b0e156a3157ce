// @ts-check
// Draws the form in which a person chooses their bird and colour.

import { BIRDS, COLOURS, birdHead } from "./birds.js";
import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";

/** @typedef {{ bird: string | null, colour: string | null }} Looks */
/** @typedef {(change: Partial<Looks>) => unknown} Choose */

/**
 * Draw radio buttons with pictures; the first leaves the choice to the room.
 * @param {Looks} me @param {Choose} choose @param {keyof Looks} what @param {string[]} values
 */
function pictureChoice(me, choose, what, values) {
  const hue = COLOURS.indexOf(me.colour ?? "");
  return h(
    "fieldset",
    { class: "plain looks", key: what },
    h("legend", null, t(`mine.${what}`)),
    h(
      "div",
      { class: "choices" },
      [null, ...values].map((value) =>
        h(
          "label",
          { key: String(value), class: "choice look" },
          h("input", {
            type: "radio",
            name: what,
            value: String(value),
            checked: me[what] === value,
            onchange: () => choose({ [what]: value }),
          }),
          value === null
            ? null
            : h(
                "span",
                { class: "avatar", "data-hue": what === "colour" ? values.indexOf(value) : Math.max(0, hue) },
                what === "bird" ? birdHead(value) : null,
              ),
          h("span", null, value === null ? t("mine.any") : t(`mine.${what}.${value}`)),
        ),
      ),
    ),
  );
}

/** Draw the choices of bird and colour. @param {Looks} me @param {Choose} choose */
export function avatarPicker(me, choose) {
  return [
    pictureChoice(me, choose, "bird", BIRDS),
    pictureChoice(me, choose, "colour", COLOURS),
    h("p", { key: "places", class: "quiet" }, t("mine.places")),
  ];
}
