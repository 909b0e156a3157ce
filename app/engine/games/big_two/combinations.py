"""Which cards are a combination, how strong it is, and which of them beats which [BIG-07 … BIG-16].

`Combinations` puts together the kinds that the options allow (kinds.py), and the table of which may answer which. Turns
and tricks are not its business.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from app.engine.base.caching import kept
from app.engine.base.messages import Said
from app.engine.base.options import Choice, Conflict, Options, Section, Switch, flag
from app.engine.cards.cards import NATURAL, RANKS, Cards
from app.engine.climbing import poker
from app.engine.climbing.combinations import PAIR, SINGLE, TRIPLE, Combination, Strength
from app.engine.climbing.poker import RISING, runs_of
from app.engine.climbing.search_counter import looked_at
from app.engine.climbing.suggestion_data import OfKind

from .deal import CardOrder
from .kinds import (
    A_FLUSH,
    A_FOUR_OF_A_KIND,
    A_FULL_HOUSE,
    A_PAIR,
    A_SINGLE_CARD,
    A_STRAIGHT,
    A_STRAIGHT_FLUSH,
    A_SUITED_SEVEN,
    A_TRIPLE,
    FOUR_AND_A_CARD,
    HONOUR_KINDS,
    BigTwoHolding,
    Flush,
    FullHouse,
    Kind,
    OfOneRank,
    QuadsWithCard,
    Straight,
    StraightFlush,
    Tier,
)

STRAIGHTS = Switch(
    id="BIG-07",
    also="straight shùnzi 顺子 順子 蛇",
    key="straights",
    domain=Choice(
        {
            "two_low": "A2345, 23456, 34567 … 10JQKA",
            "a2345_top": "23456, 34567 … 10JQKA, A2345",
            "23456_top": "34567 … 10JQKA, A2345, 23456",
            "23456_top_a2345_low": "A2345, 34567 … 10JQKA, 23456",
            "no_a2345": "23456, 34567 … 10JQKA",
            "two_high": "23456, 34567 … 10JQKA, JQKA2",
            "two_high_23456_second": "34567 … 10JQKA, 23456, JQKA2",
            "no_wrap": "34567 … 10JQKA, JQKA2",
            "indonesia": "34567 … 10JQKA, then A2345 and 23456 by the suit of the two alone",
            "hong_kong": "34567 … 10JQKA, 23456, A2345",
            "no_twos": "34567 … 10JQKA",
            "wrap_round": "34567 … 10JQKA, then all five with a two, by the suit of the two alone",
        }
    ),
    default="two_low",
    sentence="Which five ranks are a straight, from the lowest to the highest. Among equals the suit of the top card "
    "decides, or that of the two where the two makes the straight high.",
    example="A♣ 2♥ 3♦ 4♠ 5♣ is the lowest straight with “two_low”, the highest with “hong_kong”, none with “no_wrap”.",
)

FLUSHES_BY = Switch(
    id="BIG-08",
    also="tónghuā 同花 花",
    key="flushes_by",
    domain=Choice(
        {
            "suit": "By suit, then by the top card",
            "top_card": "By the rank of the top card, then by suit",
            "ranks": "By all ranks from the top down, then by suit",
        }
    ),
    default="suit",
    sentence="How flushes are compared.",
    example="9♠ 7♠ 6♠ 5♠ 3♠ beats A♥ K♥ Q♥ 10♥ 7♥ by suit; by the top card it is the other way round.",
)

QUADS_OVER = Switch(
    id="BIG-09",
    also="four of a kind 四带一 四帶一 铁支 鐵支 金剛",
    key="quads_over",
    domain=flag("Below every straight flush", "Above every straight flush but 10JQKA"),
    default=False,
    sentence="Whether four of a kind beats straight flushes, all but the royal one, which beats everything.",
    example="With it 4♦ 4♣ 4♥ 4♠ 8♣ beats 9♠ 10♠ J♠ Q♠ K♠, and 10♥ J♥ Q♥ K♥ A♥ beats that.",
)

TRIPLES = Switch(
    id="BIG-10",
    also="three of a kind trips 三条 三條 三张",
    key="triples",
    domain=flag("Three equal cards are no combination", "Three equal cards may be played"),
    default=True,
    sentence="Whether three cards of a rank may be played without more. A full house may be played anyway.",
    example="7♦ 7♣ 7♠",
    permits=True,
)

FLUSHES = Switch(
    id="BIG-11",
    also="tónghuā 同花 花",
    key="flushes",
    domain=flag("Flushes are no combination", "Five cards of a suit may be played"),
    default=True,
    sentence="Whether any five cards of one suit may be played. A straight flush may be played anyway.",
    example="4♠ 6♠ 8♠ 10♠ Q♠",
    permits=True,
)

FULL_HOUSE = Switch(
    id="BIG-12",
    also="húlu 葫芦 葫蘆 俘虜",
    key="full_house",
    domain=Choice(
        {
            "over_straight": "A flush beats a straight, a full house beats both",
            "own_class": "Straights, flushes and full houses beat only their own kind",
        }
    ),
    default="over_straight",
    sentence="Whether straights, flushes and full houses beat each other. Four of a kind and straight flushes beat "
    "them anyway.",
    example="9♦ 9♣ 9♥ J♦ J♣ on 3♦ 4♣ 5♥ 6♠ 7♦ is allowed by default, and not with “own_class”.",
)

QUADS = Switch(
    id="BIG-13",
    also="four of a kind 四带一 四帶一 铁支 鐵支 金剛 炸弹 炸彈",
    key="quads",
    domain=Choice(
        {
            "with_card": "Four equal cards and any one card",
            "alone": "Four equal cards by themselves, beaten by higher fours",
            "bomb": "Four equal cards by themselves beat everything but higher fours",
        }
    ),
    default="with_card",
    sentence="How four of a kind is played. By themselves they are a kind of their own and no honour; "
    "as a bomb they beat anything, five cards included.",
    example="5♦ 5♣ 5♥ 5♠ 9♣ beats a straight; “alone”, 5♦ 5♣ 5♥ 5♠ beats 3♦ 3♣ 3♥ 3♠ and nothing else.",
)

HONOURS = Switch(
    id="BIG-14",
    also="bombs zhàdàn 炸弹 炸彈",
    key="honours",
    domain=Choice(
        {
            "in_class": "They beat five cards only",
            "beat_all": "On one’s turn they beat anything less",
            "out_of_turn": "They beat anything less, at any time and by anyone",
        }
    ),
    default="in_class",
    sentence="What four of a kind and straight flushes, the honours, beat. Out of turn they may be played by anyone "
    "but the owner of the last play and who is barred; play goes on from there.",
    example="5♦ 5♣ 5♥ 5♠ 6♦ on a single two: not by default, allowed with the other two.",
)

STRAIGHT_FLUSH = Switch(
    id="BIG-15",
    also="tónghuāshùn 同花顺 同花順",
    key="straight_flush",
    domain=Choice({"five": "Five cards", "seven": "Five cards and any two more"}),
    default="five",
    sentence="How a straight flush is played. With two more cards it, and four of a kind with a card, beat any other "
    "combination.",
    example="With “seven”, 5♥ 6♥ 7♥ 8♥ 9♥ Q♣ K♦ beats a single, and five suited cards in a row alone are nothing.",
)

DRAGON = Switch(
    id="BIG-16",
    also="yītiáolóng 一条龙 一條龍 龙 龍",
    key="dragon",
    domain=Choice({"none": "Played like any other cards", "wins": "Wins at once"}),
    default="none",
    sentence="What it means to be dealt 13 cards, one of every rank: nothing, or the hand is won at once (of two such "
    "players by the nearer to the dealer in the direction of play).",
    example="3♦ 4♣ 5♥ 6♠ 7♦ 8♣ 9♥ 10♠ J♦ Q♣ K♥ A♠ 2♦",
)

SECTION = Section(
    "combinations",
    "Combinations",
    (
        STRAIGHTS,
        FLUSHES_BY,
        QUADS_OVER,
        TRIPLES,
        FLUSHES,
        FULL_HOUSE,
        QUADS,
        HONOURS,
        STRAIGHT_FLUSH,
        DRAGON,
    ),
    tells=3,
)

CONFLICTS = (
    Conflict(
        QUADS_OVER,
        STRAIGHT_FLUSH,
        lambda over, straight_flush: over and straight_flush == "seven",
        "four of a kind and straight flushes have their places already where a straight flush has seven cards.",
    ),
    Conflict(
        QUADS_OVER,
        QUADS,
        lambda over, quads: over and quads != "with_card",
        "four equal cards by themselves are not compared with straight flushes of five.",
    ),
    Conflict(
        STRAIGHT_FLUSH,
        QUADS,
        lambda straight_flush, quads: straight_flush == "seven" and quads != "with_card",
        "where a straight flush has seven cards, four of a kind is played with a card.",
    ),
)

# Straights -----------------------------------------------------------------------------------------------------------

LEVELS: dict[str, tuple[str, ...]] = {
    "two_low": ("A2345", "23456", *RISING),
    "a2345_top": ("23456", *RISING, "A2345"),
    "23456_top": (*RISING, "A2345", "23456"),
    "23456_top_a2345_low": ("A2345", *RISING, "23456"),
    "no_a2345": ("23456", *RISING),
    "two_high": ("23456", *RISING, "JQKA2"),
    "two_high_23456_second": (*RISING, "23456", "JQKA2"),
    "no_wrap": (*RISING, "JQKA2"),
    "indonesia": (*RISING, "A2345 23456"),
    "hong_kong": (*RISING, "23456", "A2345"),
    "no_twos": RISING,
    "wrap_round": (*RISING, "JQKA2 QKA23 KA234 A2345 23456"),
}
"""The straights from the lowest level to the highest; those that share one are told apart by suit alone."""
PLAIN_STRAIGHT_FLUSH = {False: Tier.STRAIGHT_FLUSH, True: Tier.BELOW_QUADS}
"""The tier of a straight flush that is not the royal one, by the value of `quads_over`."""


_rank = {card: RANKS.index(card.rank) for card in NATURAL}.__getitem__
"""How high the rank of a card is: looked up, for of one suit there may be very many flushes."""


def _by_suit(order: CardOrder, cards: Cards) -> Strength:
    return (order.suit[cards[0][1]], max(map(_rank, cards)))


def _by_top_card(order: CardOrder, cards: Cards) -> Strength:
    return (max(map(_rank, cards)), order.suit[cards[0][1]])


def _by_ranks(order: CardOrder, cards: Cards) -> Strength:
    return (*sorted(map(_rank, cards), reverse=True), order.suit[cards[0][1]])


MEASURES = {"suit": _by_suit, "top_card": _by_top_card, "ranks": _by_ranks}


@dataclass(frozen=True, slots=True)
class Reach:
    """Where honours may be played."""

    anything: bool
    """They beat every kind, not only five cards."""
    any_time: bool


REACHES = {
    "in_class": Reach(anything=False, any_time=False),
    "beat_all": Reach(anything=True, any_time=False),
    "out_of_turn": Reach(anything=True, any_time=True),
}


def _kinds(options: Options, order: CardOrder) -> tuple[Kind, ...]:
    """The kinds that these options allow, smallest first, in the order of the rules page."""
    runs = runs_of(LEVELS[options[STRAIGHTS]])
    flush = Flush(poker.FLUSH, 5, A_FLUSH, order, Tier.FLUSH, runs, MEASURES[options[FLUSHES_BY]])
    quads: dict[str, Kind] = {
        "alone": OfOneRank(poker.QUADS, 4, A_FOUR_OF_A_KIND, order, Tier.QUADS),
        "bomb": OfOneRank(poker.QUADS, 4, A_FOUR_OF_A_KIND, order, Tier.BOMB),
        "with_card": QuadsWithCard(poker.QUADS, 5, FOUR_AND_A_CARD, order, Tier.QUADS),
    }
    plain = PLAIN_STRAIGHT_FLUSH[options[QUADS_OVER]]
    suited = StraightFlush(poker.STRAIGHT_FLUSH, 5, A_STRAIGHT_FLUSH, order, Tier.STRAIGHT_FLUSH, runs, plain)
    straight_flush = {
        "five": suited,
        "seven": replace(suited, size=7, words=A_SUITED_SEVEN),
    }
    triple = OfOneRank(TRIPLE, 3, A_TRIPLE, order, Tier.SET)
    kinds: tuple[Kind, ...] = (
        OfOneRank(SINGLE, 1, A_SINGLE_CARD, order, Tier.SET, suits_count=True),
        OfOneRank(PAIR, 2, A_PAIR, order, Tier.SET, suits_count=True),
        *((triple,) if options[TRIPLES] else ()),
        Straight(poker.STRAIGHT, 5, A_STRAIGHT, order, Tier.STRAIGHT, runs),
        *((flush,) if options[FLUSHES] else ()),
        FullHouse(poker.FULL_HOUSE, 5, A_FULL_HOUSE, order, Tier.FULL_HOUSE),
        quads[options[QUADS]],
        straight_flush[options[STRAIGHT_FLUSH]],
    )
    return tuple(sorted(kinds, key=lambda kind: kind.size))


READINGS_KEPT = 256
"""Choices of cards whose readings are remembered under some options."""


class Combinations:
    """The kinds of one match, and which answers which."""

    def __init__(self, options: Options, order: CardOrder) -> None:
        reach = REACHES[options[HONOURS]]
        self.order = order
        self.readings = kept(READINGS_KEPT, self._readings)
        self.kinds = _kinds(options, order)
        self.any_time = reach.any_time
        self.honours = frozenset({poker.STRAIGHT_FLUSH}) if options[QUADS] == "alone" else HONOUR_KINDS
        """The kinds that beat more than their own."""
        self._by_size: dict[int, tuple[Kind, ...]] = {
            size: tuple(kind for kind in self.kinds if kind.size == size) for size in {kind.size for kind in self.kinds}
        }
        # A straight flush of seven has nothing of its size to beat: it, and quads, beat everything (BIG-15).
        reaching = reach.anything or options[STRAIGHT_FLUSH] == "seven"
        ladder = options[FULL_HOUSE] == "over_straight"

        def may_answer(new: Kind, old: Kind) -> bool:
            if new is old or new.tier == Tier.BOMB:
                return True
            if old.tier == Tier.BOMB:
                return False
            if new.name in self.honours:
                return reaching or new.size == old.size
            return ladder and new.size == old.size == 5

        self._answers = {old.name: tuple(new for new in self.kinds if may_answer(new, old)) for old in self.kinds}
        self._reached: dict[str, tuple[Strength, Strength]] = {}
        self._may_answer = {old: frozenset(new.name for new in news) for old, news in self._answers.items()}

    def read(self, cards: Cards) -> Combination | None:
        """What these cards are; nothing if one is unknown or named twice."""
        return next(iter(self.readings(cards)), None)

    def _readings(self, cards: Cards) -> tuple[Combination, ...]:
        """What these cards are, and they are never more than one thing."""
        if len(set(cards)) == len(cards) and all(card in self.order.value for card in cards):
            for kind in self._by_size.get(len(cards), ()):
                strength = kind.strength(cards)
                if strength is not None:
                    return (Combination(kind.name, cards, strength),)
        return ()

    def beats(self, new: Combination, old: Combination) -> bool:
        """Whether one may be played on the other."""
        return new.kind in self._may_answer[old.kind] and new.strength > old.strength

    def leads(self, held: Cards) -> Iterator[tuple[Combination, ...]]:
        """Everything that may be led, smallest first; each alone in a sequence, as readings are."""
        return BigTwoHolding(held).every(self.kinds)

    def answers(
        self, held: Cards, old: Combination, among: Container[str] | None = None
    ) -> Iterator[tuple[Combination, ...]]:
        """Everything that beats a combination, likewise; only of some kinds, if they are named."""
        of, strength = BigTwoHolding(held).of, old.strength
        return (
            one
            for kind in self._answers[old.kind]
            if kind.tier >= strength[0] and (among is None or kind.name in among)
            for one in of(kind)
            if one[0].strength > strength
        )

    def largest(self, held: Cards) -> tuple[int, Strength]:
        """Size and strength of the largest combination among these cards: most cards, then the strongest."""
        hold = BigTwoHolding(held)
        best: tuple[int, Strength] = (0, (Tier.SET,))
        for kind in sorted(self.kinds, key=lambda kind: (kind.size, kind.tier), reverse=True):
            if (kind.size, (kind.tier,)) < best:
                break
            best = max([best, *((kind.size, found.strength) for (found,) in hold.of(kind))])
        return best

    def highest_honour(self, held: Cards) -> Strength | None:
        """The strength of the highest honour among these cards; fours by themselves are one here (BIG-13)."""
        honours = [kind for kind in self.kinds if kind.name in HONOUR_KINDS]
        return max((found.strength for (found,) in BigTwoHolding(held).every(honours)), default=None)

    def to_lead(self) -> list[OfKind]:
        """The kinds that may be led."""
        return [OfKind(kind.words(), (kind.name,), (kind.size,)) for kind in self.kinds]

    def honours_in_words(self) -> list[Said]:
        """The kinds that beat more than their own."""
        return [kind.words() for kind in self.kinds if kind.name in self.honours]

    def proposals(self, old: Combination, *, honours_only: bool = False) -> list[OfKind]:
        """What beats a combination: its own kind higher, and the kinds that may answer it where they reach."""
        found: list[OfKind] = []
        for kind in self._answers[old.kind]:
            lowest, highest = looked_at(self._reach(kind))
            if highest <= old.strength or (honours_only and kind.name not in self.honours):
                continue
            if lowest > old.strength:
                found.append(OfKind(kind.words(), (kind.name,), (kind.size,)))
            else:
                words = kind.words_above if kind.name != old.kind else kind.words_higher
                found.append(OfKind(words, (kind.name,), (kind.size,), above=old.strength))
        return sorted(found, key=lambda one: one.kinds != (old.kind,))

    def _reach(self, kind: Kind) -> tuple[Strength, Strength]:
        """Return the weakest and the strongest that a kind can be with this deck."""
        reach = self._reached.get(kind.name)
        if reach is None:
            found = filter(None, map(kind.strength, looked_at(kind.extremes())))
            strengths = sorted(found)
            reach = self._reached[kind.name] = (strengths[0], strengths[-1])
        return reach


def is_dragon(cards: Cards) -> bool:
    """Thirteen cards, one of every rank."""
    return len(cards) == len({card[0] for card in cards}) == len(RANKS)


def _nobody(cards: Mapping[str, Cards], order: Sequence[str]) -> str | None:
    return None


def _nearest(cards: Mapping[str, Cards], order: Sequence[str]) -> str | None:
    return next((name for name in order if is_dragon(cards[name])), None)


DRAGONS: dict[str, Callable[[Mapping[str, Cards], Sequence[str]], str | None]] = {"none": _nobody, "wins": _nearest}
"""Who wins with the cards dealt, people being named from the dealer in the direction of play."""
