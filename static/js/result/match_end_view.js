// @ts-check
// The page after a match: the picture of its end with the buttons to share it and to see its story. Below stand the points
// and the story as small print.

import { t } from "../lib/messages.js";
import { button, h } from "../lib/virtual_dom.js";
import { matchEnd } from "./match_end.js";
import { buildRows, standingTable } from "./result.js";
import { settleButton } from "./settle_up.js";
import { storyList } from "./story_view.js";

/** @import { Desk, HandEnd, Table } from "../types.d.ts" */

/** Draw the buttons of the picture. @param {Desk} desk */
function endButtons(desk) {
  const { room } = desk.update;
  return h(
    "p",
    { key: "ways", class: "end-ways" },
    room.match_id
      ? h(
          "a",
          { key: "share", class: "button", "data-end": "share", href: `/matches/${room.match_id}/share` },
          t("end.share"),
        )
      : null,
    desk.model.tale
      ? button({ key: "story", class: "button", "data-end": "story", onclick: desk.tale?.startShow }, t("end.story"))
      : null,
  );
}

/** Draw the end of the match; null without a result. @param {Desk} desk @param {boolean} whole whether to draw the small print */
export function matchEndView(desk, whole) {
  const { model, update } = desk;
  const { table } = update;
  const last = table?.last;
  if (!table || !last) return null;
  return h(
    "div",
    { key: "end", "data-zone": "result", class: "result final" },
    matchEnd(update, model.great, endButtons(desk)),
    whole ? smallPrint(desk, table, last) : null,
  );
}

/** Draw points, links and story. @param {Desk} desk @param {Table} table @param {HandEnd} last */
function smallPrint(desk, table, last) {
  const { model, update } = desk;
  const { room } = update;
  return h(
    "div",
    { key: "print", class: "panel small-print" },
    h("h3", { key: "title" }, t("result.label")),
    standingTable(desk, table, last, buildRows(table, last, true)),
    h(
      "p",
      { key: "links", class: "end-ways" },
      room.match_id
        ? h("a", { key: "history", class: "button plain", href: `/matches/${room.match_id}` }, t("finished.history"))
        : null,
      settleButton(desk),
      h("a", { key: "book", class: "button plain", href: `/r/${room.code}/book` }, t("book.open")),
    ),
    storyList(model, update, { links: true }),
  );
}
