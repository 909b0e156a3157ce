// @ts-check
// How fast bots play: the host's choice, at any time; and a hand that only bots play on, which may be over at once.

import { button, h } from "./dom.js";
import { t } from "./messages.js";

/** @typedef {import("./types.d.ts").Desk} Desk */
/** @typedef {NonNullable<import("./types.d.ts").Room["pace"]>} Pace */

/** @type {Pace[]} */
const PACES = ["slow", "normal", "fast", "at_once"];

/** In the host's menu. @param {Desk} desk */
export function pace({ update, ask }) {
  const { room } = update;
  return h(
    "fieldset",
    { key: "pace", class: "segments" },
    h("legend", null, t("pace.title")),
    PACES.map((each) =>
      h(
        "label",
        { key: each },
        h("input", {
          type: "radio",
          name: "pace",
          value: each,
          checked: room.pace === each,
          onchange: () => ask({ t: "configure", pace: each }),
        }),
        h("span", null, t(`pace.${each}`)),
      ),
    ),
  );
}

/** For who is out of a hand that only bots play on. @param {Desk} desk */
export function finishing({ update, ask }) {
  const { room, table, you } = update;
  if (room.hurry !== "faster" || !table?.seats.includes(you.name ?? "")) return null;
  return button({ key: "hurry", class: "button", "data-ask": "hurry", onclick: () => ask({ t: "hurry" }) }, t("pace.finish"));
}
