// @ts-check
// Draws a question that can be answered while the game goes on: a decree, or whether a bot plays for a late player. It
// replaces the line of the latest event, because a separate row would move the board under people's thumbs.

import { h } from "../lib/virtual_dom.js";
import { botText, t } from "../lib/messages.js";
import { actionButton } from "./action_controls.js";
import { mustAnswerProposal } from "./proposals.js";
import { waitingNotice } from "./waiting.js";
import { actionControl } from "../model/state.js";

/**
 * @import { VNode } from "../lib/virtual_dom.js"
 * @import { Action, Desk } from "../types.d.ts"
 */

/** Return the decree that waits for an answer of this player, or null. @param {Desk} desk */
function pendingDecree({ update }) {
  return update.table?.decrees?.[update.you.name ?? ""] ?? null;
}

/**
 * Return the actions that answer a decree: buttons that may be pressed at any time and are not the main thing to do.
 * @param {Desk} desk
 * @returns {Action[]}
 */
export function decreeAnswers(desk) {
  const { room, you, actions } = desk.update;
  if (pendingDecree(desk) === null || room.phase === "finished") return [];
  return (you.off_turn ?? []).filter(
    (action) => actionControl(desk.update, action) === "button" && !actions[action.do]?.main,
  );
}

/**
 * Draw the question; null without a question.
 * @param {Desk} desk
 * @returns {{ heading: VNode | null, answers: VNode } | null} `heading` replaces the line that says whose turn it is
 */
export function question(desk) {
  const { model, update } = desk;
  if (update.table === null || model.sure !== null || mustAnswerProposal(update) || update.room.paused !== null)
    return null;
  const [heading = null, ...helps] = waitingNotice(desk);
  const text = pendingDecree(desk);
  if (text === null)
    return heading === null
      ? null
      : { heading, answers: h("div", { key: "helps", "data-zone": "answers", class: "answers" }, helps) };
  return {
    heading,
    answers: h(
      "div",
      { key: "answers", "data-zone": "answers", class: "answers" },
      h(
        "p",
        { key: "text", "data-zone": "question", class: "ask lasting", tabindex: "0" },
        t("decree.waits", { text: botText(text) }),
      ),
      decreeAnswers(desk).map((action) => actionButton(desk, action)),
    ),
  };
}
