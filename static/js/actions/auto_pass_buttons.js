// @ts-check
// Passing by itself, as one chooses and ends it: two buttons while others play, one that shows that it is on.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { due, offers, trickOf } from "../model/auto_pass.js";
import { icon } from "../ui/icons.js";
import { myTurn, purpose } from "../model/state.js";

/** @typedef {import("../lib/virtual_dom.js").VNode} VNode */
/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {NonNullable<import("../types.d.ts").Model["passing"]>["until"]} Until */

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

/** In one's turn it stands in another place, as another button. @param {import("../types.d.ts").Update} update @param {Until} until */
function keyOf(update, until) {
  return `passing.${until}${myTurn(update) ? ".turn" : ""}`;
}

/** @param {Desk} desk @param {Until} until @param {boolean} brief where only small words find room */
function offer({ update, set }, until, brief) {
  const words = t(`passing.${until}.long`);
  return button(
    {
      key: keyOf(update, until),
      class: `button quiet passing${brief ? " brief" : ""}`,
      "data-passing": until,
      "aria-pressed": false,
      "aria-label": words,
      title: words,
      onclick: () => set({ passing: { until, trick: until === "trick" ? trickOf(update) : null } }),
    },
    brief ? null : icon("forward"),
    h("span", null, t(`passing.${until}`)),
  );
}

/** It is on, and one press ends it. @param {Desk} desk @param {Until} until */
function ending({ model, update, set }, until) {
  const now = due(model.passing, update) !== null;
  return button(
    {
      key: keyOf(update, until),
      class: "button passing on",
      "data-half": until === "trick" ? "second" : "first",
      "data-passing": "off",
      "aria-pressed": true,
      // While a pass is on its way, the button is called what stands on it.
      "aria-label": now ? undefined : t("passing.end", { what: t(`passing.${until}.on`) }),
      onclick: () => set({ passing: null }),
    },
    icon("forward"),
    // Beside a play there is room for few words.
    now || purpose(update) === null ? h("span", null, now ? t("passing.now") : t(`passing.${until}.on`)) : null,
    h("span", { class: "stop" }, t("passing.stop")),
  );
}
