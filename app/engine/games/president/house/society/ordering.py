"""Ordering [PRES-24]: calling a run of three single cards, as in Kings and Bastards.

Who plays the third of three consecutive singles may call it, by rank, colour or suit; for the rest of the trick every
play must be the very next rank and of what was called, and trumps lose their power.
"""

from collections.abc import Iterator, Sequence

from app.engine.base.messages import Said, Sentence
from app.engine.base.options import Switch, flag
from app.engine.cards.cards import SUITS, Card, Cards, rank_said
from app.engine.climbing.combinations import SINGLE, Combination
from app.engine.climbing.effects import Effect, Tell
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid
from app.engine.climbing.suggestion_data import Proposal, these
from app.engine.display.events import EventType
from app.engine.display.table_display import Sign
from app.engine.games.president.combinations.beats import Beating
from app.engine.games.president.combinations.card_powers import TRUMPS
from app.engine.games.president.combinations.cards import CardMeanings
from app.engine.games.president.combinations.requirements import Demand
from app.engine.games.president.house_rule import Judge, Part

CALLS = {
    "rank": Sentence("call.rank", "rank by rank"),
    "red": Sentence("call.red", "red"),
    "black": Sentence("call.black", "black"),
    "c": Sentence("call.c", "clubs"),
    "d": Sentence("call.d", "diamonds"),
    "h": Sentence("call.h", "hearts"),
    "s": Sentence("call.s", "spades"),
}
"""What may be called."""
CALLED = Sentence("sign.called", "called {call}")
"""The sign of a call."""

COLOURS = {"red": "dhr", "black": "csb"}
"""The suits of each colour; jokers have one too."""


def called(plays: Sequence[Laid]) -> str | None:
    """What has been called in this trick."""
    return next((laid.call for laid in plays if laid.call is not None), None)


def _in_run(faces: CardMeanings, combination: Combination) -> bool:
    return combination.size == 1 and combination.role not in TRUMPS and combination.rank in faces.natural


def may_call(faces: CardMeanings, plays: Sequence[Laid], new: Combination, *, inverted: bool) -> tuple[str, ...]:
    """What may be called with this play: it and the two before it are consecutive single cards."""
    if called(plays) is not None or len(plays) < 2:
        return ()
    run = [plays[-2].combination, plays[-1].combination, new]
    if not all(_in_run(faces, one) for one in run):
        return ()
    if "".join(one.rank for one in run) not in faces.order(inverted=inverted):
        return ()
    suits = {one.cards[0].suit for one in run}
    colours = (call for call, of in COLOURS.items() if suits <= set(of))
    return ("rank", *colours, *(suit for suit in SUITS if suits == {suit}))


def readings(faces: CardMeanings, found: Sequence[Combination], *, inverted: bool) -> Sequence[Combination]:
    """What is left of some readings in a called trick: a card is only its own rank, and jokers count for nothing."""
    cards = found[0].cards
    if len(cards) != 1 or cards[0].is_joker:
        return []
    if faces.is_wild(cards[0]):
        return found
    rank = faces.rank(cards[0])
    return [Combination(SINGLE, cards, (faces.level(rank, inverted=inverted),), rank)]


def follows(faces: CardMeanings, call: str, new: Combination, on: Combination, *, inverted: bool) -> bool:
    """Whether this is the very next rank, of the colour or suit called."""
    suit = new.cards[0].suit
    return suit in COLOURS.get(call, suit if call == "rank" else call) and on.rank + new.rank in faces.order(
        inverted=inverted
    )


NEXT_OF_CALLED = {
    call: Sentence(f"president.next_of_called.{call}", f"the next rank of the called run, a {what}{{rank}}")
    for call, what in {
        "rank": "",
        "red": "red ",
        "black": "black ",
        "c": "club ",
        "d": "diamond ",
        "h": "heart ",
        "s": "spade ",
    }.items()
}


def hint(faces: CardMeanings, call: str, on: Combination, *, inverted: bool) -> Said:
    """What goes on a called run that can go on, for a sentence that begins “Play ”."""
    order = faces.order(inverted=inverted)
    following = order[order.find(on.rank) + 1]
    return NEXT_OF_CALLED[call](rank=rank_said(following))


ONLY_THE_THIRD = Sentence(
    "president.only_the_third",
    "Only the third of three consecutive single cards may be called, once a trick: play without a call.",
)
NOTHING_GOES_ON = Sentence("president.nothing_goes_on", "Nothing goes on this, the highest rank of the called run")

RUN_CALLED = EventType("called", "", stood_out="called", moment=False)
"""Told with the play itself."""


class Ordering(Part[None]):
    """Who plays the third of three consecutive singles may call the run."""

    switch = Switch(
        id="PRES-24",
        also="calling a run called straight",
        key="ordering",
        domain=flag("No calls", "Three singles in a row may be called"),
        default=False,
        sentence="Whoever plays the third of three consecutive single cards may call the run: then only the very next "
        "rank goes on it, of the colour or suit called, and trumps lose their power.",
        example="After 4♦ 5♥ 6♦ “red” may be called: now only 7♦ or 7♥ is good.",
        source="everything2: Kings and Bastards",
    )
    section = "beating"

    def signs(self, hand: HandState) -> Iterator[Sign]:
        call = called(hand.trick.plays)
        if call is not None:
            yield Sign("call", "☞", CALLED(call=CALLS[call]()))

    def judge(self, hand: HandState) -> Judge | None:
        call = called(hand.trick.plays)
        return None if call is None else Called(self.beating, call)

    def calls(self, hand: HandState, combination: Combination) -> Sequence[str]:
        return may_call(self.faces, hand.trick.plays, combination, inverted=hand.inverted)

    def called(self, hand: HandState) -> str | None:
        return called(hand.trick.plays)

    def uncalled(self) -> Said:
        return ONLY_THE_THIRD()

    def marks(self, hand: HandState, laid: Laid) -> Iterator[Effect]:
        if laid.call is not None:
            yield Tell(RUN_CALLED(laid.by, self.switch.id, call=laid.call))


class Called:
    """The `Judge` of a trick in which a run is called."""

    def __init__(self, beating: Beating, call: str) -> None:
        self.beating, self.faces, self.call = beating, beating.faces, call

    def readings(self, cards: Cards, on: Combination | None, *, inverted: bool) -> Sequence[Combination]:
        """What is a combination stays one, and does not beat."""
        found = self.beating.readings(cards, on, inverted=inverted)
        return (readings(self.faces, found, inverted=inverted) or found) if found else found

    def candidates(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Cards]:
        """Only single cards may be played."""
        return iter(dict.fromkeys((card,) for card in held))

    def beats(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """Whether it goes on with the run."""
        if not readings(self.faces, [new], inverted=inverted):
            return False
        return follows(self.faces, self.call, new, on, inverted=inverted)

    def unbeaten_by(self, new: Combination, on: Combination, *, inverted: bool) -> str:
        """The call refuses it."""
        return Ordering.switch.id

    def proposals(self, on: Combination, demands: Sequence[Demand], *, inverted: bool) -> list[Proposal]:
        """The next of the run would do."""

        def goes(card: Card) -> bool:
            return any(
                self.beats(one, on, inverted=inverted) and all(demand.is_met(one) for demand in demands)
                for one in self.readings((card,), on, inverted=inverted)
            )

        good = [card for card in dict.fromkeys(self.faces.deck()) if goes(card)]
        return [these(hint(self.faces, self.call, on, inverted=inverted), good)] if good else []

    def nothing_beats(self) -> Said | None:
        """Nothing does on the last of the run."""
        return NOTHING_GOES_ON()
