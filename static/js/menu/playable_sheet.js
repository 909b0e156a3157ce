// @ts-check
// “What can I play?”: everything that may be played now, by kind, and what each play would do. A press chooses it.

import { cardsNamed, cardsText } from "../model/card_names.js";
import { chooseCards } from "../input/card_input.js";
import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { dialog } from "../table/sheet.js";
import { split } from "../model/card_selection.js";
import { turnWords } from "../model/state.js";
import { sentence } from "../events/sentences.js";
import { asName, callName, kindName } from "../events/labels.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Prospect} Prospect */

/** Of a longer list only the first kind is unfolded. */
const SHORT = 12;

/** By kind, as they come. @param {Prospect[]} all @returns {Map<string, Prospect[]>} */
function kinds(all) {
  /** @type {Map<string, Prospect[]>} */
  const found = new Map();
  for (const each of all) {
    const kind = each.kind ?? "";
    found.set(kind, [...(found.get(kind) ?? []), each]);
  }
  return found;
}

/** How the cards would be read, and what would come of it, in words. @param {Prospect} prospect @param {string | null} me @returns {string[]} */
function comesOf({ action, does }, me) {
  return [
    action.as ? t("choice.as", { as: asName(action.as) }) : "",
    action.call ? t("choice.call", { call: callName(action.call) }) : "",
    ...does.map((event) => sentence(event, me)),
  ].filter(Boolean);
}

/** @param {Desk} desk @param {Prospect} prospect */
function row(desk, prospect) {
  const { action } = prospect;
  const cards = split(action.cards);
  const words = comesOf(prospect, desk.update.you.name);
  return h(
    "li",
    { key: JSON.stringify(action) },
    button(
      {
        class: "prospect",
        "data-cards": cards.join(" "),
        "aria-label": [cardsNamed(cards), ...words].join(", "),
        onclick: () => {
          desk.set({ sheet: null });
          chooseCards(desk, cards);
        },
      },
      h("b", null, cardsText(cards)),
      words.length > 0 ? h("span", { class: "quiet" }, words.join(" ")) : null,
    ),
  );
}

/** @param {Desk} desk */
export function prospects(desk) {
  const { model } = desk;
  desk.prospects?.want();
  const known = model.prospects;
  const title = t("prospects.title");
  if (known === null) return dialog(desk, title, [h("p", { key: "loading" }, t("loading"))]);
  if (known.all.length === 0)
    return dialog(desk, title, [
      h("p", { key: "none" }, turnWords(desk.update)),
      h("p", { key: "nothing", class: "quiet" }, t("prospects.none")),
    ]);
  return dialog(desk, title, [
    h("p", { key: "how", class: "quiet" }, t("prospects.how")),
    ...[...kinds(known.all)].map(([kind, some], i) =>
      h(
        "details",
        { key: `kind-${kind}`, class: "kind", open: i === 0 || known.all.length <= SHORT ? true : undefined },
        h("summary", null, t("prospects.kind", { kind: kindName(kind) || t("prospects.other"), count: some.length })),
        h(
          "ul",
          { class: "prospects" },
          some.map((each) => row(desk, each)),
        ),
      ),
    ),
    known.next === null
      ? null
      : button({ key: "more", class: "button wide", onclick: () => desk.prospects?.more() }, t("prospects.more")),
  ]);
}
