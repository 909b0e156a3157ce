"""The five-card combinations of Big Two in President [PRES-23]: straight to straight flush."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from app.engine.cards import Cards
from app.engine.climbing.combinations import Combination
from app.engine.options import Switch, flag

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

_STRAIGHT = "3456789TJQKA"


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
            # 34567 to TJQKA whatever the rank order, so the top goes by the straights' own order.
            top = _STRAIGHT.index(straight[-1])
            return Combination("straight_flush" if suited else "straight", cards, (-top if inverted else top,))
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

    def candidates(self, held: Cards) -> Iterator[Cards]:
        """Every five held cards that are a poker hand."""
        natural = [card for card in held if not self.faces.is_wild(card) and not card.is_joker]
        seen = set[tuple[str, ...]]()
        for cards in combinations(natural, 5):
            if self._may_be(cards):
                key = tuple(sorted(cards))
                if key not in seen:
                    seen.add(key)
                    yield cards

    def _may_be(self, cards: Cards) -> bool:
        ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
        if len(suits) == 1 or len(ranks) <= 3:
            return True
        return len(ranks) == 5 and bool(self._straight([self.faces.rank(card) for card in cards]))

    def beats(self, new: Combination, on: Combination) -> bool:
        """Whether one poker hand beats another: by kind, then by strength."""
        mine, theirs = KINDS.index(new.kind), KINDS.index(on.kind)
        return mine > theirs or (mine == theirs and new.strength > on.strength)
