"""The five-card combinations of Big Two in President [PRES-23]: straight to straight flush."""

import math
from collections.abc import Callable, Iterator
from itertools import chain, islice

from app.engine.base.options import Options, Switch, flag
from app.engine.cards.cards import Cards
from app.engine.climbing import poker
from app.engine.climbing.combinations import Combination, Strength
from app.engine.games.president.combinations.cards import CardMeanings

SWITCH = Switch(
    id="PRES-23",
    also="ポーカー straight flush full house 同花顺 葫芦",
    key="poker_hands",
    domain=flag("No poker hands", "Straight, flush, full house, four and one, straight flush"),
    default=False,
    sentence="Whether the five-card hands of poker may be played; any of them beats a lower kind.",
    example="A flush beats a straight. 8♣ 8♦ 8♥ 3♣ 3♦ beats 7♣ 7♦ 7♥ A♣ A♦: the three decide.",
)

KINDS = poker.KINDS

SAMPLES = 24
"""Hands of a kind that are looked at, at most, to find one that beats."""

_RUNS = poker.runs_of(poker.RISING)


class PokerHands:
    """Poker hands over the ranks in force. No wild cards and no jokers are in any of them."""

    def __init__(self, faces: CardMeanings) -> None:
        self.faces = faces

    def reading(self, cards: Cards, *, inverted: bool) -> Combination | None:
        """The poker hand that these five cards are."""
        faces = self.faces
        if len(cards) != 5 or any(faces.is_wild(card) or card.is_joker for card in cards):
            return None
        ranks = [faces.rank(card) for card in cards]
        run, suited = _RUNS.get(frozenset(ranks)), poker.suited(cards)
        if run is not None:
            kind = poker.STRAIGHT_FLUSH if suited else poker.STRAIGHT
            return Combination(kind, cards, _height(run, inverted=inverted))
        if suited:
            levels = sorted((faces.level(rank, inverted=inverted) for rank in ranks), reverse=True)
            return Combination(poker.FLUSH, cards, tuple(levels))
        for kind, rank in (
            (poker.FULL_HOUSE, poker.three_of_full_house(ranks)),
            (poker.QUADS, poker.four_of_quads(ranks)),
        ):
            if rank is not None:
                return Combination(kind, cards, (faces.level(rank, inverted=inverted),))
        return None

    def samples(self, held: Cards, on: Combination, *, inverted: bool) -> Iterator[Combination]:
        """Yield a few held poker hands that beat one: some of each kind that has any. Of very many cards, which
        `candidates` would take long to go through."""
        for found in self._by_kind(held, on, inverted=inverted, flushes=self._highest_flushes):
            for reading in filter(None, (self.reading(cards, inverted=inverted) for cards in islice(found, SAMPLES))):
                if self.beats(reading, on):
                    yield reading

    def _highest_flushes(self, mine: poker.HeldCards, *, inverted: bool) -> Iterator[Cards]:
        """Yield flushes of the six highest cards of each suit. One of them is the highest of all: at most one choice
        of five is a run."""
        for group in mine.suits.values():
            high = sorted(group, key=lambda card: self.faces.level(self.faces.rank(card), inverted=inverted))[-6:]
            yield from poker.HeldCards(tuple(high), self.faces.rank).flushes(_RUNS)

    def candidates(self, held: Cards, on: Combination | None, *, inverted: bool) -> Iterator[Cards]:
        """Every five held cards that are a poker hand; if there is one to beat, only of higher kinds and ranks."""

        def flushes(mine: poker.HeldCards, *, inverted: bool) -> Iterator[Cards]:
            return mine.flushes(_RUNS)

        return chain.from_iterable(self._by_kind(held, on, inverted=inverted, flushes=flushes))

    def _by_kind(
        self, held: Cards, on: Combination | None, *, inverted: bool, flushes: Callable[..., Iterator[Cards]]
    ) -> Iterator[Iterator[Cards]]:
        """Yield the same kind by kind; of flushes those that `flushes` finds."""
        natural = tuple(card for card in held if not self.faces.is_wild(card) and not card.is_joker)
        mine = poker.HeldCards(natural, self.faces.rank)

        def wanted(kind: str, strength: Strength) -> bool:
            """Whether a hand of this kind and strength would be higher."""
            return on is None or (KINDS.index(kind), strength) > (KINDS.index(on.kind), on.strength)

        def level(rank: str) -> tuple[int]:
            return (self.faces.level(rank, inverted=inverted),)

        def runs(kind: str) -> list[poker.StraightRanks]:
            return [run for run in _RUNS.values() if wanted(kind, _height(run, inverted=inverted))]

        yield mine.straights(runs(poker.STRAIGHT))
        if wanted(poker.FLUSH, (math.inf,)):
            yield flushes(mine, inverted=inverted)
        yield mine.full_houses(rank for rank in mine.ranks if wanted(poker.FULL_HOUSE, level(rank)))
        yield mine.quads(rank for rank in mine.ranks if wanted(poker.QUADS, level(rank)))
        yield mine.straight_flushes(runs(poker.STRAIGHT_FLUSH))

    def beats(self, new: Combination, on: Combination) -> bool:
        """Whether one poker hand beats another: by kind, then by strength."""
        mine, theirs = KINDS.index(new.kind), KINDS.index(on.kind)
        return mine > theirs or (mine == theirs and new.strength > on.strength)


def poker_hands(faces: CardMeanings, options: Options) -> PokerHands | None:
    """The poker hands of a match that has them."""
    return PokerHands(faces) if options[SWITCH] else None


def _height(run: poker.StraightRanks, *, inverted: bool) -> tuple[int]:
    """34567 to TJQKA whatever the rank order, turned round with the ranks."""
    return (-run.level if inverted else run.level,)
