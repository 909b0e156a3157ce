// @ts-check
// Notifies a player whose page is hidden when it is their turn: with a badge on the installed app, and with a
// notification if the player turned that on. Browsers allow both on https and localhost only.

import { t } from "../lib/messages.js";
import { getPreference } from "../lib/preferences.js";

/** @import { Update } from "../types.d.ts" */

/** Preference of the player: "on" or "off". */
export const NOTIFICATIONS_PREFERENCE = "calls";

/** Tell whether this browser can show notifications. */
export function canNotify() {
  return "Notification" in window && "serviceWorker" in navigator;
}

/** Tell whether the player turned on notifications and the browser permits them. */
export function areNotificationsOn() {
  return (
    canNotify() && getPreference(NOTIFICATIONS_PREFERENCE, "off") === "on" && Notification.permission === "granted"
  );
}

/** Ask the browser for permission. @returns {Promise<"" | "not_allowed" | "unanswered">} "" if permitted */
export async function requestPermission() {
  const said = await Notification.requestPermission();
  if (said === "granted") return "";
  return said === "denied" ? "not_allowed" : "unanswered";
}

export class TurnNotifier {
  /** @param {string} room its id; each room has at most one notification */
  constructor(room) {
    this.tag = `turn-${room}`;
    this.called = false;
    /** @type {Update | null} */
    this.update = null;
    this.asked = false;
    document.addEventListener("visibilitychange", () => {
      this.onUpdate(this.update, this.asked);
      this.clearIfVisible();
    });
    this.clearIfVisible();
  }

  /** Remove the notification if the page is visible, including one from the service worker. */
  clearIfVisible() {
    if (document.visibilityState === "visible") void this.clearNotification();
  }

  /** @param {Update | null} update @param {boolean} mustAct whether the player must act, and the page does not act for them */
  onUpdate(update, mustAct) {
    this.update = update;
    this.asked = mustAct;
    const wanted = update !== null && mustAct && document.visibilityState === "hidden";
    if (wanted === this.called) return;
    this.called = wanted;
    void (wanted ? this.showNotification(update) : this.clearNotification());
  }

  /** @param {Update} update */
  async showNotification({ room }) {
    await navigator.setAppBadge?.().catch(() => undefined);
    if (!areNotificationsOn()) return;
    const here = await navigator.serviceWorker.getRegistration();
    if (!this.called) return;
    const title = t("tab.turn", { game: t(`game.${room.game}`) });
    await here?.showNotification(title, { tag: this.tag, body: t("call.body"), data: location.pathname });
    if (!this.called) await this.clearNotification();
  }

  async clearNotification() {
    await navigator.clearAppBadge?.().catch(() => undefined);
    if (!canNotify()) return;
    const here = await navigator.serviceWorker.getRegistration();
    const before = (await here?.getNotifications({ tag: this.tag })) ?? [];
    // Keep the notification if a new one has been shown in the meantime.
    if (!this.called) for (const shown of before) shown.close();
  }
}
