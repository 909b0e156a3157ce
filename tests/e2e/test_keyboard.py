"""By keyboard alone: coming in, two hands with whatever is given between them, the result, another match, leaving."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e.crowd import Crowd
from tests.e2e.server import Server
from tests.e2e.typist import Typist

NewContext = Callable[..., BrowserContext]

GAMES: dict[str, dict[str, Any]] = {
    "president": {"game": "president", "bots": ["greedy"] * 3},
    "big_two": {"game": "big_two", "bots": ["greedy"] * 3},
    "ceausescu": {"game": "ceausescu", "bots": ["greedy"] * 3},
    "chase_the_ace": {"game": "chase_the_ace", "bots": ["greedy"] * 3},
}


@pytest.mark.parametrize("game", GAMES)
def test_an_evening_by_keyboard_alone(new_context: NewContext, server: Server, game: str) -> None:
    host = Crowd(server.url, ["Zed"])
    try:
        link = host.open(bots_delay=0, **GAMES[game])
        bob = Typist(new_context().new_page(), "Bob")
        page = bob.page
        bob.join(link)
        host.do("Zed", "hand_over", name="Bob")
        host.do("Zed", "leave")
        bob.enter(page.locator("[data-do=start]"))

        done, hands = bob.play_hand(), 1
        # Whoever is dealt a king in Chase the Ace is not asked anything.
        while hands < 2 or not done:
            bob.enter(page.get_by_role("button", name="Deal the next hand"))
            expect(page.locator(".result")).to_have_count(0)
            done, hands = done + bob.play_hand(), hands + 1

        bob.enter(page.get_by_role("button", name="Menu"))
        stop = page.locator("dialog [data-ask=stop]")
        bob.enter(stop)
        bob.enter(stop)
        bob.enter(page.get_by_role("button", name="Play again"))
        bob.enter(page.locator("[data-do=start]"))
        expect(page.locator(".hand .card, .exchange").first).to_be_visible()
        bob.enter(page.get_by_role("button", name="Menu"))
        bob.press("Escape")
        expect(page.get_by_role("button", name="Menu")).to_be_focused()
        bob.press("Enter")
        leave = page.locator("dialog [data-ask=leave]")
        bob.enter(leave)
        assert bob.lost == []
        bob.enter(leave)
        page.wait_for_url(f"{server.url}/")
        assert not bob.complaints
    finally:
        host.close()
