// @ts-check
// Whether one is called when it is one's turn and one is elsewhere. The browser asks once, when one ticks the box.

import { CALLS, calls, canCall } from "./calling.js";
import { h } from "./dom.js";
import { t } from "./messages.js";
import { like } from "./prefs.js";

/** @typedef {import("./types.d.ts").Desk} Desk */

/** @param {Desk} desk */
export function calling(desk) {
  if (!canCall()) return null;
  const on = calls();
  return h(
    "label",
    { key: "calls", class: "toggle" },
    h("input", {
      type: "checkbox",
      name: "calls",
      checked: on,
      onchange: async () => {
        const may = on || (await Notification.requestPermission()) === "granted";
        like(CALLS, on || !may ? "off" : "on");
        if (!may) desk.tell(t("call.refused"), true);
        desk.set({});
      },
    }),
    h("span", null, t("menu.call")),
  );
}
