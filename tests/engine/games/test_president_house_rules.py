"""Test the house rules of President as parts that refuse plays with their name and demand."""

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from app.arena.random_rules import PLAYER_NAMES
from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageList, TranslatableMessage
from app.engine.cards.actions import Pass, Play
from app.engine.cards.cards import Cards
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.suggestion_data import GroupSuggestion, KindSuggestion
from app.engine.display.events import prominence_by_event
from app.engine.games import GAMES
from app.engine.games.president.house import HOUSE_RULES
from app.engine.games.president.house.effects.burn import Burn
from app.engine.games.president.house_rule import HouseRule
from app.engine.games.president.rules import PresidentRules, rules_of
from app.engine.match.match import Match
from app.engine.match.record import parse_record, replay_steps
from tests.for_each import for_each
from tools.property_checks.error_messages import RefusalStats, check_refusals

GAME = GAMES["president"]
ASKING = [part for part in HOUSE_RULES if part.play_requirement is not HouseRule.play_requirement]
HANDS = 6
RECORDS = Path(__file__).parents[2] / "records"


def turned_on(part: type[HouseRule[Any]], **others: Any) -> Match:
    return Match.start(
        GAME, GAME.option_schema.resolve_options({part.switch.key: part.active_value, **others}), PLAYER_NAMES[:4]
    )


def positions(match: Match, rng: Random) -> Iterator[Match]:
    """Yield every position of a random hand in which a play has to be beaten."""
    deck = match.deck()
    match = match.begin_hand(match.deal(tuple(rng.sample(deck, len(deck))))).match
    while match.is_hand_running:
        if match.hand.play_to_beat is not None:
            yield match
        match = match.apply_action(*rng.choice(list(match.legal_actions()))).match


def held_back(hand: HandState, by: str, part: HouseRule[Any]) -> Iterator[Cards]:
    """Yield cards that would beat the play without the demand of this house rule."""
    rules, demand = hand.rules, part.play_requirement(hand)
    assert isinstance(rules, PresidentRules)
    assert hand.play_to_beat is not None
    if demand is None:
        return
    judge, on, inverted = rules.find_judge(hand), hand.play_to_beat.combination, hand.inverted
    for cards in judge.candidate_plays(hand.cards[by], on, inverted=inverted):
        beating = [
            one for one in judge.readings(cards, on, inverted=inverted) if judge.beats(one, on, inverted=inverted)
        ]
        if beating and not any(map(demand.is_met, beating)):
            yield cards


def suggested_words(error: RuleError) -> Iterator[str]:
    """The words of the plays that a refusal suggests."""
    yield from (one.words for one in error.suggestions if isinstance(one, GroupSuggestion | KindSuggestion))


def keys_in(words: object) -> set[str]:
    """The keys of a text and of all texts in it."""
    if isinstance(words, MessageList):
        return set[str]().union(*map(keys_in, words.parts))
    if isinstance(words, TranslatableMessage):
        return {words.key}.union(*map(keys_in, words.values.values()))
    return set()


@pytest.mark.parametrize("part", ASKING, ids=lambda part: part.switch.key)
def test_a_refusal_by_a_house_rule_names_the_rule_and_its_demand(part: type[HouseRule[Any]]) -> None:
    refused = named = 0
    for number in range(HANDS):
        rng = Random(f"asks {number}")
        start = turned_on(part, sequences=["none", "single"][number % 2], jokers=number % 3)
        for match in positions(start, rng):
            (by,) = match.to_act
            rules: PresidentRules = match.hand.rules
            (mine,) = (one for one in rules.parts if isinstance(one, part))
            for cards in held_back(match.hand, by, mine):
                with pytest.raises(RuleError) as caught:
                    match.apply_action(by, Play(cards))
                demand = mine.play_requirement(match.hand)
                assert demand is not None
                assert (caught.value.code, caught.value.rule) == ("does_not_beat", part.switch.id)
                shown = set[str]().union(*map(keys_in, suggested_words(caught.value)))
                named += demand.wording.key in shown or "Nothing beats" in caught.value.sentence
                refused += 1
                check_refusals(match, rng, RefusalStats())
    assert refused > 5
    assert named == refused


@for_each("part", HOUSE_RULES, ids=lambda part: part.__name__)
def test_a_house_rule_is_active_only_at_its_option_value(part: type[HouseRule[Any]]) -> None:
    on = GAME.option_schema.resolve_options({part.switch.key: part.active_value, "dealer": "top"})
    assert [type(one) for one in rules_of(on).parts] == [part]
    assert not rules_of(GAME.option_schema.resolve_options({})).parts


@for_each("part", HOUSE_RULES, ids=lambda part: part.__name__)
def test_a_house_rule_defines_only_methods_of_its_base_class(part: type[HouseRule[Any]]) -> None:
    """A public method that the base class does not have would never be called.

    Private helpers start with an underscore.
    """
    declared = ((*vars(base), *vars(base).get("__annotations__", ())) for base in part.__mro__[1:])
    asked = {name for name in chain.from_iterable(declared) if not name.startswith("_")}
    answered = {name for name in vars(part) if not name.startswith("_")}
    assert answered <= asked


def told(path: str) -> list[dict[str, Any]]:
    """Return the events of a record's last action."""
    record = json.loads((RECORDS / path).read_text())["record"]
    *_, last = replay_steps(*parse_record(record, GAMES))
    return [event.to_json() for event in last.step.events]


@pytest.mark.parametrize(
    "path", ["PRES-73_it_beats_and_play_goes_on", "PRES-73_it_ends_the_trick", "PRES-73_on_a_trump_joker"]
)
def test_the_three_of_spades_on_a_joker_is_announced_as_great(path: str) -> None:
    happened = told(f"president/{path}.json")
    (beaten,) = (event for event in happened if event["e"] == "joker_beaten")
    assert beaten == {"e": "joker_beaten", "by": happened[0]["by"], "cause": "PRES-73"}
    assert prominence_by_event()["joker_beaten"] == "great"


def signs(match: Match) -> list[str]:
    """Return the signs at the table, in words."""
    return [str(sign.text) for sign in match.hand.rules.badges(match.hand)]


def test_the_sign_for_completing_four_does_not_reveal_who_is_able_to() -> None:
    record = json.loads((RECORDS / "president/PRES-82_out_of_turn.json").read_text())["record"]
    *_, led, completed = replay_steps(*parse_record(record, GAMES))
    match = led.step.match
    assert signs(match) == ["Anyone except Ana can complete the four"]
    assert GAME.possible_interrupters(match.hand) == ("Cat", "Dan"), "Bob is to play anyway, and Cat can't"
    assert not signs(completed.step.match)
    passed = match.apply_action("Bob", Pass()).match
    assert GAME.possible_interrupters(passed.hand) == ("Bob", "Dan"), "who passed may"


def test_four_cannot_be_completed_on_a_single_card_or_by_a_barred_player() -> None:
    start = turned_on(Burn, burn="any_time", passing="out")
    deck = start.deck()
    dealt = start.begin_hand(start.deal(tuple(Random(1).sample(deck, len(deck))))).match
    (leader,) = dealt.to_act
    single, pair = (
        dealt.apply_action(
            leader, next(a for _, a in dealt.legal_actions() if isinstance(a, Play) and len(a.cards) == size)
        ).match
        for size in (1, 2)
    )
    assert not signs(single)
    assert GAME.possible_interrupters(single.hand) == ()
    (follower,) = pair.to_act
    after = pair.apply_action(follower, Pass()).match
    assert signs(after) == [f"Anyone except {leader} and {follower} can complete the four"]
    assert set(GAME.possible_interrupters(after.hand)) == set(after.seats) - {leader, follower, *after.to_act}


def test_a_late_play_to_complete_four_is_refused_with_the_reason() -> None:
    record = json.loads((RECORDS / "president/PRES-82_out_of_turn.json").read_text())["record"]
    *_, led, completed = replay_steps(*parse_record(record, GAMES))
    too_late = led.step.match.apply_action("Bob", Play(("9c", "9d"))).match
    for match, by, cards, said in (
        (too_late, "Dan", ("7h", "7s"), "You can only complete four"),
        (completed.step.match, "Bob", ("9c", "9d"), "It is Dan’s turn."),
    ):
        with pytest.raises(RuleError, match=said) as caught:
            match.apply_action(by, Play(cards))
        assert caught.value.code == "not_your_turn"


def test_completing_four_out_of_turn_names_the_player_whose_turn_it_was() -> None:
    out_of_turn, in_turn = told("president/PRES-82_out_of_turn.json"), told("president/PRES-82_completing_four.json")
    burned = {"e": "burned", "cause": "PRES-82"}
    assert burned | {"by": "Dan", "turn": "Bob"} in out_of_turn
    assert burned | {"by": "Bob"} in in_turn
    assert prominence_by_event()["burned"] == "great"
