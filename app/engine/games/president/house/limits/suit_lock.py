"""The suit lock [PRES-80]: two successive plays with the same suits lock the trick to these suits.

The lock follows from the plays of the trick alone, so the rule needs no memory.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from app.engine.base.caching import weak_cached_method
from app.engine.base.messages import MessageTemplate, join_with_and
from app.engine.base.options import Choice, Option, Options, OptionValue
from app.engine.cards.cards import SUIT_NAMES, Cards
from app.engine.climbing.combinations import KIND_OF_RUN, KIND_OF_SET, Combination
from app.engine.climbing.effects import Effect, EmitEvent
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.display.events import GameEventType
from app.engine.display.table_display import Badge
from app.engine.games.president.combinations.beats import PresidentCombinations
from app.engine.games.president.combinations.card_powers import TRANSPARENT_OPEN, AnyTimeCard
from app.engine.games.president.combinations.requirements import PlayRequirement
from app.engine.games.president.house_rule import HouseRule

SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
LIFTING = (AnyTimeCard.role, TRANSPARENT_OPEN)
"""Roles of plays on which any play may be made. They lift a lock and make none; the next play may make one again."""
LOCKING = {*KIND_OF_SET, *KIND_OF_RUN.values()}
"""Kinds of plays that can make a lock."""
MAX_CACHED_PLAYS = 64
"""Size of the cache for the suits of plays, most of which are single cards."""

IN_SUITS = MessageTemplate("president.with_suits", "{play} in {suits}")
LOCKED_SUITS = MessageTemplate("sign.suit_lock", "locked to {suits}")
LOCKED = GameEventType(
    "locked",
    "{by} locks the trick to the very next rank.",
    suits="{by} locks the trick to {suits}.",
    you="You lock the trick to the very next rank.",
    you_suits="You lock the trick to {suits}.",
    stood_out="locked",
    highlighted=False,
    celebrated="lock",
)
"""The event of both locks; the suit lock sets `suits`."""


def _suits_if_identical(before: Counter[str], suits: Counter[str], size: int) -> Counter[str]:
    return suits if suits == before and suits.total() == size else Counter()


COMMON_SUITS_BY_OPTION: dict[str, Callable[[Counter[str], Counter[str], int], Counter[str]]] = {
    "full": _suits_if_identical,
    "partial": lambda before, suits, size: before & suits,
}
"""Returns the suits that two plays lock, for each value of the option.

The arguments are the suits of the natural cards of each play, and the number of cards.
"""


class SuitLock(HouseRule[None]):
    """A house rule of President: a play with the suits of the play before locks the rest of the trick to these suits.

    By an option, suits that the two plays share are enough. Jokers and wild cards fit any suit, and cards played with a
    special power stay free.
    """

    switch = Option(
        id="PRES-80",
        also="shibari suit shibari marukuku 縛り スート縛り マーク縛り 片縛り suit lock",
        key="suit_lock",
        domain=Choice(
            {
                "none": "No suit lock",
                "full": "Two plays of the same suits lock them",
                "partial": "The suits that two plays share are locked",
            }
        ),
        default="none",
        sentence="Decides whether plays lock the trick to their suits. If a play has the same suits as the one "
        "before, every later play must have these suits. Jokers and wild cards fit any suit. Plays that "
        "win by a special power are exempt.",
        example="After 5♠ 7♠ only spades can be played until the trick ends.",
        source="Daifugō",
        short={
            "full": "Two plays in the same suits lock the trick to them.",
            "partial": "Suits that two plays share are locked.",
        },
    )
    section = "beating"
    looks_at_suits = True
    active_value = "full"

    def __init__(self, combination_rules: PresidentCombinations, options: Options) -> None:
        super().__init__(combination_rules, options)
        self.common_suits = COMMON_SUITS_BY_OPTION[str(options[self.switch])]
        self._count_natural_suits_cached = weak_cached_method(MAX_CACHED_PLAYS, self._count_natural_suits)

    @classmethod
    def is_active(cls, value: OptionValue) -> bool:
        return value != "none"

    def play_requirement(self, hand: HandState) -> PlayRequirement | None:
        lock = self._locked_suits(hand.trick.plays)
        if not lock:
            return None
        return PlayRequirement(
            lambda new: bool(new.role) or self._fits_lock(new, lock),
            IN_SUITS,
            {"suits": join_with_and(_describe_suit_count(suit, lock[suit]) for suit in SIGNS if lock[suit])},
        )

    def trick_effects(self, hand: HandState, laid: PlayedCombination) -> Iterator[Effect]:
        plays = hand.trick.plays
        lock = self._locked_suits(plays)
        if lock != self._locked_suits(plays[:-1]) and lock:
            yield EmitEvent(LOCKED(laid.by, self.switch.id, suits=_suit_symbols(lock)))

    def signs(self, hand: HandState) -> Iterator[Badge]:
        lock = self._locked_suits(hand.trick.plays)
        if lock:
            yield Badge(
                "suit_lock",
                _suit_symbols(lock)[0],
                LOCKED_SUITS(suits=join_with_and(said() for suit, said in SUIT_NAMES.items() if lock[suit])),
            )

    def _locked_suits(self, plays: Sequence[PlayedCombination]) -> Counter[str]:
        """Return the number of cards of each suit that every further play of the trick must contain.

        It is empty if the trick is not locked to suits.
        """
        lock = Counter[str]()
        if len(plays) < 2:
            return lock
        for before, laid in pairwise(one.combination for one in plays if not one.ends):
            if laid.role in LIFTING:
                lock = Counter()
            elif laid.kind in LOCKING and before.kind == laid.kind:
                lock |= self.common_suits(
                    self._count_natural_suits_cached(before.cards),
                    self._count_natural_suits_cached(laid.cards),
                    laid.size,
                )
        return lock

    def _count_natural_suits(self, cards: Cards) -> Counter[str]:
        """Return the number of cards of each suit in a play, without jokers and wild cards."""
        return Counter([card.suit for card in cards if not (card.is_joker or self.card_meanings.is_wild(card))])

    def _fits_lock(self, play: Combination, lock: Counter[str]) -> bool:
        any_suit = sum(card.is_joker or self.card_meanings.is_wild(card) for card in play.cards)
        return (lock - self._count_natural_suits_cached(play.cards)).total() <= any_suit


def _suit_symbols(lock: Counter[str]) -> str:
    return " ".join(sign for suit, sign in SIGNS.items() if lock[suit])


def _describe_suit_count(suit: str, count: int) -> str:
    return SIGNS[suit] if count == 1 else f"{count} {SIGNS[suit]}"
