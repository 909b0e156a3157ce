"""Test Tien Len with random players, options and cards.

The records in tests/records/tien_len show each rule. test_models.py compares matches with a plain model of the page.
"""

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from app.arena.random_rules import random_options
from app.engine.cards.actions import Action, cards_in_action
from app.engine.cards.cards import NATURAL_CARDS, RANKS, Cards, parse_cards
from app.engine.climbing.state import PlayedCombination
from app.engine.games import GAMES
from app.engine.games.tien_len.held_chops import find_held_chops
from app.engine.games.tien_len.judging import TienLenJudge
from app.engine.games.tien_len.payments import CHOP_POINTS, POINTS_BY_OPTION, worth
from tests.engine.games import tien_len_model as model
from tests.engine.games.compared_playout import ComparedPlayout

GAME = GAMES["tien_len"]


# Random matches -------------------------------------------------------------------------------------------------------


class Watched(ComparedPlayout):
    """A random match (test_random_matches.py) that is compared with the model."""

    page = model

    def choose_cards(self) -> Mapping[str, Cards]:
        """Choose cards of few ranks, often in order, so that chops, runs and last twos are frequent."""
        rng, count = self.rng, len(self.match.seats)
        low, ranks = rng.randrange(9), rng.choice([3, 5, 8, 12])
        pack = [card for card in NATURAL_CARDS if card.rank in RANKS[low : min(low + ranks, 12)]]
        twos = rng.sample([card for card in NATURAL_CARDS if card.rank == "2"], 4)
        by_colour = rng.random() < 0.5
        pack.sort(key=lambda card: (by_colour and card.is_red, RANKS.index(card.rank)))
        for _ in range(rng.choice([0, 1, 4, 50])):
            one, other = rng.randrange(len(pack)), rng.randrange(len(pack))
            pack[one], pack[other] = pack[other], pack[one]
        each = min(len(pack) // count, rng.choice([0, 1, 4, 7, 8, 8, 9, 10, 12]))
        share = rng.choice([0, 1, 1, 2, 2, 2, 2, 4]) if each else 1
        return {
            name: (*pack[place * each : (place + 1) * each], *twos[place * share : (place + 1) * share])
            for place, name in enumerate(self.match.seats)
        }

    def choose_action(self, legal: list[tuple[str, Action]]) -> tuple[str, Action]:
        """Prefer long answers, then twos, and keep other cards, so that chops are frequent."""
        if self.rng.random() < 0.8:
            long = [one for one in legal if len(cards_in_action(one[1])) >= 4]
            twos = [one for one in legal if any(map(model.is_two, cards_in_action(one[1])))]
            legal = (twos or legal) if self.model.hand.table is None else (long or twos or legal[:1])
        return self.rng.choice(legal)


# Combinations ---------------------------------------------------------------------------------------------------------


def laid(judge: TienLenJudge, cards: Cards) -> PlayedCombination:
    (reading,) = judge.combinations.readings(cards)
    return PlayedCombination("Ana", reading)


def test_a_deck_has_the_known_number_of_each_combination() -> None:
    """Count the combinations of four ranks in a row and the twos: two rows of three, and one of four."""
    judge = TienLenJudge(GAME.option_schema.resolve_options({}))
    pack = tuple(card for card in NATURAL_CARDS if card.rank in "34562")
    assert Counter(one.kind for one in judge.possible_leads(pack)) == {
        "single": 20,
        "pair": 5 * 6,
        "triple": 5 * 4,
        "four": 5,
        "run": 2 * 4**3 + 4**4,
        "run_of_pairs": 2 * 6**3 + 6**4,
    }


@pytest.mark.parametrize("seed", range(8))
def test_cards_held_have_the_highest_sum_of_points(seed: int) -> None:
    """Compare the points for twos and chops held with the best of all ways to divide some cards."""
    rng = Random(seed)
    options = random_options(GAME, rng)
    judge = TienLenJudge(options)
    few = [card for card in NATURAL_CARDS if card.rank in ("4567", "45678", "34562")[seed % 3]]
    cards = tuple(rng.sample(few, 10))
    held = [*find_held_chops(cards, judge.combinations, POINTS_BY_OPTION[options[CHOP_POINTS]])]
    assert sum(worth(options, one) for one in held) == model.held_points(cards, model.new_options(options.to_json()))
    assert all(judge.combinations.readings(one.cards) == (one,) for one in held)
    used = [card for one in held for card in one.cards]
    assert len(used) == len({*used} & {*cards})


def test_a_suggested_answer_beats_the_table() -> None:
    """A refusal names only kinds of which the deck has a higher one."""
    judge = TienLenJudge(GAME.option_schema.resolve_options({}))

    def words(on: str) -> list[str]:
        return [str(one.words) for one in judge.suggested_answers((laid(judge, parse_cards(on)),))]

    assert words("Ks Ad Qh") == ["a higher run"]
    assert words("Ks Ah Qh") == []
    assert words("2h") == ["four of a kind", "three pairs in a row", "four pairs in a row", "more pairs in a row"]
    assert words("2s 2h") == ["four of a kind", "four pairs in a row", "more pairs in a row"]
    assert words("2s 2c 2h") == []
    assert words("As Ac Ah") == ["a higher triple"]
    assert words("As Ac Ad Ah") == ["a higher four of a kind", "four pairs in a row", "more pairs in a row"]
    assert words("Qs Qh Ks Kh As Ah") == ["four pairs in a row", "more pairs in a row", "four of a kind"]
