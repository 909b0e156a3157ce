// @ts-check
// The choice of the time limits, for a new room and for a room before its match.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { radioChoices } from "./form_fields.js";

/** @typedef {{ turn: number | null, pause: number | null }} Clock Seconds per turn and between hands; null: no limit. */

/** @type {Record<keyof Clock, (number | null)[]>} */
const CHOICES = { turn: [null, 15, 30, 60, 120], pause: [null, 5, 10, 20, 40] };

/** Draw both choices. A value that is not usual gets its own choice. @param {Clock} clock @param {(next: Clock) => void} change */
export function clockFields(clock, change) {
  return [
    secondsChoice("turn", clock.turn, (turn) => change({ ...clock, turn })),
    secondsChoice("pause", clock.pause, (pause) => change({ ...clock, pause })),
  ];
}

/** @param {keyof Clock} name @param {number | null} value @param {(value: number | null) => void} change */
function secondsChoice(name, value, change) {
  const usual = CHOICES[name];
  const values = usual.includes(value) ? usual : [...usual, value].sort((one, other) => Number(one) - Number(other));
  const choices = values.map((each) => ({
    value: each,
    label: each === null ? t(`new.${name}.none`) : t("new.seconds", { count: each }),
  }));
  return h(
    "fieldset",
    { class: "plain", key: name },
    h("legend", null, t(`new.${name}`)),
    radioChoices(name, choices, value, change),
  );
}
