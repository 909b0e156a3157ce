"""Test that players see only their own forbidden last cards (PRES-83)."""

from typing import Any

import pytest

from app.engine.cards.action_codec import parse_action
from app.engine.cards.cards import parse_cards
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.hand import Deal
from app.engine.match.match import Match

GAME = GAMES["president"]


def hand(asked: dict[str, Any], plays: str, **cards: str) -> Match:
    """Return a hand with these cards after some plays. The first player leads."""
    match = Match.start(GAME, GAME.option_schema.resolve_options(asked), tuple(cards))
    match = match.begin_hand(Deal(tuple(cards)[-1], {name: parse_cards(held) for name, held in cards.items()})).match
    for play in filter(None, plays.split("; ")):
        match = match.apply_action(match.to_act[0], parse_action({"do": "play", "cards": play})).match
    return match


BAN = {"no_finish": ["best", "enders", "jokers"], "ending_ranks": "8", "jokers": 1, "joker_role": "wild"}


@pytest.mark.parametrize(
    ("asked", "plays", "told"),
    [
        ({"jokers": 1}, "", ""),
        (BAN, "", "8c 2s Xr"),
        ({**BAN, "foul": "refused"}, "", "8c 2s Xr"),
        (BAN | {"no_finish": ["enders"]}, "", "8c"),
        (BAN | {"no_finish": ["best"], "four_of_a_kind": "inverts"}, "4c 4d 4h 4s", "3c"),
        (BAN | {"giving_ranks": "4"}, "4c", "8c 2s Xr"),
    ],
    ids=str,
)
def test_the_player_to_act_sees_which_cards_are_forbidden_as_last_lead(
    asked: dict[str, Any], plays: str, told: str
) -> None:
    match = hand(asked, plays, Ana="3c 4c 4d 4h 4s 8c 2s Xr", Bob="5c 3d 8d 2d", Cat="6c 7c")
    if match.to_act == ("Bob",):
        match = match.apply_action("Bob", parse_action({"do": "pass"})).match
        match = match.apply_action("Cat", parse_action({"do": "pass"})).match
    assert views.seat_view(match, "Ana").get("not_last", "") == told
    assert views.seat_view(match, "Bob").get("not_last", "") == ""


def test_a_player_is_warned_if_playing_all_their_cards_is_a_foul() -> None:
    match = hand(BAN, "5c", Ana="5c 6c", Bob="8c", Cat="7c 9c")
    assert (views.seat_view(match, "Bob")["foul"], views.seat_view(match, "Bob")["not_last"]) == (True, "8c")
    match = hand(BAN, "5c", Ana="5c 6c", Bob="9d", Cat="7c 9c")
    assert (views.seat_view(match, "Bob")["foul"], views.seat_view(match, "Bob")["not_last"]) == (False, "")


@pytest.mark.parametrize(
    ("asked", "strong"),
    [
        ({}, ""),
        ({"spade_three": "beats"}, ""),
        ({"spade_three": "beats", "jokers": 1}, "3s"),
        ({"spade_three": "ends", "jokers": 2, "threes": "high"}, "3s 3c 3d 3h"),
    ],
    ids=str,
)
def test_the_table_view_names_cards_stronger_than_their_rank(asked: dict[str, Any], strong: str) -> None:
    assert views.table_view(hand(asked, "", Ana="3c 4c", Bob="5c", Cat="6c"))["strong"] == strong


@pytest.mark.parametrize(
    ("plays", "inverted", "turned"),
    [("3c", False, False), ("Jc", True, True), ("4c 4d 4h 4s", True, False)],
)
def test_the_table_view_shows_whether_an_inversion_ends_with_the_trick(
    plays: str, inverted: bool, turned: bool
) -> None:
    asked = {"back_ranks": "J", "four_of_a_kind": "inverts"}
    table = views.table_view(hand(asked, plays, Ana="3c Jc 4c 4d 4h 4s", Bob="5c", Cat="6c"))
    assert (table["inverted"], table["inverted_for_trick"]) == (inverted, turned)
