"""Test matches: hands in a row, ledger, hierarchy, players who come and go, and decrees."""

import json
from random import Random
from typing import Any

import pytest

from app.engine.base.errors import RuleError
from app.engine.cards.actions import Action, Decree, Defy, JoinMatch, LeaveMatch, Obey, OfferCut, Pass, Shuffle, Swap
from app.engine.cards.cards import parse_cards
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.hand import Deal
from app.engine.match.match import Match

PRESIDENT = GAMES["president"]


def started(*names: str, **options: Any) -> Match:
    return Match.start(PRESIDENT, PRESIDENT.option_schema.resolve_options(options), names or ("Ana", "Bob", "Cat"))


def dealt(match: Match, **cards: str) -> Match:
    return match.begin_hand(Deal(match.seats[0], {name: parse_cards(held) for name, held in cards.items()})).match


def played_out(match: Match, seed: int = 1) -> Match:
    """Return the match after one hand in which all players take their first legal action."""
    pack = list(match.deck())
    Random(seed).shuffle(pack)
    match = match.begin_hand(match.deal(tuple(pack))).match
    while match.is_hand_running:
        match = match.apply_action(*list(match.legal_actions())[-1]).match
    return match


def refused(match: Match, by: str, action: Action, *, between: bool = False) -> RuleError:
    with pytest.raises(RuleError) as caught:
        (match.apply_between_hands if between else match.apply_action)(by, action)
    return caught.value


def test_a_new_match_is_between_hands_and_every_player_has_the_start_points() -> None:
    match = started(start_points=3)
    assert (match.phase, match.is_hand_running, match.to_act, match.hierarchy) == ("between", False, (), ())
    assert match.totals == {"Ana": 3, "Bob": 3, "Cat": 3}
    assert list(match.legal_actions()) == []


@pytest.mark.parametrize("names", [("Ana", "Ana", "Bob"), ("Ana", "", "Bob")])
def test_empty_and_duplicate_names_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(RuleError, match="needs a different name"):
        started(*names)


def test_too_few_players_are_refused_with_the_allowed_number() -> None:
    with pytest.raises(RuleError, match="for 3 to") as caught:
        started("Ana", "Bob")
    assert caught.value.code == "bad_player_count"


def test_a_refused_action_changes_nothing() -> None:
    match = dealt(started(), Ana="4c 7c", Bob="5c 8c", Cat="6c 9c")
    before = repr(match)
    assert refused(match, "Cat", Pass()).code == "not_your_turn"
    assert refused(match, "Dan", Pass()).code == "bad_action"
    assert refused(match, "Bob", Swap()).code == "bad_action", "another game's action"
    assert repr(match) == before


def test_a_finished_hand_sets_the_hierarchy_titles_and_points() -> None:
    match = played_out(started())
    assert match.phase == "over"
    assert match.last is not None
    assert match.hierarchy == match.last.standing == match.standing()
    assert match.totals == match.last.ledger
    assert set(match.last.titles) == {"Ana", "Bob", "Cat"}


def test_dealing_and_leaving_are_refused_during_a_hand() -> None:
    match = dealt(started(), Ana="4c 7c", Bob="5c 8c", Cat="6c 9c")
    with pytest.raises(RuleError) as caught:
        dealt(match, Ana="4c", Bob="5c", Cat="6c")
    assert caught.value.code == "not_in_this_phase"
    assert refused(match, "Ana", LeaveMatch(), between=True).code == "not_in_this_phase"


def test_points_of_players_who_leave_stay_in_the_totals() -> None:
    match = played_out(started("Ana", "Bob", "Cat", "Dan"))
    first = match.hierarchy[0]
    left = match.apply_between_hands(first, LeaveMatch()).match
    assert first not in left.seats
    assert first not in left.hierarchy
    assert left.totals == match.totals
    assert played_out(left, 2).totals[first] == match.totals[first]


def test_joining_under_the_name_of_a_seated_player_is_refused() -> None:
    assert refused(started(), "Ana", JoinMatch(), between=True).code == "bad_action"


def test_decrees_are_answered_oldest_first_and_dropped_if_the_player_leaves() -> None:
    match = played_out(started("Ana", "Bob", "Cat", "Dan"))
    top, low = match.hierarchy[0], match.hierarchy[-1]
    match = match.apply_between_hands(top, Decree("Bow!", low)).match
    match = match.apply_between_hands(top, Decree("Sing!")).match
    assert match.next_decree_by_player()[low] == "Bow!"
    assert [views.seat_view(match, name)["off_turn"] for name in (low, top)] == [[{"do": "obey"}, {"do": "defy"}], []]
    assert match.apply_between_hands(low, LeaveMatch()).match.next_decree_by_player().keys() == set(match.seats) - {
        top,
        low,
    }
    step = match.apply_between_hands(low, Defy())
    assert [(event.name, event.data["text"]) for event in step.events] == [("defied", "Bow!")]
    assert step.match.next_decree_by_player()[low] == "Sing!"
    assert refused(step.match, top, Obey(), between=True).code == "not_in_this_phase"


def test_decrees_go_to_lower_players_in_president_and_from_the_king_in_ceausescu() -> None:
    match = played_out(started("Ana", "Bob", "Cat", "Dan"))
    top, second, third, low = match.hierarchy
    step = match.apply_between_hands(second, Decree("Sing!"))
    assert step.match.next_decree_by_player().keys() == {third, low}
    assert [event.cause for event in step.events] == ["PRES-49"]
    assert set(match.decree_subjects(top)) == {second, third, low}
    assert views.seat_view(match, third)["subjects"] == [low]
    assert not views.seat_view(match, low)["decree"]
    for by, to in ((low, None), (third, second)):
        error = refused(match, by, Decree("Sing!", to), between=True)
        assert (error.code, error.rule) == ("not_in_this_phase", "PRES-49")
    ceausescu = GAMES["ceausescu"]
    realm = played_out(Match.start(ceausescu, ceausescu.option_schema.resolve_options(), ("Ana", "Bob", "Cat")))
    king, middle, serf = realm.hierarchy
    assert [event.cause for event in realm.apply_between_hands(king, Decree("Sing!")).events] == ["CEAU-28"]
    assert set(realm.decree_subjects(king)) == {middle, serf}
    assert refused(realm, middle, Decree("Sing!", serf), between=True).rule == "CEAU-28"


@pytest.mark.parametrize("key", GAMES)
def test_a_match_is_the_same_after_it_was_saved_and_loaded(key: str) -> None:
    game = GAMES[key]
    match = Match.start(game, game.option_schema.resolve_options(), ("Ana", "Bob", "Cat", "Dan"))
    for seed in (1, 2):
        assert Match.from_json(json.loads(json.dumps(match.to_json())), GAMES).to_json() == match.to_json()
        match = played_out(match, seed)
    loaded = Match.from_json(json.loads(json.dumps(match.to_json())), GAMES)
    assert loaded.to_json() == match.to_json()
    assert played_out(loaded, 3).to_json() == played_out(match, 3).to_json()


@pytest.mark.parametrize("key", ["president", "ceausescu"])
def test_a_match_started_with_a_hierarchy_keeps_titles_and_begins_with_exchange(key: str) -> None:
    game = GAMES[key]
    options = game.option_schema.resolve_options()
    match = Match.start(game, options, ("Ana", "Bob", "Cat", "Dan"), ("Dan", "Bob", "Ana", "Cat"))
    assert match.hierarchy == ("Dan", "Bob", "Ana", "Cat")
    king = played_out(Match.start(game, options, match.seats))
    assert game.titles(match)["Dan"] == game.titles(king)[king.hierarchy[0]]
    assert match.game.next_dealer(match) == "Cat"
    pack = list(match.deck())
    Random(3).shuffle(pack)
    begun = match.begin_hand(match.deal(tuple(pack))).match
    assert begun.phase == "exchange"
    assert dict.fromkeys(match.seats, game.starting_credit(options)) == match.totals


def test_players_without_a_place_count_as_newcomers_and_absent_names_are_dropped() -> None:
    ranks = ("Eve", "Dan", "Ana", "Cat")
    names = ("Ana", "Bob", "Cat", "Dan")
    low = Match.start(PRESIDENT, PRESIDENT.option_schema.resolve_options(), names, ranks)
    assert low.hierarchy == low.seats == ("Dan", "Ana", "Cat", "Bob")
    middle = PRESIDENT.option_schema.resolve_options({"newcomers": "middle", "seating": "fixed"})
    match = Match.start(PRESIDENT, middle, names, ranks)
    assert (match.hierarchy, match.seats) == (("Dan", "Ana", "Bob", "Cat"), names)
    strangers = Match.start(PRESIDENT, PRESIDENT.option_schema.resolve_options(), names, ("Eve", "Fay"))
    assert (strangers.hierarchy, strangers.seats) == ((), names)


@pytest.mark.parametrize("key", ["big_two", "chase_the_ace"])
def test_a_carried_hierarchy_is_ignored_in_games_without_a_lasting_hierarchy(key: str) -> None:
    game = GAMES[key]
    fresh = Match.start(game, game.option_schema.resolve_options(), ("Ana", "Bob", "Cat"))
    assert Match.start(game, game.option_schema.resolve_options(), fresh.seats, ("Cat", "Ana")) == fresh


def test_the_player_who_cuts_by_hand_is_shown_the_limits_of_the_cut() -> None:
    match = played_out(started(faults=True, dealer="top", exchange="none", packs=2))
    match = match.begin_hand(match.deal(tuple(match.deck()))).match
    top, low = match.hierarchy[0], match.hierarchy[-1]
    match = match.apply_action(top, Shuffle()).match.apply_action(top, OfferCut()).match
    assert views.seat_view(match, low)["action_limits"] == {
        "cut": {"least": 1, "most": len(match.deck()) - 1, "claim": False}
    }
    assert views.seat_view(match, top)["action_limits"] == {}
