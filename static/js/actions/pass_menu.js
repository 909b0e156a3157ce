// @ts-check
// The menu of the arrow at the Pass button.

import { isPassForTrick, passTurn } from "../input/card_input.js";
import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { autoPassOptions, legalPasses, trickKey } from "../model/auto_pass.js";

/** @import { Desk } from "../types.d.ts" */

/**
 * Return the lines of the menu, each with its effect. "once" is there if a press on Pass holds for the trick.
 * @param {Desk} desk
 * @returns {["once" | "trick" | "beats", () => unknown][]}
 */
function menuLines(desk) {
  const { update } = desk;
  const canPass = legalPasses(update).length > 0;
  return autoPassOptions(update).map((until) => {
    const held = isPassForTrick();
    if (until === "trick" && canPass) return [held ? "once" : until, () => passTurn(desk, !held)];
    return [until, () => desk.set({ passing: { until, trick: until === "trick" ? trickKey(update) : null } })];
  });
}

/** Draw the menu; null, and no longer open, if the turn has left nothing to choose. @param {Desk} desk */
export function passMenu(desk) {
  const lines = menuLines(desk);
  if (lines.length === 0) {
    queueMicrotask(() => desk.close("passing"));
    return null;
  }
  return h(
    "div",
    {
      key: "pass-menu",
      id: "pass-menu",
      class: "pass-menu",
      popover: "auto",
      role: "menu",
      "aria-label": t("passing.more"),
      ref: openPopover,
      // The browser closes it on Escape and presses elsewhere, and gives the focus back to the arrow.
      ontoggle: (/** @type {Event} */ event) =>
        /** @type {ToggleEvent} */ (event).newState === "closed" && desk.close("passing"),
      onkeydown: (/** @type {Event} */ event) => moveFocus(/** @type {KeyboardEvent} */ (event)),
    },
    lines.map(([key, choose]) =>
      button(
        {
          key,
          class: "menu-row",
          role: "menuitem",
          tabindex: -1,
          "data-passing": key,
          popovertarget: "pass-menu",
          popovertargetaction: "hide",
          onclick: choose,
        },
        t(`menu.passing.${key}`),
      ),
    ),
  );
}

/** Open the menu above its arrow as soon as it is in the document. @param {HTMLElement} menu */
function openPopover(menu) {
  queueMicrotask(() => {
    const arrow = document.querySelector("[data-open=passing]")?.parentElement;
    if (!menu.isConnected || menu.matches(":popover-open") || !arrow) return;
    menu.showPopover();
    const { left, top } = arrow.getBoundingClientRect();
    menu.style.left = `${Math.min(left, innerWidth - menu.offsetWidth - 8)}px`;
    menu.style.bottom = `${innerHeight - top + 6}px`;
    menu.querySelector("button")?.focus();
  });
}

/** Move in the menu by its keys; Tab leaves it. @param {KeyboardEvent} event */
function moveFocus({ key, target, currentTarget }) {
  const menu = /** @type {HTMLElement} */ (currentTarget);
  const items = [...menu.querySelectorAll("button")];
  const here = items.indexOf(/** @type {HTMLButtonElement} */ (target));
  const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: -1 }[key];
  if (to !== undefined) items.at(to % items.length)?.focus();
  else if (key === "Tab") menu.hidePopover();
}
