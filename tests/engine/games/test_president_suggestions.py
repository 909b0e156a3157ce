"""Test that the search for plays finds the same as reading every choice of the player's cards."""

from itertools import islice
from random import Random

import pytest

from app.arena.random_rules import random_options
from app.engine.base.options import Options
from app.engine.cards.cards import Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.game import ClimbingGame
from app.engine.games import GAMES
from app.engine.games.president.combinations.beats import PresidentCombinations
from app.engine.games.president.rules import PresidentRules, rules_of

GAME = GAMES["president"]
MANY = 400
"""The number of choices to compare for each set of cards, which can have very many."""


def presets_and_chance() -> list[Options]:
    presets = [GAME.option_schema.resolve_options({"preset": preset.key}) for preset in GAME.option_schema.presets]
    # Wild cards, runs, poker hands and powers together, unlike any preset.
    everything = GAME.option_schema.resolve_options(
        {"packs": 2, "jokers": 2, "joker_role": "wild", "wild_ranks": "45", "sequences": "all", "wild_alone": "any"}
        | {"poker_hands": True, "transparent": "3", "twos": "any_time", "spade_three": "beats"}
    )
    return [*presets, everything, *(random_options(GAME, Random(seed)) for seed in range(40))]


def something_led(beating: PresidentCombinations, rng: Random, deck: Cards, *, inverted: bool) -> Combination:
    held = tuple(rng.sample(deck, 12))
    each = (
        beating.readings(cards, None, inverted=inverted)
        for cards in beating.candidate_plays(held, None, inverted=inverted)
    )
    return rng.choice(rng.choice([some for some in islice(each, MANY) if some]))


@pytest.mark.parametrize("options", presets_and_chance(), ids=lambda options: options.preset)
def test_found_combinations_match_the_readings_of_every_choice_of_cards(options: Options) -> None:
    assert isinstance(GAME, ClimbingGame)
    rules, rng = rules_of(options), Random(3)
    assert isinstance(rules, PresidentRules)
    beating, deck = rules.combination_rules, rules.deck()
    for number in range(8):
        held, inverted = tuple(sorted(rng.sample(deck, 4 + number), key=rules.card_sort_key)), number % 3 == 2
        on = something_led(beating, rng, deck, inverted=inverted) if number % 2 else None
        must = rng.choice(held) if number % 4 == 2 else None
        choices = islice(beating.candidate_plays(held, on, inverted=inverted, must=must), MANY)
        found = islice(beating.candidate_readings(held, on, inverted=inverted, must=must), MANY)
        read = (beating.readings(cards, on, inverted=inverted) for cards in choices)
        assert [*map(list, found)] == [*map(list, read)]
