// @ts-check
// A sheet that asks how to play cards that have several interpretations: a grid of ranks in their current order.

import { cardsText, rankLabel, rankText } from "../model/card_names.js";
import { button, h } from "../lib/virtual_dom.js";
import { t, formatList } from "../lib/messages.js";
import { dialog } from "../table/sheet.js";
import { playInterpretations } from "../model/state.js";
import { readingText, callName } from "../events/labels.js";

/** @import { Action, Desk } from "../types.d.ts" */

/** Describe an interpretation of the chosen cards: the ranks they count as, and the announced call. @param {Action} action */
function interpretationText(action) {
  const parts = [];
  if (action.as) parts.push(readingText(action.as));
  if (action.call) parts.push(t("choice.call", { call: callName(action.call) }));
  return parts.length > 0 ? formatList(parts) : t("choice.plain");
}

/**
 * Sort interpretations: the usual first, then by rank in the current order. Others come last, in their old order.
 * @param {Action[]} all with the usual interpretation first
 * @param {string} ranks from low to high
 */
function sortInterpretations([usual, ...others], ranks) {
  /** @param {Action} action */
  const place = ({ as }) => (as !== undefined && ranks.includes(as) ? ranks.indexOf(as) : ranks.length);
  return usual === undefined ? [] : [usual, ...others.sort((a, b) => place(a) - place(b))];
}

/** Return the accessible name of a button. It contains the visible rank, so that voice control finds the button. @param {Action} action */
function spokenLabel(action) {
  if (action.as?.length !== 1 || action.call) return interpretationText(action);
  return t("choice.as", { as: rankLabel(action.as) });
}

/** Return the content of a button: the rank as on a card, or words. @param {Action} action */
function buttonContent(action) {
  if (action.as?.length !== 1 || action.call || action.as === "X") return interpretationText(action);
  return h("b", { "aria-hidden": "true" }, rankText(action.as));
}

/** @param {Desk} desk */
export function interpretationSheet(desk) {
  const { model, update } = desk;
  const all = playInterpretations(model);
  if (all.length < 2) return null;
  const cards = cardsText(String(all[0]?.cards));
  const plain = all.every((action) => action.as?.length === 1 && !action.call);
  return dialog(desk, t("choice.open", { cards }), [
    h(
      "div",
      {
        key: "ways",
        class: `ways${plain ? " ranks" : ""}`,
        role: "group",
        "aria-label": t("choice.open", { cards }),
        onkeydown: (/** @type {Event} */ event) => moveFocusInGrid(/** @type {KeyboardEvent} */ (event)),
      },
      sortInterpretations(all, String(update.table?.ranks ?? "")).map((action, i) =>
        button(
          {
            key: interpretationText(action),
            class: `button${i === 0 ? " main" : ""}`,
            "data-do": action.do,
            "data-as": action.as ?? "",
            "aria-label": spokenLabel(action),
            autofocus: i === 0,
            onclick: async () => (await desk.playAction(action)) && desk.close("ways"),
          },
          buttonContent(action),
        ),
      ),
    ),
    button({ key: "cancel", class: "button wide", onclick: () => desk.set({ sheet: null }) }, t("choice.cancel")),
  ]);
}

/** Move the focus in the grid with arrow keys, Home and End. @param {KeyboardEvent} event */
function moveFocusInGrid(event) {
  const box = /** @type {HTMLElement} */ (event.currentTarget);
  const buttons = [...box.querySelectorAll("button")];
  const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  if (at < 0) return;
  const top = buttons[0]?.offsetTop;
  const row = buttons.findIndex((button) => button.offsetTop !== top);
  const width = row < 0 ? buttons.length : row;
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + width, ArrowUp: at - width, Home: 0, End: -1 }[
    event.key
  ];
  if (to === undefined) return;
  event.preventDefault();
  (event.key === "End" ? buttons.at(-1) : buttons[to])?.focus();
}
