"""Test the installed app: the offline page, updates between tricks, and notifications."""

import contextlib
import re
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from app.rooms.views.delta import VERSION
from tests.e2e import find
from tests.e2e.people.guests import ANSWERED, Guest, next_to_act, play_on
from tests.e2e.server import ROOT, Server

PARTS = ("app", "docs", "locale", "migrations", "static", "templates")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """Start a server from a copy of the project with its compiled files, so that a test can change its files."""
    for part in PARTS:
        shutil.copytree(ROOT / part, tmp_path / "tree" / part)
    started = Server(tmp_path, tmp_path / "tree")
    started.start()
    yield started
    started.stop()


@pytest.fixture
def context(whole_browser: Browser) -> Iterator[BrowserContext]:
    """Open a browser context that allows service workers."""
    opened = whole_browser.new_context(service_workers="allow", reduced_motion="reduce")
    yield opened
    opened.close()


def test_an_offline_page_is_shown_until_the_server_is_back(context: BrowserContext, own: Server) -> None:
    page = context.new_page()
    page.goto(own.url)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.goto(f"{own.url}/rules")
    own.kill()
    page.reload()
    expect(page.locator("h1")).to_have_text("The server can’t be reached")
    box = page.locator("main button").bounding_box()
    assert box is not None
    assert box["height"] >= 44  # the stylesheet was cached, too
    with _proxy(own.port) as headers:
        headers["X-Pecking-Order"] = "1"  # the server itself says that something is wrong
        page.reload()
        expect(page.locator("h1")).to_have_text("Service Unavailable")
        headers.clear()
        page.reload()
        expect(page.locator("h1")).to_have_text("The server can’t be reached")
    own.start()
    expect(page.locator("h1")).not_to_have_text("The server can’t be reached")
    assert page.url == f"{own.url}/rules"


@contextlib.contextmanager
def _proxy(port: int) -> Iterator[dict[str, str]]:
    """Answer 503 to all requests, like a proxy without a server behind it, with the headers that the test sets."""
    headers = dict[str, str]()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(503)
            for name, value in {"Content-Type": "text/html", **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(b"<h1>Service Unavailable</h1>")

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield headers
        finally:
            server.shutdown()
            thread.join()


def test_an_old_page_loads_the_new_version_between_tricks(context: BrowserContext, own: Server) -> None:
    guests = [Guest(context.new_page(), "Ana")]
    link = guests[0].open_room(own.url)
    for name in ("Bob", "Cat"):
        guests.append(Guest(context.browser.new_context().new_page(), name))
        guests[-1].join(link)
    find.start_match(guests[0].page)
    for guest in guests:
        guest.page.wait_for_selector(find.CARDS)
    play_on(guests, 1)
    held = [guest.cards for guest in guests]
    looks = [guest.page.locator("link[rel=stylesheet]").first for guest in guests]
    old = looks[0].get_attribute("href") or ""

    own.stop()
    with (own.root / "static" / "css" / "tokens.css").open("a") as sheet:
        sheet.write("/* newer */\n")
    own.start()
    for guest, look in zip(guests, looks, strict=True):
        expect(find.banner(guest.page)).to_have_count(0)
        expect(look).to_have_attribute("href", old)  # the trick is not over
    for _ in range(2):
        passing = next_to_act(guests)
        assert passing is not None
        # A number of the state does not tell that the pass was made: each reconnection counts, too.
        request = passing.page.locator("#room").get_attribute("data-request")
        passing.page.locator("[data-do=pass]").click()
        passing.page.wait_for_function(ANSWERED, arg=request)
    leader = next_to_act(guests)
    assert leader is not None
    for guest, look in zip(guests, looks, strict=True):
        if guest is not leader:
            expect(look).not_to_have_attribute("href", old)
            guest.page.wait_for_selector(find.CARDS)
    # The leader may have chosen a card already, so this page loads the new version later.
    expect(looks[guests.index(leader)]).to_have_attribute("href", old)
    assert [guest.cards for guest in guests] == held
    assert not any(guest.complaints for guest in guests)


def _speak_next_protocol(tree: Path, *, pages: bool) -> None:
    """Raise the protocol version of this server, and with `pages` that of its pages."""
    changes = [(tree / "app" / "rooms" / "views" / "delta.py", "VERSION = ")]
    if pages:
        changes.append((tree / "static" / "js" / "net/early_socket.js", "const PROTOCOL = "))
    for file, line in changes:
        file.write_text(re.sub(rf"^{line}\d+", f"{line}{VERSION + 1}", file.read_text(), flags=re.MULTILINE))


@pytest.mark.parametrize("pages", [True, False], ids=["newer pages", "the same pages"])
def test_a_page_reloads_once_if_the_server_uses_another_protocol_version(
    context: BrowserContext, own: Server, pages: bool
) -> None:
    page = context.new_page()
    ana = Guest(page, "Ana")
    ana.open_room(own.url)
    loads = list[str]()
    page.on("load", lambda loaded: loads.append(loaded.url))
    own.stop()
    _speak_next_protocol(own.root, pages=pages)
    own.start()
    if pages:
        page.wait_for_event("load")
        expect(page.locator("#room:has([data-zone=lobby-seats]) [data-zone=banner]:not(:empty)")).to_have_count(0)
        expect(page.locator("[data-do=start]")).to_be_visible()
    else:
        expect(find.banner(page)).to_contain_text("Reload the page")
    assert len(loads) == 1


HIDDEN = """(hidden) => {
  const get = () => (hidden ? "hidden" : "visible");
  Object.defineProperty(document, "visibilityState", { configurable: true, get });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
CALLS = """async () => {
  const here = await navigator.serviceWorker.getRegistration();
  return (await here.getNotifications()).map(({ title, tag, data }) => [title, tag, data]);
}"""
BADGE = """() => {
  navigator.setAppBadge = async () => { window.badge = true; };
  navigator.clearAppBadge = async () => { window.badge = false; };
}"""


def test_a_player_with_the_page_in_the_background_is_notified_of_their_turn(
    context: BrowserContext, server: Server
) -> None:
    context.grant_permissions(["notifications"], origin=server.url)
    ana = Guest(context.new_page(), "Ana")
    page = ana.page
    ana.open_room(server.url, bots=["easy", "easy", "easy"])
    find.start_match(page)
    page.wait_for_selector(find.CARDS)
    page.evaluate(BADGE)
    find.open_menu(page, "Me", "alerts")
    page.get_by_label("Notify me when it’s my turn").check()
    expect(page.locator("#calling-word")).to_be_empty()  # the permission was granted
    page.keyboard.press("Escape")
    page.wait_for_selector(find.MY_TURN)
    assert page.evaluate(CALLS) == []  # no notification while the page is visible
    page.evaluate(HIDDEN, True)
    page.wait_for_function("() => window.badge === true")
    path = page.evaluate("location.pathname")
    page.wait_for_function(f"async () => (await ({CALLS})()).length === 1")
    [[title, tag, address]] = page.evaluate(CALLS)
    assert title == "Your turn · President"
    assert tag == f"turn-{page.locator('#room').get_attribute('data-room')}"
    assert address == path
    page.evaluate(HIDDEN, False)
    page.wait_for_function("() => window.badge === false")
    page.wait_for_function(f"async () => (await ({CALLS})()).length === 0")
    assert not ana.complaints
