// @ts-check
// The service worker. It shows an offline page when the server can't be reached, and caches only that page. It also
// shows push notifications when no page of the room is open. Its URL has the site's version, so each version caches its
// own offline page.

/** @typedef {{ url: string, visibilityState: string, focus(): Promise<unknown> }} Shown */
/** @typedef {{ claim(): Promise<void>, matchAll(asked: { type: "window" }): Promise<Shown[]>, openWindow(url: string): Promise<unknown> }} Pages */
/** @typedef {Window & { clients: Pages, registration: ServiceWorkerRegistration, skipWaiting(): Promise<void> }} Worker */
const worker = /** @type {Worker} */ (/** @type {unknown} */ (self));

const OFFLINE_PAGE = "/offline";
const CACHE_NAME = `offline-${new URL(location.href).searchParams.get("v") ?? ""}`;
/** A header of all pages of the server. An error without it comes from a proxy, because the server behind it is down. */
const OWN_HEADER = "x-pecking-order";

/** Cache the offline page and all static files that it links to. */
async function cacheOfflinePage() {
  const page = await fetch(OFFLINE_PAGE, { cache: "reload" });
  if (!page.ok) throw new Error(`${OFFLINE_PAGE}: ${page.status}`);
  const named = [...(await page.clone().text()).matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)].map(
    ([, path]) => path ?? "",
  );
  const cache = await caches.open(CACHE_NAME);
  await Promise.all([cache.put(OFFLINE_PAGE, page), cache.addAll([...new Set(named)])]);
}

/** Delete the caches of earlier versions. */
async function deleteOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE_NAME).map((name) => caches.delete(name)));
}

/** @param {Request} request navigation to a page */
async function fetchPageOrOffline(request) {
  const kept = () => caches.match(OFFLINE_PAGE);
  try {
    const answer = await fetch(request);
    const isServerDown = answer.status >= 500 && !answer.headers.has(OWN_HEADER);
    return isServerDown ? ((await kept()) ?? answer) : answer;
  } catch (error) {
    const page = await kept();
    if (page === undefined) throw error;
    return page;
  }
}

/** @param {Request} request static file; without the server it comes from the cache */
async function fetchOrCached(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const part = await caches.match(request);
    if (part === undefined) throw error;
    return part;
  }
}

/** @param {string} path page to focus, or to open in a new window */
async function focusOrOpenPage(path) {
  const pages = await worker.clients.matchAll({ type: "window" });
  const open = pages.find(({ url }) => new URL(url).pathname === path);
  return open === undefined ? worker.clients.openWindow(path) : open.focus();
}

/** The content of a push message. @typedef {{ title: string, body: string, tag: string, path: string }} PushMessage */

/** @param {PushMessage} call */
async function showPushNotification({ title, body, tag, path }) {
  // Browsers may revoke permission if a push shows nothing. So show it always, and close it if the room is visible.
  await worker.registration.showNotification(title, { body, tag, data: path });
  const pages = await worker.clients.matchAll({ type: "window" });
  if (pages.some(({ url, visibilityState }) => new URL(url).pathname === path && visibilityState === "visible")) {
    for (const shown of await worker.registration.getNotifications({ tag })) shown.close();
  } else await worker.navigator.setAppBadge?.().catch(() => undefined);
}

/** Subscribe again with the server's current key, after the browser dropped the old subscription. */
async function renewSubscription() {
  const address = "/api/me/push";
  const { key } = await (await fetch(address)).json();
  if (key === null) return;
  const made = await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  const body = JSON.stringify({ endpoint, p256dh: keys?.p256dh, auth: keys?.auth });
  await fetch(address, { method: "PUT", headers: { "content-type": "application/json" }, body });
}

/** @typedef {Event & { request: Request, respondWith(answer: Promise<Response>): void, waitUntil(done: Promise<unknown>): void }} Asked */

worker.addEventListener("install", (event) => {
  /** @type {Asked} */ (event).waitUntil(cacheOfflinePage().then(() => worker.skipWaiting()));
});
worker.addEventListener("activate", (event) => {
  /** @type {Asked} */ (event).waitUntil(deleteOldCaches().then(() => worker.clients.claim()));
});
worker.addEventListener("fetch", (event) => {
  const asked = /** @type {Asked} */ (event);
  const { request } = asked;
  if (request.mode === "navigate" && request.method === "GET") asked.respondWith(fetchPageOrOffline(request));
  else if (new URL(request.url).pathname.startsWith("/static/")) asked.respondWith(fetchOrCached(request));
});
/** @typedef {Event & { notification: Notification, waitUntil(done: Promise<unknown>): void }} Pressed */
worker.addEventListener("notificationclick", (event) => {
  const { notification } = /** @type {Pressed} */ (event);
  notification.close();
  /** @type {Pressed} */ (event).waitUntil(focusOrOpenPage(String(notification.data)));
});
/** @typedef {Event & { data: { json(): PushMessage } | null, waitUntil(done: Promise<unknown>): void }} Pushed */
worker.addEventListener("push", (event) => {
  const { data } = /** @type {Pushed} */ (event);
  if (data !== null) /** @type {Pushed} */ (event).waitUntil(showPushNotification(data.json()));
});
worker.addEventListener("pushsubscriptionchange", (event) => {
  /** @type {Pushed} */ (event).waitUntil(renewSubscription());
});
