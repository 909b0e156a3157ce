// @ts-check
// The reasons for points. A press on the points in a result opens the list, one line each.

import { button, h } from "../lib/virtual_dom.js";
import { hasMessage, formatValue, t } from "../lib/messages.js";

/** @import { Desk, Reason } from "../types.d.ts" */

/** Format a number with its sign. @param {number} n */
export function signedNumber(n) {
  return n > 0 ? `+${n}` : formatValue(n);
}

/** Format an amount: a signed number for points, a text for other units. @param {Reason} reason */
function reasonAmount({ amount: count, unit }) {
  return hasMessage(`ledger.${unit}`) ? t(`ledger.${unit}`, { count }) : signedNumber(count);
}

/** Return the reasons for a player's points. @param {Desk} desk @param {string} name */
function reasonsOf(desk, name) {
  return (desk.update.table?.last?.reasons ?? []).filter((reason) => reason.name === name);
}

/** Return the key of a player's open reasons in this hand. In the next hand all are closed. @param {Desk} desk @param {string} name */
function reasonsKey(desk, name) {
  return `${desk.update.room.match_id}/${desk.update.table?.number}/${name}`;
}

/** Draw points, as a button if the server sent reasons for them. @param {Desk} desk @param {string} name @param {number} points */
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

/** Scroll an opened row into view, but only once, so that players can scroll away. @param {Element} row */
function scrollIntoViewOnce(row) {
  if (alreadyScrolled.has(row)) return;
  alreadyScrolled.add(row);
  // Wait until the drawing has placed the row.
  queueMicrotask(() => row.scrollIntoView({ block: "nearest" }));
}

/** Draw the row with the reasons for a player's points, if it is open. @param {Desk} desk @param {string} name @param {number} columns */
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
