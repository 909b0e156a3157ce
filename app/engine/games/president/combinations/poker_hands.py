"""Five-card poker hands in President [PRES-23]: straight to straight flush."""

import math
from collections.abc import Callable, Iterator
from itertools import chain, islice

from app.engine.base.options import Option, Options, on_off_choice
from app.engine.cards.cards import Cards
from app.engine.climbing import poker
from app.engine.climbing.combinations import Combination, Strength
from app.engine.games.president.combinations.cards import CardMeanings

SWITCH = Option(
    id="PRES-23",
    also="ポーカー straight flush full house 同花顺 葫芦",
    key="poker_hands",
    domain=on_off_choice("No poker hands", "Straight, flush, full house, four of a kind with a card, straight flush"),
    default=False,
    sentence="Decides whether five-card poker hands may be played. Each kind beats all lower kinds.",
    example="A flush beats a straight. 8♣ 8♦ 8♥ 3♣ 3♦ beats 7♣ 7♦ 7♥ A♣ A♦: the three equal cards decide.",
    short={True: "You may also play poker hands of five cards."},
)

KINDS = poker.KINDS

MAX_EXAMPLES = 24
"""Maximum number of hands of one kind that are examined to find one that beats."""

_STRAIGHTS = poker.build_straights(poker.PLAIN_STRAIGHTS)


class PokerHands:
    """Reads and finds poker hands of five cards in President. They contain neither wild cards nor jokers."""

    def __init__(self, faces: CardMeanings) -> None:
        self.card_meanings = faces

    def read_poker_hand(self, cards: Cards, *, inverted: bool) -> Combination | None:
        """Return the poker hand that these five cards form in President.

        None if they form none, or if a card is wild or a joker.
        """
        faces = self.card_meanings
        if len(cards) != 5 or any(faces.is_wild(card) or card.is_joker for card in cards):
            return None
        ranks = [faces.rank_of(card) for card in cards]
        run, suited = _STRAIGHTS.get(frozenset(ranks)), poker.is_one_suit(cards)
        if run is not None:
            kind = poker.STRAIGHT_FLUSH if suited else poker.STRAIGHT
            return Combination(kind, cards, _straight_strength(run, inverted=inverted))
        if suited:
            levels = sorted((faces.rank_level(rank, inverted=inverted) for rank in ranks), reverse=True)
            return Combination(poker.FLUSH, cards, tuple(levels))
        for kind, rank in (
            (poker.FULL_HOUSE, poker.full_house_rank(ranks)),
            (poker.QUADS, poker.quads_rank(ranks)),
        ):
            if rank is not None:
                return Combination(kind, cards, (faces.rank_level(rank, inverted=inverted),))
        return None

    def example_hands_that_beat(self, held: Cards, on: Combination, *, inverted: bool) -> Iterator[Combination]:
        """Yield a few poker hands among the held cards that beat `on`, of each kind that has any, for suggestions.

        `candidate_poker_hands` would take too long for very many cards.
        """
        for found in self._candidates_by_kind(held, on, inverted=inverted, find_flushes=self._highest_flushes):
            for reading in filter(
                None, (self.read_poker_hand(cards, inverted=inverted) for cards in islice(found, MAX_EXAMPLES))
            ):
                if self.beats(reading, on):
                    yield reading

    def _highest_flushes(self, suited: poker.HeldCards, *, inverted: bool) -> Iterator[Cards]:
        """Yield flushes from the six highest cards of each suit, which include the highest flush, for suggestions.

        Six cards suffice, as at most one choice of five of them is a straight.
        """
        for group in suited.cards_by_suit.values():
            high = sorted(
                group,
                key=lambda card: self.card_meanings.rank_level(self.card_meanings.rank_of(card), inverted=inverted),
            )[-6:]
            yield from poker.HeldCards(tuple(high), self.card_meanings.rank_of).find_flushes(_STRAIGHTS)

    def candidate_poker_hands(self, held: Cards, on: Combination | None, *, inverted: bool) -> Iterator[Cards]:
        """Yield every poker hand (five cards) among the held cards; with `on`, few others than those that beat it."""

        def flushes(suited: poker.HeldCards, *, inverted: bool) -> Iterator[Cards]:
            return suited.find_flushes(_STRAIGHTS)

        return chain.from_iterable(self._candidates_by_kind(held, on, inverted=inverted, find_flushes=flushes))

    def _candidates_by_kind(
        self, held: Cards, on: Combination | None, *, inverted: bool, find_flushes: Callable[..., Iterator[Cards]]
    ) -> Iterator[Iterator[Cards]]:
        """Yield, for each kind of poker hand, the candidates among the held cards that may beat `on`.

        Without `on`, all are candidates. `find_flushes` finds the flushes, all or only the highest.
        """
        natural = tuple(card for card in held if not self.card_meanings.is_wild(card) and not card.is_joker)
        own = poker.HeldCards(natural, self.card_meanings.rank_of)

        def is_higher(kind: str, strength: Strength) -> bool:
            """Return whether a poker hand of this kind and strength beats the one on the table.

            True if there is nothing to beat.
            """
            return on is None or (KINDS.index(kind), strength) > (KINDS.index(on.kind), on.strength)

        def level(rank: str) -> tuple[int]:
            return (self.card_meanings.rank_level(rank, inverted=inverted),)

        def runs(kind: str) -> list[poker.StraightRanks]:
            return [run for run in _STRAIGHTS.values() if is_higher(kind, _straight_strength(run, inverted=inverted))]

        yield own.find_straights(runs(poker.STRAIGHT))
        if is_higher(poker.FLUSH, (math.inf,)):
            yield find_flushes(own, inverted=inverted)
        yield own.find_full_houses(rank for rank in own.ranks if is_higher(poker.FULL_HOUSE, level(rank)))
        yield own.find_quads(rank for rank in own.ranks if is_higher(poker.QUADS, level(rank)))
        yield own.find_straight_flushes(runs(poker.STRAIGHT_FLUSH))

    def beats(self, new: Combination, on: Combination) -> bool:
        """Return whether one poker hand beats another in President: by kind, then by strength."""
        value, theirs = KINDS.index(new.kind), KINDS.index(on.kind)
        return value > theirs or (value == theirs and new.strength > on.strength)


def build_poker_hands(faces: CardMeanings, options: Options) -> PokerHands | None:
    """Return the reader of poker hands for a match of President, or None if its options do not allow them.

    `faces` tells the meaning of each card under the options.
    """
    return PokerHands(faces) if options[SWITCH] else None


def _straight_strength(run: poker.StraightRanks, *, inverted: bool) -> tuple[int]:
    """Return the strength of a straight, 34567 to 10JQKA in any rank order; negated while ranks are inverted."""
    return (-run.level if inverted else run.level,)
