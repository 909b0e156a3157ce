"""The suit lock [PRES-80]: two plays running of the very same suits lock the trick to them.

What is locked follows from the plays of the trick alone, so there is nothing to keep.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from app.engine.cards import SUITS_SAID
from app.engine.climbing.combinations import KIND_OF_SET, Combination
from app.engine.climbing.effects import Effect, Tell
from app.engine.climbing.moments import HandState
from app.engine.climbing.state import Laid
from app.engine.events import EventType
from app.engine.face import Sign
from app.engine.games.president import sequences
from app.engine.games.president.demands import Demand
from app.engine.games.president.part import Part
from app.engine.games.president.powers import OPEN, AnyTime
from app.engine.games.president.proposing import NUMBERS
from app.engine.options import Choice, Switch
from app.engine.words import Sentence, Word, beside, both

SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
LIFTING = (AnyTime.role, OPEN)
"""Roles of plays on which anything goes: they lift a lock, and make none."""
LOCKING = {*KIND_OF_SET, *sequences.KINDS.values()}
"""Kinds of plays that may make a lock."""

WITH_SUITS = Sentence("president.with_suits", "with {suits} in it")
LOCKED_TO = Sentence(
    "president.locked_to",
    {"one": "the trick is locked to that suit", "other": "the trick is locked to these suits"},
)
LOCKED = Sentence("sign.suit_lock", "locked to {suits}")
SUITS_LOCKED = EventType(
    "locked", "{by} locks the trick to {suits}.", you="You lock the trick to {suits}.", stood_out="locked", moment=False
)


class SuitLock(Part[None]):
    """Whoever plays the suits of the play before locks them for the rest of the trick."""

    switch = Switch(
        id="PRES-80",
        key="suit_lock",
        domain=Choice({"none": "Suits are free", "full": "Two plays of the same suits lock them"}),
        default="none",
        sentence="When a set or a run has the very suits of the play before it, every later play of the trick must "
        "have them, too. A joker or a wild card fits any suit, and what beats by a power of its own needs none.",
        example="After 5♠ 7♠ only a spade goes on, until the trick is over.",
        source="Daifugō",
    )
    section = "beating"
    at = "full"

    def asks(self, hand: HandState) -> Demand | None:
        lock = self._lock(hand.trick.plays)
        if not lock:
            return None
        return Demand(
            lambda new: bool(new.role) or self._fits(new, lock),
            card=_signs(lock),
            cards=WITH_SUITS(suits=both(_so_many(suit, lock[suit]) for suit in SIGNS if lock[suit])),
            because=LOCKED_TO(count=len(lock)),
        )

    def marks(self, hand: HandState, laid: Laid) -> Iterator[Effect]:
        plays = hand.trick.plays
        lock = self._lock(plays)
        if lock != self._lock(plays[:-1]) and lock:
            yield Tell(SUITS_LOCKED(laid.by, self.switch.id, suits=_signs(lock)))

    def signs(self, hand: HandState) -> Iterator[Sign]:
        lock = self._lock(hand.trick.plays)
        if lock:
            yield Sign(
                "suit_lock",
                _signs(lock)[0],
                LOCKED(suits=both(said() for suit, said in SUITS_SAID.items() if lock[suit])),
            )

    def _lock(self, plays: Sequence[Laid]) -> Counter[str]:
        """How many cards of each suit every further play must have."""
        lock = Counter[str]()
        for before, laid in pairwise(one.combination for one in plays if not one.ends):
            if laid.role in LIFTING:
                lock = Counter()
            elif (suits := self._suits(laid)) and before.kind == laid.kind and suits == self._suits(before):
                lock |= suits
        return lock

    def _suits(self, play: Combination) -> Counter[str]:
        """The suits that a play may lock; none, if it has a joker or a wild card in it."""
        if play.kind not in LOCKING or play.role in LIFTING:
            return Counter()
        if any(card.is_joker or self.faces.is_wild(card) for card in play.cards):
            return Counter()
        return Counter(card.suit for card in play.cards)

    def _fits(self, play: Combination, lock: Counter[str]) -> bool:
        any_suit = sum(card.is_joker or self.faces.is_wild(card) for card in play.cards)
        suits = Counter(card.suit for card in play.cards if not (card.is_joker or self.faces.is_wild(card)))
        return (lock - suits).total() <= any_suit


def _signs(lock: Counter[str]) -> str:
    return " ".join(sign for suit, sign in SIGNS.items() if lock[suit])


def _so_many(suit: str, count: int) -> Word:
    return SIGNS[suit] if count == 1 else beside((NUMBERS[count]() if count in NUMBERS else str(count), SIGNS[suit]))
