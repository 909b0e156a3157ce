"""Test which cards a player knows for certain after an exchange of hidden cards."""

from typing import Any

import pytest

from app.bots import BOTS
from app.bots.simple import easy_bot
from app.bots.view import known_cards
from app.bots.view.seat_view import SeatReader


def view(cards: str, dealt: str, told: list[dict[str, Any]], acted: tuple[str, ...] = (), **shown: str) -> Any:
    table = {"game": "chase_the_ace", "ranks": "A23456789TJQK", "players": {}, "acted": list(acted), "shown": shown}
    you = {"name": "Me", "cards": cards, "legal": [{"do": "keep"}, {"do": "swap"}]}
    return {"room": {}, "table": table, "you": you, "told": told, "dealt": dealt}


def swapped(one: str, other: str) -> dict[str, Any]:
    return {"e": "swapped", "by": one, "to": other}


MINE = [swapped("Ana", "Me"), {"e": "got", "cards": "4c"}]


@pytest.mark.parametrize(
    ("says", "seen", "safe"),
    [
        ("who took the two has it still", view("4c", "2s", MINE, ("Ana",)), True),
        ("a better card went", view("4c", "9s", MINE, ("Ana",)), False),
        ("nothing is known of others' cards", view("4c", "4c", []), False),
        ("a card that lies open", view("4c", "4c", [], ("Bob",), Bob="2d"), True),
        ("it may yet be swapped on", view("4c", "4c", [], (), Bob="2d"), False),
        ("of one's own nothing follows", view("4c", "4c", [], ("Me",), Me="2d"), False),
    ],
)
def test_a_bot_that_knows_a_lower_card_of_another_player_is_safe(says: str, seen: Any, safe: bool) -> None:
    assert known_cards.is_certainly_not_lowest(SeatReader(seen), seen) is safe, says


def test_the_medium_bot_keeps_a_low_card_that_is_known_to_be_safe() -> None:
    seen = view("4c", "2s", MINE, ("Ana",))
    rng: Any = None
    assert easy_bot.choose(seen, rng) == {"do": "swap"}, "a low card"
    assert BOTS["medium"](seen, rng) == {"do": "keep"}


def test_a_known_card_is_followed_through_swaps() -> None:
    told = [*MINE, swapped("Ana", "Bob"), {"e": "drew_from_stock", "by": "Ana"}]
    assert known_cards.known_cards_of_others("Me", view("4c", "2s", told)) == {"Bob": "2s"}
