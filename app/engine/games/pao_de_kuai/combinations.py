"""Combinations [PDK-06 … PDK-10]: sets, runs, and triples or fours with loose cards.

Every kind is a body, which is some consecutive ranks with the same number of cards each, and some loose cards. Only
the body decides. Nothing here depends on turns.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

from app.engine.base.caching import weak_cached_method
from app.engine.base.options import Choice, Option, Options, Section, on_off_choice
from app.engine.cards.cards import RANKS, Card, Cards
from app.engine.climbing.combinations import (
    KIND_OF_RUN,
    PAIR,
    RUN,
    RUN_OF_PAIRS,
    SINGLE,
    TRIPLE,
    Combination,
    declare_kind,
    group_by_rank,
)

from .bombs import BombRules
from .table import ONLINE_ROOMS

LOOSE_CARDS = Option(
    id="PDK-06",
    also="三带二 三带一 飞机 带牌 triple with cards kicker attachment airplane",
    key="loose_cards",
    label="Loose cards with triples",
    domain=Choice({"two": "Two with each triple", "one": "One with each triple", "any": "None, one or two"}),
    default="two",
    sentence="Sets the number of loose cards that are played with each triple. A triple is beaten only by one "
    "with the same number.",
    example="With “Two with each triple”, 8♠ 8♣ 8♦ 4♥ 6♣ is a combination, but 8♠ 8♣ 8♦ alone is not.",
    source="hackmd.io",
)

SHORT_LAST = Option(
    id="PDK-07",
    also="三张可少带 少带出完 少带接完 last play fewer cards",
    key="short_last",
    label="Short last plays",
    domain=Choice({"always": "Led, or on a lower triple", "lead": "Only led", "never": "Not allowed"}),
    default="always",
    sentence="Decides whether a last play of triples may have fewer loose cards than usual.",
    example="Your last cards are 9♠ 9♣ 9♦ 4♥. By default you can play them on 7♠ 7♣ 7♥ 5♦ J♣.",
    source=ONLINE_ROOMS,
    short={
        "always": "Your last triple may have fewer loose cards.",
        "lead": "If you lead your last triple, it may have fewer loose cards.",
    },
)

PAIR_RUNS = Option(
    id="PDK-08",
    also="连对 consecutive pairs double sequence",
    key="pair_runs",
    label="Pairs in a row",
    domain=Choice({2: "Two or more", 3: "Three or more"}),
    default=2,
    sentence="Sets the smallest number of pairs that can be played in a row.",
    example="With “Two or more”, 6♠ 6♦ 7♣ 7♥ can be played.",
    source="newsflash.city",
)

ACE_IN_RUNS = Option(
    id="PDK-09",
    also="顺子到A straight up to ace",
    key="ace_in_runs",
    label="Aces in a row",
    domain=on_off_choice("A row ends at the king", "A row can end with an ace"),
    default=True,
    sentence="Decides whether runs, pairs in a row and triples in a row can contain an ace.",
    example="With “A row can end with an ace”, 10♠ J♦ Q♣ K♥ A♥ is a run.",
    source="newsflash.city",
    is_permission=True,
)

FOURS_WITH = Option(
    id="PDK-10",
    also="四带二 四带三 four with cards quadruple",
    key="fours_with",
    label="Fours with loose cards",
    domain=Choice({"none": "Four of a kind is only a bomb", "two": "With two cards", "three": "With three cards"}),
    default="none",
    sentence="Decides whether four of a kind can be played with loose cards. With them it is an ordinary "
    "combination, not a bomb.",
    example="With “With two cards”, 8♠ 8♣ 8♦ 8♥ 4♣ J♦ beats 5♠ 5♣ 5♦ 5♥ 3♣ 3♦.",
    source=ONLINE_ROOMS,
    short={
        "two": "Four of a kind with two cards is an ordinary play.",
        "three": "Four of a kind with three cards is an ordinary play.",
    },
)

SECTION = Section(
    "combinations", "Combinations", (LOOSE_CARDS, SHORT_LAST, PAIR_RUNS, ACE_IN_RUNS, FOURS_WITH), importance=3
)

SHORTEST_RUN = 5
LOOSE_PER_TRIPLE = {"two": (2,), "one": (1,), "any": (0, 1, 2)}
"""The numbers of loose cards with each triple, for each value of `loose_cards`."""
LOOSE_WITH_FOUR = {"none": 0, "two": 2, "three": 3}

TRIPLES = (
    TRIPLE,
    declare_kind("triple_one", "triple with a card"),
    declare_kind("triple_two", "triple with two cards"),
)
"""The kind of a triple, by its number of loose cards."""
RUNS_OF_TRIPLES = (
    KIND_OF_RUN[3],
    declare_kind("run_of_triples_one", "run of triples with a card each"),
    declare_kind("run_of_triples_two", "run of triples with two cards each"),
)
"""The kind of a run of triples, by its number of loose cards for each triple."""
SHORT_TRIPLE = declare_kind("triple_short", "last triple")
SHORT_RUN_OF_TRIPLES = declare_kind("run_of_triples_short", "last run of triples")
FOURS = {2: declare_kind("four_two", "four with two cards"), 3: declare_kind("four_three", "four with three cards")}
"""The kind of a four with loose cards, by their number."""
CARDS_PER_TRIPLE = {kind: 3 + loose for kinds in (TRIPLES, RUNS_OF_TRIPLES) for loose, kind in enumerate(kinds)}
"""The number of cards for each triple, in each kind of triples."""


class BodyShape(NamedTuple):
    """A kind of combination in one size: `length` ranks with `width` cards each, and `loose` other cards."""

    kind: str
    width: int
    length: int = 1
    loose: int = 0

    @property
    def size(self) -> int:
        """Return the number of cards in the combination."""
        return self.width * self.length + self.loose


def triples_in(combination: Combination) -> int:
    """Return the number of triples in a triple or run of triples; 0 for other combinations and short last plays."""
    per_triple = CARDS_PER_TRIPLE.get(combination.kind)
    return 0 if per_triple is None else combination.size // per_triple


def _all_shapes(options: Options, ranks_in_runs: int) -> tuple[BodyShape, ...]:
    """Return every kind in every size that the options allow, without bombs, smallest first."""
    lengths = range(2, ranks_in_runs + 1)
    shapes = [BodyShape(SINGLE, 1), BodyShape(PAIR, 2)]
    shapes += [BodyShape(RUN, 1, length) for length in lengths if length >= SHORTEST_RUN]
    shapes += [BodyShape(RUN_OF_PAIRS, 2, length) for length in lengths if length >= options[PAIR_RUNS]]
    for loose in LOOSE_PER_TRIPLE[options[LOOSE_CARDS]]:
        shapes += [BodyShape(TRIPLES[loose], 3, 1, loose)]
        shapes += [BodyShape(RUNS_OF_TRIPLES[loose], 3, length, loose * length) for length in lengths]
    loose = LOOSE_WITH_FOUR[options[FOURS_WITH]]
    shapes += [BodyShape(FOURS[loose], 4, 1, loose)] if loose else []
    return tuple(sorted(shapes, key=lambda shape: shape.size))


MAX_CACHED_READINGS = 256
"""Size of the cache for readings of cards."""


class PaoDeKuaiCombinations:
    """The ordinary combinations in one match of Pao De Kuai: it reads cards and finds combinations among them."""

    def __init__(self, options: Options) -> None:
        self.ranks_in_runs = RANKS.index("2") - (not options[ACE_IN_RUNS])
        """The number of ranks, from the lowest, that runs can contain."""
        self.shapes = _all_shapes(options, self.ranks_in_runs)
        self.readings = weak_cached_method(MAX_CACHED_READINGS, self._find_readings)
        self.bombs = BombRules(options)
        self.short_leads, self.short_answers = options[SHORT_LAST] != "never", options[SHORT_LAST] == "always"
        self._most_loose = max(LOOSE_PER_TRIPLE[options[LOOSE_CARDS]])

    def _find_readings(self, cards: Cards) -> tuple[Combination, ...]:
        """Return every combination that these cards form, the strongest first, without short last plays.

        A bomb has no other reading.
        """
        if not cards or len(set(cards)) < len(cards) or any(card.is_joker for card in cards):
            return ()
        bomb, found = self.bombs.read(cards), list[Combination]()
        if bomb is not None:
            return (bomb,)
        counts = _count_ranks(cards)
        for shape in self.shapes:
            top = self._highest_top(counts, shape.width, shape.length) if shape.size == len(cards) else None
            if top is not None:
                found.append(_build(shape.kind, cards, top))
        return tuple(sorted(found, key=lambda one: one.strength, reverse=True))

    def read_short(self, cards: Cards, on: Combination | None) -> Combination | None:
        """Return cards as a last play of triples with fewer loose cards than usual, or None for other cards.

        `on`: the play to beat, whose number of triples counts; None for a lead.
        """
        if self.bombs.read(cards) is not None:
            return None
        counts = _count_ranks(cards)
        lengths = [triples_in(on)] if on is not None else range(len(cards) // 3, 0, -1)
        for length in lengths:
            most = on.size if on is not None else length * (3 + self._most_loose)
            top = self._highest_top(counts, 3, length) if 0 < 3 * length <= len(cards) < most else None
            if top is not None:
                return _build(SHORT_TRIPLE if length == 1 else SHORT_RUN_OF_TRIPLES, cards, top)
        return None

    def _highest_top(self, counts: Counter[str], width: int, length: int) -> int | None:
        """Return the highest index of a rank that ends `length` consecutive ranks with at least `width` cards each."""
        ranks = len(RANKS) if length == 1 else self.ranks_in_runs
        row = 0
        marks = [counts[rank] >= width for rank in RANKS[:ranks]]
        for index in range(ranks - 1, -1, -1):
            row = row + 1 if marks[index] else 0
            if row == length:
                return index + length - 1
        return None

    def find(self, held: Cards, shape: BodyShape, above: int = -1) -> Iterator[Combination]:
        """Yield the held cards' combinations of a shape whose highest rank is above an index, the lowest first.

        Each choice of cards is yielded once, with its highest body.
        """
        cards = tuple(sorted(held, key=_by_rank))
        groups = {rank: group for rank, group in group_by_rank(cards).items() if len(group) >= shape.width}
        ranks = len(RANKS) if shape.length == 1 else self.ranks_in_runs
        for top in range(max(above + 1, shape.length - 1), ranks):
            body_ranks = RANKS[top - shape.length + 1 : top + 1]
            if all(rank in groups for rank in body_ranks):
                for parts in product(*(combinations(groups[rank], shape.width) for rank in body_ranks)):
                    body = tuple([card for part in parts for card in part])
                    found = self._with_loose_cards(shape, top, body, cards) if shape.loose else [body]
                    yield from (_build(shape.kind, one, top) for one in found if self.bombs.read(one) is None)

    def _with_loose_cards(self, shape: BodyShape, top: int, body: Cards, cards: Cards) -> Iterator[Cards]:
        """Yield a body with each choice of loose cards for which it is the first body of the highest rank."""
        last = {card[0]: card for card in body}
        others = [card for card in cards if card[0] not in last or _by_rank(card) > _by_rank(last[card[0]])]
        for loose in combinations(others, shape.loose):
            chosen = body + loose
            # Fewer loose cards than the body has of each rank can't be part of a higher body.
            if shape.loose < shape.width or self._highest_top(_count_ranks(chosen), shape.width, shape.length) == top:
                yield chosen


def rank_index(card: Card) -> int:
    """Return the position of a card's rank, from 0 for a three."""
    return RANKS.index(card[0])


def _by_rank(card: Card) -> tuple[int, str]:
    return rank_index(card), card


def _count_ranks(cards: Cards) -> Counter[str]:
    return Counter(card[0] for card in cards)


def _build(kind: str, cards: Cards, top: int) -> Combination:
    """Return a combination; `top` is the index of the highest rank of its body."""
    return Combination(kind, cards, (top,), RANKS[top])
