"""Test actions and their JSON form."""

from typing import Any, get_args

import pytest

from app.engine.base.errors import RuleError
from app.engine.cards.action_codec import ACTION_NAMES, ACTION_SPECS, MAX_DECREE_LENGTH, action_to_json, parse_action
from app.engine.cards.actions import (
    Action,
    AnnounceRank,
    Bomb,
    Cut,
    DealByHand,
    Decree,
    Discard,
    Give,
    Offer,
    Pass,
    Play,
    cards_in_action,
)
from app.engine.cards.cards import parse_card_names
from tests.for_each import for_each

SOME: tuple[Action, ...] = (
    Pass(),
    Play(parse_card_names("7c 7d")),
    Play(parse_card_names("7c Xr"), as_="8", call="red"),
    Give(parse_card_names("3c")),
    Give(to=(("Ana", parse_card_names("3c")), ("Bob", parse_card_names("4c 4d")))),
    Discard(parse_card_names("3c 4d")),
    Discard(),
    Bomb("4K"),
    AnnounceRank(have="K"),
    AnnounceRank(want="X"),
    Offer(parse_card_names("2s"), claim="4"),
    Cut(0),
    DealByHand("Ana"),
    Decree("Bow!"),
    Decree("Bow!", to="Bob"),
)


@for_each("action", SOME)
def test_an_action_survives_writing_and_parsing(action: Action) -> None:
    assert parse_action(action_to_json(action)) == action


def test_every_action_class_has_a_unique_name() -> None:
    assert set(get_args(Action)) == set(ACTION_NAMES)
    assert len(ACTION_SPECS) == len(ACTION_NAMES)


@for_each("name", [name for name, form in ACTION_SPECS.items() if not form.fields])
def test_an_action_without_fields_is_written_as_its_name(name: str) -> None:
    assert action_to_json(parse_action({"do": name})) == {"do": name}


def test_the_actor_is_written_next_to_the_action() -> None:
    assert action_to_json(Pass(), "Ana") == {"do": "pass", "by": "Ana"}
    assert parse_action({"do": "pass", "by": "Ana"}) == Pass()


@for_each(
    ("value", "says"),
    [
        (None, "“do”"),
        ("pass", "“do”"),
        ({}, "The action “None” does not exist."),
        ({"do": "fly"}, "The action “fly” does not exist."),
        ({"do": ["pass"]}, "does not exist"),
        ({"do": "pass", "cards": "3c"}, "“pass” has no “cards”"),
        ({"do": "play"}, "must name its cards."),
        ({"do": "play", "cards": []}, "must name its cards."),
        ({"do": "play", "cards": "3c", "as": 3}, "“as” must be a short text"),
        ({"do": "give"}, "must name its cards."),
        ({"do": "give", "cards": "3c", "to": {"Ana": "3c"}}, "under “to”"),
        ({"do": "discard"}, "A discard must name its cards (“cards”)."),
        ({"do": "bomb"}, "A bomb must name ranks (“ranks”), such as “4K”."),
        ({"do": "bomb", "ranks": 4}, "“ranks” must be a short text"),
        ({"do": "say"}, "either"),
        ({"do": "say", "have": "3", "want": "4"}, "either"),
        ({"do": "say", "have": "10"}, "must be a rank: 3 … 9 T J Q K A 2, or X for a joker."),
        ({"do": "offer", "cards": "3c", "claim": "1"}, "must be a rank: 3 … 9 T J Q K A 2, or X for a joker."),
        ({"do": "cut"}, "A cut must say where to cut (“at”, a number of cards)."),
        ({"do": "cut", "at": True}, "A cut must say where to cut (“at”, a number of cards)."),
        ({"do": "cut", "at": -1}, "A cut must say where to cut (“at”, a number of cards)."),
        ({"do": "deal"}, "who gets the first card"),
        ({"do": "decree", "text": "  "}, "at most"),
        ({"do": "decree", "text": "x" * (MAX_DECREE_LENGTH + 1)}, "at most"),
    ],
)
def test_an_invalid_action_is_refused_with_the_valid_form(value: Any, says: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse_action(value)
    assert caught.value.code == "bad_action"
    assert says in caught.value.sentence


def test_an_action_with_an_unknown_card_can_still_be_parsed() -> None:
    action = parse_action({"do": "play", "cards": "1c"})
    assert cards_in_action(action) == ("1c",), "whether there is such a card is asked when it is played"


def test_all_cards_of_an_action_are_found() -> None:
    assert [" ".join(cards_in_action(action)) for action in SOME] == [
        "", "7c 7d", "7c Xr", "3c", "3c 4c 4d", "3c 4d", "", "", "", "", "2s", "", "", "", "",
    ]  # fmt: skip
