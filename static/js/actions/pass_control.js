// @ts-check
// Draws the Pass button. Its arrow opens a menu: pass until the trick ends, or pass automatically. While other players
// play, only the arrow is there. While auto-pass is on, a button that stops it takes the place of both.

import { passTurn } from "../input/card_input.js";
import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { autoPassOptions, currentAutoPass, legalPasses } from "../model/auto_pass.js";
import { icon } from "../ui/icons.js";
import { canPlayCards } from "./play_buttons.js";

/** @typedef {import("../types.d.ts").Desk} Desk */

/** Draw the Pass button or what stands in its place; null without either. @param {Desk} desk */
export function passControl(desk) {
  const { model, update } = desk;
  const on = currentAutoPass(model.passing, update);
  if (on !== null) return stopButton(desk, on.until);
  const [pass] = legalPasses(update);
  const hasMenu = autoPassOptions(update).length > 0;
  if (!pass && !hasMenu) return null;
  return h(
    "div",
    { key: "passing", class: "split" },
    pass
      ? button(
          {
            key: "once",
            class: `button pass${canPlayCards(desk) ? "" : " main"}`,
            "data-do": pass.do,
            onclick: () => passTurn(desk),
          },
          t(`action.${pass.do}`),
        )
      : null,
    hasMenu ? arrowButton(desk, pass !== undefined) : null,
  );
}

/** Draw the arrow that opens the menu (actions/pass_menu.js); it has words where it stands alone. @param {Desk} desk @param {boolean} canPass */
function arrowButton({ model, set }, canPass) {
  const isOpen = model.sheet === "passing";
  const open = () => set({ sheet: isOpen ? null : "passing" });
  return button(
    {
      key: "more",
      class: "button more",
      "data-open": "passing",
      "aria-label": canPass ? t("passing.more") : undefined,
      "aria-haspopup": "menu",
      "aria-expanded": isOpen,
      onclick: open,
      onkeydown: (/** @type {Event} */ event) => /^Arrow/.test(/** @type {KeyboardEvent} */ (event).key) && open(),
    },
    canPass ? null : h("span", null, t("passing.auto")),
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
