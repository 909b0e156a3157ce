"""The number lock [PRES-81]: plays running, each of the very next rank, lock the trick to the next again.

What is locked follows from the plays of the trick alone, so there is nothing to keep.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from app.engine.base.messages import Sentence
from app.engine.base.options import Choice, Conflict, Options, Switch, Value
from app.engine.cards.cards import rank_said
from app.engine.climbing.combinations import SINGLE, Combination
from app.engine.climbing.effects import Effect, Tell
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid
from app.engine.display.table_display import Sign
from app.engine.games.president.combinations.beats import Beating
from app.engine.games.president.combinations.requirements import Demand
from app.engine.games.president.house.limits.suit_lock import LIFTING, LOCKED, LOCKING
from app.engine.games.president.house.society.ordering import Ordering
from app.engine.games.president.house_rule import Part

NEXT_CARD = Sentence("president.next_card", "card, the very next")
THE_VERY_NEXT = Sentence("president.the_very_next", "of the very next rank")
LOCKED_TO_NEXT = Sentence("president.locked_to_next", "the trick is locked to the very next rank")
NUMBER_LOCKED = Sentence("sign.number_lock", "locked to the very next rank: {rank}")
NOTHING_NEXT = Sentence("sign.number_lock.end", "locked to the very next rank, and there is none")

STEPS = {"two": 1, "three": 2}
"""How many steps running, each to the very next rank, make a lock, for each value of the switch."""


class NumberLock(Part[None]):
    """Whoever goes on rank by rank locks the trick to the very next."""

    switch = Switch(
        id="PRES-81",
        also="sū-shibari kazu shibari 数縛り 数字縛り 激縛り rank lock number shibari",
        key="number_lock",
        domain=Choice({"none": "Any higher rank", "two": "After two in a row", "three": "After three in a row"}),
        default="none",
        sentence="When so many plays running were each of the very next rank, every later play of the trick must be, "
        "too. A joker alone and what beats by a power of its own need not be.",
        example="With “two”, after 5♠ 6♦ only a seven goes on.",
        source="Daifugō",
    )
    section = "beating"
    at = "two"
    conflicts = (
        Conflict(
            switch,
            Ordering.switch,
            lambda lock, ordering: lock != "none" and ordering,
            "a called run asks for the very next rank already",
        ),
    )

    def __init__(self, beating: Beating, options: Options) -> None:
        super().__init__(beating, options)
        self.steps = STEPS[str(options[self.switch])]

    @classmethod
    def is_on(cls, value: Value) -> bool:
        return value != "none"

    def asks(self, hand: HandState) -> Demand | None:
        locking = self._locking(hand.trick.plays)
        table = hand.table
        if locking is None or table is None:
            return None
        kind, size, on, inverted = locking.kind, locking.size, table.combination, hand.inverted

        def is_met(new: Combination) -> bool:
            free = bool(new.role) or (new.kind == SINGLE and new.cards[0].is_joker)
            return free or (new.kind == kind and new.size == size and self._follows(on, new, inverted=inverted))

        following = self._next(on, inverted=inverted)
        return Demand(is_met, NEXT_CARD(), THE_VERY_NEXT(), larger=False, rank=following, because=LOCKED_TO_NEXT())

    def marks(self, hand: HandState, laid: Laid) -> Iterator[Effect]:
        plays = hand.trick.plays
        if self._locking(plays) is not None and not any(self._locking(plays[:end]) for end in range(len(plays))):
            yield Tell(LOCKED(laid.by, self.switch.id))

    def signs(self, hand: HandState) -> Iterator[Sign]:
        if self._locking(hand.trick.plays) is not None and hand.table is not None:
            following = self._next(hand.table.combination, inverted=hand.inverted)
            says = NUMBER_LOCKED(rank=rank_said(following)) if following else NOTHING_NEXT()
            yield Sign("number_lock", "»", says)

    def _locking(self, plays: Sequence[Laid]) -> Combination | None:
        """The play that locked this trick; None while nothing has."""
        locking, steps = None, 0
        for before, laid in pairwise(one for one in plays if not one.ends):
            on, new = before.combination, laid.combination
            if new.role in LIFTING:
                locking, steps = None, 0
                continue
            alike = new.kind in LOCKING and new.kind == on.kind and new.size == on.size and on.role not in LIFTING
            steps = steps + 1 if alike and self._follows(on, new, inverted=laid.inverted) else 0
            if locking is None and steps == self.steps:
                locking = new
        return locking

    def _follows(self, on: Combination, new: Combination, *, inverted: bool) -> bool:
        """Whether one is of the very next rank; jokers alone have none."""
        if any(all(card.is_joker for card in one.cards) for one in (on, new)):
            return False
        return new.rank != "" and new.rank == self._next(on, inverted=inverted)

    def _next(self, on: Combination, *, inverted: bool) -> str:
        """The rank next to that of a play; empty if there is none."""
        order = self.faces.order(inverted=inverted)
        place = order.find(on.rank) if len(on.rank) == 1 and not all(card.is_joker for card in on.cards) else -1
        return order[place + 1 : place + 2] if place >= 0 else ""
