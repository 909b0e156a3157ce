// @ts-check
// Draws the trick in the middle of the table: its plays, or those of the last trick.

import { callName, kindName, standsForText } from "../events/labels.js";
import { t } from "../lib/messages.js";
import { button, h } from "../lib/virtual_dom.js";
import { cardOrderText, specialCardsText } from "../model/card_names.js";
import { splitCards } from "../model/card_selection.js";
import { cardRow } from "../ui/card_faces.js";

/** @import { Play, Scene, Table } from "../types.d.ts" */

/**
 * Draw a play: its cards, player and kind.
 * @param {Play} play @param {number} back number of later plays that lie on it @param {string | null} me @param {string} key
 */
export function trickPlay(play, back, me, key) {
  const as = standsForText(play);
  const words = [
    play.kind && play.kind !== "single" ? kindName(play.kind) : "",
    as ? t("play.counts", { as }) : "",
    play.call ? t("play.called", { call: callName(play.call) }) : "",
  ].filter(Boolean);
  return h(
    "li",
    {
      key,
      "data-play": back === 0 ? "now" : "earlier",
      "data-own": play.by === me,
      class: `play${back === 0 ? " now" : ""}${play.by === me ? " own" : ""}`,
      style: { "--back": back },
    },
    cardRow(play.cards, "", leanOf),
    h(
      "span",
      { "data-zone": "by", class: back === 0 ? "by" : "sr-only" },
      playerOf(play, me),
      words.length > 0 ? ` · ${words.join(" · ")}` : "",
    ),
  );
}

/** The largest turn of a card that lies on the table, in degrees. */
const MOST_LEAN = 4;

/** Return the turn of a card, in degrees. It depends on the card only, so that all pages show the same. @param {string} card */
export function leanOf(card) {
  const mixed = [...card].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 1009, 7);
  return ((mixed % 17) / 8 - 1) * MOST_LEAN;
}

/**
 * Draw the plays as a pile, with the last on top. A press on it opens the list of all plays.
 * @param {Play[]} plays @param {string | null} me @param {string} look @param {(() => void) | null} open
 */
function pile(plays, me, look, open) {
  // A bomb can lie on a longer play.
  const most = Math.max(...plays.map(({ cards }) => splitCards(cards).length));
  return h(
    "div",
    {
      key: "pile",
      "data-zone": "pile",
      class: `plays ${look}`,
      "data-long": most > 4,
      style: { "--n": most, "--earlier": plays.length - 1 },
    },
    h(
      "ol",
      { "aria-label": t("trick.label") },
      // Earlier plays get a new key when a play is added, so they are new elements in their next place.
      // animation/card_flights.js animates the move.
      plays.map((play, i) => {
        const back = plays.length - 1 - i;
        return trickPlay(play, back, me, `${back}${play.by}${play.cards}`);
      }),
    ),
    open && button({ key: "open", class: "pile-button", "aria-label": t("trick.open"), onclick: open }),
  );
}

/** Draw the name of the player of a play, or “You”. @param {Play} play @param {string | null} me */
export const playerOf = ({ by }, me) => (by === me ? h("b", null, t("play.you")) : h("b", { translate: "no" }, by));

/** Draw a link to the rules, if the order of cards can't say all of some cards. @param {Table} table @param {Scene["here"]} room */
function specialCards(table, room) {
  const text = specialCardsText(table);
  if (text === "") return null;
  const href = `/rules/${table.game}${room ? `?room=${room.code}` : ""}`;
  return h("a", { key: "special", "data-zone": "special-cards", class: "quiet", href, target: "_blank" }, text);
}

/** Plays still shown of a trick that ended with a great play: four of a rank may be complete only together. */
const PLAYS_SHOWN_WHEN_GREAT = 4;

/**
 * Draw the current trick; before a lead, the end of the last trick, or an empty nest with the order of the cards.
 * @param {Table} table @param {string | null} me @param {boolean} great @param {Scene["here"]} [room]
 * @param {(() => void) | null} [open] opens the list of all plays
 */
export function trick(table, me, great, room = null, open = null) {
  const plays = table.trick?.plays ?? [];
  const last = table.last_trick ?? [];
  const opens = (plays.length > 0 ? plays : last).length > 1 ? open : null;
  if (plays.length > 0)
    return h("div", { key: "trick", "data-zone": "trick", class: "trick" }, pile(plays.slice(-6), me, "", opens));
  return h(
    "div",
    { key: "lead", "data-zone": "last-trick", class: "trick empty" },
    last.length > 0
      ? [
          h("p", { class: "quiet" }, t("trick.last")),
          pile(last.slice(great ? -PLAYS_SHOWN_WHEN_GREAT : -1), me, "old", opens),
        ]
      : [
          h("div", { key: "nest", class: "nest", "aria-hidden": "true" }),
          h("p", { key: "order", "data-zone": "card-order", class: "quiet" }, cardOrderText(table)),
          specialCards(table, room),
        ],
  );
}
