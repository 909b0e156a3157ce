"""Test Pao De Kuai with random players, options and cards.

The records in tests/records/pao_de_kuai show each rule. test_models.py compares matches with a plain model of the page.
"""

from collections import Counter
from collections.abc import Mapping

from app.engine.cards.actions import Action, cards_in_action
from app.engine.cards.cards import RANKS, Card, Cards, format_cards, parse_cards
from app.engine.games import GAMES
from app.engine.games.pao_de_kuai.judging import PaoDeKuaiJudge
from tests.engine.games import pao_de_kuai_model
from tests.engine.games.compared_playout import ComparedPlayout

GAME = GAMES["pao_de_kuai"]


# Random matches -------------------------------------------------------------------------------------------------------


class Watched(ComparedPlayout):
    """A random match (test_random_matches.py) that is compared with the model."""

    page = pao_de_kuai_model

    def choose_cards(self) -> Mapping[str, Cards]:
        """Choose cards of few ranks, often in order, so that bombs, triples and last plays are frequent."""
        rng, names = self.rng, self.match.seats
        low, ranks = rng.randrange(12), rng.choice([3, 4, 5, 5, 8])
        few = [card for card in self.match.deck() if (RANKS.index(card.rank) - low) % 13 < ranks]
        for _ in range(rng.choice([0, 2, 4, 50])):
            one, other = rng.randrange(len(few)), rng.randrange(len(few))
            few[one], few[other] = few[other], few[one]
        most = min(len(few) // len(names), rng.choice([1, 3, 5, 6, 7, 8, 9]))
        sizes = [rng.choice([1, rng.randint(1, most), most, most]) for _ in names]
        return {
            name: tuple(few[place * most :][:size])
            for place, name, size in zip(rng.sample(range(len(names)), len(names)), names, sizes, strict=True)
        }

    def choose_action(self, legal: list[tuple[str, Action]]) -> tuple[str, Action]:
        """Prefer long plays, which are rare, or the lowest single before a player with one card."""
        by_size = sorted(legal, key=lambda one: len(cards_in_action(one[1])))
        kind = self.rng.random()
        if kind < 0.3:
            return self.rng.choice(by_size[-2:])
        if kind < 0.6:
            return self.rng.choice([one for one in by_size if len(cards_in_action(one[1])) == 4] or legal)
        return self.rng.choice(by_size[:2] if kind < 0.8 else legal)


# Combinations ---------------------------------------------------------------------------------------------------------


def test_a_deck_has_the_known_number_of_each_combination() -> None:
    """Count the combinations of six ranks in a row, each with two or three cards."""
    game, options = GAME, GAME.option_schema.resolve_options({})
    cards = parse_cards("3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 7d 8s")
    judge = PaoDeKuaiJudge(options)
    assert game.deck(options, 3).count(Card("2s")) == 1
    assert Counter(one.kind for one in judge.possible_leads(cards)) == {
        "single": 12,
        "pair": 4 + 3,
        "run": 2**4 * 3 + 2**3 * 3 * 1 + 2**4 * 3 * 1,
        "run_of_pairs": (3 + 3) + (2 + 3) + (1 + 3) + 3,
        "triple_two": 9 * 8 // 2,
    }


def test_triples_and_fours_are_read_with_the_highest_body() -> None:
    """Loose cards never decide, and four of a kind alone are a bomb."""
    judge = PaoDeKuaiJudge(GAME.option_schema.resolve_options({"loose_cards": "any", "fours_with": "two"}))

    def read(cards: str) -> list[tuple[str, str]]:
        return [(one.kind, one.rank) for one in judge.combinations.readings(parse_cards(cards))]

    assert read("3c 3d 3h 4c 4d 4h 5c 5d 5h 7c") == [("run_of_triples_two", "5")]
    assert read("3c 3d 3h 4c 4d 4h 5c 5d 5h 6c 6d 6h") == [("run_of_triples", "6"), ("run_of_triples_one", "6")]
    assert read("9c 9d 9h 9s") == [("four", "9")]
    assert read("9c 9d 9h 9s 3c") == [("triple_two", "9")]
    assert read("9c 9d 9h 9s 3c 3d") == [("four_two", "9")]
    assert read("Kc Ah 2s") == []


def test_a_suggested_answer_beats_the_table() -> None:
    """A refusal names only kinds of which the deck has a higher one."""
    options = GAME.option_schema.resolve_options({})
    judge, deck = PaoDeKuaiJudge(options), GAME.deck(options, 3)

    def words(on: str) -> list[str]:
        (reading,) = judge.combinations.readings(parse_cards(on))
        return [str(one.words) for one in judge.suggested_answers(reading, deck)]

    assert words("Ac") == ["a higher card", "a bomb"]
    assert words("2s") == ["a bomb"]
    assert words("Ac Ad") == ["a bomb"]
    assert words("7s 7c 7d 3h 4h") == ["a higher triple", "a bomb"]
    assert words("Ts Jc Qd Kh Ah") == ["a bomb"]
    assert words("Ks Kc Kd Kh") == []
    assert format_cards(deck[:4]) == "3c 3d 3h 3s"
