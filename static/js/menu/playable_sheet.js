// @ts-check
// The sheet that lists all legal plays by kind, and the effect of each. Pressing a play chooses its cards.

import { spokenCardNames } from "../model/card_names.js";
import { chooseCombination } from "../input/card_input.js";
import { button, h } from "../lib/virtual_dom.js";
import { t, formatList, joinSentences } from "../lib/messages.js";
import { dialog } from "../table/sheet.js";
import { splitCards } from "../model/card_selection.js";
import { turnText } from "../model/state.js";
import { eventSentence } from "../events/sentences.js";
import { readingText, callName, kindName } from "../events/labels.js";
import { miniCards } from "../ui/card_faces.js";

/** @import { Desk, Prospect } from "../types.d.ts" */

/** Unfold all kinds up to this number of plays; in a longer list, only the first kind. */
const MAX_UNFOLDED = 12;

/** Group plays by kind; keep their order. @param {Prospect[]} all @returns {Map<string, Prospect[]>} */
function groupByKind(all) {
  /** @type {Map<string, Prospect[]>} */
  const found = new Map();
  for (const each of all) {
    const kind = each.kind ?? "";
    found.set(kind, [...(found.get(kind) ?? []), each]);
  }
  return found;
}

/** Describe how the cards would count, and which events the play would cause. @param {Prospect} prospect @param {string | null} me @returns {string[]} */
function outcomeTexts({ action, effects }, me) {
  return [
    action.as ? readingText(action.as) : "",
    action.call ? t("choice.call", { call: callName(action.call) }) : "",
    ...effects.map((event) => eventSentence(event, me)),
  ].filter(Boolean);
}

/** @param {Desk} desk @param {Prospect} prospect */
function playableRow(desk, prospect) {
  const { action } = prospect;
  const cards = splitCards(action.cards);
  const words = outcomeTexts(prospect, desk.update.you.name);
  return h(
    "li",
    { key: JSON.stringify(action) },
    button(
      {
        class: "prospect",
        "data-cards": cards.join(" "),
        "aria-label": formatList([spokenCardNames(cards), ...words]),
        onclick: () => {
          desk.set({ sheet: null });
          chooseCombination(desk, cards);
        },
      },
      h("b", null, miniCards(cards)),
      words.length > 0 ? h("span", { class: "quiet" }, joinSentences(words)) : null,
    ),
  );
}

/** @param {Desk} desk */
export function playableSheet(desk) {
  const { model } = desk;
  desk.prospects?.ensureLoaded();
  const known = model.prospects;
  const title = t("prospects.title");
  if (known === null) return dialog(desk, title, [h("p", { key: "loading" }, t("loading"))]);
  if (known.all.length === 0)
    return dialog(desk, title, [
      h("p", { key: "none" }, turnText(desk.update)),
      h("p", { key: "nothing", class: "quiet" }, t("prospects.none")),
    ]);
  return dialog(desk, title, [
    h("p", { key: "how", class: "quiet" }, t("prospects.how")),
    ...[...groupByKind(known.all)].map(([kind, some], i) =>
      h(
        "details",
        { key: `kind-${kind}`, class: "kind", open: i === 0 || known.all.length <= MAX_UNFOLDED ? true : undefined },
        h("summary", null, t("prospects.kind", { kind: kindName(kind) || t("prospects.other"), count: some.length })),
        h(
          "ul",
          { class: "prospects" },
          some.map((each) => playableRow(desk, each)),
        ),
      ),
    ),
    known.next === null
      ? null
      : button({ key: "more", class: "button wide", onclick: () => desk.prospects?.loadMore() }, t("prospects.more")),
  ]);
}
