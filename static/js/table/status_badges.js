// @ts-check
// What is out of the ordinary at a table, in words: what changes what may be played always, the rest in short where
// there is little room, and in a sheet.

import { button, h } from "../lib/virtual_dom.js";
import { formatNames, formatValue, t } from "../lib/messages.js";

/** @typedef {import("../types.d.ts").Scene} Scene */
/** @typedef {import("../types.d.ts").Table["signs"][number]} Sign */

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
 * Draw several signs as one button, which opens them in words.
 * @param {Sign[]} signs
 * @param {boolean} brief whether there is no room for more than the button itself
 * @param {() => void} read
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
        // No text, which the name for ears would have to begin with.
        [...(brief ? [] : signs), { key: "more", icon: "", short: "…" }].map(({ key, icon, short }) =>
          h("span", { key, class: "short", "data-icon": icon, "data-short": short }),
        ),
      ),
    ),
  );
}

/**
 * Draw what is out of the ordinary now. On a small page it takes one row of one height, and what holds all the time comes
 * first: signs come and go with every trick, and nothing else may move for them.
 * @param {Scene} scene
 * @param {(() => void) | null} read opens all signs in words; null: there is nothing to open them
 */
export function statusBadges({ table, size, playing }, read) {
  const all = table?.signs ?? [];
  // A result takes all of the felt, and nothing may be played.
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

/** All of them, to be read. @param {import("../types.d.ts").Table | null} table */
export function statusBadgeList(table) {
  return h(
    "ul",
    { key: "signs", "data-zone": "signs-list", class: "signs-list" },
    (table?.signs ?? []).map((sign) => h("li", { key: sign.key, class: sign.hot ? "hot" : "" }, ...badgeContent(sign))),
  );
}

/** That the cards are known, where they are, and to whom. @param {import("../types.d.ts").Room} room */
export function knownCardsNotice({ known }) {
  if (!known) return null;
  const { how, hand, move, by } = known;
  const words = t(`known.long.${how}`, { hand: hand + 1, move });
  return h(
    "p",
    { key: "known", "data-zone": "known-cards", class: "known-cards" },
    words,
    by.length > 0 ? ` ${t("known.by", { names: formatNames(by), count: by.length })}` : "",
  );
}
