// @ts-check
// Coaching for a person's first hand, if it came from Play now on the home page: in their first three turns the line of
// the latest event says what to do next. It never comes back.

import { getPreference, setPreference } from "../lib/preferences.js";
import { t } from "../lib/messages.js";
import { h } from "../lib/virtual_dom.js";
import { cardsText } from "../model/card_names.js";
import { actionsWithCards, cardOfSlot, splitCards } from "../model/card_selection.js";
import { cardActions, cardPurpose, isMyTurn, legalActions } from "../model/state.js";
import { textWithMiniCards } from "../ui/card_faces.js";

/** @import { Desk, Update } from "../types.d.ts" */

/** The preference with the number of turns that are still coached; "" before a first hand. Play now sets it. */
const TURNS_LEFT = "coach";

/** The request of the latest turn, and that of the turn that is coached now; null without one. */
const turn = {
  /** @type {Update["you"]["request"]} */ latest: null,
  /** @type {Update["you"]["request"]} */ coached: null,
};

/** Count a new turn of this player, and end the coaching with the hand. @param {Update} update */
export function countCoachedTurn(update) {
  const { request = null } = update.you;
  if (request === turn.latest || !isMyTurn(update)) return;
  const left = Number(getPreference(TURNS_LEFT, ""));
  turn.latest = request;
  turn.coached = left > 0 && update.table?.number === 1 ? request : null;
  if (left > 0) setPreference(TURNS_LEFT, String(turn.coached === null ? 0 : left - 1));
}

/** Return the advice for this turn; "" without advice. @param {Desk} desk */
function adviceText({ model, update }) {
  const last = update.table?.trick?.plays.at(-1);
  const cards = last === undefined ? "" : cardsText(last.cards);
  if (model.sure !== null) return "";
  if (cardPurpose(update) !== "cards" && update.you.more !== true)
    return last !== undefined && legalActions(update, "beside").length > 0 ? t("coach.pass", { cards }) : "";
  if (actionsWithCards(cardActions(model), model.chosen.map(cardOfSlot)).length > 0) return t("coach.play");
  return last === undefined ? t("coach.lead") : t("coach.beat", { cards, count: splitCards(last.cards).length });
}

/** Draw the advice for a coached turn, with a link to the lesson; null without advice. @param {Desk} desk */
export function coachLine(desk) {
  const { update } = desk;
  const isCoached = turn.coached !== null && update.you.request === turn.coached && isMyTurn(update);
  const advice = isCoached ? adviceText(desk) : "";
  if (advice === "") return null;
  const { game } = update.room;
  return h(
    "p",
    { key: `coach ${advice}`, "data-zone": "coaching", class: "latest" },
    textWithMiniCards(advice),
    " ",
    h(
      "a",
      { href: `/learn/${game}`, target: "_blank", rel: "noopener" },
      t("learn.title", { name: t(`game.${game}`) }),
    ),
  );
}
