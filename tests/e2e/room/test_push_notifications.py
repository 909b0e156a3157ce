"""Test notifications to a closed page, from the checkbox in the menu over a push service to the notification.

The test replaces Chromium's push service: it takes the subscription and delivers the message to the service worker. The
page, the server with https, the service worker and the notification are real.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e import find
from tests.e2e.people.crowd import crowd
from tests.e2e.server import Server
from tests.web.push_service import Browser as Keys, PushService, claims, push_service

SUBSCRIBES = """(given) => {
  let made = null;
  PushManager.prototype.getSubscription = async () => made;
  PushManager.prototype.subscribe = async (asked) => {
    await window.held?.();
    window.subscribedWith = asked;
    const { endpoint, ...keys } = given;
    const text = asked.applicationServerKey.replaceAll("-", "+").replaceAll("_", "/");
    const key = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    made = {
      options: { applicationServerKey: key.buffer },
      toJSON: () => ({ endpoint, keys }),
      unsubscribe: async () => { made = null; return true; },
    };
    return made;
  };
}"""
STATE = "await (await fetch('/api/me/push')).json()"
"""The server's state of the subscription."""
HOLDS = """() => {
  const away = new DOMException("Registration failed - push service error", "AbortError");
  window.held = () => new Promise((_, fail) => { window.fail = () => fail(away); });
}"""
"""Makes the subscription wait, until the test makes it fail."""
LABEL = "Notify me when the page is closed"
SHOWN = """async () => {
  const here = await navigator.serviceWorker.getRegistration();
  return (await here.getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, path: data }));
}"""
SPIES = """() => {
  self.seen = { badge: 0, shown: 0, opened: [] };
  const { registration } = self;
  const show = registration.showNotification.bind(registration);
  registration.showNotification = async (...asked) => { await show(...asked); self.seen.shown += 1; };
  self.navigator.setAppBadge = async () => { self.seen.badge += 1; };
  self.clients.openWindow = async (path) => { self.seen.opened.push(path); };
}"""
PRESS = """async () => {
  for (const notification of await self.registration.getNotifications())
    self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
}"""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[PushService]:
    with push_service(tmp_path) as running:
        yield running


@pytest.fixture
def own(tmp_path: Path, service: PushService, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Start a server that trusts the tests' push service."""
    monkeypatch.setenv("SSL_CERT_FILE", str(service.authority))
    monkeypatch.setenv("PECKING_ORDER_TEST_PUSH_SERVICE", service.origin)
    started = Server(tmp_path)
    started.start()
    yield started
    started.stop()


@pytest.fixture
def context(whole_browser: Browser) -> Iterator[BrowserContext]:
    opened = whole_browser.new_context(
        service_workers="allow", reduced_motion="reduce", viewport={"width": 390, "height": 844}
    )
    yield opened
    opened.close()


def worker_of(page: Page) -> tuple[Any, str]:
    """Return a devtools session for the service workers, and the id of the registration."""
    line, found = page.context.new_cdp_session(page), list[str]()
    line.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(each["registrationId"] for each in told["registrations"] if not each["isDeleted"]),
    )
    line.send("ServiceWorker.enable")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    while not found:
        page.wait_for_timeout(10)
    return line, found[-1]


def test_a_player_who_closed_the_page_gets_a_notification_that_leads_back(
    context: BrowserContext, own: Server, service: PushService
) -> None:
    keys = Keys()
    context.add_init_script(f"({SUBSCRIBES})({json.dumps(keys.subscription(service.endpoint('ana')))})")
    with crowd(own.url, "Ana Bob Cat", bots_delay=0) as people:
        context.add_cookies(people.cookies("Ana", own.url))  # type: ignore[arg-type]
        room = f"{own.url}/r/{people.code}"
        page = context.new_page()
        page.goto(room)
        find.open_menu(page, "Me", "alerts")
        box, came = page.get_by_label(LABEL), page.locator("#pushing-word")
        box.click()
        expect(came).to_contain_text("This browser blocks notifications from this site.")
        context.grant_permissions(["notifications"], origin=own.url)
        page.evaluate(HOLDS)
        box.click()
        expect(came).to_contain_text("Please allow notifications in your browser.")
        assert box.is_checked(), "as one wants it"
        box.click()
        expect(box).to_be_checked()  # the second press is ignored
        page.wait_for_function("() => window.fail !== undefined")
        page.evaluate("() => { held = undefined; fail(); }")
        expect(came).to_contain_text("The push service of this browser can’t be reached.")
        assert not box.is_checked()

        box.click()
        expect(box).to_be_checked()
        expect(came).to_be_empty()
        state = page.evaluate(f"async () => {STATE}")
        assert state["subscribed"]
        asked = page.evaluate("subscribedWith")
        assert asked == {"userVisibleOnly": True, "applicationServerKey": state["key"]}

        # After this no page and no socket of Ana's is connected to the room.
        elsewhere = context.new_page()
        elsewhere.goto(own.url)
        worker, registration = worker_of(elsewhere)
        page.close()
        people.play_until(lambda seen: seen["you"]["name"] == "Ana" and "Ana" in seen["table"]["to_act"])
        people.leave("Ana")
        sent = service.next()
        call = keys.read(sent)
        assert (call["title"], call["path"]) == ("Your turn · President", f"/r/{people.code}")
        assert claims(sent.headers["Authorization"])[1] == state["key"]

        [script] = context.service_workers
        script.evaluate(SPIES)

        def deliver() -> None:
            told = {"origin": own.url, "registrationId": registration, "data": json.dumps(call)}
            worker.send("ServiceWorker.deliverPushMessage", told)

        def until(expression: str) -> None:
            """Wait for this expression in the service worker."""
            while not script.evaluate(expression):
                elsewhere.wait_for_timeout(10)

        deliver()
        until("seen.shown === 1 && seen.badge === 1")
        assert elsewhere.evaluate(SHOWN) == [call]
        script.evaluate(PRESS)
        until(f"seen.opened[0] === '{call['path']}'")
        assert elsewhere.evaluate(SHOWN) == []

        # Opening the room removes the notification. While the room is visible, no notification stays.
        deliver()
        until("seen.shown === 2 && seen.badge === 2")
        elsewhere.goto(room)
        elsewhere.wait_for_selector("#room[data-seq]")
        elsewhere.wait_for_function(f"async () => (await ({SHOWN})()).length === 0")
        deliver()
        until("seen.shown === 3")
        elsewhere.wait_for_function(f"async () => (await ({SHOWN})()).length === 0")
        assert script.evaluate("seen.badge") == 2

        find.open_menu(elsewhere, "Me", "alerts")
        elsewhere.get_by_label(LABEL).click()
        expect(elsewhere.get_by_label(LABEL)).not_to_be_checked()
        elsewhere.wait_for_function(f"async () => ({STATE}).on === false")
