// @ts-check
// Draws the buttons for the chosen cards: plays, gifts and offers. The server decides which of these are possible.

import { spokenCardNames, cardsText, rankOf } from "../model/card_names.js";
import { chosenCards } from "../input/card_input.js";
import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { rankSelect } from "../table/action_controls.js";
import { canReturnAfterPass, dueAutoPass } from "../model/auto_pass.js";
import { miniCards } from "../ui/card_faces.js";
import { cardOfSlot, actionsWithCards, combinations, splitCards } from "../model/card_selection.js";
import { legalActions, actionName, cardActions, owedGifts, cardPurpose, playInterpretations } from "../model/state.js";
import { owedGiftText } from "../events/labels.js";

/** @typedef {import("../lib/virtual_dom.js").VNode} VNode */
/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Action} Action */
/** @typedef {import("../types.d.ts").Owes} Owes */

/** Most cards that a button names. More would make the button grow and the table move. */
const MOST_NAMED = 5;

/** Draw the button that plays the chosen cards, and buttons for the alternatives, such as a pass. @param {Desk} desk @returns {VNode[]} */
export function playButtons(desk) {
  const { model, update } = desk;
  if (legalActions(update, "cards").length === 0 && legalActions(update, "beside").length === 0) return [];
  // Auto-pass is about to pass: only the button that stops it is left.
  if (dueAutoPass(model.passing, update) !== null) return [];
  const may = cardPurpose(update) === "cards" || update.you.more === true;
  const instead = legalActions(update, "beside").map((action) => {
    const mayReturn = update.actions[action.do]?.passes === true && canReturnAfterPass(update);
    return button(
      {
        key: action.do,
        class: `button pass${may ? "" : " main"}${may && mayReturn ? " brief" : ""}`,
        "data-do": action.do,
        onclick: () => desk.playAction(action),
      },
      t(mayReturn ? "passing.once" : `action.${action.do}`),
    );
  });
  const ways = playInterpretations(model);
  if (!may) return instead;
  if (ways.length > 1) return [...instead, interpretationButton(desk)];
  return [...instead, playChosenButton(desk, ways[0])];
}

/**
 * Draw the button that asks how to play cards with several possible plays. A button for each would need a second row.
 * @param {Desk} desk
 */
function interpretationButton(desk) {
  const cards = chosenCards(desk);
  return button(
    {
      key: "ways",
      class: "button main",
      "data-choose": "ways",
      "aria-haspopup": "dialog",
      onclick: () => desk.set({ sheet: "ways" }),
    },
    cards.length <= MOST_NAMED
      ? t("choice.open", { cards: cardsText(cards) })
      : t("choice.open.many", { count: cards.length }),
  );
}

/**
 * Draw the button that plays the chosen cards, listed or not: the server decides.
 * @param {Desk} desk @param {Action | undefined} only listed play
 */
function playChosenButton(desk, only) {
  const name = actionName(desk.update, "cards");
  const cards = chosenCards(desk);
  const unsure = only === undefined && cards.length > 0;
  const hint = unsure ? unplayableText(desk, cards) : null;
  const few = hint === null && cards.length > 0 && cards.length <= MOST_NAMED;
  return button(
    {
      key: name,
      "data-unsure": unsure,
      class: `button main${unsure ? " unsure" : ""}`,
      "data-do": name,
      disabled: cards.length === 0,
      // The button shows card symbols; screen readers get card names.
      "aria-label": few ? t(`action.${name}`, { cards: spokenCardNames(cards) }) : undefined,
      onclick: () => desk.playAction(only ?? { do: name, cards: cards.join(" ") }),
    },
    cards.length === 0
      ? t("choose.cards")
      : (hint ??
          (few ? t(`action.${name}`, { cards: cardsText(cards) }) : t(`action.${name}.many`, { count: cards.length }))),
  );
}

/**
 * Return what to do about chosen cards that cannot be played; null while the server has not answered whether they can.
 * @param {Desk} desk @param {string[]} cards
 */
function unplayableText({ model, update }, cards) {
  const [larger] = combinations(cardActions(model), cards);
  if (larger !== undefined) return whatIsMissing(larger.length - cards.length, false);
  const asked = model.chosen.map(cardOfSlot).join(" ");
  return update.you.more === true && !(asked in model.looked) ? null : t("choose.not");
}

/** Return what to do before cards can be given. @param {number} count missing cards @param {boolean} none nothing is chosen yet */
function whatIsMissing(count, none) {
  return t(none ? "choose.first" : "choose.more", { count });
}

/** Draw the controls for the cards that the player has to give. @param {Desk} desk @returns {VNode[]} */
export function giftButtons(desk) {
  const name = actionName(desk.update, "gifts");
  const gifts = owedGifts(desk.update);
  const bounds = desk.update.you.action_limits?.[name];
  if (bounds !== undefined)
    return [variableGiftButton(desk, name, bounds.least, bounds.most ?? splitCards(desk.update.you.cards).length)];
  return gifts.length > 1 ? severalGiftsControls(desk, name, gifts) : singleGiftControls(desk, name, gifts[0]);
}

/**
 * Draw the controls for gifts to several players, each with a separate list of cards.
 * @param {Desk} desk @param {string} name @param {Owes[]} gifts
 */
function severalGiftsControls(desk, name, gifts) {
  const { basket } = desk.model;
  /** @param {Owes} gift */
  const cardsFor = ({ to }) => (basket[to] ?? []).map(cardOfSlot);
  const missing = gifts.reduce((sum, gift) => sum + gift.count - cardsFor(gift).length, 0);
  const to = Object.fromEntries(gifts.map((gift) => [gift.to, cardsFor(gift).join(" ")]));
  return [
    h(
      "ul",
      { key: "baskets", class: "baskets" },
      gifts.map((gift) =>
        h("li", { key: gift.to }, owedGiftText(gift), " ", cardsFor(gift).length > 0 ? miniCards(cardsFor(gift)) : "…"),
      ),
    ),
    button(
      {
        key: name,
        class: "button main",
        "data-do": name,
        disabled: missing > 0,
        onclick: () => desk.playAction({ do: name, to }),
      },
      missing > 0 ? whatIsMissing(missing, false) : t(`action.${name}.all`),
    ),
  ];
}

/** Draw the controls for a gift to a single player. @param {Desk} desk @param {string} name @param {Owes | undefined} gift */
function singleGiftControls(desk, name, gift) {
  const { update } = desk;
  const cards = chosenCards(desk);
  const wanted = gift?.count ?? splitCards(legalActions(update, "gifts")[0]?.cards).length;
  const ready = cards.length === wanted;
  const unsure =
    ready && update.you.more !== true && actionsWithCards(legalActions(update, "gifts"), cards).length === 0;
  const label = (/** @type {string} */ named) =>
    gift ? t(`action.${name}.to`, { cards: named, to: gift.to }) : t(`action.${name}`, { cards: named });
  return [
    // A single owed gift is described in the line of the turn (table/status_line.js).
    gift
      ? null
      : h("p", { key: "ask", "data-zone": "question", class: "ask" }, t("owes.any", { count: wanted, to: "" })),
    button(
      {
        key: name,
        "data-unsure": unsure,
        class: `button main${unsure ? " unsure" : ""}`,
        "data-do": name,
        disabled: !ready,
        "aria-label": ready ? label(spokenCardNames(cards)) : undefined,
        onclick: () => desk.playAction({ do: name, cards: cards.join(" ") }),
      },
      ready ? label(cardsText(cards)) : whatIsMissing(wanted - cards.length, cards.length === 0),
    ),
  ].filter((part) => part !== null);
}

/**
 * Draw the button for a gift of `least` (perhaps 0) to `most` cards.
 * @param {Desk} desk @param {string} name @param {number} least @param {number} most
 */
function variableGiftButton(desk, name, least, most) {
  const cards = chosenCards(desk);
  const ready = least <= cards.length && cards.length <= most;
  return button(
    {
      key: name,
      class: "button main",
      "data-do": name,
      disabled: !ready,
      "aria-label": ready && cards.length > 0 ? t(`action.${name}`, { cards: spokenCardNames(cards) }) : undefined,
      onclick: () => desk.playAction({ do: name, cards: cards.join(" ") }),
    },
    !ready
      ? whatIsMissing(least - cards.length, cards.length === 0)
      : t(cards.length === 0 ? `action.${name}.none` : `action.${name}`, { cards: cardsText(cards) }),
  );
}

/**
 * Draw the controls to offer any cards; some games also ask for the rank that the player claims.
 * @param {Desk} desk @param {string} name
 */
export function offerControls(desk, name) {
  const { model, update } = desk;
  const { most = null, claim: claims = false } = update.you.action_limits?.[name] ?? {};
  const cards = model.chosen.map(cardOfSlot).join(" ");
  const field = `${name}.claim`;
  const value = String(model.form[field] ?? "");
  const claim = claims ? value || rankOf(cards) : "";
  return [
    h(
      "div",
      { key: name, class: "talk" },
      claims
        ? rankSelect(desk, { name: field, value, label: t(`action.${name}.claim`) }, t(`action.${name}.claim.none`))
        : null,
      button(
        {
          key: name,
          class: "button main",
          "data-do": name,
          disabled: cards === "",
          onclick: () => desk.playAction(claim ? { do: name, cards, claim } : { do: name, cards }),
        },
        cards === ""
          ? t(most === 1 ? "choose.first" : "choose.cards", { count: 1 })
          : t(`action.${name}`, { cards: cardsText(cards) }),
      ),
    ),
  ];
}
