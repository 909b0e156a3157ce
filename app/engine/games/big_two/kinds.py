"""The kinds of combination in Big Two: each can read cards, and find itself among a player's cards.

combinations.py decides which kinds a match has, and which kind may answer which.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import chain, combinations, permutations

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.cards.card_order import CardOrder
from app.engine.cards.cards import RANKS, SUITS, Card, Cards, remove_cards
from app.engine.climbing import poker
from app.engine.climbing.combinations import PAIR, SINGLE, TRIPLE, Combination, Strength
from app.engine.climbing.hand_index import HandIndex
from app.engine.climbing.poker import (
    HeldCards,
    StraightRanks,
    StraightsByRanks,
    full_house_rank,
    is_one_suit,
    quads_rank,
)
from app.engine.climbing.suggestion_data import HIGHER_SETS

SMALL_KINDS = frozenset({SINGLE, PAIR, TRIPLE})
"""Kinds on which a play of an honour is reported (event `honour`)."""
HONOUR_KINDS = frozenset({poker.QUADS, poker.STRAIGHT_FLUSH})
"""Kinds that scoring and events call honours, independent of how quads are played."""
ROYAL = frozenset("TJQKA")
LOWEST_AND_HIGHEST_RANK = RANKS[0], RANKS[-1]


class Tier(IntEnum):
    """The level of a kind of combination in Big Two; of kinds that may be played on each other, the higher beats."""

    SET = 0
    STRAIGHT = 1
    FLUSH = 2
    FULL_HOUSE = 3
    BELOW_QUADS = 4
    QUADS = 5
    STRAIGHT_FLUSH = 6
    BOMB = 7


A_FLUSH = MessageTemplate("what.flush", "a flush")
FOUR_AND_A_CARD = MessageTemplate("what.four_and_a_card", "four of a kind with a card")
A_STRAIGHT_FLUSH = MessageTemplate("what.straight_flush", "a straight flush")
A_STRAIGHT = MessageTemplate("what.straight", "a straight")
A_FULL_HOUSE = MessageTemplate("what.full_house", "a full house")
A_SUITED_SEVEN = MessageTemplate("what.suited_seven", "a straight flush with two more cards")
THE_ROYAL = MessageTemplate("what.royal", "10 J Q K A of one suit")
HIGHER = HIGHER_SETS | {
    A_FLUSH.key: MessageTemplate("what.higher.flush", "a higher flush"),
    FOUR_AND_A_CARD.key: MessageTemplate("what.higher.four_and_a_card", "a higher four of a kind with a card"),
    A_STRAIGHT_FLUSH.key: MessageTemplate("what.higher.straight_flush", "a higher straight flush"),
    A_STRAIGHT.key: MessageTemplate("what.higher.straight", "a higher straight"),
    A_FULL_HOUSE.key: MessageTemplate("what.higher.full_house", "a higher full house"),
    A_SUITED_SEVEN.key: MessageTemplate("what.higher.suited_seven", "a higher straight flush with two more cards"),
}
"""The texts for a higher combination of the same kind."""


def _lowest_and_highest_run(runs: StraightsByRanks) -> tuple[StraightRanks, StraightRanks]:
    """Return the lowest and the highest of a game's straights, as examples that give the range of strengths.

    `runs` lists the straights from low to high, at least two.
    """
    first, *others = runs.values()
    return first, others[-1]


@dataclass(frozen=True, slots=True, eq=False)
class BigTwoKind:
    """A kind of combination in Big Two, compared by identity: it reads cards, and finds itself among held cards.

    `size` is its number of cards, `words` its name in sentences, and `order` the order of cards. All cards of the deck
    differ, so no choice is found twice.
    """

    name: str
    size: int
    words: MessageTemplate
    """The name of the kind, for sentences."""
    order: CardOrder
    tier: Tier
    """The highest tier that the kind reaches. Strengths begin with a tier, so kinds that may answer each other
    compare."""

    @property
    def words_higher(self) -> TranslatableMessage:
        """Return the text for a higher combination of this kind, such as "a higher flush", for suggestions."""
        return HIGHER[self.words.key]()

    @property
    def words_above(self) -> TranslatableMessage:
        """Return the text for combinations of this kind that beat another kind, if only the highest do.

        Suggestions after a refused play use it.
        """
        return self.words_higher

    def strength_of(self, cards: Cards) -> Strength | None:
        """Return the strength of these `size` different cards as this kind of combination.

        None if they are not of this kind.
        """
        raise NotImplementedError

    def find_card_sets(self, held: HeldCards) -> Iterator[Cards]:
        """Yield every choice of the held cards that forms this kind of combination, each once."""
        raise NotImplementedError

    def extreme_examples(self) -> Iterator[Cards]:
        """Yield a few choices of the deck's cards, including the weakest and the strongest of this kind of combination.

        Some choices may be of another kind. They give the range of strengths without a full search.
        """
        raise NotImplementedError

    def strength_of_valid_cards(self, cards: Cards) -> Strength:
        """Return the strength of cards that `find_card_sets` has found, so they are known to be of this kind.

        Subclasses skip the check where that is faster.
        """
        strength = self.strength_of(cards)
        assert strength is not None
        return strength

    def find_combinations(self, held: HeldCards) -> Iterator[tuple[Combination, ...]]:
        """Yield every combination of this kind among held cards, each as a tuple with one reading, for legal plays."""
        return (
            (Combination(self.name, cards, self.strength_of_valid_cards(cards)),) for cards in self.find_card_sets(held)
        )


@dataclass(frozen=True, slots=True, eq=False)
class OfOneRank(BigTwoKind):
    """Big Two's combinations of one rank: single, pair, triple, and four of a kind without a fifth card.

    `suits_count`: of equal ranks, the highest suit decides.
    """

    suits_count: bool = False

    def strength_of(self, cards: Cards) -> Strength | None:
        """Return a strength by rank, then by the highest suit if suits count.

        None if the cards are of different ranks.
        """
        rank = cards[0][0]
        if any(card[0] != rank for card in cards):
            return None
        return (
            self.tier,
            max(map(self.order.index_by_card.__getitem__, cards)) if self.suits_count else RANKS.index(rank),
        )

    def find_card_sets(self, held: HeldCards) -> Iterator[Cards]:
        """Yield every choice of `size` held cards of one rank. The lowest rank comes first if `held` is sorted."""
        for group in held.ranks.values():
            yield from combinations(group, self.size)

    def extreme_examples(self) -> Iterator[Cards]:
        """Yield all sets of the deck's lowest and highest rank.

        They include the weakest and the strongest of this kind, which gives the range of strengths.
        """
        for rank in LOWEST_AND_HIGHEST_RANK:
            yield from combinations(self.order.cards_of_rank(rank), self.size)

    def find_combinations(self, held: HeldCards) -> Iterator[tuple[Combination, ...]]:
        """Yield every set of this kind (cards of one rank) among held cards, each as a tuple with one reading.

        The sets of each rank are cached, since they are few and often asked for.
        """
        return chain.from_iterable(_combinations_of_rank(self, tuple(group)) for group in held.ranks.values())


@lru_cache(1024)
def _combinations_of_rank(kind: OfOneRank, group: Cards) -> tuple[tuple[Combination], ...]:
    """Return all sets of a kind, such as pairs, among cards of one rank; cached.

    Each comes as a tuple with one reading.
    """
    return tuple(
        [(Combination(kind.name, some, kind.strength_of_valid_cards(some)),) for some in combinations(group, kind.size)]
    )


@dataclass(frozen=True, slots=True, eq=False)
class Straight(BigTwoKind):
    """Big Two's straight: five ranks in a row, not all of one suit.

    `runs` has the straights of the game, by their ranks.
    """

    runs: StraightsByRanks

    def strength_of(self, cards: Cards) -> Strength | None:
        """Return a straight's strength: by the order of straights, then by the suit of the deciding card.

        None unless the cards form a straight of several suits.
        """
        run = self.runs.get(frozenset(card[0] for card in cards))
        if run is None or is_one_suit(cards):
            return None
        return (
            self.tier,
            run.level,
            self.order.index_by_suit[next(card[1] for card in cards if card[0] == run.deciding_rank)],
        )

    def extreme_examples(self) -> Iterator[Cards]:
        """Yield the lowest and the highest straight of the deck, with the deciding card in each suit.

        Their other cards have one other suit, each in turn. They give the range of strengths without a full search.
        """
        for run in _lowest_and_highest_run(self.runs):
            for suit, other in permutations(SUITS, 2):
                yield tuple(Card(rank + (suit if rank == run.deciding_rank else other)) for rank in run.ranks)

    def find_card_sets(self, held: HeldCards) -> Iterator[Cards]:
        """Yield the straights among held cards from the lowest level, with every choice of suits not all equal."""
        return held.find_straights(self.runs.values())


@dataclass(frozen=True, slots=True, eq=False)
class Flush(BigTwoKind):
    """Big Two's flush: five cards of one suit whose ranks do not form a straight.

    `runs` has the straights, by their ranks. `strength_measure` returns a flush's strength, by the option `flushes_by`.
    """

    runs: StraightsByRanks
    strength_measure: Callable[[CardOrder, Cards], Strength]

    def strength_of(self, cards: Cards) -> Strength | None:
        """Return the strength of a flush by the option `flushes_by`.

        None unless the cards form a flush that is not a straight flush.
        """
        if not is_one_suit(cards) or frozenset(card[0] for card in cards) in self.runs:
            return None
        return self.strength_of_valid_cards(cards)

    def strength_of_valid_cards(self, cards: Cards) -> Strength:
        """Return the strength of cards that are known to be a flush, by the option `flushes_by`, without a check."""
        return (self.tier, *self.strength_measure(self.order, cards))

    def extreme_examples(self) -> Iterator[Cards]:
        """Yield the flushes of the six lowest and of the six highest ranks of each suit.

        They include the weakest and the strongest flush. Six ranks suffice: not all of their choices of five are
        straights.
        """
        for suit in SUITS:
            for ranks in (RANKS[:6], RANKS[-6:]):
                yield from combinations([Card(rank + suit) for rank in ranks], self.size)

    def find_card_sets(self, held: HeldCards) -> Iterator[Cards]:
        """Yield the flushes among held cards, suit by suit."""
        return held.find_flushes(self.runs)


@dataclass(frozen=True, slots=True, eq=False)
class FullHouse(BigTwoKind):
    """Big Two's full house: three cards of a rank and two of another."""

    def strength_of(self, cards: Cards) -> Strength | None:
        """Return a full house's strength, by the rank of the three equal cards; None for any other cards."""
        three = full_house_rank([card[0] for card in cards])
        return None if three is None else (self.tier, RANKS.index(three))

    def extreme_examples(self) -> Iterator[Cards]:
        """Yield a full house with three of the lowest rank, and one with three of the highest.

        They give the range of strengths without a full search.
        """
        low, high = map(self.order.cards_of_rank, LOWEST_AND_HIGHEST_RANK)
        yield low[:3] + high[:2]
        yield high[:3] + low[:2]

    def find_card_sets(self, held: HeldCards) -> Iterator[Cards]:
        """Yield the full houses among held cards, ordered by the rank of the three equal cards."""
        return held.find_full_houses(held.ranks)


@dataclass(frozen=True, slots=True, eq=False)
class QuadsWithCard(BigTwoKind):
    """Big Two's four of a kind with a fifth card: four cards of a rank and any one card."""

    def strength_of(self, cards: Cards) -> Strength | None:
        """Return the strength of four of a kind with a card, by the rank of the four; None without four equal cards."""
        four = quads_rank([card[0] for card in cards])
        return None if four is None else (self.tier, RANKS.index(four))

    def extreme_examples(self) -> Iterator[Cards]:
        """Yield the lowest and the highest four of a kind, each with a fifth card.

        They give the range of strengths without a full search.
        """
        low, high = map(self.order.cards_of_rank, LOWEST_AND_HIGHEST_RANK)
        yield low + high[:1]
        yield high + low[:1]

    def find_card_sets(self, held: HeldCards) -> Iterator[Cards]:
        """Yield each four of a kind among held cards with each other card."""
        return held.find_quads(held.ranks)


@dataclass(frozen=True, slots=True, eq=False)
class StraightFlush(BigTwoKind):
    """Big Two's straight flush: five cards in a row of one suit, with any two more cards if `size` is seven.

    `runs` has the straights, by their ranks. The royal one (10 to ace) has the tier `tier`, which may be above that of
    the others, `plain_tier`.
    """

    runs: StraightsByRanks
    plain_tier: Tier
    """The tier of straight flushes other than the royal one."""

    @property
    def words_above(self) -> TranslatableMessage:
        """Return the name of the royal straight flush (10 to ace), for suggestions of what beats another kind.

        Only that one may rank above the other kind.
        """
        return THE_ROYAL()

    def strength_of(self, cards: Cards) -> Strength | None:
        """Return a straight flush's strength: by the order of straights, then by suit; None if the cards have none.

        With seven cards, the best run in them counts. The royal one (10 to ace) may rank above all others.
        """
        best: Strength | None = None
        for suit, rank in self.order.index_by_suit.items():
            ranks = frozenset(card[0] for card in cards if card[1] == suit)
            if len(ranks) < 5:
                continue
            for run_ranks, run in self.runs.items():
                if run_ranks <= ranks:
                    found = (self.tier if run_ranks == ROYAL else self.plain_tier, run.level, rank)
                    best = found if best is None else max(best, found)
        return best

    def extreme_examples(self) -> Iterator[Cards]:
        """Yield the lowest, highest and royal (10 to ace) straight flush of each suit.

        They are filled up with cards of another suit. They give the range of strengths without a full search.
        """
        for suit, other in permutations(SUITS, 2):
            rest = tuple(Card(rank + other) for rank in RANKS[: self.size - 5])
            for ranks in {ROYAL, *(frozenset(run.ranks) for run in _lowest_and_highest_run(self.runs))}:
                yield tuple(Card(rank + suit) for rank in ranks) + rest

    def find_card_sets(self, held: HeldCards) -> Iterator[Cards]:
        """Yield the straight flushes among held cards, suit by suit.

        For size seven, each comes with every choice of two other cards.
        """
        spare, seen = self.size - 5, set[frozenset[Card]]()
        for cards in held.find_straight_flushes(self.runs.values()):
            if not spare:
                yield cards
                continue
            for more in combinations(remove_cards(held.cards, cards), spare):
                # A row of six or seven cards contains several runs: yield the same seven cards only once.
                if (whole := frozenset((*cards, *more))) not in seen:
                    seen.add(whole)
                    yield (*cards, *more)


class BigTwoHandIndex(HandIndex[BigTwoKind]):
    """The combinations among a player's cards in Big Two, found by kind and cached."""

    def __init__(self, cards: Cards) -> None:
        super().__init__(cards)
        self.grouped_cards = HeldCards(cards)

    def find_combinations(self, sort: BigTwoKind) -> Iterator[tuple[Combination, ...]]:
        """Yield the held cards' combinations of one kind of Big Two, each as a tuple with one reading."""
        return sort.find_combinations(self.grouped_cards)

    def find_all(self, kinds: Iterable[BigTwoKind]) -> Iterator[tuple[Combination, ...]]:
        """Yield the held cards' combinations of several kinds of Big Two, kind by kind.

        Each comes as a tuple with one reading.
        """
        return chain.from_iterable(map(self.combinations_of, kinds))
