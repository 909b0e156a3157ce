"""The kinds of combination in Big Two: each reads cards, and finds itself among the cards somebody holds.

Which kinds there are in a match, and which may answer which, `combinations` says.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import chain, combinations, permutations

from app.engine.base.messages import Said, Sentence
from app.engine.cards.cards import RANKS, SUITS, Card, Cards, without
from app.engine.climbing import poker
from app.engine.climbing.combinations import PAIR, SINGLE, TRIPLE, Combination, Strength
from app.engine.climbing.hand_index import Holding
from app.engine.climbing.poker import HeldCards, Runs, StraightRanks, four_of_quads, suited, three_of_full_house

from .deal import CardOrder

BY_SUIT = frozenset({SINGLE, PAIR})
"""What suits decide where ranks are equal."""
SMALL = frozenset({SINGLE, PAIR, TRIPLE})
"""What an honour is told on (event `honour`)."""
HONOUR_KINDS = frozenset({poker.QUADS, poker.STRAIGHT_FLUSH})
"""The kinds that scoring and events call honours, however quads are played."""
ROYAL = frozenset("TJQKA")
ENDS = RANKS[0], RANKS[-1]
"""The lowest rank and the highest."""


class Tier(IntEnum):
    """Where a kind stands among those that may answer each other, from the lowest."""

    SET = 0
    STRAIGHT = 1
    FLUSH = 2
    FULL_HOUSE = 3
    BELOW_QUADS = 4
    QUADS = 5
    STRAIGHT_FLUSH = 6
    BOMB = 7


A_FLUSH = Sentence("what.flush", "a flush")
A_FOUR_OF_A_KIND = Sentence("what.four_of_a_kind", "four of a kind")
FOUR_AND_A_CARD = Sentence("what.four_and_a_card", "four of a kind with a card")
A_STRAIGHT_FLUSH = Sentence("what.straight_flush", "a straight flush")
A_TRIPLE = Sentence("what.triple", "a triple")
A_SINGLE_CARD = Sentence("what.single_card", "a single card")
A_PAIR = Sentence("what.pair", "a pair")
A_STRAIGHT = Sentence("what.straight", "a straight")
A_FULL_HOUSE = Sentence("what.full_house", "a full house")
A_SUITED_SEVEN = Sentence("what.suited_seven", "a straight flush with two more cards")
THE_ROYAL = Sentence("what.royal", "10 J Q K A of one suit")
HIGHER = {
    A_FLUSH.key: Sentence("what.higher.flush", "a higher flush"),
    A_FOUR_OF_A_KIND.key: Sentence("what.higher.four_of_a_kind", "a higher four of a kind"),
    FOUR_AND_A_CARD.key: Sentence("what.higher.four_and_a_card", "a higher four of a kind with a card"),
    A_STRAIGHT_FLUSH.key: Sentence("what.higher.straight_flush", "a higher straight flush"),
    A_TRIPLE.key: Sentence("what.higher.triple", "a higher triple"),
    A_SINGLE_CARD.key: Sentence("what.higher.single_card", "a higher single card"),
    A_PAIR.key: Sentence("what.higher.pair", "a higher pair"),
    A_STRAIGHT.key: Sentence("what.higher.straight", "a higher straight"),
    A_FULL_HOUSE.key: Sentence("what.higher.full_house", "a higher full house"),
    A_SUITED_SEVEN.key: Sentence("what.higher.suited_seven", "a higher straight flush with two more cards"),
}
"""The same, higher."""


def _ends(runs: Runs) -> tuple[StraightRanks, StraightRanks]:
    """Return the lowest run and the highest."""
    first, *others = runs.values()
    return first, others[-1]


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of combination, and no other is the same. All cards of a deck are different, so none is found twice."""

    name: str
    size: int
    words: Sentence
    """What it is, for sentences."""
    order: CardOrder
    tier: Tier
    """The highest that it reaches. A strength begins with a tier, so that those of kinds that may answer each other
    compare."""

    @property
    def words_higher(self) -> Said:
        """A higher one."""
        return HIGHER[self.words.key]()

    @property
    def words_above(self) -> Said:
        """What it is where only the highest of its kind beats another kind."""
        return self.words_higher

    def strength(self, cards: Cards) -> Strength | None:
        """How strong these `size` different cards are as this kind; None if they are no such thing."""
        raise NotImplementedError

    def find(self, held: HeldCards) -> Iterator[Cards]:
        """Every choice of cards that is this kind, each once."""
        raise NotImplementedError

    def extremes(self) -> Iterator[Cards]:
        """Yield a few choices of the deck's cards, among them the weakest and the strongest of this kind; some may be
        no such thing."""
        raise NotImplementedError

    def measured(self, cards: Cards) -> Strength:
        """How strong cards are that `find` has found. Where very many are found, they need not be read again."""
        strength = self.strength(cards)
        assert strength is not None
        return strength

    def found(self, held: HeldCards) -> Iterator[tuple[Combination, ...]]:
        """Every combination of this kind among cards held, each alone in a sequence, as readings are."""
        return ((Combination(self.name, cards, self.measured(cards)),) for cards in self.find(held))


@dataclass(frozen=True, slots=True, eq=False)
class OfOneRank(Kind):
    """Single, pair, triple, and quads by themselves."""

    suits_count: bool = False

    def strength(self, cards: Cards) -> Strength | None:
        """By rank, then by the higher suit where suits can decide."""
        rank = cards[0][0]
        if any(card[0] != rank for card in cards):
            return None
        return (self.tier, max(map(self.order.value.__getitem__, cards)) if self.suits_count else RANKS.index(rank))

    def find(self, held: HeldCards) -> Iterator[Cards]:
        """Go through the ranks from the lowest."""
        for group in held.ranks.values():
            yield from combinations(group, self.size)

    def extremes(self) -> Iterator[Cards]:
        """Yield the sets of the lowest and of the highest rank."""
        for rank in ENDS:
            yield from combinations(self.order.of_rank(rank), self.size)

    def found(self, held: HeldCards) -> Iterator[tuple[Combination, ...]]:
        """There are few sets in a pack, and everybody asks for them: those of a rank are made once."""
        return chain.from_iterable(_of_rank(self, tuple(group)) for group in held.ranks.values())


@lru_cache(1024)
def _of_rank(kind: OfOneRank, group: Cards) -> tuple[tuple[Combination], ...]:
    """All sets of a kind among cards of one rank."""
    return tuple([(Combination(kind.name, some, kind.measured(some)),) for some in combinations(group, kind.size)])


@dataclass(frozen=True, slots=True, eq=False)
class Straight(Kind):
    """Five consecutive ranks, not all of one suit."""

    runs: Runs

    def strength(self, cards: Cards) -> Strength | None:
        """By the order of straights, then by the suit of the deciding card."""
        run = self.runs.get(frozenset(card[0] for card in cards))
        if run is None or suited(cards):
            return None
        return (self.tier, run.level, self.order.suit[next(card[1] for card in cards if card[0] == run.decides)])

    def extremes(self) -> Iterator[Cards]:
        """Yield the lowest and the highest run, its deciding card in each suit."""
        for run in _ends(self.runs):
            for suit, other in permutations(SUITS, 2):
                yield tuple(Card(rank + (suit if rank == run.decides else other)) for rank in run.ranks)

    def find(self, held: HeldCards) -> Iterator[Cards]:
        """From the lowest level, with every choice of suits."""
        return held.straights(self.runs.values())


@dataclass(frozen=True, slots=True, eq=False)
class Flush(Kind):
    """Five cards of a suit that are no run."""

    runs: Runs
    measure: Callable[[CardOrder, Cards], Strength]

    def strength(self, cards: Cards) -> Strength | None:
        """A flush is as strong as `flushes_by` says."""
        if not suited(cards) or frozenset(card[0] for card in cards) in self.runs:
            return None
        return self.measured(cards)

    def measured(self, cards: Cards) -> Strength:
        """By its suit and ranks."""
        return (self.tier, *self.measure(self.order, cards))

    def extremes(self) -> Iterator[Cards]:
        """Yield the flushes of the six lowest and of the six highest ranks: more than one choice of five is a run."""
        for suit in SUITS:
            for ranks in (RANKS[:6], RANKS[-6:]):
                yield from combinations([Card(rank + suit) for rank in ranks], self.size)

    def find(self, held: HeldCards) -> Iterator[Cards]:
        """Go through the suits one by one."""
        return held.flushes(self.runs)


@dataclass(frozen=True, slots=True, eq=False)
class FullHouse(Kind):
    """Three cards of a rank and two of another."""

    def strength(self, cards: Cards) -> Strength | None:
        """A full house is as strong as the rank of its three."""
        three = three_of_full_house([card[0] for card in cards])
        return None if three is None else (self.tier, RANKS.index(three))

    def extremes(self) -> Iterator[Cards]:
        """Yield a full house with three of the lowest rank, and one with three of the highest."""
        low, high = map(self.order.of_rank, ENDS)
        yield low[:3] + high[:2]
        yield high[:3] + low[:2]

    def find(self, held: HeldCards) -> Iterator[Cards]:
        """Go through the ranks of the three from the lowest."""
        return held.full_houses(held.ranks)


@dataclass(frozen=True, slots=True, eq=False)
class QuadsWithCard(Kind):
    """Four cards of a rank and any one card."""

    def strength(self, cards: Cards) -> Strength | None:
        """Quads are as strong as the rank of the four."""
        four = four_of_quads([card[0] for card in cards])
        return None if four is None else (self.tier, RANKS.index(four))

    def extremes(self) -> Iterator[Cards]:
        """Yield the lowest four and the highest, each with a card."""
        low, high = map(self.order.of_rank, ENDS)
        yield low + high[:1]
        yield high + low[:1]

    def find(self, held: HeldCards) -> Iterator[Cards]:
        """From the lowest four, with each other card."""
        return held.quads(held.ranks)


@dataclass(frozen=True, slots=True, eq=False)
class StraightFlush(Kind):
    """Five consecutive cards of one suit, with any two more where it has seven cards."""

    runs: Runs
    plain_tier: Tier
    """Of any but the royal one."""

    @property
    def words_above(self) -> Said:
        """The royal one stands in a tier of its own."""
        return THE_ROYAL()

    def strength(self, cards: Cards) -> Strength | None:
        """By the order of straights, then by suit; of seven cards the best run in them counts."""
        best: Strength | None = None
        for suit, rank in self.order.suit.items():
            ranks = frozenset(card[0] for card in cards if card[1] == suit)
            if len(ranks) < 5:
                continue
            for run_ranks, run in self.runs.items():
                if run_ranks <= ranks:
                    found = (self.tier if run_ranks == ROYAL else self.plain_tier, run.level, rank)
                    best = found if best is None else max(best, found)
        return best

    def extremes(self) -> Iterator[Cards]:
        """Yield the lowest run, the highest and the royal one of each suit, filled up with another suit's cards."""
        for suit, other in permutations(SUITS, 2):
            rest = tuple(Card(rank + other) for rank in RANKS[: self.size - 5])
            for ranks in {ROYAL, *(frozenset(run.ranks) for run in _ends(self.runs))}:
                yield tuple(Card(rank + suit) for rank in ranks) + rest

    def find(self, held: HeldCards) -> Iterator[Cards]:
        """Suit by suit; with seven cards, every choice of two others."""
        spare, seen = self.size - 5, set[frozenset[Card]]()
        for cards in held.straight_flushes(self.runs.values()):
            if not spare:
                yield cards
                continue
            for more in combinations(without(held.cards, cards), spare):
                # Six or seven cards in a row are found from each run in them.
                if (whole := frozenset((*cards, *more))) not in seen:
                    seen.add(whole)
                    yield (*cards, *more)


class BigTwoHolding(Holding[Kind]):
    """What somebody holds, by kind."""

    def __init__(self, cards: Cards) -> None:
        super().__init__(cards)
        self.grouped = HeldCards(cards)

    def find(self, sort: Kind) -> Iterator[tuple[Combination, ...]]:
        """As the kind finds itself."""
        return sort.found(self.grouped)

    def every(self, kinds: Iterable[Kind]) -> Iterator[tuple[Combination, ...]]:
        """Everything of some kinds, kind by kind."""
        return chain.from_iterable(map(self.of, kinds))
