"""Test the page's check of played cards with random hands of all games: it accepts each, and finds swapped piles."""

import json
import subprocess
from pathlib import Path
from random import Random
from typing import Any

from app.engine.display.events import animations_by_event
from app.engine.games import GAMES
from app.engine.match import views
from tools.property_checks.playout import Playout

RUN = Path(__file__).parents[2] / "js" / "pages" / "check_moves.js"
HANDS = 4
"""Number of random matches of each game, with two hands each."""


def random_hands() -> list[dict[str, Any]]:
    """Play random hands; return the dealt cards, the stock and the public events of each."""
    hands = []
    for number, game in enumerate([*GAMES.values()] * HANDS):
        played = Playout.random_match(game, Random(number))
        played.refusal_check_rate = played.cost_check_rate = played.leak_check_rate = 0
        for _ in range(2):
            if not played.match.over:
                played.play_hand(check=False)
                record = played.hand_records[-1]
                shown = views.visible_events(played.hand_events, None)
                hands.append({"cards": record["cards"], "stock": record.get("stock", ""), "events": shown})
    return hands


def with_swapped_piles(hand: dict[str, Any]) -> dict[str, Any]:
    one, other, *_ = hand["cards"]
    return {**hand, "cards": {**hand["cards"], one: hand["cards"][other], other: hand["cards"][one]}}


def found(hands: list[dict[str, Any]]) -> list[Any]:
    asked = json.dumps({"animations": animations_by_event(), "hands": hands})
    told = subprocess.run(["node", str(RUN)], input=asked, capture_output=True, text=True, check=True)
    return list(json.loads(told.stdout))


def test_the_page_accepts_all_honest_hands_and_finds_most_swapped_piles() -> None:
    hands = random_hands()
    assert len(hands) > 4 * HANDS
    assert found(hands) == [None] * len(hands)
    swapped = found([with_swapped_piles(hand) for hand in hands])
    # Gifts and trades can explain other cards, and in some games nobody plays cards.
    assert sum(each is not None for each in swapped) > len(hands) / 3
