// @ts-check
// Draws a step of a replay: the usual table, the cards of all players, and the log.

import { sortCards } from "../model/card_names.js";
import { splitCards } from "../model/card_selection.js";
import { t } from "../lib/messages.js";
import { h } from "../lib/virtual_dom.js";
import { felt } from "../table/felt.js";
import { logView } from "../table/log.js";
import { cardRow, miniCards, textWithMiniCards } from "../ui/card_faces.js";
import { icon } from "../ui/icons.js";
import { controls } from "./controls.js";
import { line, linesSoFar, words } from "./step_words.js";
import { ways } from "./view_options.js";

/**
 * @import { Frame } from "../types.d.ts"
 * @import { Replay } from "./replay_state.js"
 * @import { Desk } from "./view_options.js"
 */

/** Build the scene of the table for a frame. @param {Replay} state @param {Frame} frame @returns {import("../types.d.ts").Scene} */
function sceneOf(state, frame) {
  const { hand, seat, size } = state;
  const { table, panels } = frame;
  const great = words(state, frame).some((line) => line.kind === "great");
  return {
    table,
    names: hand.players,
    birds: hand.birds,
    hues: hand.hues,
    here: null,
    me: seat,
    panels,
    playing: true,
    great,
    size,
  };
}

/** Draw the cards of all players after this step. @param {Frame} frame @param {string | null} seat */
function allCards(frame, seat) {
  return h(
    "section",
    {
      key: "cards",
      "data-zone": "all-cards",
      class: "all-cards",
      tabindex: "0",
      "aria-label": seat === null ? t("replay.cards") : t("replay.cards_of", { name: seat }),
    },
    h(
      "ul",
      null,
      Object.entries(frame.cards).map(([name, cards]) =>
        h(
          "li",
          { key: name, class: name === frame.by ? "acted" : "" },
          h("b", { "data-zone": "name", class: "name", translate: "no" }, name),
          cards === "" ? h("span", { class: "quiet" }, "–") : cardRow(sortCards(splitCards(cards), "rank"), "small"),
        ),
      ),
    ),
  );
}

/** Draw a link to another hand. A click loads the hand on this page. @param {Desk} desk @param {number} which @param {string} text */
function toHand({ state, player }, which, text) {
  return h(
    "a",
    {
      key: `hand ${which}`,
      class: "tool",
      href: `?hand=${which}`,
      onclick: (/** @type {Event} */ event) => {
        event.preventDefault();
        void player.change(which, state.seat);
      },
    },
    text,
  );
}

/** Draw the heading with links back and to the previous and next hand. @param {Desk} desk */
function heading(desk) {
  const { number } = desk.state;
  const { page, game, hands } = desk.source;
  return h(
    "header",
    { class: "bar", key: "bar" },
    h("a", { class: "tool", href: page, "aria-label": t("replay.match") }, icon("close")),
    h("h1", { class: "what-game" }, t("replay.title", { game: t(`game.${game}`), number: number + 1 })),
    h(
      "span",
      { "data-zone": "tools", class: "tools" },
      number > 0 ? toHand(desk, number - 1, t("replay.previous")) : null,
      number + 1 < hands ? toHand(desk, number + 1, t("replay.next")) : null,
    ),
  );
}

/** Draw a step that today's rules refuse: only its player and cards are known. @param {Frame} frame */
function onlyWritten({ by, action }) {
  return h(
    "section",
    { key: "felt", "data-zone": "felt", class: "felt" },
    action?.cards ? h("div", { class: "middle" }, h("p", null, by ?? "", ": ", miniCards(action.cards))) : null,
  );
}

/**
 * Draw the whole page.
 * @param {Desk} desk
 * @param {Frame} frame
 * @param {import("./bot_review.js").BotReview | null} review the bot's suggestions for the player's turns
 * @param {(size: Replay["size"]) => void} resized
 */
export function board(desk, frame, review, resized) {
  const { state, player } = desk;
  const { at, hand, number, seat } = state;
  const turn = { hand: number, move: at - 1, by: frame.by };
  return [
    heading(desk),
    h(
      "main",
      { key: "main", id: "main", class: "board" },
      frame.table === null ? onlyWritten(frame) : felt(sceneOf(state, frame), resized),
      h(
        "section",
        { key: "mine", "data-zone": "own-side", class: "mine", "aria-label": t("replay.place") },
        h(
          "div",
          { key: "said", "data-zone": "status", class: "said" },
          h(
            "p",
            { "data-zone": "turn", class: "turn-line" },
            t("replay.step", { at: at + 1, count: hand.frames.length }),
          ),
          h(
            "p",
            { "data-zone": "latest", class: "latest" },
            textWithMiniCards(line(state, frame) || (at === 0 ? t("replay.dealt") : "")),
          ),
        ),
        player.party?.view(),
        review?.view(turn),
        allCards(frame, seat),
        controls(state, player),
        ways(desk, review?.askButton(turn) ?? null),
      ),
    ),
    h(
      "aside",
      { key: "aside", class: "log-panel", "aria-label": t("tool.log") },
      h("h2", null, t("tool.log")),
      logView(frame.table, linesSoFar(state), null),
    ),
  ];
}
