// @ts-check
// Draws the trick in the middle of the table: its plays, or those of the last trick.

import { callName, kindName, standsForText } from "../events/labels.js";
import { t } from "../lib/messages.js";
import { h } from "../lib/virtual_dom.js";
import { cardOrderText, specialCardsText } from "../model/card_names.js";
import { cardRow } from "../ui/card_faces.js";

/** @import { Play, Scene, Table } from "../types.d.ts" */

/**
 * Draw a play: its cards, player and kind.
 * @param {Play} play @param {boolean} now whether it is the last play @param {string | null} me @param {string} key
 */
function trickPlay(play, now, me, key) {
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
      "data-play": now ? "now" : "earlier",
      "data-own": play.by === me,
      class: `play${now ? " now" : ""}${play.by === me ? " own" : ""}`,
    },
    cardRow(play.cards, now ? "" : "small"),
    h(
      "span",
      { "data-zone": "by", class: "by" },
      playerOf(play, me),
      words.length > 0 ? ` · ${words.join(" · ")}` : "",
    ),
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
 */
export function trick(table, me, great, room = null) {
  const plays = table.trick?.plays ?? [];
  if (plays.length === 0) {
    const last = table.last_trick ?? [];
    return h(
      "div",
      { key: "lead", "data-zone": "last-trick", class: "trick empty" },
      last.length > 0
        ? [
            h("p", { class: "quiet" }, t("trick.last")),
            h(
              "ol",
              { class: "plays old" },
              last
                .slice(great ? -PLAYS_SHOWN_WHEN_GREAT : -1)
                .map((play, i, all) => trickPlay(play, i === all.length - 1, me, `${all.length - i}last`)),
            ),
          ]
        : [
            h("div", { key: "nest", class: "nest", "aria-hidden": "true" }),
            h("p", { key: "order", "data-zone": "card-order", class: "quiet" }, cardOrderText(table)),
            specialCards(table, room),
          ],
    );
  }
  const latest = plays.slice(-6);
  return h(
    "div",
    { key: "trick", "data-zone": "trick", class: "trick" },
    h(
      "ol",
      { class: "plays", "aria-label": t("trick.label") },
      // Earlier plays get a new key when a play is added, so they are new elements in their next place.
      // animation/card_flights.js animates the move.
      latest.map((play, i) => {
        const newer = latest.length - 1 - i;
        return trickPlay(play, newer === 0, me, `${newer} ${plays.length - newer}${play.by}${play.cards}`);
      }),
    ),
  );
}
