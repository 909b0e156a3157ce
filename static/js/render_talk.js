// @ts-check
// What one may tell the others beside the game.

import { button, h } from "./dom.js";
import { t } from "./messages.js";
import { REACTIONS, sticker } from "./reactions.js";
import { dialog } from "./render_sheet.js";

/** @typedef {import("./types.d.ts").Desk} Desk */

/** @param {Desk} desk */
function offered(desk) {
  return h(
    "div",
    { key: "react", class: "react", role: "group", "aria-label": t("talk.react") },
    REACTIONS.map((reaction) =>
      button(
        {
          key: reaction,
          class: "button react-button",
          "data-react": reaction,
          "aria-label": t(`reaction.${reaction}`),
          title: t(`reaction.${reaction}`),
          // The table is to be seen again at once; what is refused stands there.
          onclick: () => {
            desk.set({ sheet: null });
            void desk.ask({ t: "react", reaction });
          },
        },
        sticker(reaction),
      ),
    ),
  );
}

/** @param {Desk} desk */
export function talk(desk) {
  return dialog(desk, t("talk.title"), [offered(desk)]);
}
