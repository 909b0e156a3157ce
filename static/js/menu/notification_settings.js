// @ts-check
// Whether one is called when it is one's turn and one is elsewhere, and whether also with the page closed. The browser
// asks once, when one ticks a box.

import {
  NOTIFICATIONS_PREFERENCE,
  areNotificationsOn,
  canNotify,
  requestPermission,
} from "../device/turn_notification.js";
import { byId, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { setPreference } from "../lib/preferences.js";
import { disablePush, enablePush, pushSupportHere, isPushEnabled } from "../device/push_subscription.js";

/** @typedef {import("../types.d.ts").Desk} Desk */

/** While the browser, its push service or the server is asked, a box is already as one wants it. @type {Map<string, boolean>} */
const PENDING_STATES = new Map([
  ["asking", true],
  ["leaving", false],
]);

/**
 * A box, and below it what came of pressing it: where something has kept it from that, it is as before, and this says why.
 * @param {Desk} desk
 * @param {"calling" | "pushing"} name
 * @param {boolean} on
 * @param {string} text
 * @param {() => Promise<string>} change says what has kept it from being as one wants it, or ""
 */
function notificationCheckbox(desk, name, on, text, change) {
  const word = desk.model[name];
  const wanted = PENDING_STATES.get(word);
  const onchange = async () => {
    // The browser has turned it by itself: it is drawn again as it was.
    if (wanted !== undefined) return desk.set({});
    desk.set({ [name]: on ? "leaving" : "asking" });
    desk.set({ [name]: await change().catch(() => "no_service") });
  };
  const id = `${name}-word`;
  return [
    h(
      "label",
      { key: name, class: "toggle" },
      h("input", {
        type: "checkbox",
        name,
        checked: wanted ?? on,
        "aria-describedby": word === "" ? undefined : id,
        onchange,
      }),
      h("span", null, text),
    ),
    // It stands there before it says anything, or some would not read it out.
    h(
      "p",
      { key: id, id, class: `came${word === "" || wanted !== undefined ? "" : " problem"}`, role: "status" },
      word === "" ? null : t(`call.${word}`),
    ),
  ];
}

/** @param {Desk} desk */
export function notificationSetting(desk) {
  if (!canNotify()) return null;
  const on = areNotificationsOn();
  return notificationCheckbox(desk, "calling", on, t("menu.call"), async () => {
    const kept = on ? "" : await requestPermission();
    setPreference(NOTIFICATIONS_PREFERENCE, on || kept !== "" ? "off" : "on");
    return kept;
  });
}

/** With the page closed; or what would make that possible. @param {Desk} desk */
export function pushSetting(desk) {
  // Whoever runs the server may not want it.
  const key = byId("room").dataset.push;
  if (!key || desk.update.you.name === null) return null;
  const here = pushSupportHere();
  if (here !== "ready") return h("p", { key: "pushing", class: "quiet" }, t(`call.${here}`));
  const on = isPushEnabled();
  return notificationCheckbox(desk, "pushing", on, t("menu.push"), () => (on ? disablePush() : enablePush(key)));
}
