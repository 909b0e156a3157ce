"""A page that an earlier version served, in a tab that stays open while the server gets the version of today."""

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from app.web.context.sessions import cookie_name
from tests.e2e import find
from tests.e2e.server import PATIENCE, Server
from tests.upgrade.old_page import NAMES, OldPage, unpack_database


@pytest.mark.parametrize("name", NAMES)
def test_a_page_of_an_earlier_version_reloads_once_and_shows_the_table(
    context: BrowserContext, tmp_path: Path, name: str
) -> None:
    old, server = OldPage(name), Server(tmp_path)
    room = next(each for each in unpack_database(name, tmp_path / "rooms.sqlite3") if each["code"] == old.code)
    context.add_cookies([{"name": cookie_name(secure=False), "value": room["tokens"][old.person], "url": server.url}])
    page = context.new_page()
    cards = page.locator(find.CARDS)
    loads, errors = list[str](), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    with old.served(server.port):
        page.goto(f"{server.url}/r/{old.code}")
        expect(cards).to_have_count(room["counts"][old.person])
        scripts = page.locator("script[src]").evaluate_all("all => all.map((each) => new URL(each.src).pathname)")
        assert {*scripts} <= {*old.scripts}
        page.on("load", lambda loaded: loads.append(loaded.url))
    try:
        with page.expect_event("load", timeout=1000 * PATIENCE):
            server.start()
        expect(cards).to_have_count(room["counts"][old.person])
        expect(find.banner(page)).to_have_count(0)
        held = cards.evaluate_all("all => all.map((each) => each.dataset.card)")
        assert sorted(held) == sorted(room["cards"][old.person].split())
        scripts = page.locator("script[src]").evaluate_all("all => all.map((each) => new URL(each.src).pathname)")
        assert {*scripts}.isdisjoint(old.scripts)
        page.wait_for_timeout(1000)
        assert loads == [f"{server.url}/r/{old.code}"], "it reloads once"
        assert not errors
    finally:
        server.stop()
