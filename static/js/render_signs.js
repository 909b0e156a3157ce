// @ts-check
// What is out of the ordinary at a table, in words: what changes what may be played always, the rest in short where
// there is little room, and in a sheet.

import { button, h } from "./dom.js";
import { list, shown, t } from "./messages.js";

/** @typedef {import("./types.d.ts").Scene} Scene */
/** @typedef {import("./types.d.ts").Table["signs"][number]} Sign */

/** So many that change nothing now find room in full anywhere. */
const FEW = 2;

/** @param {Sign} sign */
const words = ({ icon, text }) => [h("span", { "aria-hidden": "true" }, icon), h("span", null, shown(text))];

/** @param {Sign} sign */
const inFull = (sign) => h("li", { key: sign.key, class: `sign${sign.hot ? " hot" : ""}` }, ...words(sign));

/** Several as one button: for eyes in short, for ears in full. @param {Sign[]} signs @param {() => void} read */
function inShort(signs, read) {
  return h(
    "li",
    { key: "more", class: "sign-more" },
    button(
      {
        class: "signs-short",
        "data-open": "signs",
        "aria-label": t("signs.more", { signs: list(signs.map(({ text }) => shown(text))) }),
        onclick: read,
      },
      h(
        "span",
        { class: "sign", "aria-hidden": "true" },
        // No text, which the name for ears would have to begin with.
        [...signs, { key: "more", icon: "", short: "…" }].map(({ key, icon, short }) =>
          h("span", { key, class: "short", "data-icon": icon, "data-short": short }),
        ),
      ),
    ),
  );
}

/** What is out of the ordinary now. @param {Scene} scene @param {(() => void) | null} read what shows all of it in words */
export function signs({ table, size }, read) {
  const all = table?.signs ?? [];
  if (all.length === 0) return null;
  const brief = all.filter(({ hot, short }) => !hot && short !== "");
  const room = read === null || brief.length <= FEW || (size.wide && size.tall);
  const full = room ? all : all.filter((sign) => !brief.includes(sign));
  return h(
    "ul",
    { key: "signs", class: "signs", "aria-label": t("signs.label") },
    full.map(inFull),
    room ? null : inShort(brief, read),
  );
}

/** All of them, to be read. @param {import("./types.d.ts").Table | null} table */
export function signList(table) {
  return h(
    "ul",
    { key: "signs", class: "signs-list" },
    (table?.signs ?? []).map((sign) => h("li", { key: sign.key, class: sign.hot ? "hot" : "" }, ...words(sign))),
  );
}
