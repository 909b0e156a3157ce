"""Actions and their JSON form."""

from typing import Any, get_args

import pytest

from app.engine.base.errors import RuleError
from app.engine.cards.action_codec import FORMS, LONGEST_DECREE, NAMES, action_json, parse_action
from app.engine.cards.actions import Action, Bomb, Cut, DealOut, Decree, Discard, Give, Offer, Pass, Play, Say, cards_of
from app.engine.cards.cards import named_cards

SOME: tuple[Action, ...] = (
    Pass(),
    Play(named_cards("7c 7d")),
    Play(named_cards("7c Xr"), as_="8", call="red"),
    Give(named_cards("3c")),
    Give(to=(("Ana", named_cards("3c")), ("Bob", named_cards("4c 4d")))),
    Discard(named_cards("3c 4d")),
    Discard(),
    Bomb("4K"),
    Say(have="K"),
    Say(want="X"),
    Offer(named_cards("2s"), claim="4"),
    Cut(0),
    DealOut("Ana"),
    Decree("Bow!"),
    Decree("Bow!", to="Bob"),
)


@pytest.mark.parametrize("action", SOME, ids=str)
def test_an_action_is_read_as_it_is_written(action: Action) -> None:
    assert parse_action(action_json(action)) == action


def test_every_action_has_one_name_and_each_can_be_written() -> None:
    assert set(get_args(Action)) == set(NAMES)
    assert len(FORMS) == len(NAMES)


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if not form.fields])
def test_a_plain_action_is_its_name(name: str) -> None:
    assert action_json(parse_action({"do": name})) == {"do": name}


def test_who_acts_stands_beside_the_action() -> None:
    assert action_json(Pass(), "Ana") == {"do": "pass", "by": "Ana"}
    assert parse_action({"do": "pass", "by": "Ana"}) == Pass()


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (None, "“do”"),
        ("pass", "“do”"),
        ({}, "no action “None”"),
        ({"do": "fly"}, "no action “fly”"),
        ({"do": ["pass"]}, "no action"),
        ({"do": "pass", "cards": "3c"}, "“pass” has no “cards”"),
        ({"do": "play"}, "names its cards"),
        ({"do": "play", "cards": []}, "names its cards"),
        ({"do": "play", "cards": "3c", "as": 3}, "“as” is a short text"),
        ({"do": "give"}, "names its cards"),
        ({"do": "give", "cards": "3c", "to": {"Ana": "3c"}}, "under “to”"),
        ({"do": "discard"}, "names them"),
        ({"do": "bomb"}, "names ranks"),
        ({"do": "bomb", "ranks": 4}, "“ranks” is a short text"),
        ({"do": "say"}, "either"),
        ({"do": "say", "have": "3", "want": "4"}, "either"),
        ({"do": "say", "have": "10"}, "is a rank"),
        ({"do": "offer", "cards": "3c", "claim": "1"}, "is a rank"),
        ({"do": "cut"}, "after how many cards"),
        ({"do": "cut", "at": True}, "after how many cards"),
        ({"do": "cut", "at": -1}, "after how many cards"),
        ({"do": "deal"}, "who gets the first card"),
        ({"do": "decree", "text": "  "}, "at most"),
        ({"do": "decree", "text": "x" * (LONGEST_DECREE + 1)}, "at most"),
    ],
)
def test_what_is_no_action_is_refused_with_what_would_be_one(value: Any, says: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse_action(value)
    assert caught.value.code == "bad_action"
    assert says in caught.value.sentence


def test_a_card_that_is_none_is_told_apart_from_a_bad_action() -> None:
    action = parse_action({"do": "play", "cards": "1c"})
    assert cards_of(action) == ("1c",), "whether there is such a card is asked when it is played"


def test_all_cards_of_an_action_are_found() -> None:
    assert [" ".join(cards_of(action)) for action in SOME] == [
        "", "7c 7d", "7c Xr", "3c", "3c 4c 4d", "3c 4d", "", "", "", "", "2s", "", "", "", "",
    ]  # fmt: skip
