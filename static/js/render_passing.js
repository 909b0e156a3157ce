// @ts-check
// Passing by itself, as one chooses and ends it: two buttons while others play, one that shows that it is on.

import { button, h } from "./dom.js";
import { t } from "./messages.js";
import { due, offers, trickOf } from "./passing.js";
import { icon } from "./render_table.js";
import { myTurn, purpose } from "./state.js";

/** @typedef {import("./dom.js").VNode} VNode */
/** @typedef {import("./types.d.ts").Desk} Desk */
/** @typedef {NonNullable<import("./types.d.ts").Model["passing"]>["until"]} Until */

/** @param {Desk} desk @returns {VNode[]} */
export function passing(desk) {
  const { model, update } = desk;
  const on = model.passing;
  if (on !== null) return [ending(desk, on.until)];
  // Who has chosen cards is about to play.
  if (!myTurn(update) && model.chosen.length > 0) return [];
  if (!myTurn(update)) return offers(update).map((until) => offer(desk, until, false));
  // Beside what may be done there is room for one: the one that would pass now.
  const brief = purpose(update) !== null;
  const would = due({ until: "beats", trick: null }, update) !== null ? "beats" : "trick";
  return due({ until: would, trick: trickOf(update) }, update) !== null ? [offer(desk, would, brief)] : [];
}

/** @param {Desk} desk @param {Until} until @param {boolean} brief where only a sign finds room */
function offer({ update, set }, until, brief) {
  const words = t(`passing.${until}.long`);
  return button(
    {
      key: `passing.${until}`,
      class: `button quiet passing${brief ? " brief" : ""}`,
      "data-passing": until,
      "aria-pressed": false,
      "aria-label": words,
      title: words,
      onclick: () => set({ passing: { until, trick: until === "trick" ? trickOf(update) : null } }),
    },
    icon("forward"),
    brief ? null : h("span", null, t(`passing.${until}`)),
  );
}

/** It is on, and one press ends it. @param {Desk} desk @param {Until} until */
function ending({ model, update, set }, until) {
  const now = due(model.passing, update) !== null;
  return button(
    {
      key: `passing.${until}`,
      class: "button passing on",
      "data-passing": "off",
      "aria-pressed": true,
      "aria-label": t("passing.end", { what: t(`passing.${until}.on`) }),
      onclick: () => set({ passing: null }),
    },
    icon("forward"),
    h("span", null, now ? t("passing.now") : t(`passing.${until}.on`)),
    h("span", { class: "stop" }, t("passing.stop")),
  );
}
