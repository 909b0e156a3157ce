"""The number lock [PRES-81]: successive plays of the very next rank oblige later plays to do the same.

The lock follows from the plays of the trick alone, so the rule needs no memory.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Choice, Conflict, Option, Options, OptionValue
from app.engine.cards.cards import rank_message
from app.engine.climbing.combinations import SINGLE, Combination
from app.engine.climbing.effects import Effect, EmitEvent
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.display.table_display import Badge
from app.engine.games.president.combinations.beats import PresidentCombinations
from app.engine.games.president.combinations.requirements import PlayRequirement
from app.engine.games.president.house.limits.suit_lock import LIFTING, LOCKED, LOCKING
from app.engine.games.president.house.society.ordering import CalledRuns
from app.engine.games.president.house_rule import HouseRule

OF_THE_NEXT_RANK = MessageTemplate("president.the_very_next", "{play} of the very next rank")
NUMBER_LOCKED = MessageTemplate("sign.number_lock", "locked to the very next rank: {rank}")
NOTHING_NEXT = MessageTemplate("sign.number_lock.end", "locked to the very next rank, which does not exist")

STEPS = {"two": 1, "three": 2}
"""Number of successive steps to the very next rank that make a lock, for each value of the option."""


class NumberLock(HouseRule[None]):
    """A house rule of President: plays in a row, each of the very next rank, lock the trick to the very next rank.

    Two or three such steps are needed, by option. Jokers and cards with special powers stay free.
    """

    switch = Option(
        id="PRES-81",
        also="sū-shibari kazu shibari 数縛り 数字縛り 激縛り rank lock number shibari",
        key="number_lock",
        domain=Choice({"none": "No number lock", "two": "After two in a row", "three": "After three in a row"}),
        default="none",
        sentence="Decides whether plays of consecutive ranks lock the trick. In a locked trick, each play must be of "
        "the very next rank. Single jokers and plays that win by a special power are exempt.",
        example="With “After two in a row”, after 5♠ 6♦ only a seven can be played.",
        source="Daifugō",
        short={
            "two": "Two plays of consecutive ranks lock the trick to the next ranks.",
            "three": "Three plays of consecutive ranks lock the trick to the next ranks.",
        },
    )
    section = "beating"
    active_value = "two"
    conflicts = (
        Conflict(
            switch,
            CalledRuns.switch,
            lambda lock, ordering: lock != "none" and ordering,
            "A called run already requires the very next rank.",
        ),
    )

    def __init__(self, combination_rules: PresidentCombinations, options: Options) -> None:
        super().__init__(combination_rules, options)
        self.steps_to_lock = STEPS[str(options[self.switch])]

    @classmethod
    def is_active(cls, value: OptionValue) -> bool:
        return value != "none"

    def play_requirement(self, hand: HandState) -> PlayRequirement | None:
        locking = self._find_locking_play(hand.trick.plays)
        table = hand.play_to_beat
        if locking is None or table is None:
            return None
        kind, size, on, inverted = locking.kind, locking.size, table.combination, hand.inverted

        def is_met(new: Combination) -> bool:
            free = bool(new.role) or (new.kind == SINGLE and new.cards[0].is_joker)
            return free or (
                new.kind == kind and new.size == size and self._is_very_next_rank(on, new, inverted=inverted)
            )

        following = self._next_rank(on, inverted=inverted)
        return PlayRequirement(is_met, OF_THE_NEXT_RANK, may_be_larger_set=False, only_rank=following)

    def trick_effects(self, hand: HandState, laid: PlayedCombination) -> Iterator[Effect]:
        plays = hand.trick.plays
        if self._find_locking_play(plays) is not None and not any(
            self._find_locking_play(plays[:end]) for end in range(len(plays))
        ):
            yield EmitEvent(LOCKED(laid.by, self.switch.id))

    def signs(self, hand: HandState) -> Iterator[Badge]:
        if self._find_locking_play(hand.trick.plays) is not None and hand.play_to_beat is not None:
            following = self._next_rank(hand.play_to_beat.combination, inverted=hand.inverted)
            says = NUMBER_LOCKED(rank=rank_message(following)) if following else NOTHING_NEXT()
            yield Badge("number_lock", "»", says)

    def _find_locking_play(self, plays: Sequence[PlayedCombination]) -> Combination | None:
        """Return the play that locked this trick to the very next rank, or None if the trick is not locked."""
        locking, steps = None, 0
        for before, laid in pairwise(one for one in plays if not one.ends):
            on, new = before.combination, laid.combination
            if new.role in LIFTING:
                locking, steps = None, 0
                continue
            alike = new.kind in LOCKING and new.kind == on.kind and new.size == on.size and on.role not in LIFTING
            steps = steps + 1 if alike and self._is_very_next_rank(on, new, inverted=laid.inverted) else 0
            if locking is None and steps == self.steps_to_lock:
                locking = new
        return locking

    def _is_very_next_rank(self, on: Combination, new: Combination, *, inverted: bool) -> bool:
        """Return whether `new` is of the rank next above `on` in the current order.

        False if one of them consists of jokers only, which have no rank here, or has no single rank.
        """
        if any(all(card.is_joker for card in one.cards) for one in (on, new)):
            return False
        return new.rank != "" and new.rank == self._next_rank(on, inverted=inverted)

    def _next_rank(self, on: Combination, *, inverted: bool) -> str:
        """Return the rank next above that of a play in the current order; empty for the highest rank and for jokers."""
        order = self.card_meanings.ranks_low_to_high(inverted=inverted)
        place = order.find(on.rank) if len(on.rank) == 1 and not all(card.is_joker for card in on.cards) else -1
        return order[place + 1 : place + 2] if place >= 0 else ""
