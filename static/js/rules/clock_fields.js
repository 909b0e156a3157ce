// @ts-check
// The choice of the time limits, for a new room and for a room before its match.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { radioChoices } from "./form_fields.js";

/** @typedef {{ turn: number | null, reserve: number | null, pause: number | null }} Clock Seconds per turn, of reserve and between hands; null: no limit. */

/** @type {Record<keyof Clock, (number | null)[]>} */
const CHOICES = { turn: [null, 15, 30, 60, 120], reserve: [null, 30, 60, 120, 300], pause: [null, 5, 10, 20, 40] };

/** Draw the choices. A value that is not usual gets its own choice. A reserve needs a limit per turn. @param {Clock} clock @param {(next: Clock) => void} change */
export function clockFields(clock, change) {
  return [
    secondsChoice("turn", clock.turn, (turn) =>
      change({ ...clock, turn, reserve: turn === null ? null : clock.reserve }),
    ),
    clock.turn === null ? null : secondsChoice("reserve", clock.reserve, (reserve) => change({ ...clock, reserve })),
    secondsChoice("pause", clock.pause, (pause) => change({ ...clock, pause })),
  ];
}

/** @param {keyof Clock} name @param {number | null} value @param {(value: number | null) => void} change */
function secondsChoice(name, value, change) {
  const usual = CHOICES[name];
  const values = usual.includes(value) ? usual : [...usual, value].sort((one, other) => Number(one) - Number(other));
  const choices = values.map((each) => ({
    value: each,
    label: each === null ? t(`new.${name}.none`) : timeText(each),
  }));
  return h(
    "fieldset",
    { class: "plain", key: name },
    h("legend", null, t(`new.${name}`)),
    radioChoices(name, choices, value, change),
  );
}

/** @param {number} seconds */
function timeText(seconds) {
  return seconds % 60 === 0 ? t("new.minutes", { count: seconds / 60 }) : t("new.seconds", { count: seconds });
}
