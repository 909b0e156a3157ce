// @ts-check
// Passing by itself, as one chooses and ends it: two buttons while others play, one that shows that it is on.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { dueAutoPass, autoPassOptions, trickKey } from "../model/auto_pass.js";
import { icon } from "../ui/icons.js";
import { isMyTurn, cardPurpose } from "../model/state.js";

/** @typedef {import("../lib/virtual_dom.js").VNode} VNode */
/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {NonNullable<import("../types.d.ts").Model["passing"]>["until"]} Until */

/** @param {Desk} desk @returns {VNode[]} */
export function autoPassButtons(desk) {
  const { model, update } = desk;
  const on = model.passing;
  if (on !== null) return [stopAutoPassButton(desk, on.until)];
  // Who has chosen cards is about to play.
  if (!isMyTurn(update) && model.chosen.length > 0) return [];
  if (!isMyTurn(update)) return autoPassOptions(update).map((until) => startAutoPassButton(desk, until, false));
  // Beside what may be done there is room for one: the one that would pass now.
  const brief = cardPurpose(update) !== null;
  const would = dueAutoPass({ until: "beats", trick: null }, update) !== null ? "beats" : "trick";
  return dueAutoPass({ until: would, trick: trickKey(update) }, update) !== null
    ? [startAutoPassButton(desk, would, brief)]
    : [];
}

/** In one's turn it stands in another place, as another button. @param {import("../types.d.ts").Update} update @param {Until} until */
function buttonKey(update, until) {
  return `passing.${until}${isMyTurn(update) ? ".turn" : ""}`;
}

/** @param {Desk} desk @param {Until} until @param {boolean} brief where only small words find room */
function startAutoPassButton({ update, set }, until, brief) {
  const words = t(`passing.${until}.long`);
  return button(
    {
      key: buttonKey(update, until),
      class: `button quiet passing${brief ? " brief" : ""}`,
      "data-passing": until,
      "aria-pressed": false,
      "aria-label": words,
      title: words,
      onclick: () => set({ passing: { until, trick: until === "trick" ? trickKey(update) : null } }),
    },
    brief ? null : icon("forward"),
    h("span", null, t(`passing.${until}`)),
  );
}

/** It is on, and one press ends it. @param {Desk} desk @param {Until} until */
function stopAutoPassButton({ model, update, set }, until) {
  const now = dueAutoPass(model.passing, update) !== null;
  return button(
    {
      key: buttonKey(update, until),
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
    now || cardPurpose(update) === null ? h("span", null, now ? t("passing.now") : t(`passing.${until}.on`)) : null,
    h("span", { class: "stop" }, t("passing.stop")),
  );
}
