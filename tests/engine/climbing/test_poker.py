"""Test that every poker hand among some cards is found exactly once, with one pack and with two."""

from itertools import combinations
from random import Random

import pytest

from app.engine.cards.cards import NATURAL_CARDS, Cards
from app.engine.climbing import poker

RUNS = poker.build_straights(poker.PLAIN_STRAIGHTS)


def kind_of(cards: Cards) -> str | None:
    """Return the kind of five cards, by a plain definition."""
    ranks, suits = [card.rank for card in cards], {card.suit for card in cards}
    shape = sorted(ranks.count(rank) for rank in set(ranks))
    run = frozenset(ranks) in RUNS
    if run or len(suits) == 1:
        return {(True, True): poker.STRAIGHT_FLUSH, (True, False): poker.STRAIGHT, (False, True): poker.FLUSH}[
            run, len(suits) == 1
        ]
    return {(2, 3): poker.FULL_HOUSE, (1, 4): poker.QUADS}.get(tuple(shape))


def found(held: poker.HeldCards) -> dict[str, list[Cards]]:
    return {
        poker.STRAIGHT: list(held.find_straights(RUNS.values())),
        poker.FLUSH: list(held.find_flushes(RUNS)),
        poker.FULL_HOUSE: list(held.find_full_houses(held.ranks)),
        poker.QUADS: list(held.find_quads(held.ranks)),
        poker.STRAIGHT_FLUSH: list(held.find_straight_flushes(RUNS.values())),
    }


def test_a_whole_deck_has_the_known_number_of_each_poker_hand() -> None:
    """There are eight straights, from 34567 to 10JQKA, instead of the ten of Poker."""
    counts = {kind: len(hands) for kind, hands in found(poker.HeldCards(NATURAL_CARDS)).items()}
    assert counts == {
        poker.STRAIGHT: 8 * (4**5 - 4),
        poker.FLUSH: 4 * (1287 - 8),
        poker.FULL_HOUSE: 3744,
        poker.QUADS: 624,
        poker.STRAIGHT_FLUSH: 8 * 4,
    }


@pytest.mark.parametrize("packs", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_every_poker_hand_among_some_cards_is_found_exactly_once(packs: int, seed: int) -> None:
    few = [card for card in NATURAL_CARDS if card.suit in "cd" or card.rank in "789T"]
    cards = tuple(Random(seed).sample(few * packs, 14))
    there: dict[str, set[Cards]] = {kind: set() for kind in poker.KINDS}
    for five in combinations(cards, 5):
        if (kind := kind_of(five)) is not None:
            there[kind].add(tuple(sorted(five)))
    for kind, hands in found(poker.HeldCards(cards)).items():
        each = [tuple(sorted(hand)) for hand in hands]
        assert len(each) == len(set(each)), kind
        assert set(each) == there[kind], kind


@pytest.mark.parametrize("seed", range(4))
def test_full_houses_and_quads_are_recognised_by_their_ranks(seed: int) -> None:
    cards = tuple(Random(seed).sample([card for card in NATURAL_CARDS if card.rank in "7KA"] * 2, 12))
    for five in combinations(cards, 5):
        ranks = [card.rank for card in five]
        counts = {ranks.count(rank): rank for rank in ranks}
        assert poker.full_house_rank(ranks) == (counts[3] if counts.keys() == {2, 3} else None)
        assert poker.quads_rank(ranks) == (counts[4] if counts.keys() == {1, 4} else None)
