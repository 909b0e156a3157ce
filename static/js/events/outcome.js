// @ts-check
// Pure: headings and sentences about the result of a hand or match. They load after the first view.

import { formatNames, formatValue, t } from "../lib/messages.js";
import { placements } from "../model/state.js";

/** Return a sentence about the result of a hand or match. @param {import("../types.d.ts").Table} table @param {boolean} over of the match */
export function outcomeText({ tally, winners, number }, over) {
  if (over && winners.length > 0) return t("result.match", { names: formatNames(winners), count: winners.length });
  return tally?.result_text ? formatValue(tally.result_text) : t("result.title", { number });
}

/** Return the heading of a result. It names the winner of the hand, unless players share first place. @param {import("../types.d.ts").Table} table @param {boolean} over of the match */
export function resultHeading(table, over) {
  const first = placements(table.last?.standing ?? [], table.seats.length).filter(({ place }) => place === 1);
  if (over || table.tally?.result_text || first[0] === undefined || first.length > 1) return outcomeText(table, over);
  return t("result.hand", { name: first[0].name, number: table.number });
}
