// @ts-check
// Has this browser called by its own push service when it is one's turn and no page of the table is in sight: also
// where none is open. The server calls, and the service worker shows it.

import { like, liked } from "./prefs.js";

/** What one has chosen: "on" or "off". */
const PUSHED = "pushed";
const ADDRESS = "/api/me/push";

/** @typedef {"ready" | "insecure" | "install" | "cannot"} Possible */

/**
 * Whether this browser can be called, or what keeps it from that.
 * @param {{ secure: boolean, push: boolean, apple: boolean }} here a page by https; a browser with push services; an iPhone or iPad
 * @returns {Possible}
 */
export function possible({ secure, push, apple }) {
  if (push) return "ready";
  if (!secure) return "insecure";
  return apple ? "install" : "cannot";
}

/** The same of the browser that this page is in. */
export function possibleHere() {
  // An iPad says that it is a Mac, which has no touch screen.
  const apple = /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  const push = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  return possible({ secure: window.isSecureContext, push, apple });
}

/** Whether one has chosen it, and the browser lets us. */
export function pushed() {
  return liked(PUSHED, "off") === "on" && possibleHere() === "ready" && Notification.permission === "granted";
}

/** Have this browser called. @param {string} key the server's @returns {Promise<boolean>} whether it is now */
export async function bePushed(key) {
  if ((await Notification.requestPermission()) !== "granted") return false;
  try {
    const { pushManager } = await navigator.serviceWorker.ready;
    const kept = await told(await subscribed(pushManager, key));
    if (kept) like(PUSHED, "on");
    return kept;
  } catch {
    // Its push service can't be reached, or it is a browser without one.
    return false;
  }
}

/** Have it called no longer. */
export async function beLeft() {
  like(PUSHED, "off");
  await fetch(ADDRESS, { method: "DELETE" }).catch(() => undefined);
  const here = await navigator.serviceWorker.getRegistration();
  await (await here?.pushManager.getSubscription())?.unsubscribe();
}

/** Tell the server again, as it may have let go of what is not used; who is nobody any more is not called. @param {string} key the server's */
export async function goOnBeingPushed(key) {
  if (!pushed()) return;
  try {
    const { pushManager } = await navigator.serviceWorker.ready;
    if (!(await told(await subscribed(pushManager, key)))) await beLeft();
  } catch {
    // Without a line: then with the next page.
  }
}

/** @param {PushManager} manager @param {string} key */
async function subscribed(manager, key) {
  const before = await manager.getSubscription();
  if (before !== null && same(before.options.applicationServerKey, key)) return before;
  await before?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** @param {ArrayBuffer | null} bytes @param {string} key */
function same(bytes, key) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === key;
}

/** @param {PushSubscription} subscription */
async function told(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const body = JSON.stringify({ endpoint, p256dh: keys?.p256dh, auth: keys?.auth });
  const answer = await fetch(ADDRESS, { method: "PUT", headers: { "content-type": "application/json" }, body });
  return answer.ok;
}
