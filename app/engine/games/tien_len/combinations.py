"""Combinations [TIEN-05 … TIEN-07]: which cards form one, how strong it is, and which of one kind beat it.

Within kind and size the highest card decides, with its suit. Chops are in chops.py.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations, product
from typing import NamedTuple

from app.engine.base.caching import weak_cached_method
from app.engine.base.options import Choice, Conflict, Option, Options, Section, on_off_choice
from app.engine.cards.cards import RANKS, Card, Cards
from app.engine.climbing.combinations import (
    KIND_OF_SET,
    PAIR,
    RUN,
    RUN_OF_PAIRS,
    SINGLE,
    Combination,
    group_by_rank,
)

from .table import ORDER

SUITS = Option(
    id="TIEN-05",
    also="miền Bắc northern cùng chất đồng màu",
    key="suits",
    label="Suits",
    domain=Choice({"any": "Suits only break ties", "follow": "Follow suit, and pairs by colour"}),
    default="any",
    sentence="Decides whether suits limit combinations. If you follow suit, runs are of one suit and pairs of one "
    "colour. Singles, runs and pairs are beaten only by the same suit or colour, but twos beat all singles and pairs.",
    example="With “Follow suit”, 9♥ beats 5♥ but not 5♦, and 9♥ 9♦ beats 5♥ 5♦ but not 5♠ 5♣.",
    source="Tiến lên miền Bắc",
    short={"follow": "Runs are of one suit, pairs of one colour. Follow suit or colour; twos are free."},
)

SUITED_RUNS = Option(
    id="TIEN-06",
    also="lock straight flush same suit",
    key="suited_runs",
    label="Runs of one suit",
    domain=Choice({"plain": "They are ordinary runs", "lock": "Only runs of one suit beat them"}),
    default="plain",
    sentence="Decides which runs beat a run of one suit.",
    example="With “Only runs of one suit beat them”, 5♠ 6♠ 7♠ is beaten by 6♥ 7♥ 8♥, but not by 6♥ 7♥ 8♦.",
    source="tienlen13.net",
    short={"lock": "Only a run of one suit beats a run of one suit."},
)

PAIR_RUNS = Option(
    id="TIEN-07",
    also="đôi thông consecutive pairs double sequence",
    key="pair_runs",
    label="Pairs in a row",
    domain=on_off_choice("They can’t be played", "Three or more pairs in a row can be played"),
    default=True,
    sentence="Decides whether three or more pairs of consecutive ranks are a combination.",
    example="6♠ 6♦ 7♣ 7♥ 8♠ 8♣ are three pairs in a row.",
    source="Tiến lên miền Bắc",
    is_permission=True,
)

SECTION = Section("combinations", "Combinations", (SUITS, SUITED_RUNS, PAIR_RUNS), importance=3)

CONFLICTS = (
    Conflict(
        SUITED_RUNS,
        SUITS,
        lambda suited_runs, suits: suited_runs == "lock" and suits == "follow",
        "If suits must be followed, all runs are of one suit.",
    ),
)

WIDTHS = {RUN: 1, RUN_OF_PAIRS: 2}
"""The number of cards of each rank in a run, by its kind."""
SHORTEST_RUN = 3
"""The number of ranks in the shortest run."""
RUN_RANKS = RANKS[:-1]
"""The ranks that can be in a run: all but the two."""


class KindAndSize(NamedTuple):
    """A kind of combination in one size: the unit of one search."""

    kind: str
    size: int


def _all_shapes(pair_runs: bool) -> tuple[KindAndSize, ...]:
    """Return every kind in every size, smallest first."""
    runs = (RUN, RUN_OF_PAIRS) if pair_runs else (RUN,)
    lengths = range(SHORTEST_RUN, len(RUN_RANKS) + 1)
    sets = [KindAndSize(KIND_OF_SET[size], size) for size in range(1, 5)]
    shapes = [*sets, *(KindAndSize(kind, length * WIDTHS[kind]) for kind in runs for length in lengths)]
    return tuple(sorted(shapes, key=lambda shape: shape.size))


def is_two(card: Card) -> bool:
    """Return whether a card is a two, which no run contains."""
    return card[0] == "2"


def is_of_one_suit(cards: Cards) -> bool:
    """Return whether all cards are of the same suit."""
    return len({card[1] for card in cards}) == 1


def is_of_one_colour(cards: Cards) -> bool:
    """Return whether all cards are red or all are black."""
    return len({card.is_red for card in cards}) == 1


# Suits ---------------------------------------------------------------------------------------------------------------


def _is_free(cards: Cards) -> bool:
    return True


def _is_colour_or_twos(cards: Cards) -> bool:
    return is_two(cards[0]) or is_of_one_colour(cards)


FORMED_BY_OPTION: dict[str, dict[str, Callable[[Cards], bool]]] = {
    "any": {},
    "follow": {PAIR: _is_colour_or_twos, RUN: is_of_one_suit, RUN_OF_PAIRS: is_of_one_colour},
}
"""Returns whether the suits of some cards let them form a kind, for each value of `suits`; kinds left out are free."""

Answers = Callable[[Cards, Cards], bool]


def _follows_suit(new: Cards, old: Cards) -> bool:
    return is_two(new[0]) or is_of_one_suit((new[0], old[0]))


def _follows_colour(new: Cards, old: Cards) -> bool:
    return is_two(new[0]) or is_of_one_colour((new[0], old[0]))


def _keeps_lock(new: Cards, old: Cards) -> bool:
    return is_of_one_suit(new) or not is_of_one_suit(old)


FOLLOWS_BY_OPTION: dict[tuple[str, str], dict[str, Answers]] = {
    ("any", "plain"): {},
    ("any", "lock"): {RUN: _keeps_lock},
    ("follow", "plain"): {
        SINGLE: _follows_suit,
        PAIR: _follows_colour,
        RUN: _follows_suit,
        RUN_OF_PAIRS: _follows_colour,
    },
}
"""Returns whether suits allow new cards on old ones of their kind, for `suits` and `suited_runs`."""


def _whole(cards: Cards) -> Iterable[Cards]:
    return (cards,)


def _suits_apart(cards: Cards) -> Iterable[Cards]:
    return (tuple([card for card in cards if card[1] == suit]) for suit in ORDER.suits)


def _colours_apart(cards: Cards) -> Iterable[Cards]:
    return (tuple([card for card in cards if card.is_red == red]) for red in (False, True))


POOLS_BY_OPTION: dict[str, dict[str, Callable[[Cards], Iterable[Cards]]]] = {
    "any": {},
    "follow": {RUN: _suits_apart, RUN_OF_PAIRS: _colours_apart},
}
"""Returns the groups of held cards in each of which runs are searched, by kind, for each value of `suits`.

Kinds left out are searched among all cards.
"""


# Reading and finding -------------------------------------------------------------------------------------------------


def _kind_by_ranks(cards: Cards) -> str | None:
    """Return the kind of combination that the ranks of these cards form, or None."""
    groups = group_by_rank(cards)
    if len(groups) == 1:
        return KIND_OF_SET[len(cards)]
    widths = {len(group) for group in groups.values()}
    kind = next((kind for kind, width in WIDTHS.items() if widths == {width}), None)
    ranks = "".join(sorted(groups, key=RANKS.index))
    return kind if len(ranks) >= SHORTEST_RUN and ranks in RUN_RANKS else None


def _highest_index(cards: Cards) -> int:
    return max(map(ORDER.index_by_card.__getitem__, cards))


def _sets_among(cards: Cards, size: int, above: int) -> Iterator[Cards]:
    """Yield every choice of `size` cards of one rank whose highest card is above an index, the lowest rank first."""
    found = chain.from_iterable(combinations(group, size) for group in group_by_rank(cards).values())
    return (chosen for chosen in found if _highest_index(chosen) > above)


def _runs_among(cards: Cards, width: int, length: int, above: int) -> Iterator[Cards]:
    """Yield every choice of cards that is a run of `length` ranks with `width` cards of each, the lowest first.

    Its highest card is above an index in the order of cards. Choices that are too low are never built, because large
    hands contain very many.
    """
    groups = {rank: group for rank, group in group_by_rank(cards).items() if len(group) >= width}
    for low in range(len(RUN_RANKS) - length + 1):
        *ranks, top = tuple(RUN_RANKS[low : low + length])
        if top in groups and all(rank in groups for rank in ranks):
            tops = [chosen for chosen in combinations(groups[top], width) if _highest_index(chosen) > above]
            if tops:
                for parts in product(*(combinations(groups[rank], width) for rank in ranks), tops):
                    yield tuple(chain.from_iterable(parts))


MAX_CACHED_READINGS = 256
"""Size of the cache for readings of cards."""


class TienLenCombinations:
    """The combinations in one match of Tien Len: it reads cards, finds combinations and compares those of one kind."""

    def __init__(self, options: Options) -> None:
        self.shapes = _all_shapes(options[PAIR_RUNS])
        self.readings = weak_cached_method(MAX_CACHED_READINGS, self._find_readings)
        self.suits_are_free = options[SUITS] == "any"
        """Whether any higher card beats a card."""
        self._kinds = frozenset(shape.kind for shape in self.shapes)
        self._formed = FORMED_BY_OPTION[options[SUITS]]
        self._pools = POOLS_BY_OPTION[options[SUITS]]
        self._follows = FOLLOWS_BY_OPTION[options[SUITS], options[SUITED_RUNS]]

    def _find_readings(self, cards: Cards) -> tuple[Combination, ...]:
        """Return the combination that these cards form as a tuple with one element; empty if they form none."""
        if not cards or len(set(cards)) < len(cards) or any(card not in ORDER.index_by_card for card in cards):
            return ()
        kind = _kind_by_ranks(cards)
        if kind not in self._kinds or not self._formed.get(kind, _is_free)(cards):
            return ()
        return (self.build(kind, cards),)

    def build(self, kind: str, cards: Cards) -> Combination:
        """Return cards that form this kind as a combination; its highest card is its strength."""
        return Combination(kind, cards, (_highest_index(cards),))

    def beats_its_kind(self, new: Combination, old: Combination) -> bool:
        """Return whether a combination beats another one of its kind and size, by its highest card and by suits."""
        return (
            (new.kind, new.size) == (old.kind, old.size)
            and new.strength > old.strength
            and (new.kind not in self._follows or self._follows[new.kind](new.cards, old.cards))
        )

    def pools_of(self, kind: str, cards: Cards) -> Iterable[Cards]:
        """Return the groups of cards in each of which combinations of this kind are searched."""
        return self._pools.get(kind, _whole)(cards)

    def find(self, held: Cards, shape: KindAndSize) -> Iterator[Combination]:
        """Yield the held cards' combinations of one kind and size, the lowest first."""
        return self._find(self.pools_of(shape.kind, ORDER.sort_cards(held)), shape, above=-1)

    def find_higher(self, held: Cards, on: Combination) -> Iterator[Combination]:
        """Yield the held cards' combinations that beat another one of their kind and size, the lowest first."""
        locked = self._follows.get(on.kind) is _keeps_lock and is_of_one_suit(on.cards)
        cards = ORDER.sort_cards(held)
        pools = _suits_apart(cards) if locked else self.pools_of(on.kind, cards)
        found = self._find(pools, KindAndSize(on.kind, on.size), above=int(on.strength[0]))
        return (one for one in found if self.beats_its_kind(one, on))

    def _find(self, pools: Iterable[Cards], shape: KindAndSize, *, above: int) -> Iterator[Combination]:
        kind, size = shape
        width, formed = WIDTHS.get(kind), self._formed.get(kind, _is_free)
        for pool in pools:
            chosen = _sets_among(pool, size, above) if width is None else _runs_among(pool, width, size // width, above)
            yield from (self.build(kind, cards) for cards in chosen if formed(cards))
