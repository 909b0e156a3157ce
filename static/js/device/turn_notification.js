// @ts-check
// Calls whoever is elsewhere when it is their turn: with a badge on the site where it is installed, and with a
// notification where they have asked for it. Browsers do both on https and on the machine itself only.

import { t } from "../lib/messages.js";
import { getPreference } from "../lib/preferences.js";

/** @typedef {import("../types.d.ts").Update} Update */

/** What one has chosen: "on" or "off". */
export const NOTIFICATIONS_PREFERENCE = "calls";

/** Whether this browser could. */
export function canNotify() {
  return "Notification" in window && "serviceWorker" in navigator;
}

/** Whether one wants it, and the browser lets us. */
export function areNotificationsOn() {
  return (
    canNotify() && getPreference(NOTIFICATIONS_PREFERENCE, "off") === "on" && Notification.permission === "granted"
  );
}

/** Ask the browser whether it lets us. @returns {Promise<"" | "not_allowed" | "unanswered">} "": it does */
export async function requestPermission() {
  const said = await Notification.requestPermission();
  if (said === "granted") return "";
  return said === "denied" ? "not_allowed" : "unanswered";
}

export class TurnNotifier {
  /** @param {string} room its id: there is one notification for each */
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

  /** Who is here need not be called any more, whoever did: the service worker may have, while no page was open. */
  clearIfVisible() {
    if (document.visibilityState === "visible") void this.clearNotification();
  }

  /** @param {Update | null} update @param {boolean} mustAct whether something is asked of me that the page does not do by itself */
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
    // Whoever is called again by now keeps that call, which is one of these.
    if (!this.called) for (const shown of before) shown.close();
  }
}
