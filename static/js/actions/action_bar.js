// @ts-check
// Draws the action bar: the controls for everything that the player can do now, within reach of the thumb.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { passControl } from "./pass_control.js";
import { giftButtons, offerControls, playControl } from "./play_buttons.js";
import {
  choiceButtons,
  numberControls,
  namedRankControls,
  actionButton,
  rankGridControls,
} from "../table/action_controls.js";
import { proposalControls, mustAnswerProposal, resumeButton, undoButton } from "../table/proposals.js";
import { finishHandButton } from "./finish_hand.js";
import { decreeAnswers } from "../table/question.js";
import { confirmationButtons } from "./confirm_play.js";
import { actionControl, legalActions, cardPurpose, isSeated } from "../model/state.js";

/**
 * @import { VNode } from "../lib/virtual_dom.js"
 * @import { Action, Control, Desk } from "../types.d.ts"
 */

/** Return the actions possible now, each once: the legal actions of a turn, and optional actions. @param {Desk} desk @returns {Action[]} */
function availableActions({ update }) {
  const { room, you } = update;
  const all = [...legalActions(update), ...(room.phase === "finished" ? [] : (you.off_turn ?? []))];
  return [...new Map(all.map((action) => [JSON.stringify(action), action])).values()];
}

/**
 * Draw the actions that use a kind of control: call `drawn` for each action name.
 * @param {Desk} desk @param {Control} control @param {(desk: Desk, name: string, all: Action[]) => VNode[]} drawn
 */
function drawByAction(desk, control, drawn) {
  const all = availableActions(desk).filter((action) => actionControl(desk.update, action) === control);
  const names = new Set(all.map((action) => action.do));
  return [...names].flatMap((name) =>
    drawn(
      desk,
      name,
      all.filter((action) => action.do === name),
    ),
  );
}

/** Draw the controls for actions with cards, and for their alternatives. @param {Desk} desk */
function cardActionButtons(desk) {
  if (desk.update.room.phase !== "playing") return [];
  return [
    ...(cardPurpose(desk.update) === "gifts" ? giftButtons(desk) : []),
    ...drawByAction(desk, "rank", namedRankControls),
    ...drawByAction(desk, "ranks", rankGridControls),
    ...drawByAction(desk, "free_cards", offerControls),
  ];
}

/** Draw the buttons for players who are leaving ("stay") or are played by a bot ("back"). @param {Desk} desk */
function returnButtons(desk) {
  const { room, you } = desk.update;
  const mine = room.people.find((person) => person.name === you.name);
  if (!mine) return [];
  return [
    mine.leaving_as !== null && !mine.unseated && room.phase !== "finished"
      ? button(
          {
            key: "stay",
            class: "button",
            "data-ask": "join",
            onclick: () => desk.ask({ t: "join", name: mine.name }),
          },
          t("me.stay"),
        )
      : null,
    mine.stand_in && mine.leaving_as === null
      ? button(
          {
            key: "back",
            class: "button main",
            "data-ask": "resume_seat",
            onclick: () => desk.ask({ t: "resume_seat" }),
          },
          t("me.back"),
        )
      : null,
  ];
}

/** Draw the button with which a spectator joins. @param {Desk} desk */
function joinButton({ model, update, set }) {
  const { you } = update;
  if (isSeated(update) || you.role === "waiting" || (you.name === null && !model.watching)) return null;
  return button({ key: "join", class: "button main", onclick: () => set({ sheet: "come_in" }) }, t("watch.join"));
}

/** Tell whether a part is a main button, which belongs at the end. @param {VNode} part */
function isMainButton({ props }) {
  return String(props.class).startsWith("button main");
}

/** Move main buttons to the end, so that one has the same place in every turn. @param {VNode[]} parts */
function moveMainButtonLast(parts) {
  return parts.sort((one, other) => Number(isMainButton(one)) - Number(isMainButton(other)));
}

/**
 * Return whether the buttons get fixed places (css/table/action_bar.css): at most three, during a hand.
 * @param {Desk} desk @param {VNode[]} parts
 */
function hasFixedPlaces({ update }, parts) {
  return (
    update.room.phase === "playing" &&
    parts.length <= 3 &&
    parts.every(({ tag, key }) => tag === "button" || key === "passing") &&
    parts.filter(isMainButton).length <= 1
  );
}

/** Draw the action bar; null before the first hand. @param {Desk} desk */
export function actionBar(desk) {
  if (desk.update.table === null) return null;
  const { room } = desk.update;
  const { sure } = desk.model;
  const now =
    sure !== null
      ? confirmationButtons(desk, sure)
      : mustAnswerProposal(desk.update)
        ? proposalControls(desk)
        : room.paused !== null
          ? [resumeButton(desk)]
          : actionButtons(desk);
  const parts = moveMainButtonLast([...returnButtons(desk), ...now, joinButton(desk)].filter((part) => part !== null));
  return h(
    "div",
    {
      // After a hand, the bar has another place and other buttons, so it is a different element.
      key: room.phase === "playing" ? "actions" : "onward",
      "data-zone": "actions",
      class: `actions${room.phase === "playing" ? "" : " onward"}${hasFixedPlaces(desk, parts) ? " places" : ""}`,
      role: "group",
      "aria-label": t("actions.label"),
    },
    parts,
  );
}

/** List the buttons while the game is not paused; answers to a decree are drawn elsewhere (table/question.js). @param {Desk} desk */
function actionButtons(desk) {
  const answered = new Set(decreeAnswers(desk).map((action) => action.do));
  return [
    ...proposalControls(desk),
    passControl(desk),
    ...cardActionButtons(desk),
    ...drawByAction(desk, "number", numberControls),
    ...drawByAction(desk, "each", choiceButtons),
    ...drawByAction(desk, "button", (_, __, all) =>
      all.filter((action) => !answered.has(action.do)).map((action) => actionButton(desk, action)),
    ),
    undoButton(desk),
    finishHandButton(desk),
    ...(desk.after?.nextStepControls(desk) ?? []),
    playControl(desk),
  ];
}
