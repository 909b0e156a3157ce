// @ts-check
// Draws the buttons for the chosen cards: plays, gifts and offers. The server decides which of these are possible.

import { spokenCardNames, cardsText, rankOf } from "../model/card_names.js";
import { chosenCards } from "../input/card_input.js";
import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { rankSelect } from "../table/action_controls.js";
import { legalPasses } from "../model/auto_pass.js";
import { miniCards } from "../ui/card_faces.js";
import { cardOfSlot, actionsWithCards, combinations, splitCards } from "../model/card_selection.js";
import { isPremoveSet, canPremove, premoveKey } from "../model/premove.js";
import {
  legalActions,
  actionName,
  cardActions,
  lookedUp,
  owedGifts,
  cardPurpose,
  isBarred,
  playInterpretations,
} from "../model/state.js";
import { owedGiftText } from "../events/labels.js";

/**
 * @import { VNode } from "../lib/virtual_dom.js"
 * @import { Desk, Owes } from "../types.d.ts"
 */

/** Most cards that a button names. More would make the button grow and the table move. */
const MOST_NAMED = 5;

/** Return whether this player can play cards now. @param {Desk} desk */
export function canPlayCards({ update }) {
  return cardPurpose(update) === "cards" || update.you.more === true;
}

/**
 * Draw the Play button, which has the name of the play: the chosen cards. Without a choice it is disabled. It asks if there
 * are several ways to play them. Before the player's turn it sets a premove. null: cards are not played now.
 * @param {Desk} desk
 */
export function playControl(desk) {
  const { model, update } = desk;
  const name = actionName(update, "cards");
  const texts = [`action.${name}`, `action.${name}.many`];
  if (!canPlayCards(desk)) {
    if (canPremove(update)) return premoveButton(desk);
    return legalPasses(update).length > 0 ? playButton(desk, texts, { disabled: true }, "", "choose.none") : null;
  }
  const [only, ...more] = playInterpretations(model);
  if (more.length > 0)
    return playButton(desk, ["choice.open", "choice.open.many"], {
      "data-choose": "ways",
      "aria-haspopup": "dialog",
      onclick: () => desk.set({ sheet: "ways" }),
    });
  const cards = chosenCards(desk);
  const isListed = only !== undefined || cards.length === 0;
  const hint = isListed ? "" : unplayableHint(desk, cards);
  return playButton(
    desk,
    texts,
    {
      "data-do": name,
      "data-unsure": !isListed,
      class: `button main${hint === "" ? "" : " unsure"}`,
      // The server decides about cards that are not listed: it says why they can't be played, and names the rule.
      onclick: () => desk.playAction(only ?? { do: name, cards: cards.join(" ") }),
    },
    hint,
  );
}

/**
 * Draw the button in the place of Play.
 * @param {Desk} desk @param {string[]} keys of its texts, for few and for many cards
 * @param {Record<string, unknown>} props @param {string} [below] a second line
 * @param {string} [hint] key of the text if no cards are chosen
 */
function playButton(desk, [few = "", many = ""], props, below = "", hint = "choose.cards") {
  const cards = chosenCards(desk);
  if (cards.length === 0) return button({ key: "cards", class: "button main", ...props, disabled: true }, t(hint));
  const isFew = cards.length <= MOST_NAMED;
  const text = (/** @type {string} */ named) => (isFew ? t(few, { cards: named }) : t(many, { count: cards.length }));
  return button(
    {
      key: "cards",
      class: "button main",
      // The button shows card symbols; screen readers get card names.
      "aria-label": isFew ? `${text(spokenCardNames(cards))} ${below}`.trim() : undefined,
      ...props,
    },
    h("span", null, text(cardsText(cards))),
    below === "" ? null : " ",
    below === "" ? null : h("span", { class: "below" }, below),
  );
}

/** Draw the button that sets a premove of the chosen cards, or cancels it. @param {Desk} desk */
function premoveButton(desk) {
  const on = isPremoveSet(desk.model);
  return playButton(
    desk,
    [on ? "ahead.on" : "ahead.play", `action.${actionName(desk.update, "cards")}.many`],
    {
      class: `button main ahead${on ? " on" : ""}`,
      "data-ahead": String(on),
      "aria-pressed": on,
      onclick: () => desk.set({ ahead: on ? null : premoveKey(desk.model) }),
    },
    on ? t("passing.stop") : "",
    isBarred(desk.update) ? "choose.out" : undefined,
  );
}

/**
 * Return what is wrong with chosen cards that match no play; "" while the server has not answered.
 * @param {Desk} desk @param {string[]} cards
 */
function unplayableHint({ model, update }, cards) {
  const [larger] = combinations(cardActions(model), cards);
  if (larger !== undefined) return whatIsMissing(larger.length - cards.length, false);
  return update.you.more === true && lookedUp(model) === undefined ? "" : t("choose.not");
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
