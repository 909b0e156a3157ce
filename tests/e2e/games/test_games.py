"""Test that every game can be played in the browser with the same page."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e import find
from tests.e2e.games.test_specials import look
from tests.e2e.people.crowd import crowd
from tests.e2e.people.guests import Guest, play_with_bots
from tests.e2e.server import Server

GAMES: dict[str, dict[str, Any]] = {
    "tien_len": {"game": "tien_len", "bots": ["random"] * 3},
    "pao_de_kuai": {"game": "pao_de_kuai", "bots": ["random"] * 2},
    "big_two with honours out of turn": {"game": "big_two", "options": {"preset": "gamesky"}, "bots": ["random"] * 3},
    "ceausescu": {"game": "ceausescu", "bots": ["random"] * 3},
    "chase the ace with twenty": {"game": "chase_the_ace", "bots": ["random"] * 19},
    "kings and bastards with calls": {
        "options": {"preset": "kings_and_bastards", "ordering": True},
        "bots": ["random"] * 3,
    },
    "wild cards": {"options": {"preset": "huberes"}, "bots": ["random"] * 5},
    "daifugō": {"options": {"preset": "daifugo"}, "bots": ["random"] * 3},
    "uecda": {"options": {"preset": "uecda"}, "bots": ["random"] * 4},
    "board game arena today, for two": {"options": {"preset": "bga_now"}, "bots": ["random"]},
}


@pytest.mark.parametrize("name", GAMES)
def test_a_hand_of_every_game_can_be_played(
    new_context: Callable[..., BrowserContext], server: Server, name: str
) -> None:
    ana = Guest(new_context(has_touch=name == "pao_de_kuai").new_page(), "Ana")
    ana.open_room(server.url, **GAMES[name])
    find.start_match(ana.page)
    play_with_bots(ana)
    expect(find.result(ana.page).locator("tbody tr")).to_have_count(1 + len(GAMES[name]["bots"]))
    assert not ana.complaints


def test_a_manual_deal_is_shuffled_cut_and_dealt(new_context: Callable[..., BrowserContext], server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat", options={"preset": "landlord"}) as people:
        people.play_until(lambda update: update["room"]["phase"] == "between_hands")
        places = people.sees("Ana")["table"]["standing"]
        people.do("Ana", "deal_next")
        top, bottom = (look(new_context, server, people, name) for name in (places[0], places[-1]))
        top.get_by_role("button", name="Shuffle").click()
        top.get_by_role("button", name="Offer cut").click()
        bottom.locator("input[type=range]").fill("20")
        expect(bottom.get_by_text("Cut after 20 cards")).to_be_visible()
        bottom.get_by_role("button", name="Cut here").click()
        # The dealer holds the first place. The first card goes to the player on the left, who came second.
        top.locator("[data-do=deal]", has_text=places[1]).click()
        expect(find.cards(top).first).to_be_visible()
        expect(find.latest(bottom)).not_to_contain_text("fault")
        expect(find.cards(bottom).first).to_be_visible()
