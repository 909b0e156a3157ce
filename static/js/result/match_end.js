// @ts-check
// The end of a match: the winner's large bird, the others on a perch in their order, and one sentence why. Pages and
// televisions draw the same picture. The result of a hand on a television is a smaller one of the same kind.

import { areScenesOn } from "../animation/scene_setting.js";
import { titleName } from "../events/labels.js";
import { formatNames, formatValue, t } from "../lib/messages.js";
import { addSoftHyphens } from "../lib/soft_hyphens.js";
import { h } from "../lib/virtual_dom.js";
import { longestWordLength } from "../table/seats.js";
import { avatar, faceOf, wornAt } from "../ui/avatar.js";
import { FEATHER, pseudoRandom } from "../ui/feather.js";
import { buildRows, showsPoints } from "./result.js";

/**
 * @import { HandEnd, Table, Update } from "../types.d.ts"
 * @import { ResultRow } from "./result.js"
 */

const FEATHERS = 18;
/** A longer heading takes two lines. */
const LONG_HEADING = 14;

/**
 * Return the winners of a match that is over or was stopped, and one sentence why they won. Both may be empty.
 * @param {Pick<Table, "seats" | "tally" | "winners">} table
 * @param {HandEnd} last
 * @returns {{ winners: string[], why: string }}
 */
export function matchOutcome(table, last) {
  const { seats, tally } = table;
  const rows = buildRows(table, last, true);
  const first = rows.filter(({ stands }) => stands === 1).map(({ name }) => name);
  // Without points everybody has the most. Then the last hand decides.
  const winners = table.winners.length > 0 && table.winners.length < seats.length ? table.winners : first;
  const [name = ""] = winners;
  if (winners.length === 0) return { winners, why: "" };
  if (!showsPoints(/** @type {Table} */ (table), last))
    return { winners, why: winners.length > 1 ? "" : t(tally ? "end.why.left" : "end.why.first", { name }) };
  const points = (/** @type {string} */ each) => last.totals[each] ?? 0;
  const count = points(name);
  if (winners.length > 1) return { winners, why: t("end.why.shared", { names: formatNames(winners), count }) };
  const others = seats.filter((each) => each !== name).sort((one, other) => points(other) - points(one));
  const [second = ""] = others;
  if (count > points(second))
    return { winners, why: t("end.why.points", { name, count, second, points: formatValue(points(second)) }) };
  // The host has stopped the match: places count, and the points may be equal or say something else.
  const equal = others.filter((each) => points(each) === count);
  const title = titleName(last.titles[name]);
  if (count === points(second))
    return { winners, why: t("end.why.equal", { name, names: formatNames([name, ...equal]), count }) };
  return { winners, why: title ? t("end.why.title", { name, title }) : t("end.why.first", { name }) };
}

/** Draw feathers as they lie in the end. */
function feathers() {
  return h(
    "div",
    { key: "feathers", class: "end-feathers", "data-decoration": true, "aria-hidden": "true" },
    Array.from({ length: FEATHERS }, (_, i) => {
      const [one, other] = [pseudoRandom(i + 1), pseudoRandom(i + 1.5)];
      return h(
        "svg",
        {
          key: String(i),
          viewBox: "0 0 64 64",
          "data-hue": i % 8,
          style: { "--x": one, "--turn": `${Math.round(other * 360)}deg`, "--late": other },
        },
        h("path", { d: FEATHER }),
      );
    }),
  );
}

/**
 * Draw the picture of a result.
 * @param {Update} update
 * @param {ResultRow[]} rows all players in their order
 * @param {{ heading: string, winners: string[], why: string, key: string, final: boolean, fresh: boolean, about: (name: string) => import("../lib/virtual_dom.js").Children, more?: import("../lib/virtual_dom.js").Children }} picture
 *   `final`: of a match; `fresh`: it has just happened, so that it moves; `about`: words below a name
 */
export function winnerPicture({ room }, rows, { heading, winners, why, key, final, fresh, about, more }) {
  const others = rows.filter(({ name }) => !winners.includes(name));
  return h(
    "div",
    {
      key,
      "data-scene": fresh && areScenesOn() ? "moves" : "still",
      class: `end-picture${final ? " final" : ""}`,
      style: {
        "--letters": Math.max(
          7,
          longestWordLength([heading]),
          heading.length / (heading.length > LONG_HEADING ? 2 : 1),
        ),
        "--winners": Math.min(4, winners.length),
        "--others": others.length,
      },
    },
    final ? feathers() : null,
    h("h2", { class: "end-title", "data-display": true }, addSoftHyphens(heading)),
    h(
      "div",
      { class: "end-winners", "aria-hidden": "true" },
      winners.map((name) => avatar({ ...faceOf(room, name), worn: "crown", key: name, who: name })),
    ),
    why === "" ? null : h("p", { "data-zone": "why", class: "end-why" }, why),
    more,
    h(
      "ol",
      { class: "end-perch" },
      others.map(({ name, place, stands }) =>
        h(
          "li",
          { key: name, "data-who": name },
          avatar({ ...faceOf(room, name), worn: wornAt(final ? stands : place, rows.length) }),
          h("b", { "data-zone": "name", class: "name", translate: "no" }, name),
          h("span", { class: "what" }, about(name)),
        ),
      ),
    ),
  );
}

/**
 * Draw the picture of the end of a match; null without a result.
 * @param {Update} update @param {boolean} fresh whether the match has just ended
 * @param {import("../lib/virtual_dom.js").Children} [more] buttons
 */
export function matchEnd(update, fresh, more) {
  const { table } = update;
  const last = table?.last;
  if (!table || !last) return null;
  const { winners, why } = matchOutcome(table, last);
  const points = showsPoints(table, last);
  return winnerPicture(update, buildRows(table, last, true), {
    key: "end",
    final: true,
    heading: winners.length > 0 ? t("end.wins", { names: formatNames(winners), count: winners.length }) : t("end.over"),
    winners,
    why,
    fresh,
    about: (name) => (points ? t("me.points", { count: last.totals[name] ?? 0 }) : ""),
    more,
  });
}
