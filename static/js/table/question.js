// @ts-check
// A question that can be answered while the game goes on: a decree, or whether a bot shall play for a player who keeps the
// others waiting. It takes the place of what happened last: a row of its own would move the board under people's thumbs.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { plain } from "./action_controls.js";
import { isAsked } from "./proposals.js";
import { waiting } from "./waiting.js";
import { controlOf } from "../model/state.js";

/** @typedef {import("../lib/virtual_dom.js").VNode} VNode */
/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Action} Action */

/** Return the decree that waits for an answer of this player, or null. @param {Desk} desk */
function decree({ update }) {
  return update.table?.decrees?.[update.you.name ?? ""] ?? null;
}

/**
 * Return the actions that answer a decree: buttons that may be pressed at any time and are not the main thing to do.
 * @param {Desk} desk
 * @returns {Action[]}
 */
export function answers(desk) {
  const { room, you, actions } = desk.update;
  if (decree(desk) === null || room.phase === "finished") return [];
  return (you.may ?? []).filter((action) => controlOf(desk.update, action) === "button" && !actions[action.do]?.main);
}

/**
 * Draw the question, or null if there is none.
 * @param {Desk} desk
 * @returns {{ heading: VNode | null, answers: VNode } | null} `heading` stands in the place of whose turn it is
 */
export function question(desk) {
  const { model, update } = desk;
  if (update.table === null || model.sure !== null || isAsked(update) || update.room.rest !== null) return null;
  const [heading = null, ...helps] = waiting(desk);
  const text = decree(desk);
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
        t("decree.waits", { text }),
      ),
      answers(desk).map((action) => plain(desk, action)),
    ),
  };
}
