// @ts-check
// Draws proposals to the table and their answers, the button that ends a pause, and the controls for undo and rematch.

import { button, h } from "../lib/virtual_dom.js";
import { formatNames, t } from "../lib/messages.js";
import { isMyTurn } from "../model/state.js";

/**
 * @import { VNode } from "../lib/virtual_dom.js"
 * @import { Desk } from "../types.d.ts"
 */

/** Draw the button that ends a pause, for players who may do so. @param {Desk} desk */
export function resumeButton({ update, ask }) {
  if (!update.you.let_bot_play_as) return null;
  return button(
    { key: "go_on", class: "button main", "data-ask": "resume", onclick: () => ask({ t: "resume" }) },
    t("rest.end"),
  );
}

/**
 * Return whether a proposal hides all other controls: this player is asked, or the match is over.
 * @param {import("../types.d.ts").Update} update
 */
export function mustAnswerProposal({ room, you }) {
  return room.vote !== null && (room.phase === "finished" || room.vote.undecided.includes(you.name ?? ""));
}

/** Draw the current proposal, with answers for the players who are asked. @param {Desk} desk @returns {(VNode | null)[]} */
export function proposalControls({ update, ask }) {
  const { vote } = update.room;
  // A player who has agreed goes on playing.
  if (vote === null || (isMyTurn(update) && !mustAnswerProposal(update))) return [];
  const mine = update.you.name ?? "";
  const { subject, agreed, until } = vote;
  /** @param {boolean} yes @param {string} words */
  const answer = (yes, words) =>
    button(
      {
        key: `consent${yes}`,
        class: `button${yes ? " main" : ""}`,
        "data-consent": String(yes),
        onclick: () => ask({ t: "vote", yes }),
      },
      words,
    );
  const wanted = agreed.includes(mine);
  return [
    h(
      "p",
      { key: "motion", "data-zone": "question", class: "ask" },
      t(`vote.${subject}`, { by: vote.by, names: formatNames(agreed), count: agreed.length }),
      " ",
      wanted && vote.undecided.length > 0
        ? h("span", null, t("vote.waits", { names: formatNames(vote.undecided) }), " ")
        : null,
      until === null ? null : h("span", { "data-until": until, "data-key": `vote.${subject}.until` }),
    ),
    wanted || vote.undecided.includes(mine) ? answer(false, t(wanted ? "vote.withdraw" : "vote.no")) : null,
    vote.undecided.includes(mine) ? answer(true, t(`vote.${subject}.yes`)) : null,
  ];
}

/** Draw the button that proposes an undo, for the player of the last play, if the room allows undo. @param {Desk} desk */
export function undoButton({ update, ask }) {
  const { room, you } = update;
  if (you.name === null || room.may_undo?.by !== you.name || room.vote !== null) return null;
  return button(
    {
      key: "take_back",
      class: "button",
      "data-propose": "undo",
      onclick: () => ask({ t: "propose", subject: "undo" }),
    },
    t("take_back.ask"),
  );
}

/** Draw the buttons after a match: a rematch for players, and for the host the waiting room, to change the rules. @param {Desk} desk */
export function rematchButtons({ update, ask }) {
  const { room, you } = update;
  if (room.vote !== null || you.name === null) return [];
  return [
    you.host
      ? button(
          { key: "lobby", class: "button", "data-ask": "rematch", onclick: () => ask({ t: "rematch" }) },
          t("finished.lobby"),
        )
      : null,
    you.role === "seated"
      ? button(
          {
            key: "rematch",
            class: "button main",
            "data-propose": "rematch",
            onclick: () => ask({ t: "propose", subject: "rematch" }),
          },
          t("finished.rematch"),
        )
      : null,
  ];
}
