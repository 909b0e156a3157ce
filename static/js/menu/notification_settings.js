// @ts-check
// Checkboxes for notifications on the player's turn: while the page is hidden, and while the page is closed.
// The browser asks for permission when the player ticks a checkbox.

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

/** @import { Desk } from "../types.d.ts" */

/** States while an answer is pending, with the value that the checkbox already shows. @type {Map<string, boolean>} */
const PENDING_STATES = new Map([
  ["asking", true],
  ["leaving", false],
]);

/**
 * Draw a checkbox and its result below. If the change fails, the checkbox switches back and the text says why.
 * @param {Desk} desk
 * @param {"calling" | "pushing"} name
 * @param {boolean} on
 * @param {string} text
 * @param {() => Promise<string>} change returns the reason why it failed, or ""
 */
function notificationCheckbox(desk, name, on, text, change) {
  const word = desk.model[name];
  const wanted = PENDING_STATES.get(word);
  const onchange = async () => {
    // The browser has already toggled the checkbox: draw it again with the pending value.
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
    // Always draw the status, even when it is empty: some screen readers ignore a new one.
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

/** Draw the checkbox for notifications with the page closed, or say why this browser can't offer them. @param {Desk} desk */
export function pushSetting(desk) {
  // Without a key, the operator has not enabled push notifications.
  const key = byId("room").dataset.push;
  if (!key || desk.update.you.name === null) return null;
  const here = pushSupportHere();
  if (here !== "ready") return h("p", { key: "pushing", class: "quiet" }, t(`call.${here}`));
  const on = isPushEnabled();
  return notificationCheckbox(desk, "pushing", on, t("menu.push"), () => (on ? disablePush() : enablePush(key)));
}
