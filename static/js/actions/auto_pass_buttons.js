// @ts-check
// Draws the buttons of auto-pass: up to two to turn it on while others play, and a single button to stop it.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { dueAutoPass, autoPassOptions, canReturnAfterPass, trickKey } from "../model/auto_pass.js";
import { icon } from "../ui/icons.js";
import { isMyTurn, cardPurpose } from "../model/state.js";

/** @typedef {import("../lib/virtual_dom.js").VNode} VNode */
/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {NonNullable<import("../types.d.ts").Model["passing"]>["until"]} Until */

/** Draw the buttons that start or stop auto-pass. @param {Desk} desk @returns {VNode[]} */
export function autoPassButtons(desk) {
  const { model, update } = desk;
  const on = model.passing;
  if (on !== null) return [stopAutoPassButton(desk, on.until)];
  // A player with chosen cards is about to play.
  if (!isMyTurn(update) && model.chosen.length > 0) return [];
  if (!isMyTurn(update)) return autoPassOptions(update).map((until) => startAutoPassButton(desk, until, false));
  // On the player's turn there is space for a single button: the kind of auto-pass that would pass now.
  const brief = cardPurpose(update) !== null;
  if (dueAutoPass({ until: "beats", trick: null }, update) !== null) return [startAutoPassButton(desk, "beats", brief)];
  return canReturnAfterPass(update) ? [startAutoPassButton(desk, "trick", brief)] : [];
}

/**
 * Return the key of a button. On the player's turn the button has another place, so it needs another key.
 * @param {import("../types.d.ts").Update} update @param {Until} until
 */
function buttonKey(update, until) {
  return `passing.${until}${isMyTurn(update) ? ".turn" : ""}`;
}

/** @param {Desk} desk @param {Until} until @param {boolean} brief without icon, where space is short */
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

/** Draw the button that shows that auto-pass is on, and stops it. @param {Desk} desk @param {Until} until */
function stopAutoPassButton({ model, update, set }, until) {
  const now = dueAutoPass(model.passing, update) !== null;
  return button(
    {
      key: buttonKey(update, until),
      class: "button passing on",
      "data-passing": "off",
      "aria-pressed": true,
      // While a pass is about to be sent, the visible text is the label.
      "aria-label": now ? undefined : t("passing.end", { what: t(`passing.${until}.on`) }),
      onclick: () => set({ passing: null }),
    },
    icon("forward"),
    // Next to a play button there is little space for text.
    now || cardPurpose(update) === null ? h("span", null, now ? t("passing.now") : t(`passing.${until}.on`)) : null,
    h("span", { class: "stop" }, t("passing.stop")),
  );
}
