// @ts-check
// The chosen cards, before it is one's turn: one press has them played when it comes, another takes it back.

import { isMeant, mayMean, meant } from "./ahead.js";
import { cardsText } from "./cards.js";
import { picked } from "./choosing.js";
import { button, h } from "./dom.js";
import { t } from "./messages.js";

/** @param {import("./types.d.ts").Desk} desk */
export function ahead(desk) {
  const { model, update } = desk;
  if (model.chosen.length === 0 || !mayMean(update)) return null;
  const on = isMeant(model);
  const cards = cardsText(picked(desk));
  return button(
    {
      key: "ahead",
      class: `button${on ? " passing on" : ""}`,
      "data-ahead": String(on),
      "aria-pressed": on,
      onclick: () => desk.set({ ahead: on ? null : meant(model) }),
    },
    h("span", null, t(on ? "ahead.on" : "ahead.play", { cards })),
    on ? h("span", { class: "stop" }, t("passing.stop")) : null,
  );
}
