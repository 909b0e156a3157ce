"""The house rules of President as parts: who refuses by one says what it asks for, and none is asked what it has no
answer to."""

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from app.arena.random_rules import NAMES
from app.engine.base.errors import RuleError
from app.engine.cards.actions import Pass, Play
from app.engine.cards.cards import Cards
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import tones
from app.engine.games import GAMES
from app.engine.games.president.house import HOUSE
from app.engine.games.president.house.effects.burn import Burn
from app.engine.games.president.house_rule import Part
from app.engine.games.president.rules import PresidentRules, rules_of
from app.engine.match.match import Match
from app.engine.match.record import fold, opened
from tools.property_checks.error_messages import Refusals, check_refusals

GAME = GAMES["president"]
ASKING = [part for part in HOUSE if part.asks is not Part.asks]
HANDS = 6
RECORDS = Path(__file__).parents[2] / "records"


def turned_on(part: type[Part[Any]], **others: Any) -> Match:
    return Match.start(GAME, GAME.declared.resolve({part.switch.key: part.at, **others}), NAMES[:4])


def positions(match: Match, rng: Random) -> Iterator[Match]:
    """Of a random hand, every position in which something lies on the table."""
    deck = match.deck()
    match = match.begin(match.deal(tuple(rng.sample(deck, len(deck))))).match
    while match.running:
        if match.hand.table is not None:
            yield match
        match = match.act(*rng.choice(list(match.legal()))).match


def held_back(hand: HandState, by: str, part: Part[Any]) -> Iterator[Cards]:
    """Cards that would beat if it were not for what the part asks."""
    rules, demand = hand.rules, part.asks(hand)
    assert isinstance(rules, PresidentRules)
    assert hand.table is not None
    if demand is None:
        return
    judge, on, inverted = rules.judge(hand), hand.table.combination, hand.inverted
    for cards in judge.candidates(hand.cards[by], on, inverted=inverted):
        beating = [
            one for one in judge.readings(cards, on, inverted=inverted) if judge.beats(one, on, inverted=inverted)
        ]
        if beating and not any(map(demand.is_met, beating)):
            yield cards


@pytest.mark.parametrize("part", ASKING, ids=lambda part: part.switch.key)
def test_who_refuses_a_play_by_a_house_rule_says_what_it_asks_for_and_that_would_do(part: type[Part[Any]]) -> None:
    refused = 0
    for number in range(HANDS):
        rng = Random(f"asks {number}")
        start = turned_on(part, sequences=["none", "single"][number % 2], jokers=number % 3)
        for match in positions(start, rng):
            (by,) = match.to_act
            rules: PresidentRules = match.hand.rules
            (mine,) = (one for one in rules.parts if isinstance(one, part))
            for cards in held_back(match.hand, by, mine):
                with pytest.raises(RuleError) as caught:
                    match.act(by, Play(cards))
                demand = mine.asks(match.hand)
                assert demand is not None
                assert demand.because
                assert (caught.value.code, caught.value.rule) == ("does_not_beat", part.switch.id)
                assert demand.because in caught.value.sentence or "Nothing beats" in caught.value.sentence
                refused += 1
                check_refusals(match, rng, Refusals())
    assert refused > 5


@pytest.mark.parametrize("part", HOUSE, ids=lambda part: part.__name__)
def test_a_house_rule_is_in_force_at_its_value_alone(part: type[Part[Any]]) -> None:
    on = GAME.declared.resolve({part.switch.key: part.at, "dealer": "top"})
    assert [type(one) for one in rules_of(on).parts] == [part]
    assert not rules_of(GAME.declared.resolve({})).parts


@pytest.mark.parametrize("part", HOUSE, ids=lambda part: part.__name__)
def test_a_house_rule_answers_nothing_that_nobody_asks(part: type[Part[Any]]) -> None:
    """A method with a name that `Part` does not have is its own, and says so."""
    declared = ((*vars(base), *vars(base).get("__annotations__", ())) for base in part.__mro__[1:])
    asked = {name for name in chain.from_iterable(declared) if not name.startswith("_")}
    answered = {name for name in vars(part) if not name.startswith("_")}
    assert answered <= asked


def told(path: str) -> list[dict[str, Any]]:
    """What the last action of a record tells."""
    record = json.loads((RECORDS / path).read_text())["record"]
    *_, last = fold(*opened(record, GAMES))
    return [event.to_json() for event in last.step.events]


@pytest.mark.parametrize(
    "path", ["PRES-73_it_beats_and_play_goes_on", "PRES-73_it_ends_the_trick", "PRES-73_on_a_trump_joker"]
)
def test_the_three_of_spades_on_a_joker_is_great(path: str) -> None:
    happened = told(f"president/{path}.json")
    (beaten,) = (event for event in happened if event["e"] == "joker_beaten")
    assert beaten == {"e": "joker_beaten", "by": happened[0]["by"], "cause": "PRES-73"}
    assert tones()["joker_beaten"] == "great"


def signs(match: Match) -> list[str]:
    """What stands at the table, in words."""
    return [str(sign.text) for sign in match.hand.rules.signs(match.hand)]


def test_all_are_told_who_may_complete_four_and_nobody_who_can() -> None:
    record = json.loads((RECORDS / "president/PRES-82_out_of_turn.json").read_text())["record"]
    *_, led, completed = fold(*opened(record, GAMES))
    match = led.step.match
    assert signs(match) == ["Anybody but Ana may complete the four"]
    assert GAME.may_break_in(match.hand) == ("Cat", "Dan"), "Bob is to play anyway, and Cat can't"
    assert not signs(completed.step.match)
    passed = match.act("Bob", Pass()).match
    assert GAME.may_break_in(passed.hand) == ("Bob", "Dan"), "who passed may"


def test_one_of_four_is_waited_for_by_nobody_and_who_is_barred_may_not() -> None:
    start = turned_on(Burn, burn="any_time", passing="out")
    deck = start.deck()
    dealt = start.begin(start.deal(tuple(Random(1).sample(deck, len(deck))))).match
    (leader,) = dealt.to_act
    single, pair = (
        dealt.act(leader, next(a for _, a in dealt.legal() if isinstance(a, Play) and len(a.cards) == size)).match
        for size in (1, 2)
    )
    assert not signs(single)
    assert GAME.may_break_in(single.hand) == ()
    (follower,) = pair.to_act
    after = pair.act(follower, Pass()).match
    assert signs(after) == [f"Anybody but {leader} and {follower} may complete the four"]
    assert set(GAME.may_break_in(after.hand)) == set(after.seats) - {leader, follower, *after.to_act}


def test_who_is_first_acts_and_the_other_is_told_what_is_possible() -> None:
    record = json.loads((RECORDS / "president/PRES-82_out_of_turn.json").read_text())["record"]
    *_, led, completed = fold(*opened(record, GAMES))
    too_late = led.step.match.act("Bob", Play(("9c", "9d"))).match
    for match, by, cards, said in (
        (too_late, "Dan", ("7h", "7s"), "Out of turn you may only complete four"),
        (completed.step.match, "Bob", ("9c", "9d"), "It is Dan’s turn."),
    ):
        with pytest.raises(RuleError, match=said) as caught:
            match.act(by, Play(cards))
        assert caught.value.code == "not_your_turn"


def test_fours_completed_out_of_turn_say_before_whom() -> None:
    out_of_turn, in_turn = told("president/PRES-82_out_of_turn.json"), told("president/PRES-82_completing_four.json")
    burned = {"e": "burned", "cause": "PRES-82"}
    assert burned | {"by": "Dan", "turn": "Bob"} in out_of_turn
    assert burned | {"by": "Bob"} in in_turn
    assert tones()["burned"] == "great"
