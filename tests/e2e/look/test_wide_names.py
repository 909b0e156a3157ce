"""Test that names of twenty wide letters push nothing out of a narrow window, on any page that shows people."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.e2e import find
from tests.e2e.databases.played_rooms import TOKEN
from tests.e2e.databases.wide_names import LOBBY, PLAYED
from tests.e2e.pictures.layout import CUT_TEXTS, SETTLED
from tests.e2e.server import ROOT, Server

NARROW = {"width": 320, "height": 640}
TELEVISION = {"width": 1024, "height": 768}
PHONES = ({"width": 390, "height": 844}, {"width": 360, "height": 640})
ROWS_TOO_LOW = """() => [...document.querySelectorAll("[data-zone=result] tbody tr[data-who]")].filter((row) =>
  [...row.querySelectorAll("*")].some((part) => {
    const [outer, inner] = [row, part].map((each) => each.getBoundingClientRect());
    return inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
  })).map((row) => `the row of ${row.dataset.who} is too low`)"""
"""Finds rows of a result that a bird or a name leaves (for Page.evaluate)."""

RENAME = """async () => {
  const headers = { "content-type": "application/json" };
  const answer = await fetch("/api/me", { method: "PUT", headers, body: JSON.stringify({ name: "W".repeat(20) }) });
  if (!answer.ok) throw new Error(await answer.text());
}"""
"""Give the visitor a name of twenty wide letters (for Page.evaluate)."""


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with rooms of players whose names are twenty wide letters."""
    server = Server(tmp_path_factory.mktemp("wide"))
    command = [sys.executable, "-m", "tests.e2e.databases.wide_names", str(server.folder / "rooms.sqlite3")]
    subprocess.run(command, cwd=ROOT, check=True)
    server.start()
    yield server
    server.stop()


def test_a_name_of_twenty_wide_letters_does_not_overflow_any_page(browser: Browser, wide: Server) -> None:
    context = browser.new_context(viewport=NARROW, reduced_motion="reduce")  # type: ignore[arg-type]
    context.add_cookies([{"name": "pecking_order", "value": TOKEN, "url": wide.url}])
    page, found = context.new_page(), []

    def look(where: str) -> None:
        page.evaluate(SETTLED)
        found.extend(f"{where}: {each}" for each in page.evaluate(CUT_TEXTS))

    def visit(path: str) -> None:
        page.goto(f"{wide.url}{path}")
        page.wait_for_load_state("networkidle")
        look(path)

    page.goto(wide.url)
    page.evaluate(RENAME)

    # The rooms: before a match, during a hand and after a hand, each with its sheets.
    for room, shown in ((LOBBY, "lobby-seats"), (PLAYED[0], "hand"), (PLAYED[1], "result")):
        visit(f"/r/{room}")
        assert find.zone(page, shown).first.is_visible(), room
        assert "W" * 20 in page.locator("main").inner_text(), room
        for name in ("Menu", "Chat and reactions"):
            page.get_by_role("button", name=name).click()
            page.get_by_role("dialog").wait_for()
            look(f"/r/{room}, {name}")
            page.keyboard.press("Escape")
        visit(f"/r/{room}/rules")
        page.set_viewport_size(TELEVISION)
        visit(f"/r/{room}/screen")
        page.set_viewport_size(NARROW)
    page.goto(f"{wide.url}/r/{PLAYED[1]}")
    for phone in PHONES:
        page.set_viewport_size(phone)  # type: ignore[arg-type]
        look(f"result, {phone}")
        found += [f"{phone}: {each}" for each in page.evaluate(ROWS_TOO_LOW)]
    page.set_viewport_size(NARROW)

    # The pages about finished matches and about players.
    page.goto(f"{wide.url}/history?room={PLAYED[1]}")
    match = page.locator("a[href^='/matches/']").first.get_attribute("href")
    paths = ("/", "/me", "/me/settings", "/me/moments", "/history", "/new", f"{match}", f"{match}/moments")
    for path in (*paths, f"{match}/replay?hand=0&move=9", *(f"/r/{PLAYED[1]}/book{each}" for each in ("", "/moments"))):
        visit(path)
    context.close()
    assert not found, "\n".join(found)
