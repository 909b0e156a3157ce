// @ts-check
// Draws badges for everything unusual at the table. Badges that affect which cards can be played are always shown in full;
// the others collapse into a button where space is short, and a sheet lists all of them.

import { button, h } from "../lib/virtual_dom.js";
import { formatNames, formatValue, t, joinSentences } from "../lib/messages.js";

/** @import { Scene, Table } from "../types.d.ts" */
/** @typedef {Table["signs"][number]} Sign */

/** @param {Sign} sign */
const badgeContent = ({ icon, text }) => [
  h("span", { "aria-hidden": "true" }, icon),
  h("span", null, formatValue(text)),
];

/** @param {Sign} sign */
const fullBadge = (sign) =>
  h(
    "li",
    { key: sign.key, "data-sign": sign.hot ? "hot" : "calm", class: `sign${sign.hot ? " hot" : ""}` },
    ...badgeContent(sign),
  );

/**
 * Draw several signs as a single button, which opens the list of all signs.
 * @param {Sign[]} signs
 * @param {boolean} brief whether to leave out the icons and show only “…”
 * @param {() => void} read opens the list
 */
function collapsedBadges(signs, brief, read) {
  return h(
    "li",
    { key: "more", class: "sign-more" },
    button(
      {
        class: "signs-short",
        "data-open": "signs",
        "aria-label": t("signs.more", { signs: formatNames(signs.map(({ text }) => formatValue(text))) }),
        onclick: read,
      },
      h(
        "span",
        { "data-sign": "short", class: "sign", "aria-hidden": "true" },
        // CSS shows these texts: visible text content would have to start the accessible name.
        [...(brief ? [] : signs), { key: "more", icon: "", short: "…" }].map(({ key, icon, short }) =>
          h("span", { key, class: "short", "data-icon": icon, "data-short": short }),
        ),
      ),
    ),
  );
}

/**
 * Draw the current status badges. On a small page they take a single row of fixed height, lasting signs first: signs come
 * and go with every trick, and other elements must not move for them.
 * @param {Scene} scene
 * @param {(() => void) | null} read opens the list of all signs; null without a list
 */
export function statusBadges({ table, size, playing }, read) {
  const all = table?.signs ?? [];
  // A result covers the felt, and no cards can be played then.
  if (all.length === 0 || !playing) return null;
  const brief = all.filter(({ hot, short }) => !hot && short !== "");
  const hot = all.filter((sign) => sign.hot);
  const room = read === null || (size.wide && size.tall) || (brief.length === 1 && hot.length === 0);
  const short = room || brief.length === 0 ? [] : brief;
  return h(
    "ul",
    {
      key: "signs",
      "data-zone": "signs",
      class: "signs",
      "aria-label": t("signs.label"),
    },
    short.length > 0 && read !== null ? collapsedBadges(short, hot.length > 0, read) : null,
    all.filter((sign) => !sign.hot && !short.includes(sign)).map(fullBadge),
    hot.map(fullBadge),
  );
}

/** Draw the list of all signs. @param {import("../types.d.ts").Table | null} table */
export function statusBadgeList(table) {
  return h(
    "ul",
    { key: "signs", "data-zone": "signs-list", class: "signs-list" },
    (table?.signs ?? []).map((sign) => h("li", { key: sign.key, class: sign.hot ? "hot" : "" }, ...badgeContent(sign))),
  );
}

/**
 * Draw the notice that the cards of this hand are known, why, and to whom; null if they are not.
 * @param {import("../types.d.ts").Room} room
 */
export function knownCardsNotice({ known_cards }) {
  if (!known_cards) return null;
  const { how, hand, move, by } = known_cards;
  const words = t(`known.long.${how}`, { hand: hand + 1, move });
  return h(
    "p",
    { key: "known", "data-zone": "known-cards", class: "known-cards" },
    joinSentences([words, by.length > 0 ? t("known.by", { names: formatNames(by), count: by.length }) : ""]),
  );
}
