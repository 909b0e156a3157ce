"""The suit lock [PRES-80]: two plays running of the very same suits, or of some, lock the trick to them.

What is locked follows from the plays of the trick alone, so there is nothing to keep.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from app.engine.base.caching import kept
from app.engine.base.messages import Sentence, Word, beside, both
from app.engine.base.options import Choice, Options, Switch, Value
from app.engine.cards.cards import SUITS_SAID, Cards
from app.engine.climbing.combinations import KIND_OF_SET, Combination
from app.engine.climbing.effects import Effect, Tell
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid
from app.engine.display.events import EventType
from app.engine.display.table_display import Sign
from app.engine.games.president.combinations import sequences
from app.engine.games.president.combinations.beats import Beating
from app.engine.games.president.combinations.card_powers import OPEN, AnyTime
from app.engine.games.president.combinations.requirements import Demand
from app.engine.games.president.combinations.suggestions import NUMBERS
from app.engine.games.president.house_rule import Part

SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
LIFTING = (AnyTime.role, OPEN)
"""Roles of plays on which anything goes: they lift a lock, and make none. The next play may make one again."""
LOCKING = {*KIND_OF_SET, *sequences.KINDS.values()}
"""Kinds of plays that may make a lock."""
PLAYS_KEPT = 64
"""Plays whose suits are remembered under some options: single cards, mostly."""

WITH_SUITS = Sentence("president.with_suits", "with {suits} in it")
LOCKED_TO = Sentence(
    "president.locked_to",
    {"one": "the trick is locked to that suit", "other": "the trick is locked to these suits"},
)
LOCKED_SUITS = Sentence("sign.suit_lock", "locked to {suits}")
LOCKED = EventType(
    "locked",
    "{by} locks the trick to the very next rank.",
    suits="{by} locks the trick to {suits}.",
    you="You lock the trick to the very next rank.",
    you_suits="You lock the trick to {suits}.",
    stood_out="locked",
    moment=False,
    celebrated="lock",
)
"""What both locks tell: this one of which suits."""


def _all_of_them(before: Counter[str], suits: Counter[str], size: int) -> Counter[str]:
    return suits if suits == before and suits.total() == size else Counter()


IN_COMMON: dict[str, Callable[[Counter[str], Counter[str], int], Counter[str]]] = {
    "full": _all_of_them,
    "partial": lambda before, suits, size: before & suits,
}
"""What two plays of so many cards lock, given the suits of their natural cards, for each value of the switch."""


class SuitLock(Part[None]):
    """Whoever plays the suits of the play before locks them for the rest of the trick."""

    switch = Switch(
        id="PRES-80",
        also="shibari suit shibari marukuku 縛り スート縛り マーク縛り 片縛り suit lock",
        key="suit_lock",
        domain=Choice(
            {
                "none": "Suits are free",
                "full": "Two plays of the same suits lock them",
                "partial": "What suits two plays have in common is locked",
            }
        ),
        default="none",
        sentence="When a set or a run has the very suits of the play before it, or some of them, every later play of "
        "the trick must have them, too. A joker or a wild card fits any suit, and what beats by a power of its own "
        "needs none.",
        example="After 5♠ 7♠ only a spade goes on, until the trick is over.",
        source="Daifugō",
    )
    section = "beating"
    at = "full"

    def __init__(self, beating: Beating, options: Options) -> None:
        super().__init__(beating, options)
        self.in_common = IN_COMMON[str(options[self.switch])]
        self._suits = kept(PLAYS_KEPT, self._find_suits)

    @classmethod
    def is_on(cls, value: Value) -> bool:
        return value != "none"

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
            yield Tell(LOCKED(laid.by, self.switch.id, suits=_signs(lock)))

    def signs(self, hand: HandState) -> Iterator[Sign]:
        lock = self._lock(hand.trick.plays)
        if lock:
            yield Sign(
                "suit_lock",
                _signs(lock)[0],
                LOCKED_SUITS(suits=both(said() for suit, said in SUITS_SAID.items() if lock[suit])),
            )

    def _lock(self, plays: Sequence[Laid]) -> Counter[str]:
        """How many cards of each suit every further play must have."""
        lock = Counter[str]()
        if len(plays) < 2:
            return lock
        for before, laid in pairwise(one.combination for one in plays if not one.ends):
            if laid.role in LIFTING:
                lock = Counter()
            elif laid.kind in LOCKING and before.kind == laid.kind:
                lock |= self.in_common(self._suits(before.cards), self._suits(laid.cards), laid.size)
        return lock

    def _find_suits(self, cards: Cards) -> Counter[str]:
        """The suits of the natural cards of a play."""
        return Counter([card.suit for card in cards if not (card.is_joker or self.faces.is_wild(card))])

    def _fits(self, play: Combination, lock: Counter[str]) -> bool:
        any_suit = sum(card.is_joker or self.faces.is_wild(card) for card in play.cards)
        return (lock - self._suits(play.cards)).total() <= any_suit


def _signs(lock: Counter[str]) -> str:
    return " ".join(sign for suit, sign in SIGNS.items() if lock[suit])


def _so_many(suit: str, count: int) -> Word:
    return SIGNS[suit] if count == 1 else beside((NUMBERS[count]() if count in NUMBERS else str(count), SIGNS[suit]))
