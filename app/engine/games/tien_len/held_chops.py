"""The twos and chops that a player is caught with at the end of a hand, each card used once [TIEN-20].

A hand can be divided in several ways: 6s 6c 7s 7c 8s 8c 8d 8h are three pairs in a row, or four of a kind. The way with
most points counts. Cards of one rank are equal here, so the search counts pairs. That keeps it short for any hand.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import FOUR, RUN_OF_PAIRS, SINGLE, Combination, group_by_rank

from .chops import FOUR_OF_A_KIND, FOUR_PAIRS, LEVEL_BY_SHAPE
from .combinations import RUN_RANKS, SHORTEST_RUN, KindAndSize, TienLenCombinations, is_two
from .table import ORDER

Pairs: TypeAlias = tuple[tuple[int, ...], ...]
"""The number of pairs of each rank, from the lowest, in each pool of cards that a row of pairs may use."""


class HeldChop(NamedTuple):
    """A chop by counts: ranks from index `low` on, of the pool with index `pool`; a single rank is four of a kind."""

    low: int
    length: int
    pool: int


def find_held_chops(cards: Cards, rules: TienLenCombinations, points: Mapping[int, int]) -> Iterator[Combination]:
    """Yield the twos, one by one, and the chops among these cards, so divided that the points are highest.

    `points` are those of each level of chops.
    """
    held = ORDER.sort_cards(cards)
    yield from (rules.build(SINGLE, (card,)) for card in held if is_two(card))
    pools = [group_by_rank(pool) for pool in rules.pools_of(RUN_OF_PAIRS, held)]
    groups = [[pool.get(rank, []) for pool in pools] for rank in RUN_RANKS]
    pairs = tuple(tuple(len(cards) // 2 for cards in of_rank) for of_rank in groups)
    rows = KindAndSize(RUN_OF_PAIRS, 2 * SHORTEST_RUN) in rules.shapes
    _, chops = _best_chops(pairs, tuple(points.items()), rows)
    for low, length, pool in chops:
        yield _build(rules, groups[low : low + length], pool)


def _build(rules: TienLenCombinations, ranks: list[list[list[Card]]], pool: int) -> Combination:
    """Return a chop of cards of these ranks, which are taken out of their pools."""
    if len(ranks) == 1:
        return rules.build(FOUR, tuple(card for cards in ranks[0] for card in cards))
    return rules.build(RUN_OF_PAIRS, tuple(of_rank[pool].pop() for of_rank in ranks for _ in range(2)))


@lru_cache(256)
def _best_chops(pairs: Pairs, points: tuple[tuple[int, int], ...], rows: bool) -> tuple[int, tuple[HeldChop, ...]]:
    """Return the highest sum of points for these pairs, and the chops that reach it.

    `points` are those of each level of chops. `rows`: whether pairs in a row are chops.
    """
    low = next((rank for rank, some in enumerate(pairs) if any(some)), None)
    if low is None:
        return 0, ()
    best = _best_chops(_without_rank(pairs, low), points, rows)
    for chop in _chops_from(pairs, low, rows):
        rest = _without_rank(pairs, low) if chop.length == 1 else _without_row(pairs, chop)
        more, chops = _best_chops(rest, points, rows)
        worth = more + dict(points)[_level(chop)]
        if worth > best[0]:
            best = worth, (chop, *chops)
    return best


def _level(chop: HeldChop) -> int:
    """Return the level of a chop for its points: more than four pairs count as four."""
    if chop.length == 1:
        return FOUR_OF_A_KIND
    return min(LEVEL_BY_SHAPE[KindAndSize(RUN_OF_PAIRS, 2 * chop.length)], FOUR_PAIRS)


def _chops_from(pairs: Pairs, low: int, rows: bool) -> Iterator[HeldChop]:
    """Yield the chops whose lowest rank is `low`."""
    if sum(pairs[low]) == 2:
        yield HeldChop(low, 1, 0)
    for pool in range(len(pairs[low]) if rows else 0):
        length = next((steps for steps, some in enumerate(pairs[low:]) if not some[pool]), len(pairs) - low)
        yield from (HeldChop(low, each, pool) for each in range(SHORTEST_RUN, length + 1))


def _without_rank(pairs: Pairs, low: int) -> Pairs:
    return (*pairs[:low], (0,) * len(pairs[low]), *pairs[low + 1 :])


def _without_row(pairs: Pairs, row: HeldChop) -> Pairs:
    """Return the pairs that are left after a row has taken a pair of each of its ranks."""
    return tuple(
        tuple(
            count - (pool == row.pool and row.low <= rank < row.low + row.length) for pool, count in enumerate(of_rank)
        )
        for rank, of_rank in enumerate(pairs)
    )
