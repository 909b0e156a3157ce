"""Throwing in [PRES-39]: a top who is not the first out lays down their cards and is last."""

from collections.abc import Iterator

from app.engine.base.options import Switch, flag
from app.engine.cards.cards import show
from app.engine.climbing.effects import Effect, Sink
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import EventType
from app.engine.games.president.house_rule import Part

THROWN_IN = EventType(
    "thrown_in",
    "{by} is dethroned and throws the cards in.",
    cards="{by} is dethroned and throws in {cards}.",
    you="You are dethroned and throw your cards in.",
    you_cards="You are dethroned and throw in {cards}.",
    stood_out="thrown in",
    ways=(("by", "table"),),
    celebrated="fall",
)


class ThrowIn(Part[None]):
    """Somebody else goes out first, and the top throws in their cards."""

    switch = Switch(
        id="PRES-39",
        also="miyako-ochi 都落ち capital fall bankruptcy downfall",
        key="throw_in",
        domain=flag("The top plays on", "A top who is not the first out throws in their cards"),
        default=False,
        sentence="Whether the top, if somebody else goes out first, throws in their cards and finishes last.",
        example="Cat goes out first: the Rich Man lays down his cards and is the Poor Man.",
    )
    section = "society"

    def went_out(self, hand: HandState, name: str) -> Iterator[Effect]:
        if hand.hierarchy and hand.out == (name,) and hand.cards[top := hand.hierarchy[0]]:
            # Onto the pile: where that is open, everybody sees them.
            seen = show(hand.cards[top]) if hand.rules.keeps_pile else None
            yield Sink(top, THROWN_IN(top, self.switch.id, cards=seen))
