"""Test that a player has the same colour on every page."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Locator, expect

from tests.e2e import find
from tests.e2e.look.test_motion import look
from tests.e2e.people.crowd import crowd
from tests.e2e.server import Server

HUE = "[data-hue]"


def colour(where: Locator) -> str:
    """Return the colour behind the bird."""
    avatar = where.locator(HUE).first
    expect(avatar).to_be_visible()
    return str(avatar.evaluate("each => getComputedStyle(each).backgroundColor"))


def test_a_player_has_the_same_colour_on_every_page_and_on_the_television(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", options={"preset": "pagat", "seating": "by_rank", "hands": 2}) as people:
        page = look(new_context, server, people, "Ana", "reduce")
        at_table = {name: colour(page.locator(f"[data-seat={name}]")) for name in ("Bob", "Cat", "Dan")}
        assert len(set(at_table.values())) == 3
        screen = new_context().new_page()
        screen.goto(f"{server.url}/r/{people.code}/screen")
        on_screen = {name: colour(screen.locator(f"[data-seat={name}]")) for name in at_table}
        people.play_until(lambda update: update["room"]["phase"] == "finished")
        expect(find.result(page)).to_be_visible()
        in_result = {name: colour(find.result(page).locator(f"[data-who={name}]")) for name in at_table}
        assert in_result == on_screen == at_table
        at_table["Ana"] = colour(find.result(page).locator("[data-who=Ana]"))
        match = people.sees("Ana")["room"]["match_id"]
        page.goto(f"{server.url}/matches/{match}/replay?hand=0")
        assert {name: colour(page.locator(f"[data-seat={name}]")) for name in at_table} == at_table
        page.goto(f"{server.url}/r/{people.code}/book")
        heads = page.get_by_role("columnheader")
        in_book = {name: colour(heads.filter(has_text=name).filter(has=page.locator(HUE))) for name in at_table}
        assert in_book == at_table
