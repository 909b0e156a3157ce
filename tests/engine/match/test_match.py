"""A match: hands one after the other, a ledger and a hierarchy that last, people who come and go, decrees."""

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
    return Match.start(PRESIDENT, PRESIDENT.declared.resolve(options), names or ("Ana", "Bob", "Cat"))


def dealt(match: Match, **cards: str) -> Match:
    return match.begin(Deal(match.seats[0], {name: parse_cards(held) for name, held in cards.items()})).match


def played_out(match: Match, seed: int = 1) -> Match:
    """The match after one whole hand, everybody taking the first thing that may be done."""
    pack = list(match.deck())
    Random(seed).shuffle(pack)
    match = match.begin(match.deal(tuple(pack))).match
    while match.running:
        match = match.act(*list(match.legal())[-1]).match
    return match


def refused(match: Match, by: str, action: Action, *, between: bool = False) -> RuleError:
    with pytest.raises(RuleError) as caught:
        (match.between if between else match.act)(by, action)
    return caught.value


def test_a_match_begins_between_hands_with_everybody_at_their_first_points() -> None:
    match = started(start_points=3)
    assert (match.phase, match.running, match.to_act, match.hierarchy) == ("between", False, (), ())
    assert match.totals == {"Ana": 3, "Bob": 3, "Cat": 3}
    assert list(match.legal()) == []


@pytest.mark.parametrize("names", [("Ana", "Ana", "Bob"), ("Ana", "", "Bob")])
def test_everybody_needs_a_name_of_their_own(names: tuple[str, ...]) -> None:
    with pytest.raises(RuleError, match="a name of their own"):
        started(*names)


def test_too_few_or_too_many_are_refused_with_how_many_may_play() -> None:
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


def test_a_hand_that_is_over_leaves_standing_titles_and_points() -> None:
    match = played_out(started())
    assert match.phase == "over"
    assert match.last is not None
    assert match.hierarchy == match.last.standing == match.standing()
    assert match.totals == match.last.ledger
    assert set(match.last.titles) == {"Ana", "Bob", "Cat"}


def test_the_next_hand_waits_until_this_one_is_over() -> None:
    match = dealt(started(), Ana="4c 7c", Bob="5c 8c", Cat="6c 9c")
    with pytest.raises(RuleError) as caught:
        dealt(match, Ana="4c", Bob="5c", Cat="6c")
    assert caught.value.code == "not_in_this_phase"
    assert refused(match, "Ana", LeaveMatch(), between=True).code == "not_in_this_phase"


def test_points_of_those_who_leave_stay_in_the_totals() -> None:
    match = played_out(started("Ana", "Bob", "Cat", "Dan"))
    first = match.hierarchy[0]
    left = match.between(first, LeaveMatch()).match
    assert first not in left.seats
    assert first not in left.hierarchy
    assert left.totals == match.totals
    assert played_out(left, 2).totals[first] == match.totals[first]


def test_nobody_joins_under_a_name_that_sits_there() -> None:
    assert refused(started(), "Ana", JoinMatch(), between=True).code == "bad_action"


def test_decrees_wait_for_an_answer_oldest_first_and_go_with_who_leaves() -> None:
    match = played_out(started("Ana", "Bob", "Cat", "Dan"))
    top, low = match.hierarchy[0], match.hierarchy[-1]
    match = match.between(top, Decree("Bow!", low)).match
    match = match.between(top, Decree("Sing!")).match
    assert match.decreed()[low] == "Bow!"
    assert [views.seat(match, name)["may"] for name in (low, top)] == [[{"do": "obey"}, {"do": "defy"}], []]
    assert match.between(low, LeaveMatch()).match.decreed().keys() == set(match.seats) - {top, low}
    step = match.between(low, Defy())
    assert [(event.name, event.data["text"]) for event in step.events] == [("defied", "Bow!")]
    assert step.match.decreed()[low] == "Sing!"
    assert refused(step.match, top, Obey(), between=True).code == "not_in_this_phase"


def test_in_president_orders_go_down_from_everybody_and_in_ceausescu_from_the_king() -> None:
    match = played_out(started("Ana", "Bob", "Cat", "Dan"))
    top, second, third, low = match.hierarchy
    step = match.between(second, Decree("Sing!"))
    assert step.match.decreed().keys() == {third, low}
    assert [event.cause for event in step.events] == ["PRES-49"]
    assert set(match.subjects(top)) == {second, third, low}
    assert views.seat(match, third)["subjects"] == [low]
    assert not views.seat(match, low)["decree"]
    for by, to in ((low, None), (third, second)):
        error = refused(match, by, Decree("Sing!", to), between=True)
        assert (error.code, error.rule) == ("not_in_this_phase", "PRES-49")
    ceausescu = GAMES["ceausescu"]
    realm = played_out(Match.start(ceausescu, ceausescu.declared.resolve(), ("Ana", "Bob", "Cat")))
    king, middle, serf = realm.hierarchy
    assert [event.cause for event in realm.between(king, Decree("Sing!")).events] == ["CEAU-28"]
    assert set(realm.subjects(king)) == {middle, serf}
    assert refused(realm, middle, Decree("Sing!", serf), between=True).rule == "CEAU-28"


@pytest.mark.parametrize("key", GAMES)
def test_a_match_is_the_same_after_it_was_saved_and_loaded(key: str) -> None:
    game = GAMES[key]
    match = Match.start(game, game.declared.resolve(), ("Ana", "Bob", "Cat", "Dan"))
    for seed in (1, 2):
        assert Match.load(json.loads(json.dumps(match.save())), GAMES).save() == match.save()
        match = played_out(match, seed)
    loaded = Match.load(json.loads(json.dumps(match.save())), GAMES)
    assert loaded.save() == match.save()
    assert played_out(loaded, 3).save() == played_out(match, 3).save()


@pytest.mark.parametrize("key", ["president", "ceausescu"])
def test_who_was_king_is_king_when_the_next_match_begins(key: str) -> None:
    game = GAMES[key]
    options = game.declared.resolve()
    match = Match.start(game, options, ("Ana", "Bob", "Cat", "Dan"), ("Dan", "Bob", "Ana", "Cat"))
    assert match.hierarchy == ("Dan", "Bob", "Ana", "Cat")
    king = played_out(Match.start(game, options, match.seats))
    assert game.titles(match)["Dan"] == game.titles(king)[king.hierarchy[0]]
    assert match.game.dealer(match) == "Cat"
    pack = list(match.deck())
    Random(3).shuffle(pack)
    begun = match.begin(match.deal(tuple(pack))).match
    assert begun.phase == "exchange"
    assert dict.fromkeys(match.seats, game.first_points(options)) == match.totals


def test_who_has_no_rank_comes_in_as_newcomers_do_and_who_is_gone_leaves_a_gap_that_closes() -> None:
    ranks = ("Eve", "Dan", "Ana", "Cat")
    names = ("Ana", "Bob", "Cat", "Dan")
    low = Match.start(PRESIDENT, PRESIDENT.declared.resolve(), names, ranks)
    assert low.hierarchy == low.seats == ("Dan", "Ana", "Cat", "Bob")
    middle = PRESIDENT.declared.resolve({"newcomers": "middle", "seating": "fixed"})
    match = Match.start(PRESIDENT, middle, names, ranks)
    assert (match.hierarchy, match.seats) == (("Dan", "Ana", "Bob", "Cat"), names)
    strangers = Match.start(PRESIDENT, PRESIDENT.declared.resolve(), names, ("Eve", "Fay"))
    assert (strangers.hierarchy, strangers.seats) == ((), names)


@pytest.mark.parametrize("key", ["big_two", "chase_the_ace"])
def test_where_no_hierarchy_lasts_ranks_change_nothing(key: str) -> None:
    game = GAMES[key]
    fresh = Match.start(game, game.declared.resolve(), ("Ana", "Bob", "Cat"))
    assert Match.start(game, game.declared.resolve(), fresh.seats, ("Cat", "Ana")) == fresh


def test_whoever_cuts_by_hand_is_told_how_many_cards_there_are() -> None:
    match = played_out(started(faults=True, dealer="top", exchange="none", packs=2))
    match = match.begin(match.deal(tuple(match.deck()))).match
    top, low = match.hierarchy[0], match.hierarchy[-1]
    match = match.act(top, Shuffle()).match.act(top, OfferCut()).match
    assert views.seat(match, low)["particulars"] == {"cut": {"least": 1, "most": len(match.deck()) - 1, "claim": False}}
    assert views.seat(match, top)["particulars"] == {}
