// @ts-check
// What points are for: the number of a result opens the reasons that come to it, one line each.

import { button, h } from "../lib/virtual_dom.js";
import { hasMessage, formatValue, t } from "../lib/messages.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Reason} Reason */

/** A number with its sign. @param {number} n */
export function signedNumber(n) {
  return n > 0 ? `+${n}` : formatValue(n);
}

/** How much, in words where it is not points that are counted. @param {Reason} reason */
export function reasonAmount({ amount: count, unit }) {
  return hasMessage(`ledger.${unit}`) ? t(`ledger.${unit}`, { count }) : signedNumber(count);
}

/** The reasons that somebody's points have. @param {Desk} desk @param {string} name */
function reasonsOf(desk, name) {
  return (desk.update.table?.last?.reasons ?? []).filter((reason) => reason.name === name);
}

/** Whose reasons are open, in which hand: in the next one all are closed. @param {Desk} desk @param {string} name */
function reasonsKey(desk, name) {
  return `${desk.update.room.match_id}/${desk.update.table?.number}/${name}`;
}

/** Points, and the way to what they are for, where that was told. @param {Desk} desk @param {string} name @param {number} points */
export function pointsButton(desk, name, points) {
  if (reasonsOf(desk, name).length === 0) return signedNumber(points);
  const open = desk.model.form.why === reasonsKey(desk, name);
  return button(
    {
      key: "why",
      class: "why",
      "aria-expanded": open,
      "aria-label": t("points.why", { points: signedNumber(points), name }),
      onclick: () => desk.fill("why", open ? null : reasonsKey(desk, name)),
    },
    signedNumber(points),
  );
}

/** @type {WeakSet<Element>} */
const alreadyScrolled = new WeakSet();

/** What was asked for is seen, also at the end of a list that scrolls; then people scroll as they like. @param {Element} row */
function scrollIntoViewOnce(row) {
  if (alreadyScrolled.has(row)) return;
  alreadyScrolled.add(row);
  // It is in its place when the drawing is done.
  queueMicrotask(() => row.scrollIntoView({ block: "nearest" }));
}

/** The row below somebody's, if they are asked for: what their points are for. @param {Desk} desk @param {string} name @param {number} columns */
export function reasonsRow(desk, name, columns) {
  if (desk.model.form.why !== reasonsKey(desk, name)) return null;
  return h(
    "tr",
    { key: `${name} why`, "data-zone": "reasons", class: "reasons", ref: scrollIntoViewOnce },
    h(
      "td",
      { colspan: columns },
      h(
        "ul",
        { "aria-label": t("points.why.list", { name }) },
        reasonsOf(desk, name).map((reason, i) =>
          h(
            "li",
            { key: String(i) },
            h("span", null, t(reason.key, reason.values)),
            " ",
            h("b", { class: reason.amount < 0 ? "bad" : "" }, reasonAmount(reason)),
          ),
        ),
      ),
    ),
  );
}
