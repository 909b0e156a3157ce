"""Test the reasons for points in words and amounts.

Random matches check that they add up to the ledger (tools/property_checks/ledgers.py).
"""

from typing import Any

import pytest

from app.engine.base.messages import TranslatableMessage, english_texts, fill_placeholders
from app.engine.cards.cards import Cards, parse_cards
from app.engine.display.point_reasons import PointReason, point_reason, sum_points
from app.engine.games import GAMES
from app.engine.games.big_two import scoring
from app.engine.games.big_two.rules import rules_of
from app.engine.match.hand import HandResult

BIG_TWO = GAMES["big_two"]
LEFT = {"Ana": "", "Bob": "3d 4d 5d", "Cat": "3s 4s 5s 6s 7s 8s 9s Ts Js 2s"}
"""The cards left at the end: Ana is out, Bob has three cards, Cat has ten with a two."""


def reasons(left: dict[str, str] = LEFT, liable: str | None = None, **options: Any) -> tuple[PointReason, ...]:
    chosen = BIG_TWO.option_schema.resolve_options(options)
    cards: dict[str, Cards] = {name: parse_cards(held) for name, held in left.items()}
    standing = tuple(sorted(left, key=lambda name: len(cards[name])))
    outcome = scoring.HandToScore(standing, cards, "Cat", None, (), liable)
    return scoring.point_reasons(chosen, outcome, rules_of(chosen).combination_rules)


def read(found: tuple[PointReason, ...], name: str) -> list[tuple[str, int]]:
    """Return a player's reasons in English."""
    return [(in_words(reason), reason.amount) for reason in found if reason.name == name]


def in_words(reason: PointReason) -> str:
    texts, form = english_texts(), "one" if reason.values.get("count") == 1 else "other"
    return fill_placeholders(texts.get(reason.key) or texts[f"{reason.key}.{form}"], reason.values)


@pytest.mark.parametrize(
    ("options", "bob", "cat"),
    [
        ({}, [("3 cards left", -3)], [("10 cards left", -10), ("Doubled: 10 cards or more left", -10)]),
        (
            {"twos_double": True, "stake": 5, "doubling": [[9, 3], [12, 4]]},
            [("3 cards left", -15)],
            [("10 cards left", -50), ("Tripled: 9 cards or more left", -100), ("Doubled for a two left", -150)],
        ),
        (
            {"settlement": "pairs"},
            [("3 cards left", -3), ("The same to one more player", -3), ("From Cat", 20)],
            [
                ("From Bob", 3),
                ("10 cards left", -10),
                ("Doubled: 10 cards or more left", -10),
                ("The same to one more player", -20),
            ],
        ),
        (
            {"settlement": "pairs_by_difference", "doubling": [[5, 4]]},
            [("3 cards more than Ana", -3), ("7 cards fewer than Cat", 7), ("Times 4: 5 cards or more left", 21)],
            [
                ("10 cards more than Ana", -10),
                ("Times 4: 5 cards or more left", -30),
                ("7 cards more than Bob", -7),
                ("Times 4: 5 cards or more left", -21),
            ],
        ),
        ({"scoring": "loser_pays"}, [], [("Kept the best card", -1)]),
        (
            {"scoring": "indonesia"},
            [("3 cards left", -3)],
            [("10 cards left", -10), ("1 two among the cards left", -4)],
        ),
    ],
)
def test_big_two_gives_a_reason_for_every_payment(
    options: dict[str, Any], bob: list[tuple[str, int]], cat: list[tuple[str, int]]
) -> None:
    found = reasons(**options)
    assert read(found, "Bob") == bob
    assert read(found, "Cat") == cat


def test_a_player_who_left_the_door_open_pays_the_losses_of_the_others() -> None:
    found = reasons(liable="Bob", settlement="winner_only")
    assert read(found, "Ana") == [("From Bob", 3), ("From Cat", 20)]
    assert read(found, "Bob") == [("3 cards left", -3), ("Paid for Cat, after letting the winner finish", -20)]
    assert read(found, "Cat")[-1] == ("Paid by Bob, who let the winner finish", 20)
    assert sum_points(LEFT, found, "points") == {"Ana": 23, "Bob": -23, "Cat": 0}


def test_a_player_who_goes_out_after_the_winner_has_no_payment_reasons() -> None:
    found = reasons({**LEFT, "Dan": ""}, settlement="winner_only", play_on=True)
    assert [(reason.name, reason.amount) for reason in found] == [
        ("Bob", -3), ("Ana", 3), ("Cat", -10), ("Cat", -10), ("Ana", 20)
    ]  # fmt: skip


def test_a_result_with_an_added_reason_includes_its_points() -> None:
    pot = point_reason("Ana", TranslatableMessage("Won the pot", "chase.reason.pot", {}), 9, "stakes")
    before = HandResult.from_reasons("Ana", ("Ana", "Bob"), {}, ("Ana", "Bob"), (), "stakes")
    after = before.with_reason(pot)
    assert (before.ledger["Ana"], after.ledger["Ana"], after.reasons) == (0, 9, (pot,))
    assert HandResult.from_json(after.to_json()) == after


def test_a_stored_result_without_reasons_can_be_read() -> None:
    kept = {"dealer": "Ana", "standing": ["Ana", "Bob"], "titles": {}, "ledger": {"Ana": 2, "Bob": 0}, "events": []}
    assert HandResult.from_json(kept) == HandResult("Ana", ("Ana", "Bob"), {}, {"Ana": 2, "Bob": 0})
