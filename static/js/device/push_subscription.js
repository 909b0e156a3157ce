// @ts-check
// Push notifications on the player's turn, when no page of the table is visible or even open. The server sends them
// through the browser's push service, and the service worker shows them.

import { requestPermission } from "./turn_notification.js";
import { setPreference, getPreference } from "../lib/preferences.js";

/** Preference of the player: "on" or "off". */
const PUSH_PREFERENCE = "pushed";
const PUSH_URL = "/api/me/push";

/** @typedef {"ready" | "insecure" | "install" | "cannot"} Possible */

/**
 * Tell whether a browser can receive push notifications, or the reason why not.
 * @param {{ secure: boolean, push: boolean, apple: boolean }} here a page by https; a browser with push services; an iPhone or iPad
 * @returns {Possible}
 */
export function pushSupport({ secure, push, apple }) {
  if (push) return "ready";
  if (!secure) return "insecure";
  return apple ? "install" : "cannot";
}

/** Tell whether the current browser can receive push notifications, or the reason why not. */
export function pushSupportHere() {
  // An iPad identifies itself as a Mac. Real Macs have no touch screen.
  const apple =
    /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  const push = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  return pushSupport({ secure: window.isSecureContext, push, apple });
}

/** Tell whether the player turned on push notifications and the browser permits them. */
export function isPushEnabled() {
  return (
    getPreference(PUSH_PREFERENCE, "off") === "on" &&
    pushSupportHere() === "ready" &&
    Notification.permission === "granted"
  );
}

/** Limit for each request. A browser may wait without end for its push service or for a failed service worker. */
const TIMEOUT_MS = 30_000;

/**
 * Ask for permission, subscribe to push notifications and send the subscription to the server.
 * @param {string} key the server's public key
 * @returns {Promise<"" | "not_allowed" | "unanswered" | "no_service" | "no_server">} "" after success, or the reason of failure
 */
export async function enablePush(key) {
  const kept = await requestPermission();
  if (kept !== "") return kept;
  let subscription;
  try {
    subscription = await withTimeout(getSubscription(key));
  } catch {
    // The push service can't be reached, or this browser has none.
    return "no_service";
  }
  if (!(await sendSubscription(subscription).catch(() => false))) return "no_server";
  setPreference(PUSH_PREFERENCE, "on");
  return "";
}

/** Turn off push notifications. @returns {Promise<"" | "no_server">} "no_server": one more notification may still come */
export async function disablePush() {
  setPreference(PUSH_PREFERENCE, "off");
  const answer = await requestPushApi({ method: "DELETE" }).catch(() => null);
  const here = await navigator.serviceWorker.getRegistration();
  const gone = await (await here?.pushManager.getSubscription())?.unsubscribe().catch(() => false);
  return answer?.ok || gone ? "" : "no_server";
}

/** Send the subscription again, as the server deletes unused ones; turn push off if it is refused. @param {string} key public */
export async function renewPush(key) {
  if (!isPushEnabled()) return;
  try {
    if (!(await sendSubscription(await getSubscription(key)))) await disablePush();
  } catch {
    // Without a connection, the next page tries again.
  }
}

/** @template Of @param {Promise<Of>} work @returns {Promise<Of>} it, or an error after `TIMEOUT_MS` */
function withTimeout(work) {
  return Promise.race([work, new Promise((_, late) => window.setTimeout(() => late(new Error("late")), TIMEOUT_MS))]);
}

/** @param {string} key */
async function getSubscription(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  if (before !== null && isSameKey(before.options.applicationServerKey, key)) return before;
  await before?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** @param {ArrayBuffer | null} bytes @param {string} key */
function isSameKey(bytes, key) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === key;
}

/** @param {PushSubscription} subscription */
async function sendSubscription(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const body = JSON.stringify({ endpoint, p256dh: keys?.p256dh, auth: keys?.auth });
  return (await requestPushApi({ method: "PUT", headers: { "content-type": "application/json" }, body })).ok;
}

/** @param {RequestInit} what */
function requestPushApi(what) {
  return fetch(PUSH_URL, { ...what, signal: AbortSignal.timeout(TIMEOUT_MS) });
}
