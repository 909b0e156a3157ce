// @ts-check
// Whoever chooses cards sees what else they are part of: a tap chooses that.

import { spokenCardNames, cardsText } from "../model/card_names.js";
import { chooseCombination, largerCombinations } from "../input/card_input.js";
import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { cardOfSlot } from "../model/card_selection.js";

/** @typedef {import("../types.d.ts").Desk} Desk */

/** More than these would only be looked through. */
const MOST = 8;

/** In the place of what was said last; null where there is nothing to be offered. @param {Desk} desk */
export function combinationSuggestions(desk) {
  const { model } = desk;
  const all = largerCombinations(model, model.chosen.map(cardOfSlot));
  if (all.length === 0) return null;
  return h(
    "div",
    { key: "offers", "data-zone": "offers", class: "offers", role: "group", "aria-label": t("offers.label") },
    all.slice(0, MOST).map((cards) =>
      button(
        {
          key: cards.join(" "),
          class: "combo",
          "data-offer": cards.join(" "),
          "aria-label": spokenCardNames(cards),
          onclick: () => chooseCombination(desk, cards),
        },
        cardsText(cards),
      ),
    ),
  );
}
