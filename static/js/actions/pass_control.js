// @ts-check
// Draws the Pass button. Its arrow opens a menu: pass until the trick ends, or pass automatically. Both keep their places
// during a hand, and are disabled where they can't be used. While auto-pass is on, a button that stops it replaces them.

import { isPassForTrick, passTurn } from "../input/card_input.js";
import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { autoPassOptions, currentAutoPass, isPlayingTricks, legalPasses } from "../model/auto_pass.js";
import { icon } from "../ui/icons.js";
import { canPlayCards } from "./play_buttons.js";

/** @import { Desk } from "../types.d.ts" */

/** Draw the Pass button or what stands in its place; null while no tricks are played. @param {Desk} desk */
export function passControl(desk) {
  const { model, update } = desk;
  const on = currentAutoPass(model.passing, update);
  if (on !== null) return stopButton(desk, on.until);
  const [pass] = legalPasses(update);
  const name = pass?.do ?? Object.keys(update.actions).find((each) => update.actions[each]?.passes);
  if (name === undefined || (pass === undefined && !isPlayingTricks(update))) return null;
  const forTrick =
    update.table?.trick?.pass_bars === true || (isPassForTrick() && autoPassOptions(update).includes("trick"));
  return h(
    "div",
    { key: "passing", class: "split" },
    button(
      {
        key: "once",
        class: `button pass${pass === undefined || canPlayCards(desk) ? "" : " main"}`,
        "data-do": pass?.do,
        disabled: pass === undefined,
        onclick: () => passTurn(desk),
      },
      t(`action.${name}`),
      forTrick ? " " : null,
      forTrick ? h("span", { class: "below" }, t("passing.for_trick")) : null,
    ),
    arrowButton(desk),
  );
}

/** Draw the arrow that opens the menu (actions/pass_menu.js). @param {Desk} desk */
function arrowButton({ model, update, set }) {
  const isOpen = model.sheet === "passing";
  const open = () => set({ sheet: isOpen ? null : "passing" });
  const none = autoPassOptions(update).length === 0;
  const label = t(none ? "passing.more.none" : "passing.more");
  return button(
    {
      key: "more",
      class: "button more",
      "data-open": "passing",
      disabled: none,
      title: label,
      "aria-label": label,
      "aria-haspopup": "menu",
      "aria-expanded": isOpen,
      onclick: open,
      onkeydown: (/** @type {Event} */ event) => /^Arrow/.test(/** @type {KeyboardEvent} */ (event).key) && open(),
    },
    icon("chevron"),
  );
}

/** Draw the button that shows that auto-pass is on, and stops it. @param {Desk} desk @param {"beats" | "trick"} until */
function stopButton({ set }, until) {
  return button(
    { key: "stop", class: "button passing", "data-passing": "off", onclick: () => set({ passing: null }) },
    h("span", null, t(until === "beats" ? "passing.beats.on" : "passing.trick.on")),
    " ",
    h("span", { class: "stop" }, t("passing.stop")),
  );
}
