// @ts-check
// Suggests larger combinations that contain the chosen cards: a tap chooses the whole combination.

import { spokenCardNames } from "../model/card_names.js";
import { chooseCombination, largerCombinations } from "../input/card_input.js";
import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { cardOfSlot, removeCards } from "../model/card_selection.js";
import { miniCards } from "../ui/card_faces.js";

/** @import { Desk } from "../types.d.ts" */

/** Most suggestions shown at a time: more would be slow to read. */
const MOST = 8;

/** Draw the suggestions, which replace the latest event; null without suggestions. @param {Desk} desk */
export function combinationSuggestions(desk) {
  const { model } = desk;
  const chosen = model.chosen.map(cardOfSlot);
  const all = largerCombinations(model, chosen);
  if (all.length === 0) return null;
  return h(
    "div",
    { key: "offers", "data-zone": "offers", class: "offers", role: "group", "aria-label": t("offers.label") },
    all.slice(0, MOST).map((cards) =>
      button(
        {
          key: cards.join(" "),
          class: "button combo",
          "data-offer": cards.join(" "),
          "aria-label": spokenCardNames(cards),
          onclick: () => chooseCombination(desk, cards),
        },
        "+",
        h("span", null, miniCards(removeCards(cards, chosen))),
      ),
    ),
  );
}
