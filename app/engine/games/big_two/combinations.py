"""Combinations of Big Two: which cards form one, how strong it is, and what beats what [BIG-07 … BIG-16].

`BigTwoCombinations` combines the kinds that the options allow (kinds.py) with the table of which kind may answer which.
It knows nothing of turns and tricks.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from app.engine.base.caching import weak_cached_method
from app.engine.base.messages import TranslatableMessage
from app.engine.base.options import Choice, Conflict, Option, Options, Section, on_off_choice
from app.engine.cards.card_order import CardOrder
from app.engine.cards.cards import NATURAL_CARDS, RANKS, Cards
from app.engine.climbing import poker
from app.engine.climbing.combinations import PAIR, SINGLE, TRIPLE, Combination, Strength
from app.engine.climbing.poker import PLAIN_STRAIGHTS, build_straights
from app.engine.climbing.search_counter import count_each
from app.engine.climbing.suggestion_data import A_FOUR_OF_A_KIND, A_PAIR, A_SINGLE_CARD, A_TRIPLE, KindSuggestion

from .kinds import (
    A_FLUSH,
    A_FULL_HOUSE,
    A_STRAIGHT,
    A_STRAIGHT_FLUSH,
    A_SUITED_SEVEN,
    FOUR_AND_A_CARD,
    HONOUR_KINDS,
    BigTwoHandIndex,
    BigTwoKind,
    Flush,
    FullHouse,
    OfOneRank,
    QuadsWithCard,
    Straight,
    StraightFlush,
    Tier,
)

STRAIGHTS = Option(
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
            "indonesia": "34567 … 10JQKA, then A2345 and 23456 by the suit of the two only",
            "hong_kong": "34567 … 10JQKA, 23456, A2345",
            "no_twos": "34567 … 10JQKA",
            "wrap_round": "34567 … 10JQKA, then all five with a two, by the suit of the two only",
        }
    ),
    default="two_low",
    sentence="Decides which five ranks form a straight, listed from lowest to highest. Between equal "
    "straights the suit of the top card decides, or the suit of the two if the two makes the "
    "straight high.",
    example="A♣ 2♥ 3♦ 4♠ 5♣ is the lowest straight by default, the highest in Hong Kong, and not allowed in "
    "some variants.",
    short={
        "a2345_top": "A2345 is the highest straight.",
        "23456_top": "The highest straight is 23456, then A2345.",
        "23456_top_a2345_low": "23456 is the highest straight, A2345 the lowest.",
        "two_high": "JQKA2 is the highest straight.",
        "two_high_23456_second": "The highest straight is JQKA2, then 23456.",
        "no_wrap": "JQKA2 is the highest straight.",
        "indonesia": "Straights with 2 are highest.",
        "hong_kong": "The highest straight is A2345, then 23456.",
        "no_twos": "Straights have no twos.",
        "wrap_round": "Straights with 2 are highest.",
    },
)

FLUSHES_BY = Option(
    id="BIG-08",
    also="tónghuā 同花 花",
    key="flushes_by",
    label="Comparing flushes",
    domain=Choice(
        {
            "suit": "By suit, then by the top card",
            "top_card": "By the rank of the top card, then by suit",
            "ranks": "By all ranks from the top down, then by suit",
        }
    ),
    default="suit",
    sentence="Decides how flushes are compared.",
    example="By suit, 9♠ 7♠ 6♠ 5♠ 3♠ beats A♥ K♥ Q♥ 10♥ 7♥. By top card, the hearts win.",
    short={"top_card": "Flushes compare by their top card.", "ranks": "Flushes compare by their ranks."},
)

QUADS_OVER = Option(
    id="BIG-09",
    also="four of a kind 四带一 四帶一 铁支 鐵支 金剛",
    key="quads_over",
    label="Four of a kind or straight flush",
    domain=on_off_choice("Below every straight flush", "Above every straight flush except 10JQKA"),
    default=False,
    sentence="Decides whether four of a kind beats straight flushes. The royal straight flush (10 J Q K A) "
    "always beats everything.",
    example="With “Above every straight flush”, 4♦ 4♣ 4♥ 4♠ 8♣ beats 9♠ 10♠ J♠ Q♠ K♠, but 10♥ J♥ Q♥ K♥ A♥ beats both.",
    short={True: "Four of a kind beats straight flushes."},
)

TRIPLES = Option(
    id="BIG-10",
    also="three of a kind trips 三条 三條 三张",
    key="triples",
    domain=on_off_choice("Triples are not allowed", "Triples are allowed"),
    default=True,
    sentence="Decides whether three cards of a rank may be played alone. A full house is always allowed.",
    example="7♦ 7♣ 7♠ is a triple.",
    is_permission=True,
)

FLUSHES = Option(
    id="BIG-11",
    also="tónghuā 同花 花",
    key="flushes",
    domain=on_off_choice("Flushes are not allowed", "Flushes are allowed"),
    default=True,
    sentence="Decides whether any five cards of one suit may be played. A straight flush is always allowed.",
    example="4♠ 6♠ 8♠ 10♠ Q♠ is a flush.",
    is_permission=True,
)

FULL_HOUSE = Option(
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
    sentence="Decides whether straights, flushes and full houses beat each other. Four of a kind and straight "
    "flushes always beat them.",
    example="9♦ 9♣ 9♥ J♦ J♣ beats 3♦ 4♣ 5♥ 6♠ 7♦ by default, but not with “only their own kind”.",
)

QUADS = Option(
    id="BIG-13",
    also="four of a kind 四带一 四帶一 铁支 鐵支 金剛 炸弹 炸彈",
    key="quads",
    label="Four of a kind",
    domain=Choice(
        {
            "with_card": "Four equal cards with any one card",
            "alone": "Four equal cards alone, beaten by higher fours",
            "bomb": "Four equal cards alone beat everything except higher fours",
        }
    ),
    default="with_card",
    sentence="Decides how four of a kind is played. Played alone, it is a separate kind and not an honour. As "
    "a bomb it beats any play, including five cards.",
    example="5♦ 5♣ 5♥ 5♠ 9♣ beats a straight. Played alone, 5♦ 5♣ 5♥ 5♠ beats only a lower four of a kind "
    "such as 3♦ 3♣ 3♥ 3♠.",
)

HONOURS = Option(
    id="BIG-14",
    also="bombs zhàdàn 炸弹 炸彈",
    key="honours",
    domain=Choice(
        {
            "in_class": "They beat only five cards",
            "beat_all": "On your turn they beat anything lower",
            "out_of_turn": "They beat anything lower, at any time and by any player",
        }
    ),
    default="in_class",
    sentence="Decides which plays honours (four of a kind and straight flushes) beat. Out of turn, any player "
    "may play them except the owner of the last play and players who are barred. Play goes on from "
    "there.",
    example="5♦ 5♣ 5♥ 5♠ 6♦ on a single two is not allowed by default, but with the other two values.",
    short={
        "beat_all": "Fours and straight flushes beat all other plays.",
        "out_of_turn": "Fours and straight flushes beat all other plays, even out of turn.",
    },
)

STRAIGHT_FLUSH = Option(
    id="BIG-15",
    also="tónghuāshùn 同花顺 同花順",
    key="straight_flush",
    domain=Choice({"five": "Five cards", "seven": "Five cards and any two more"}),
    default="five",
    sentence="Decides how a straight flush is played. With two more cards, it beats any other combination, "
    "and so does four of a kind with a card.",
    example="With “any two more”, 5♥ 6♥ 7♥ 8♥ 9♥ Q♣ K♦ beats a single card. Five cards of a suit in a row "
    "alone can’t be played.",
)

DRAGON = Option(
    id="BIG-16",
    also="yītiáolóng 一条龙 一條龍 龙 龍",
    key="dragon",
    domain=Choice({"none": "No special effect", "wins": "Wins at once"}),
    default="none",
    sentence="Decides whether 13 cards of different ranks (a dragon) win the hand at once. If two players "
    "have a dragon, the one nearer to the dealer in the direction of play wins.",
    example="3♦ 4♣ 5♥ 6♠ 7♦ 8♣ 9♥ 10♠ J♦ Q♣ K♥ A♠ 2♦ is a dragon.",
    short={"wins": "Thirteen different ranks win at once."},
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
    importance=3,
)

CONFLICTS = (
    Conflict(
        QUADS_OVER,
        STRAIGHT_FLUSH,
        lambda over, straight_flush: over and straight_flush == "seven",
        "With a straight flush of seven cards, four of a kind and straight flushes already have fixed ranks.",
    ),
    Conflict(
        QUADS_OVER,
        QUADS,
        lambda over, quads: over and quads != "with_card",
        "Four equal cards alone can’t be compared with straight flushes of five.",
    ),
    Conflict(
        STRAIGHT_FLUSH,
        QUADS,
        lambda straight_flush, quads: straight_flush == "seven" and quads != "with_card",
        "With a straight flush of seven cards, four of a kind is played with a card.",
    ),
)

# Straights -----------------------------------------------------------------------------------------------------------

STRAIGHT_ORDERS: dict[str, tuple[str, ...]] = {
    "two_low": ("A2345", "23456", *PLAIN_STRAIGHTS),
    "a2345_top": ("23456", *PLAIN_STRAIGHTS, "A2345"),
    "23456_top": (*PLAIN_STRAIGHTS, "A2345", "23456"),
    "23456_top_a2345_low": ("A2345", *PLAIN_STRAIGHTS, "23456"),
    "no_a2345": ("23456", *PLAIN_STRAIGHTS),
    "two_high": ("23456", *PLAIN_STRAIGHTS, "JQKA2"),
    "two_high_23456_second": (*PLAIN_STRAIGHTS, "23456", "JQKA2"),
    "no_wrap": (*PLAIN_STRAIGHTS, "JQKA2"),
    "indonesia": (*PLAIN_STRAIGHTS, "A2345 23456"),
    "hong_kong": (*PLAIN_STRAIGHTS, "23456", "A2345"),
    "no_twos": PLAIN_STRAIGHTS,
    "wrap_round": (*PLAIN_STRAIGHTS, "JQKA2 QKA23 KA234 A2345 23456"),
}
"""Straights from the lowest level to the highest, by option value; straights in one text differ only by suit."""
PLAIN_STRAIGHT_FLUSH = {False: Tier.STRAIGHT_FLUSH, True: Tier.BELOW_QUADS}
"""The tier of straight flushes other than the royal one, for each value of `quads_over`."""


_rank_index = {card: RANKS.index(card.rank) for card in NATURAL_CARDS}.__getitem__
"""The position of a card's rank. A lookup table for speed: one suit may contain very many flushes."""


def _flush_strength_by_suit(order: CardOrder, cards: Cards) -> Strength:
    return (order.index_by_suit[cards[0][1]], max(map(_rank_index, cards)))


def _flush_strength_by_top_card(order: CardOrder, cards: Cards) -> Strength:
    return (max(map(_rank_index, cards)), order.index_by_suit[cards[0][1]])


def _flush_strength_by_ranks(order: CardOrder, cards: Cards) -> Strength:
    return (*sorted(map(_rank_index, cards), reverse=True), order.index_by_suit[cards[0][1]])


FLUSH_STRENGTHS = {
    "suit": _flush_strength_by_suit,
    "top_card": _flush_strength_by_top_card,
    "ranks": _flush_strength_by_ranks,
}


@dataclass(frozen=True, slots=True)
class HonourReach:
    """What honours (in Big Two: four of a kind and straight flushes) may be played on, and when.

    `playable_out_of_turn`: also during another player's turn.
    """

    beats_everything: bool
    """Whether they beat every kind, not only five cards."""
    playable_out_of_turn: bool


REACHES = {
    "in_class": HonourReach(beats_everything=False, playable_out_of_turn=False),
    "beat_all": HonourReach(beats_everything=True, playable_out_of_turn=False),
    "out_of_turn": HonourReach(beats_everything=True, playable_out_of_turn=True),
}


def _build_kinds(options: Options, order: CardOrder) -> tuple[BigTwoKind, ...]:
    """Return the kinds of combination that these options of Big Two allow, smallest first.

    Kinds of equal size keep the order of the rules page.
    """
    runs = build_straights(STRAIGHT_ORDERS[options[STRAIGHTS]])
    flush = Flush(poker.FLUSH, 5, A_FLUSH, order, Tier.FLUSH, runs, FLUSH_STRENGTHS[options[FLUSHES_BY]])
    quads: dict[str, BigTwoKind] = {
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
    kinds: tuple[BigTwoKind, ...] = (
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


MAX_CACHED_READINGS = 256
"""Size of the cache for readings of cards."""


class BigTwoCombinations:
    """The kinds of combination in one match of Big Two, and which kind may be played on which."""

    def __init__(self, options: Options, order: CardOrder) -> None:
        reach = REACHES[options[HONOURS]]
        self.card_order = order
        self.readings = weak_cached_method(MAX_CACHED_READINGS, self._find_readings)
        self.kinds = _build_kinds(options, order)
        self.honours_playable_out_of_turn = reach.playable_out_of_turn
        self.honours = frozenset({poker.STRAIGHT_FLUSH}) if options[QUADS] == "alone" else HONOUR_KINDS
        """The kinds that may beat other kinds than their own, by the rules about honours."""
        self._kinds_by_size: dict[int, tuple[BigTwoKind, ...]] = {
            size: tuple(kind for kind in self.kinds if kind.size == size) for size in {kind.size for kind in self.kinds}
        }
        # With straight flushes of seven cards, they and quads beat everything (BIG-15): no other kind has that size.
        reaching = reach.beats_everything or options[STRAIGHT_FLUSH] == "seven"
        ladder = options[FULL_HOUSE] == "over_straight"

        def may_answer(new: BigTwoKind, old: BigTwoKind) -> bool:
            if new is old or new.tier == Tier.BOMB:
                return True
            if old.tier == Tier.BOMB:
                return False
            if new.name in self.honours:
                return reaching or new.size == old.size
            return ladder and new.size == old.size == 5

        self._answering_kinds = {
            old.name: tuple(new for new in self.kinds if may_answer(new, old)) for old in self.kinds
        }
        self._strength_range_by_kind: dict[str, tuple[Strength, Strength]] = {}
        self._names_of_answering_kinds = {
            old: frozenset(new.name for new in news) for old, news in self._answering_kinds.items()
        }

    def read_combination(self, cards: Cards) -> Combination | None:
        """Return the combination that these cards form in Big Two.

        None for cards that form none, and for unknown or repeated cards.
        """
        return next(iter(self.readings(cards)), None)

    def _find_readings(self, cards: Cards) -> tuple[Combination, ...]:
        """Return the combination that these cards form as a tuple with one element; empty if they form none."""
        if len(set(cards)) == len(cards) and all(card in self.card_order.index_by_card for card in cards):
            for kind in self._kinds_by_size.get(len(cards), ()):
                strength = kind.strength_of(cards)
                if strength is not None:
                    return (Combination(kind.name, cards, strength),)
        return ()

    def beats(self, new: Combination, old: Combination) -> bool:
        """Return whether the combination `new` may be played on `old`, by the options of this match."""
        return new.kind in self._names_of_answering_kinds[old.kind] and new.strength > old.strength

    def possible_leads(self, held: Cards) -> Iterator[tuple[Combination, ...]]:
        """Yield every combination that a player with these cards may lead, smallest first.

        Each comes as a tuple with one reading.
        """
        return BigTwoHandIndex(held).find_all(self.kinds)

    def possible_answers(
        self, held: Cards, table_play: Combination, allowed_kinds: Container[str] | None = None
    ) -> Iterator[tuple[Combination, ...]]:
        """Yield every combination of the held cards that beats `table_play`, each as a tuple with one reading.

        `allowed_kinds`, if given, limits the kinds.
        """
        of, strength = BigTwoHandIndex(held).combinations_of, table_play.strength
        return (
            one
            for kind in self._answering_kinds[table_play.kind]
            if kind.tier >= strength[0] and (allowed_kinds is None or kind.name in allowed_kinds)
            for one in of(kind)
            if one[0].strength > strength
        )

    def largest_size_and_strength(self, held: Cards) -> tuple[int, Strength]:
        """Return size and strength of the largest combination of Big Two among these cards: most cards, then strongest.

        It decides between losers with equally many cards. The size is 0 for no cards.
        """
        hold = BigTwoHandIndex(held)
        best: tuple[int, Strength] = (0, (Tier.SET,))
        for kind in sorted(self.kinds, key=lambda kind: (kind.size, kind.tier), reverse=True):
            if (kind.size, (kind.tier,)) < best:
                break
            best = max([best, *((kind.size, found.strength) for (found,) in hold.combinations_of(kind))])
        return best

    def highest_honour_strength(self, held: Cards) -> Strength | None:
        """Return the strength of the highest honour (four of a kind or straight flush) among these cards, or None.

        Four of a kind without a fifth card counts here, too (BIG-13).
        """
        honours = [kind for kind in self.kinds if kind.name in HONOUR_KINDS]
        return max((found.strength for (found,) in BigTwoHandIndex(held).find_all(honours)), default=None)

    def suggested_leads(self) -> list[KindSuggestion]:
        """Return a suggestion for each kind that may be led, to tell a refused player."""
        return [KindSuggestion(kind.words(), (kind.name,), (kind.size,)) for kind in self.kinds]

    def honour_names(self) -> list[TranslatableMessage]:
        """Return the names of the kinds of combination that count as honours in this match, for a message."""
        return [kind.words() for kind in self.kinds if kind.name in self.honours]

    def suggested_answers(self, table_play: Combination, *, honours_only: bool = False) -> list[KindSuggestion]:
        """Return suggestions of what beats a combination, to tell a refused player.

        Its own kind comes first, then the other kinds that can beat it. `honours_only`: only kinds that may be played
        out of turn.
        """
        found: list[KindSuggestion] = []
        for kind in self._answering_kinds[table_play.kind]:
            lowest, highest = count_each(self._strength_range(kind))
            if highest <= table_play.strength or (honours_only and kind.name not in self.honours):
                continue
            if lowest > table_play.strength:
                found.append(KindSuggestion(kind.words(), (kind.name,), (kind.size,)))
            else:
                words = kind.words_above if kind.name != table_play.kind else kind.words_higher
                found.append(KindSuggestion(words, (kind.name,), (kind.size,), above=table_play.strength))
        return sorted(found, key=lambda one: one.kinds != (table_play.kind,))

    def _strength_range(self, kind: BigTwoKind) -> tuple[Strength, Strength]:
        """Return the lowest and the highest strength that a kind of combination can have with this deck; cached."""
        reach = self._strength_range_by_kind.get(kind.name)
        if reach is None:
            found = filter(None, map(kind.strength_of, count_each(kind.extreme_examples())))
            strengths = sorted(found)
            reach = self._strength_range_by_kind[kind.name] = (strengths[0], strengths[-1])
        return reach


def is_dragon(cards: Cards) -> bool:
    """Return whether these cards are a dragon: thirteen cards, one of each rank. By an option it wins at once."""
    return len(cards) == len({card[0] for card in cards}) == len(RANKS)


def _no_dragon_winner(cards: Mapping[str, Cards], order: Sequence[str]) -> str | None:
    return None


def _nearest_dragon_holder(cards: Mapping[str, Cards], order: Sequence[str]) -> str | None:
    return next((name for name in order if is_dragon(cards[name])), None)


DRAGON_WINNER_BY_OPTION: dict[str, Callable[[Mapping[str, Cards], Sequence[str]], str | None]] = {
    "none": _no_dragon_winner,
    "wins": _nearest_dragon_holder,
}
"""Returns the player who wins by a dragon, or None, for each value of the option.

The arguments are the dealt cards, and the players in the direction of play from the dealer.
"""
