"""The ordinary patterns of the chart [CEAU-01 … CEAU-05]: how each is read, and found among a player's cards.

Some cards are one pattern or none; jokers are never wild. Bombs and missiles are defined in bombs.py. Comparing is
not done here, except that each pattern has a strength.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from app.engine.base.options import FixedRule, Section
from app.engine.cards.cards import JOKERS, NATURAL_CARDS, RANKS, SUITS, Card, Cards
from app.engine.climbing.combinations import Combination, Strength, declare_kind

VALUE_BY_CARD: dict[Card, int] = {card: RANKS.index(card.rank) for card in NATURAL_CARDS} | {
    joker: len(RANKS) + place for place, joker in enumerate(JOKERS)
}
"""Values of ranks from low: 3 … A 2, black joker, red joker. Suits are equal."""
_POSITION_BY_CARD = {
    card: place for place, card in enumerate(sorted(VALUE_BY_CARD, key=lambda card: (VALUE_BY_CARD[card], card)))
}
"""The position of each card in sorted order: by rank, then by suit."""

SINGLE = FixedRule(
    id="CEAU-01",
    name="Single card",
    sentence="One card beats a lower card. The order is 3 (lowest) to ace, then two, black joker, red joker.",
    example="2♥ is beaten by the black joker, and the black joker by the red joker; 7♥ does not beat 7♦.",
)
PAIR = FixedRule(
    id="CEAU-02",
    name="Pair",
    sentence="Two cards of a rank beat a lower pair. Two jokers are not a pair, and jokers are never wild.",
    example="6♣ 6♦ is beaten by 10♣ 10♦, and that by K♥ K♠.",
)
CONSECUTIVE_PAIRS = FixedRule(
    id="CEAU-03",
    name="Pairs in a row",
    sentence="Two to five pairs of consecutive ranks beat the same number of pairs with a lower top rank. A "
    "row ends at the two.",
    example="4♣ 4♦ 5♣ 5♦ is beaten by 8♣ 8♦ 9♣ 9♦, and that by A♣ A♦ 2♣ 2♦.",
)
STRAIGHT_FLUSH = FixedRule(
    id="CEAU-04",
    name="Straight flush",
    sentence="Three to five cards of one suit and consecutive ranks beat the same number of cards with a "
    "lower top rank. A row ends at the two.",
    example="8♣ 9♣ 10♣ J♣ is beaten by 10♦ J♦ Q♦ K♦, and that by Q♠ K♠ A♠ 2♠.",
)
FLUSH = FixedRule(
    id="CEAU-05",
    name="Flush",
    sentence="Five cards of one suit that are not consecutive beat a lower flush. The highest cards are "
    "compared first, then the next.",
    example="3♣ 6♣ 9♣ 10♣ Q♣ is beaten by 3♦ 7♦ 8♦ J♦ A♦, and that by 4♥ 6♥ 9♥ J♥ A♥.",
)

SECTION = Section("patterns", "Combinations", (), (SINGLE, PAIR, CONSECUTIVE_PAIRS, STRAIGHT_FLUSH, FLUSH))


@dataclass(frozen=True, slots=True)
class CombinationKind:
    """A kind of combination in Ceausescu, such as a pair, and the functions that recognise it.

    `sizes` are its numbers of cards.
    """

    kind: str
    sizes: tuple[int, ...]
    read: Callable[[Cards], Combination | None]
    """Returns the combination that cards of one of these sizes form, or None if they are not of this kind."""
    find: Callable[[Cards, int], Iterator[Cards]]
    """Yields every choice of the given number of held cards that is of this kind, lowest first."""

    def sample_combinations(self, size: int) -> Iterator[Combination]:
        """Yield combinations of this kind and size that cover every possible strength, for suggestions.

        Suits are equal, so the smallest sufficient number of suits is used.
        """
        for suits in range(1, len(SUITS) + 1):
            some = tuple(card for card in NATURAL_CARDS if card.suit in SUITS[:suits]) + JOKERS
            found = [read for cards in self.find(some, size) if (read := self.read(cards)) is not None]
            if found:
                return iter(found)
        return iter(())


def ordered(cards: Cards) -> Cards:
    """Return the cards sorted by Ceausescu's values, lowest first; jokers are highest.

    >>> ordered((Card("Xr"), Card("2c"), Card("3d")))
    ('3d', '2c', 'Xr')
    """
    return tuple(sorted(cards, key=_POSITION_BY_CARD.__getitem__))


def build_combination(
    kind: str, cards: Cards, strength: Strength | None = None, rank: str | None = None
) -> Combination:
    """Return a combination of Ceausescu with its cards sorted.

    `kind` is the name of the kind. `strength` and `rank`, if None, are those of its highest card.
    """
    cards = ordered(cards)
    top = cards[-1]
    return Combination(
        kind, cards, (VALUE_BY_CARD[top],) if strength is None else strength, top.rank if rank is None else rank
    )


@lru_cache(maxsize=1024)
def group_by_value(cards: Cards) -> Mapping[int, Sequence[Card]]:
    """Return the natural cards grouped by the value of their rank.

    Jokers are left out, as they belong to no run or set. Cached, because the search for every pattern of sets needs the
    groups of the same cards.
    """
    groups: dict[int, list[Card]] = {}
    for card in cards:
        if not card.is_joker:
            groups.setdefault(VALUE_BY_CARD[card], []).append(card)
    return groups


def consecutive(values: Sequence[int]) -> bool:
    """Return whether these values are different and consecutive, in any order.

    >>> consecutive([11, 12, 10]), consecutive([12, 0, 1])
    (True, False)
    """
    return max(values) - min(values) == len(values) - 1 == len(set(values)) - 1


def is_run_of_sets(cards: Cards, set_size: int) -> bool:
    """Return whether these cards are sets of `set_size` cards of consecutive ranks; a single set counts, too."""
    groups = group_by_value(cards)
    return (
        sum(map(len, groups.values())) == len(cards)
        and all(len(group) == set_size for group in groups.values())
        and consecutive(list(groups))
    )


@lru_cache(maxsize=1024)
def groups_of_at_least(held: Cards, set_size: int) -> Mapping[int, Sequence[Card]]:
    """Return the groups of natural cards with at least `set_size` cards of a rank, by the rank's value; cached."""
    return {value: group for value, group in group_by_value(held).items() if len(group) >= set_size}


def find_runs_of_sets(held: Cards, set_size: int, count: int) -> Iterator[Cards]:
    """Yield every choice of `count` sets of `set_size` cards of consecutive ranks among the held cards.

    The lowest comes first.
    """
    enough = groups_of_at_least(held, set_size)
    if len(enough) < count:
        return
    for low in sorted(enough):
        ranks = [enough[value] for value in range(low, low + count) if value in enough]
        if len(ranks) == count:
            for sets in product(*(combinations(group, set_size) for group in ranks)):
                yield tuple([card for one in sets for card in one])


def is_of_one_suit(cards: Cards) -> bool:
    """Return whether all cards are of one suit; jokers have no suit."""
    return not any(card.is_joker for card in cards) and len({card.suit for card in cards}) == 1


@lru_cache(maxsize=256)
def cards_by_suit(held: Cards) -> tuple[Cards, ...]:
    """Return the cards of each suit, lowest first, without jokers, as Ceausescu's flushes need them; cached."""
    cards = ordered(held)
    return tuple([tuple([card for card in cards if card[1] == suit]) for suit in SUITS])


def _read_single(cards: Cards) -> Combination:
    return build_combination("single", cards)


def _find_singles(held: Cards, size: int) -> Iterator[Cards]:
    return ((card,) for card in ordered(held))


def _read_pair(cards: Cards) -> Combination | None:
    return build_combination("pair", cards) if is_run_of_sets(cards, 2) else None


def _find_pairs(held: Cards, size: int) -> Iterator[Cards]:
    return find_runs_of_sets(held, 2, 1)


def _read_consecutive_pairs(cards: Cards) -> Combination | None:
    return build_combination("consecutive_pairs", cards) if is_run_of_sets(cards, 2) else None


def _find_consecutive_pairs(held: Cards, size: int) -> Iterator[Cards]:
    return find_runs_of_sets(held, 2, size // 2)


def _read_straight_flush(cards: Cards) -> Combination | None:
    good = is_of_one_suit(cards) and consecutive([VALUE_BY_CARD[card] for card in cards])
    return build_combination("straight_flush", cards) if good else None


def _find_straight_flushes(held: Cards, size: int) -> Iterator[Cards]:
    for suit in cards_by_suit(held):
        for low in range(len(suit) - size + 1):
            run = suit[low : low + size]
            if VALUE_BY_CARD[run[-1]] - VALUE_BY_CARD[run[0]] == size - 1:
                yield run


def _read_flush(cards: Cards) -> Combination | None:
    values = sorted((VALUE_BY_CARD[card] for card in cards), reverse=True)
    good = is_of_one_suit(cards) and not consecutive(values)
    return build_combination("flush", cards, tuple(values), rank="") if good else None


def _find_flushes(held: Cards, size: int) -> Iterator[Cards]:
    for suit in cards_by_suit(held):
        for cards in combinations(suit, size):
            if VALUE_BY_CARD[cards[-1]] - VALUE_BY_CARD[cards[0]] != size - 1:
                yield cards


PATTERNS = (
    CombinationKind("single", (1,), _read_single, _find_singles),
    CombinationKind("pair", (2,), _read_pair, _find_pairs),
    CombinationKind(
        declare_kind("consecutive_pairs", "consecutive pairs"),
        (4, 6, 8, 10),
        _read_consecutive_pairs,
        _find_consecutive_pairs,
    ),
    CombinationKind("straight_flush", (3, 4, 5), _read_straight_flush, _find_straight_flushes),
    CombinationKind("flush", (5,), _read_flush, _find_flushes),
)
"""The ordinary patterns, in the order of the chart."""

RULE_BY_KIND = {
    "single": SINGLE,
    "pair": PAIR,
    "consecutive_pairs": CONSECUTIVE_PAIRS,
    "straight_flush": STRAIGHT_FLUSH,
    "flush": FLUSH,
}
"""The rule that says what beats each pattern."""
