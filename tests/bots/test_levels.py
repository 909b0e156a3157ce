"""Test that bots of different levels often choose different actions in the same turn."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from app.bots.network import small_network_bot
from app.bots.search import search_bot
from app.bots.search.monte_carlo import Budget
from app.bots.simple import easy_bot
from app.bots.view.seat_view import SeatReader, View
from app.engine.match.hidden_state import build_seat_knowledge
from app.engine.match.match import Match
from tests.bots.test_small_network_bot import hand_of

FEW = Budget(worlds=6)
RNG: Any = Random(1)


def at_leads(game: str, hands: int) -> Counter[str]:
    """Count the leads with a choice, and those at which two levels lead different cards.

    Where suits don't count, cards of the same ranks are not different.
    """
    found = Counter[str]()
    for seed in range(hands):
        for match, view in hand_of(game, seed):
            seat = SeatReader(view)
            if len(seat.legal) > 1 and seat.is_leading and seat.legal_actions_of_kind("play"):
                easy, medium = easy_bot.choose(view, RNG), small_network_bot.choose(view, RNG)
                found["leads"] += 1
                found["easy and medium"] += not seat.are_equivalent(easy, medium)
                found["medium and hard"] += not seat.are_equivalent(medium, thought(match, view))
    return found


def thought(match: Match, view: View) -> dict[str, Any]:
    veiled = build_seat_knowledge(match, view["you"]["name"], view["told"])
    return search_bot.choose({**view, "veiled": veiled}, Random(1), FEW)


@pytest.mark.parametrize("game", ["president", "ceausescu"])
def test_easy_medium_and_hard_bots_often_lead_different_cards(game: str) -> None:
    found = at_leads(game, 2)
    assert found["easy and medium"] > found["leads"] / 6, found
    assert found["medium and hard"] > found["leads"] / 6, found
