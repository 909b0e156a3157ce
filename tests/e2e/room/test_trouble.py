"""Test that players see a message while the database can't be written, and while the server is upgraded."""

import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e import find
from tests.e2e.people.guests import Guest
from tests.e2e.server import PATIENCE, Server

NewContext = Callable[..., BrowserContext]
PATIENCE_MS = 1000 * PATIENCE
SAID = "The server can’t save right now. Nothing is lost: your moves wait and are saved automatically."


def test_a_locked_database_is_announced_to_all_players_until_it_is_released(
    new_context: NewContext, server: Server
) -> None:
    ana, bob = (Guest(new_context().new_page(), name) for name in ("Ana", "Bob"))
    bob.join(ana.open_room(server.url))
    told = [find.banner(guest.page) for guest in (ana, bob)]
    with closing(sqlite3.connect(server.folder / "rooms.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        find.open_menu(ana.page, "Host")
        ana.page.get_by_role("checkbox", name="Lock room").click()
        for banner in told:
            expect(banner).to_have_text(SAID)
        other.execute("ROLLBACK")
    for banner in told:
        expect(banner).to_have_count(0)
    assert not ana.complaints + bob.complaints


@pytest.mark.long("it starts a server twice")
def test_open_pages_tell_of_an_upgrade_in_one_line_and_come_back_without_a_click(
    new_context: NewContext, own_server: Server
) -> None:
    own_server.start()
    ana = Guest(new_context().new_page(), "Ana")
    ana.open_room(own_server.url)
    own_server.stop()
    own_server.start_upgrade()
    try:
        own_server.set_upgraded_rows(50_000)
        banner = find.banner(ana.page)
        expect(banner).to_have_text("The server is being upgraded, less than a minute left.", timeout=PATIENCE_MS)
        page = new_context().new_page()
        page.goto(own_server.url)
        expect(page.get_by_role("heading")).to_have_text("The server is being upgraded, less than a minute left.")
        expect(page.get_by_text("This page opens by itself.")).to_be_visible()
        own_server.set_upgraded_rows("end")
        expect(banner).to_have_count(0, timeout=PATIENCE_MS)
        expect(page.get_by_role("link", name="Pecking Order")).to_be_visible(timeout=PATIENCE_MS)
        assert not ana.complaints
    finally:
        own_server.stop()
