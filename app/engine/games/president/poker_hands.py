"""The five-card combinations of Big Two in President [PRES-23]: straight to straight flush."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations

from app.engine.cards import SUITS, Card, Cards
from app.engine.climbing.combinations import Combination, choices, products
from app.engine.options import Options, Switch, flag

from .cards import HIGH, Faces

SWITCH = Switch(
    "PRES-23",
    "poker_hands",
    flag("No poker hands", "Straight, flush, full house, four and one, straight flush"),
    False,
    "Whether the five-card hands of poker may be played; any of them beats a lower kind.",
    "A flush beats a straight. 8♣ 8♦ 8♥ 3♣ 3♦ beats 7♣ 7♦ 7♥ A♣ A♦: the three decide.",
)

KINDS = ("straight", "flush", "full_house", "quads", "straight_flush")
"""From the lowest kind to the highest."""

STRAIGHTS = ("straight", "straight_flush")

_STRAIGHT = "3456789TJQKA"
_WINDOWS = [_STRAIGHT[start : start + 5] for start in range(len(_STRAIGHT) - 4)]


class PokerHands:
    """Poker hands over the ranks in force. No wild cards and no jokers are in any of them."""

    def __init__(self, faces: Faces) -> None:
        self.faces = faces

    def reading(self, cards: Cards, *, inverted: bool) -> Combination | None:
        """The poker hand that these five cards are."""
        faces = self.faces
        if len(cards) != 5 or any(faces.is_wild(card) or card.is_joker for card in cards):
            return None
        ranks = [faces.rank(card) for card in cards]
        levels = sorted((faces.level(rank, inverted=inverted) for rank in ranks), reverse=True)
        suited = len({card.suit for card in cards}) == 1
        straight = self._straight(ranks)
        if straight:
            strength = self._top(straight, inverted=inverted)
            return Combination("straight_flush" if suited else "straight", cards, strength)
        if suited:
            return Combination("flush", cards, tuple(levels))
        counts = Counter(ranks).most_common()
        shape = tuple(count for _, count in counts)
        if shape in ((3, 2), (4, 1)):
            kind = "full_house" if shape == (3, 2) else "quads"
            return Combination(kind, cards, (faces.level(counts[0][0], inverted=inverted),))
        return None

    def _straight(self, ranks: list[str]) -> str:
        if HIGH in ranks or len(set(ranks)) < 5 or not all(rank in _STRAIGHT for rank in ranks):
            return ""
        run = "".join(sorted(ranks, key=_STRAIGHT.index))
        return run if run in _STRAIGHT else ""

    def candidates(self, held: Cards, on: Combination | None, *, inverted: bool) -> Iterator[Cards]:
        """Every five held cards that are a poker hand; if there is one to beat, only of higher kinds and ranks."""
        natural = [card for card in held if not self.faces.is_wild(card) and not card.is_joker]
        ranks = self._by_rank(natural)
        suits = [[card for card in natural if card[1] == suit] for suit in SUITS]
        suited_ranks = [self._by_rank(suited) for suited in suits]
        least = 0 if on is None else KINDS.index(on.kind)
        for window in _WINDOWS:
            higher = on is None or on.kind not in STRAIGHTS or self._top(window, inverted=inverted) > on.strength
            if least == 0 and higher:
                yield from _straights(ranks, window)
            elif higher or least < KINDS.index("straight_flush"):
                for groups in suited_ranks:
                    yield from _straights(groups, window)
        if least <= KINDS.index("flush"):
            for suited in suits:
                yield from (cards for cards in choices(suited, 5) if not self._straight([*map(self.faces.rank, cards)]))
        for kind, most in (("full_house", 3), ("quads", 4)):
            if least <= KINDS.index(kind):
                for rank, other in permutations(ranks, 2):
                    strength = (self.faces.level(rank, inverted=inverted),)
                    if on is None or on.kind != kind or strength > on.strength:
                        yield from products((choices(ranks[rank], most), choices(ranks[other], 5 - most)))

    def _by_rank(self, cards: Iterable[Card]) -> dict[str, list[Card]]:
        groups: dict[str, list[Card]] = {}
        for card in cards:
            groups.setdefault(self.faces.rank(card), []).append(card)
        return groups

    def _top(self, straight: str, *, inverted: bool) -> tuple[int]:
        # 34567 to TJQKA whatever the rank order, so the top goes by the straights' own order.
        top = _STRAIGHT.index(straight[-1])
        return (-top if inverted else top,)

    def beats(self, new: Combination, on: Combination) -> bool:
        """Whether one poker hand beats another: by kind, then by strength."""
        mine, theirs = KINDS.index(new.kind), KINDS.index(on.kind)
        return mine > theirs or (mine == theirs and new.strength > on.strength)


def poker_hands(faces: Faces, options: Options) -> PokerHands | None:
    """The poker hands of a match that has them."""
    return PokerHands(faces) if options.poker_hands else None


def _straights(ranks: dict[str, list[Card]], window: str) -> Iterator[Cards]:
    if all(rank in ranks for rank in window):
        yield from products(choices(ranks[rank], 1) for rank in window)
