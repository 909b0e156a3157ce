"""The ordinary patterns of the chart [CEAU-01 … CEAU-05]: how each is read from cards, and found among cards held.

A set of cards is one pattern or none: jokers are never wild. What a bomb or a missile is stands in bombs.py; nothing
here knows what beats what, beyond the value that each pattern has.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from app.engine.base.options import Rule, Section
from app.engine.cards.cards import JOKERS, NATURAL, RANKS, SUITS, Card, Cards
from app.engine.climbing.combinations import Combination, Strength, kind

SHEET = "the rules sheet of Ceausescu"

VALUE: dict[Card, int] = {card: RANKS.index(card.rank) for card in NATURAL} | {
    joker: len(RANKS) + place for place, joker in enumerate(JOKERS)
}
"""Ranks from low: 3 … A 2, black joker, red joker. Suits are equal."""
_PLACE = {card: place for place, card in enumerate(sorted(VALUE, key=lambda card: (VALUE[card], card)))}
"""Where each card stands in order: by rank, and of one rank by suit."""

SINGLE = Rule(
    id="CEAU-01",
    name="Single card",
    sentence="One card beats a lower one: 3 is the lowest, then up to the ace, the two, the black and the red joker.",
    example="2♥ is beaten by the black joker, and that by the red joker; 7♥ does not beat 7♦.",
    source=SHEET,
)
PAIR = Rule(
    id="CEAU-02",
    name="Pair",
    sentence="Two cards of a rank beat a lower pair. Two jokers are no pair, and a joker is never wild.",
    example="6♣ 6♦ is beaten by 10♣ 10♦, and that by K♥ K♠.",
    source=SHEET,
)
CONSECUTIVE_PAIRS = Rule(
    id="CEAU-03",
    name="Consecutive pairs",
    sentence="Two to five pairs of consecutive ranks beat as many pairs with a lower top. Nothing wraps.",
    example="4♣ 4♦ 5♣ 5♦ is beaten by 8♣ 8♦ 9♣ 9♦, and that by A♣ A♦ 2♣ 2♦.",
    source=SHEET,
)
STRAIGHT_FLUSH = Rule(
    id="CEAU-04",
    name="Straight flush",
    sentence="Three to five cards of one suit and consecutive ranks beat as many with a lower top. Nothing wraps.",
    example="8♣ 9♣ 10♣ J♣ is beaten by 10♦ J♦ Q♦ K♦, and that by Q♠ K♠ A♠ 2♠.",
    source=SHEET,
)
FLUSH = Rule(
    id="CEAU-05",
    name="Flush",
    sentence="Five cards of one suit that are not consecutive. The highest cards are compared first, then the next.",
    example="3♣ 6♣ 9♣ 10♣ Q♣ is beaten by 3♦ 7♦ 8♦ J♦ A♦, and that by 4♥ 6♥ 9♥ J♥ A♥.",
    source=SHEET,
)

SECTION = Section("patterns", "Patterns", (), (SINGLE, PAIR, CONSECUTIVE_PAIRS, STRAIGHT_FLUSH, FLUSH))


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of combination: the sizes it has, how it is read, and how it is found among cards held."""

    kind: str
    sizes: tuple[int, ...]
    read: Callable[[Cards], Combination | None]
    """The combination that cards of one of these sizes are, if they are of this kind."""
    find: Callable[[Cards, int], Iterator[Cards]]
    """Every choice of so many held cards that is of this kind, from the lowest."""

    def samples(self, size: int) -> Iterator[Combination]:
        """One of each strength that so many cards of this kind may have: suits are equal, so few suits will do."""
        for suits in range(1, len(SUITS) + 1):
            some = tuple(card for card in NATURAL if card.suit in SUITS[:suits]) + JOKERS
            found = [made for cards in self.find(some, size) if (made := self.read(cards)) is not None]
            if found:
                return iter(found)
        return iter(())


def ordered(cards: Cards) -> Cards:
    """Cards from the lowest.

    >>> ordered((Card("Xr"), Card("2c"), Card("3d")))
    ('3d', '2c', 'Xr')
    """
    return tuple(sorted(cards, key=_PLACE.__getitem__))


def made(kind: str, cards: Cards, strength: Strength | None = None, rank: str | None = None) -> Combination:
    """A combination with its cards in order; it counts as its highest card unless told otherwise."""
    cards = ordered(cards)
    top = cards[-1]
    return Combination(kind, cards, (VALUE[top],) if strength is None else strength, top.rank if rank is None else rank)


@lru_cache(maxsize=1024)
def by_value(cards: Cards) -> Mapping[int, Sequence[Card]]:
    """Natural cards grouped by the value of their rank: jokers belong to no run and no set.

    Every pattern of sets asks it of the same hand.
    """
    groups: dict[int, list[Card]] = {}
    for card in cards:
        if not card.is_joker:
            groups.setdefault(VALUE[card], []).append(card)
    return groups


def consecutive(values: Sequence[int]) -> bool:
    """Whether these are different values in a row, whatever their order.

    >>> consecutive([11, 12, 10]), consecutive([12, 0, 1])
    (True, False)
    """
    return max(values) - min(values) == len(values) - 1 == len(set(values)) - 1


def is_sets_in_a_row(cards: Cards, each: int) -> bool:
    """Whether these are sets of `each` cards, one for each of some consecutive ranks."""
    groups = by_value(cards)
    return (
        sum(map(len, groups.values())) == len(cards)
        and all(len(group) == each for group in groups.values())
        and consecutive(list(groups))
    )


@lru_cache(maxsize=1024)
def in_sets(held: Cards, each: int) -> Mapping[int, Sequence[Card]]:
    """The natural cards of which there are so many of a rank, by its value."""
    return {value: group for value, group in by_value(held).items() if len(group) >= each}


def sets_in_a_row(held: Cards, each: int, count: int) -> Iterator[Cards]:
    """Every choice of `count` sets of `each` cards of consecutive ranks."""
    enough = in_sets(held, each)
    if len(enough) < count:
        return
    for low in sorted(enough):
        ranks = [enough[value] for value in range(low, low + count) if value in enough]
        if len(ranks) == count:
            for sets in product(*(combinations(group, each) for group in ranks)):
                yield tuple([card for one in sets for card in one])


def same_suit(cards: Cards) -> bool:
    """Whether all are of one suit; jokers have none."""
    return not any(card.is_joker for card in cards) and len({card.suit for card in cards}) == 1


@lru_cache(maxsize=256)
def suits(held: Cards) -> tuple[Cards, ...]:
    """The cards of each suit, from the lowest."""
    cards = ordered(held)
    return tuple([tuple([card for card in cards if card[1] == suit]) for suit in SUITS])


def _single(cards: Cards) -> Combination:
    return made("single", cards)


def _singles(held: Cards, size: int) -> Iterator[Cards]:
    return ((card,) for card in ordered(held))


def _pair(cards: Cards) -> Combination | None:
    return made("pair", cards) if is_sets_in_a_row(cards, 2) else None


def _pairs(held: Cards, size: int) -> Iterator[Cards]:
    return sets_in_a_row(held, 2, 1)


def _consecutive_pairs(cards: Cards) -> Combination | None:
    return made("consecutive_pairs", cards) if is_sets_in_a_row(cards, 2) else None


def _runs_of_pairs(held: Cards, size: int) -> Iterator[Cards]:
    return sets_in_a_row(held, 2, size // 2)


def _straight_flush(cards: Cards) -> Combination | None:
    good = same_suit(cards) and consecutive([VALUE[card] for card in cards])
    return made("straight_flush", cards) if good else None


def _straight_flushes(held: Cards, size: int) -> Iterator[Cards]:
    for suit in suits(held):
        for low in range(len(suit) - size + 1):
            run = suit[low : low + size]
            if VALUE[run[-1]] - VALUE[run[0]] == size - 1:
                yield run


def _flush(cards: Cards) -> Combination | None:
    values = sorted((VALUE[card] for card in cards), reverse=True)
    good = same_suit(cards) and not consecutive(values)
    return made("flush", cards, tuple(values), rank="") if good else None


def _flushes(held: Cards, size: int) -> Iterator[Cards]:
    for suit in suits(held):
        for cards in combinations(suit, size):
            if VALUE[cards[-1]] - VALUE[cards[0]] != size - 1:
                yield cards


PATTERNS = (
    Shape("single", (1,), _single, _singles),
    Shape("pair", (2,), _pair, _pairs),
    Shape(kind("consecutive_pairs", "consecutive pairs"), (4, 6, 8, 10), _consecutive_pairs, _runs_of_pairs),
    Shape("straight_flush", (3, 4, 5), _straight_flush, _straight_flushes),
    Shape("flush", (5,), _flush, _flushes),
)
"""The ordinary patterns, in the order of the chart."""

BY_KIND = {
    "single": SINGLE,
    "pair": PAIR,
    "consecutive_pairs": CONSECUTIVE_PAIRS,
    "straight_flush": STRAIGHT_FLUSH,
    "flush": FLUSH,
}
"""The row that says what beats each."""
