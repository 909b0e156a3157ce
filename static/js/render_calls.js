// @ts-check
// Whether one is called when it is one's turn and one is elsewhere, and whether also with the page closed. The browser
// asks once, when one ticks a box.

import { CALLS, calls, canCall } from "./calling.js";
import { byId, h } from "./dom.js";
import { t } from "./messages.js";
import { like } from "./prefs.js";
import { beLeft, bePushed, possibleHere, pushed } from "./pushed.js";

/** @typedef {import("./types.d.ts").Desk} Desk */

/** @param {string} name @param {boolean} on @param {string} text @param {() => Promise<void>} onchange */
function box(name, on, text, onchange) {
  return h(
    "label",
    { key: name, class: "toggle" },
    h("input", { type: "checkbox", name, checked: on, onchange }),
    h("span", null, text),
  );
}

/** @param {Desk} desk */
export function calling(desk) {
  if (!canCall()) return null;
  const on = calls();
  return box("calls", on, t("menu.call"), async () => {
    const may = on || (await Notification.requestPermission()) === "granted";
    like(CALLS, on || !may ? "off" : "on");
    if (!may) desk.tell(t("call.refused"), true);
    desk.set({});
  });
}

/** With the page closed; or what would make that possible. @param {Desk} desk */
export function callingAnyway(desk) {
  // Whoever runs the server may not want it.
  const key = byId("room").dataset.push;
  if (!key || desk.update.you.name === null) return null;
  const here = possibleHere();
  if (here !== "ready") return h("p", { key: "pushed", class: "quiet" }, t(`call.${here}`));
  const on = pushed();
  return box("pushed", on, t("menu.push"), async () => {
    if (on) await beLeft();
    else if (!(await bePushed(key))) desk.tell(t(Notification.permission === "granted" ? "call.no_service" : "call.refused"), true);
    desk.set({});
  });
}
