// @ts-check
// The host's form for the clocks of a room. The host may change or remove them at any time.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";

/** @import { Desk } from "../types.d.ts" */

/** Clocks that may be empty; an empty field means no time limit. */
const OPTIONAL_CLOCKS = new Set(["turn", "reserve", "pause"]);
/** Clocks that may be zero. */
const ZERO_CLOCKS = new Set(["reserve_gain", "pause"]);
const CLOCKS = /** @type {const} */ (["turn", "reserve", "reserve_gain", "pause", "patience", "away"]);

/** @param {HTMLFormElement} form */
function readClockForm(form) {
  /** @type {Record<string, number | null>} */
  const clock = {};
  for (const [name, value] of new FormData(form)) {
    if (value !== "") clock[name] = Number(value);
    else if (OPTIONAL_CLOCKS.has(name)) clock[name] = null;
  }
  return clock;
}

/** Draw the form. @param {Desk} desk */
export function clockSettings(desk) {
  const { room } = desk.update;
  /** @param {Record<string, number | null>} clock */
  const configure = async (clock) => {
    if (await desk.ask({ t: "configure", clock })) desk.showNotice(t("clocks.done"));
  };
  /** @param {Event} event */
  const onsubmit = (event) => {
    event.preventDefault();
    return configure(readClockForm(/** @type {HTMLFormElement} */ (event.target)));
  };
  return h(
    "form",
    { key: "clocks", "data-zone": "clocks", class: "clocks", onsubmit },
    CLOCKS.map((name) =>
      h(
        "label",
        { key: name, class: "field" },
        h("span", null, t(`clocks.${name}`)),
        h("input", {
          type: "number",
          name,
          min: ZERO_CLOCKS.has(name) ? 0 : 1,
          max: 3600,
          step: "any",
          inputmode: "decimal",
          required: !OPTIONAL_CLOCKS.has(name),
          value: String(room.clock[name] ?? ""),
        }),
      ),
    ),
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "submit", class: "button main", "data-ask": "configure" }, t("clocks.set")),
      room.clock.turn === null
        ? null
        : button(
            { class: "button", "data-lift": true, onclick: () => configure({ turn: null, reserve: null }) },
            t("clocks.lift"),
          ),
    ),
  );
}
