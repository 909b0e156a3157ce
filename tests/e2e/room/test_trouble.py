"""Test that all players see a message while the database can't be written."""

import sqlite3
from collections.abc import Callable
from contextlib import closing

from playwright.sync_api import BrowserContext, expect

from tests.e2e import find
from tests.e2e.people.guests import Guest
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]
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
