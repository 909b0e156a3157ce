// @ts-check
// The page after a match: the picture of its end with the buttons to share it and to see its story. Below stand the points
// and the story as small print.

import { formatNames, t } from "../lib/messages.js";
import { canShare, copyText, shareLink } from "../lib/share.js";
import { button, h } from "../lib/virtual_dom.js";
import { inviteLink } from "../lobby/room_link.js";
import { matchEnd, matchOutcome } from "./match_end.js";
import { buildRows, standingTable } from "./result.js";
import { settleButton } from "./settle_up.js";
import { storyList } from "./story_view.js";

/** @import { Desk, HandEnd, Table } from "../types.d.ts" */

/** Share the picture of the match, or its link; copy the link where a browser can't share. @param {Desk} desk @param {string} text */
async function shareMatch(desk, text) {
  const { room } = desk.update;
  const url = new URL(`/matches/${room.match_id}`, inviteLink(room)).href;
  const link = { title: t("end.share.title", { game: t(`game.${room.game}`) }), text, url };
  if (canShare()) {
    const answer = await fetch(`/matches/${room.match_id}/picture.png`).catch(() => null);
    const files = answer?.ok ? [new File([await answer.blob()], "match.png", { type: "image/png" })] : [];
    const all = { ...link, files };
    if (await shareLink(files.length > 0 && navigator.canShare?.(all) ? all : link)) return;
  }
  desk.showNotice((await copyText(url)) ? t("end.share.copied") : t("share.by_hand", { link: url }));
}

/** Draw the buttons of the picture. @param {Desk} desk @param {string} text what to share */
function endButtons(desk, text) {
  const { room } = desk.update;
  return h(
    "p",
    { key: "ways", class: "end-ways" },
    room.match_id
      ? button(
          { key: "share", class: "button", "data-end": "share", onclick: () => void shareMatch(desk, text) },
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
  const { winners, why } = matchOutcome(table, last);
  const text = [t("end.wins", { names: formatNames(winners), count: winners.length }), why].filter(Boolean).join(" ");
  return h(
    "div",
    { key: "end", "data-zone": "result", class: "result final" },
    matchEnd(update, model.great, endButtons(desk, text)),
    whole ? smallPrint(desk, table, last) : null,
  );
}

/** Draw points, links and story. @param {Desk} desk @param {Table} table @param {HandEnd} last */
function smallPrint(desk, table, last) {
  const { model, update } = desk;
  const { room } = update;
  return h(
    "div",
    { key: "print", class: "panel small-print", role: "group", "aria-label": t("result.label") },
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
