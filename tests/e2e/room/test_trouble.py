"""Test that players see a message while the database can't be written, and while the server is upgraded."""

import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e import find
from tests.e2e.games.test_specials import look
from tests.e2e.look.test_pressing import could_play_first, turn_of
from tests.e2e.people.crowd import crowd
from tests.e2e.people.guests import Guest
from tests.e2e.server import PATIENCE, Server

NewContext = Callable[..., BrowserContext]
PATIENCE_MS = 1000 * PATIENCE
SAID = "Saving has to wait. No move is lost."


def test_a_play_during_an_outage_keeps_its_cards_and_counts_once(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", bots_delay=0) as people:
        people.play_until(turn_of("Ana", could_play_first))
        page, other = (look(new_context, server, people, name) for name in ("Ana", "Bob"))
        held = find.cards(page).count()
        find.open_cards(page).last.click()
        chosen = find.chosen(page).evaluate_all("cards => cards.map(card => card.dataset.card)")
        assert chosen
        with closing(sqlite3.connect(server.folder / "rooms.sqlite3", isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            page.locator("[data-do=play]").click()
            for each in (page, other):
                expect(find.banner(each)).to_have_text(SAID)
            page.locator("[data-do=play]").click(force=True)
            assert find.chosen(page).evaluate_all("cards => cards.map(card => card.dataset.card)") == chosen
            database.execute("ROLLBACK")
        for each in (page, other):
            expect(find.banner(each)).to_have_count(0)
        expect(find.cards(page)).to_have_count(held - len(chosen))
        expect(find.refusal(page)).to_have_count(0)


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
