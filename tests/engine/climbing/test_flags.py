"""Test the flags of rules that save calls: where a flag says no, the method that it stands for never says yes."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from random import Random

import pytest

from app.arena.random_rules import PLAYER_NAMES, random_player_count, random_value
from app.engine.base.errors import RuleError
from app.engine.climbing.combinations import Combination
from app.engine.climbing.game import ClimbingGame
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import ClimbingHand, PlayedCombination, Trick
from app.engine.display.events import GameEvent
from app.engine.display.table_display import player_display
from app.engine.games import GAMES
from app.engine.games.president.rules import PresidentRules
from app.engine.match.game import AnyGame
from app.engine.match.match import Match
from tests.long_run import TIMES
from tools.property_checks.playout import Playout

MATCHES = 4 * TIMES
"""Matches for each section of options."""
MOST_READINGS = 12
"""Readings that are looked at in each position."""


@dataclass
class Asked(Playout):
    """A random match that asks every method whose flag says that nobody needs to."""

    checked: set[str] = field(default_factory=set[str])
    """The flags that were checked in some position."""

    def on_step(self, events: tuple[GameEvent, ...]) -> None:
        hand = self.match.hand
        if not isinstance(hand, ClimbingHand):
            return
        for flag in wrong_flags(hand, self.checked):
            raise AssertionError(f"{flag} is wrong with {self.match.options.to_json()}")


def wrong_flags(hand: HandState, checked: set[str]) -> Iterator[str]:
    """Yield the flags of the hand's rules that their methods contradict in this position."""
    rules, by = hand.rules, hand.player_to_play
    waiting = [name for name in hand.seats if name != by]
    if hand.play_to_beat is not None and (rules.interruption_rule is None or rules.waiting_players_idle):
        checked.add("interruption_rule")
        if any(any(rules.out_of_turn_plays(hand, name)) for name in waiting):
            yield "interruption_rule or waiting_players_idle"
    if rules.waiting_players_idle and hand.phase == "play" and not hand.due:
        checked.add("waiting_players_idle")
        shown = (rules.private_display(hand, name) for name in waiting)
        if any(rules.other_legal_actions(hand)) or any(each != player_display() for each in shown):
            yield "waiting_players_idle"
    if by is None or hand.phase != "play" or hand.due or rules.pause_refusal(hand):
        return
    yield from _wrong_about_plays(hand, by, checked)


def _wrong_about_plays(hand: HandState, by: str, checked: set[str]) -> Iterator[str]:
    rules, table = hand.rules, hand.play_to_beat
    found = [one for some in islice(rules.playable_combinations(hand, hand.cards[by]), MOST_READINGS) for one in some]
    if not rules.can_refuse_plays:
        checked.add("can_refuse_plays")
        if any(_refuses(hand, by, one) for one in found) or any(_refuses_as_last(hand, by)):
            yield "can_refuse_plays"
    if not rules.can_end_tricks:
        checked.add("can_end_tricks")
        laid = (PlayedCombination(by, one, inverted=hand.inverted) for one in found)
        if any(rules.trick_ending_effect(hand, each) for each in laid):
            yield "can_end_tricks"
    if rules.call_rule is None:
        checked.add("call_rule")
        if any(rules.possible_calls(hand, by, one) for one in found):
            yield "call_rule"
    if table is None:
        return
    if rules.by_cards and len(hand.trick.plays) > 1:
        checked.add("by_cards")
        alone = hand.replace(trick=Trick.from_acts(table, turned=hand.trick.turned))
        again = islice(rules.playable_combinations(alone, hand.cards[by]), MOST_READINGS)
        if [one for some in again for one in some] != found:
            yield "by_cards"
    if table.combination.size == 1:
        yield from _wrong_about_singles(hand, by, table, checked)


def _refuses(hand: HandState, by: str, combination: Combination) -> bool:
    parts = hand.rules.parts if isinstance(hand.rules, PresidentRules) else ()
    methods = (hand.rules.play_refusal, *(part.find_play_error for part in parts))
    return any(refuse(hand, by, combination) is not None for refuse in methods)


def _refuses_as_last(hand: HandState, by: str) -> Iterator[bool]:
    """Tell for some cards whether the rules refuse them as this player's last card."""
    for card in {held[-1] for held in hand.cards.values() if held}:
        last = hand.with_player_cards(by, (card,))
        yield from (_refuses(last, by, one) for some in hand.rules.playable_combinations(last, (card,)) for one in some)


def _wrong_about_singles(hand: HandState, by: str, table: PlayedCombination, checked: set[str]) -> Iterator[str]:
    """Yield the flags that are wrong about single cards on a single card."""
    rules, on = hand.rules, table.combination.cards[0]
    beating = {
        card: any(rules.beats(hand, by, one) for one in rules.readings(hand, (card,)))
        for card in dict.fromkeys(rules.deck())
        if card != on
    }
    if rules.by_worth:
        checked.add("by_worth")
        if any(beats != (rules.exchange_value(card) > rules.exchange_value(on)) for card, beats in beating.items()):
            yield "by_worth"
    if not rules.suits_count:
        checked.add("suits_count")
        of_rank: dict[str, set[bool]] = {}
        for card, beats in beating.items():
            if not card.is_joker and str(card) not in rules.strong.split():
                of_rank.setdefault(card.rank, set()).add(beats)
        if any(len(each) > 1 for each in of_rank.values()):
            yield "suits_count"


CLIMBING = [game for game in GAMES.values() if isinstance(game, ClimbingGame)]


def random_matches(game: AnyGame) -> Iterator[Match]:
    """Yield random matches, and some in which all options of a section are random: flags may depend on several."""
    yield from (Playout.random_match(game, Random(seed)).match for seed in range(3 * MATCHES))
    for section in game.option_schema.sections:
        for seed in range(MATCHES if section.switches else 1):
            rng = Random(f"{section.key} {seed}")
            with suppress(RuleError):  # the options contradict each other
                options = game.option_schema.resolve_options(
                    {switch.key: random_value(switch.domain, rng) for switch in section.switches}
                )
                count = random_player_count(game, options, rng)
                if count is not None:
                    yield Match.start(game, options, PLAYER_NAMES[:count])


@pytest.mark.parametrize("game", CLIMBING, ids=lambda game: game.key)
def test_flags_agree_with_the_methods_that_they_save(game: AnyGame) -> None:
    checked = set[str]()
    for match in random_matches(game):
        played = Asked.for_match(match, Random(len(checked)), PLAYER_NAMES[: len(match.seats)])
        played.checked = checked
        played.refusal_check_rate = played.cost_check_rate = played.leak_check_rate = 0
        played.play_hand(check=False)
    assert {"can_refuse_plays", "by_cards"} <= checked, game.key
