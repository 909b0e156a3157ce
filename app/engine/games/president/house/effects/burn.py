"""Burning [PRES-82]: four of a rank end the trick, also where they come together from several plays."""

from collections.abc import Iterator, Sequence

from app.engine.base.messages import Said, Sentence, both
from app.engine.base.options import Choice, Options, Switch, Value
from app.engine.cards.cards import Card, Cards, rank_said
from app.engine.climbing.combinations import KIND_OF_SET, Combination, choices
from app.engine.climbing.effects import EndTrick
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid
from app.engine.climbing.suggestion_data import OfGroup, Proposal
from app.engine.display.events import EventType
from app.engine.display.table_display import Sign
from app.engine.games.president.combinations.beats import Beating
from app.engine.games.president.combinations.requirements import Demand
from app.engine.games.president.house_rule import Judge, Part
from app.engine.games.president.judging import Usual

COMPLETED = "completed"
"""The role of a play that completes four of a rank."""
FOUR = 4

THE_LAST = Sentence(
    "president.the_last_of_a_rank", {"one": "the last {rank}", "other": "the last {count} cards of rank {rank}"}
)
OR_COMPLETE = Sentence("president.or_complete", "{turn} Out of turn you may only complete four of a rank.")
ANYBODY = Sentence("sign.burn", "Anybody may complete the four")
ANYBODY_BUT = Sentence("sign.burn.but", "Anybody but {names} may complete the four")
BURNED = EventType(
    "burned",
    "{by} burns the trick.",
    you="You burn the trick.",
    turn="Out of turn, before {turn}, {by} completes the four and burns the trick!",
    you_turn="Out of turn, before {turn}, you complete the four and burn the trick!",
    turn_you="Out of turn, before you, {by} completes the four and burns the trick!",
    tone="great",
    stood_out="burned",
    moment=False,
)
"""With `turn`, whose turn it was, where it was not the turn of who did it."""


class Burn(Part[None]):
    """Four of a rank end the trick."""

    switch = Switch(
        id="PRES-82",
        also="bomb four-card burn completing fours",
        key="burn",
        domain=Choice(
            {
                "none": "Four of a rank are a set like others",
                "set": "A set of four ends the trick",
                "complete": "So do those that make four with the last plays",
                "any_time": "These, too, out of turn by anybody",
            }
        ),
        default="none",
        sentence="A set of four or more ends the trick, and its player leads. So may natural cards that make four of a "
        "rank (eight with two packs) together with the last plays of it, whatever their number.",
        example="7♦ 7♥ 7♠ on 7♣ end the trick; at any time, anybody but the owner of the 7♣ may do it.",
        source="common",
    )
    section = "beating"
    at = "any_time"

    def __init__(self, beating: Beating, options: Options) -> None:
        super().__init__(beating, options)
        self.completes = options[self.switch] in ("complete", "any_time")
        self.interrupts = options[self.switch] == "any_time"
        self.usual = Usual(beating, options)
        self.whole = FOUR * self.faces.packs
        """How many natural cards of a rank there are, and so make it complete."""

    @classmethod
    def is_on(cls, value: Value) -> bool:
        return value != "none"

    def ends(self, hand: HandState, laid: Laid) -> EndTrick | None:
        play = laid.combination
        burns = play.role == COMPLETED or (play.kind in KIND_OF_SET and play.size >= FOUR)
        if not burns:
            return None
        if hand.turn == laid.by:
            return EndTrick(BURNED(laid.by, self.switch.id))
        return EndTrick(BURNED(laid.by, self.switch.id, turn=hand.turn))

    def judge(self, hand: HandState) -> Judge | None:
        if not self.completes:
            return None
        rank, lies = self._running(hand.trick.plays)
        return Completing(self.usual, rank, self.whole - lies) if lies else None

    def interrupting(self, hand: HandState, combination: Combination) -> bool:
        return self.interrupts and combination.role == COMPLETED

    def interruptions(self, hand: HandState, by: str) -> Iterator[Cards]:
        judge = self.judge(hand) if self.interrupts else None
        return judge.completing(hand.cards[by]) if isinstance(judge, Completing) else iter(())

    def may_break_in(self, hand: HandState) -> tuple[str, ...]:
        # A pair or more of them has to lie there: else every single card would be waited on.
        table = hand.table
        if not self.interrupts or table is None or hand.turn is None or hand.choice or hand.rules.pauses(hand):
            return ()
        _, lies = self._running(hand.trick.plays)
        if 2 * lies < self.whole:
            return ()
        silenced = {table.by, hand.turn, *hand.trick.barred}
        return tuple(name for name in hand.active() if name not in silenced)

    def signs(self, hand: HandState) -> Iterator[Sign]:
        table = hand.table
        if table is not None and self.may_break_in(hand):
            silenced = [name for name in hand.active() if name in {table.by, *hand.trick.barred}]
            yield Sign("burn", "✹", ANYBODY_BUT(names=both(silenced)) if silenced else ANYBODY())

    def turn_words(self, turn: Said) -> Said:
        return OR_COMPLETE(turn=turn)

    def _running(self, plays: Sequence[Laid]) -> tuple[str, int]:
        """The rank of the last plays, and how many natural cards of it lie there running; 0: nothing can be made of
        them, for the last is none of these or beat by a power of its own."""
        rank, lies = "", 0
        for place, laid in reversed(list(enumerate(plays))):
            play = laid.combination
            natural = play.kind in KIND_OF_SET and not (play.role and place)
            if not natural or not self._is_natural(play.cards, rank or self.faces.rank(play.cards[0])):
                break
            rank, lies = self.faces.rank(play.cards[0]), lies + play.size
        return rank, lies if lies < self.whole else 0

    def _is_natural(self, cards: Cards, rank: str) -> bool:
        return rank in self.faces.natural and all(
            not self.faces.is_wild(card) and self.faces.rank(card) == rank for card in cards
        )


class Completing:
    """The `Judge` of a trick in which so many natural cards of a rank would complete four."""

    def __init__(self, usual: Usual, rank: str, missing: int) -> None:
        self.usual, self.faces, self.rank, self.missing = usual, usual.beating.faces, rank, missing

    def _completes(self, cards: Sequence[Card]) -> bool:
        return len(cards) == self.missing and all(
            self.faces.rank(card) == self.rank and not self.faces.is_wild(card) for card in cards
        )

    def completing(self, held: Cards) -> Iterator[Cards]:
        """Every choice of held cards that completes the four."""
        alike = tuple(card for card in held if self._completes((card,) * self.missing))
        return iter(choices(alike, self.missing))

    def readings(self, cards: Cards, on: Combination | None, *, inverted: bool) -> Sequence[Combination]:
        """What completes the four is nothing else."""
        if on is None or not self._completes(cards):
            return self.usual.readings(cards, on, inverted=inverted)
        strength = (self.faces.level(self.rank, inverted=inverted),)
        return [Combination(KIND_OF_SET[len(cards)], cards, strength, self.rank, COMPLETED)]

    def candidates(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Cards]:
        """What completes the four, and everything else."""
        yield from self.completing(held)
        for cards in self.usual.candidates(held, on, inverted=inverted, must=must):
            if not self._completes(cards):
                yield cards

    def beats(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """What completes the four beats, whatever lies there."""
        return new.role == COMPLETED or self.usual.beats(new, on, inverted=inverted)

    def unbeaten_by(self, new: Combination, on: Combination, *, inverted: bool) -> str:
        """As everywhere."""
        return self.usual.unbeaten_by(new, on, inverted=inverted)

    def proposals(self, on: Combination, demands: Sequence[Demand], *, inverted: bool) -> list[Proposal]:
        """What would beat anyway, and the rest of the four."""
        found = self.usual.proposals(on, demands, inverted=inverted)
        group = tuple(card for card in self.faces.deck() if self._completes((card,) * self.missing))
        left = tuple(card for card in group if card not in on.cards)
        if len(left) >= self.missing:
            words = THE_LAST(count=self.missing, rank=rank_said(self.rank))
            found.append(OfGroup(words, (self.missing,), (left,)))
        return found

    def nothing_beats(self) -> Said | None:
        """There is no reason of its own to give."""
        return None
