// @ts-check
// Draws proposals to the table and their answers, the button that ends a pause, and the controls for undo and rematch.

import { button, h } from "../lib/virtual_dom.js";
import { formatNames, t } from "../lib/messages.js";
import { isMyTurn } from "../model/state.js";

/** @typedef {import("../lib/virtual_dom.js").VNode} VNode */
/** @typedef {import("../types.d.ts").Desk} Desk */

/** Draw the button that ends a pause, for players who may do so. @param {Desk} desk */
export function resumeButton({ update, ask }) {
  if (!update.you.helps) return null;
  return button(
    { key: "go_on", class: "button main", "data-ask": "go_on", onclick: () => ask({ t: "go_on" }) },
    t("rest.end"),
  );
}

/**
 * Return whether a proposal hides all other controls: this player is asked, or the match is over.
 * @param {import("../types.d.ts").Update} update
 */
export function mustAnswerProposal({ room, you }) {
  return room.motion !== null && (room.phase === "finished" || room.motion.asked.includes(you.name ?? ""));
}

/** Draw the current proposal, with answers for the players who are asked. @param {Desk} desk @returns {(VNode | null)[]} */
export function proposalControls({ update, ask }) {
  const { motion } = update.room;
  // A player who has agreed goes on playing.
  if (motion === null || (isMyTurn(update) && !mustAnswerProposal(update))) return [];
  const mine = update.you.name ?? "";
  const { matter, agreed, until } = motion;
  /** @param {boolean} yes @param {string} words */
  const answer = (yes, words) =>
    button(
      {
        key: `consent${yes}`,
        class: `button${yes ? " main" : ""}`,
        "data-consent": String(yes),
        onclick: () => ask({ t: "consent", yes }),
      },
      words,
    );
  const wanted = agreed.includes(mine);
  return [
    h(
      "p",
      { key: "motion", "data-zone": "question", class: "ask" },
      t(`motion.${matter}`, { by: motion.by, names: formatNames(agreed), count: agreed.length }),
      " ",
      wanted && motion.asked.length > 0
        ? h("span", null, t("motion.waits", { names: formatNames(motion.asked) }), " ")
        : null,
      until === null ? null : h("span", { "data-until": until, "data-key": `motion.${matter}.until` }),
    ),
    wanted || motion.asked.includes(mine) ? answer(false, t(wanted ? "motion.withdraw" : "motion.no")) : null,
    motion.asked.includes(mine) ? answer(true, t(`motion.${matter}.yes`)) : null,
  ];
}

/** Draw the button that proposes an undo, for the player of the last play, if the room allows undo. @param {Desk} desk */
export function undoButton({ update, ask }) {
  const { room, you } = update;
  if (you.name === null || room.may_take_back?.by !== you.name || room.motion !== null) return null;
  return button(
    {
      key: "take_back",
      class: "button",
      "data-propose": "take_back",
      onclick: () => ask({ t: "propose", matter: "take_back" }),
    },
    t("take_back.ask"),
  );
}

/** Draw the buttons after a match: a rematch for players, and for the host the waiting room, to change the rules. @param {Desk} desk */
export function rematchButtons({ update, ask }) {
  const { room, you } = update;
  if (room.motion !== null || you.name === null) return [];
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
            onclick: () => ask({ t: "propose", matter: "rematch" }),
          },
          t("finished.rematch"),
        )
      : null,
  ];
}

/** Draw the checkbox in the host's menu that allows undo. @param {Desk} desk */
export function undoSetting({ update, ask }) {
  const { take_back: allowed } = update.room;
  return h(
    "label",
    { key: "take_back", class: "toggle" },
    h("input", { type: "checkbox", checked: allowed, onchange: () => ask({ t: "configure", take_back: !allowed }) }),
    h("span", null, t("take_back.allow")),
  );
}
