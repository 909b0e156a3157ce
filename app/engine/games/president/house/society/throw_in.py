"""Throwing in [PRES-39]: a top player who is not the first out throws in their cards and finishes last."""

from collections.abc import Iterator

from app.engine.base.options import Option, on_off_choice
from app.engine.cards.cards import format_cards
from app.engine.climbing.effects import Effect, MoveToBottom
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import GameEventType
from app.engine.games.president.house_rule import HouseRule

THROWN_IN = GameEventType(
    "thrown_in",
    "{by} loses first place and discards all cards.",
    cards="{by} loses first place and discards {cards}.",
    you="You lose first place and discard all your cards.",
    you_cards="You lose first place and discard {cards}.",
    stood_out="cards thrown in",
    ways=(("by", "table"),),
    celebrated="fall",
)


class ThrowIn(HouseRule[None]):
    """A house rule of President: if another player goes out first, the top player throws in their cards.

    That player finishes last.
    """

    switch = Option(
        id="PRES-39",
        also="miyako-ochi 都落ち capital fall bankruptcy downfall",
        key="throw_in",
        domain=on_off_choice("First place plays on", "First place must finish first or comes last"),
        default=False,
        sentence="Decides what happens to first place when another player finishes first. They either play on, or "
        "discard all their cards and finish last.",
        example="Cat finishes first: the Rich Man discards all cards and becomes the Poor Man.",
        short={True: "First place must be first again, or comes last."},
    )
    section = "society"

    def effects_of_going_out(self, hand: HandState, player: str) -> Iterator[Effect]:
        if hand.hierarchy and hand.out == (player,) and hand.cards[top := hand.hierarchy[0]]:
            # The cards go to the pile: if it stays visible, all players see them.
            seen = format_cards(hand.cards[top]) if hand.rules.keeps_pile else None
            yield MoveToBottom(top, THROWN_IN(top, self.switch.id, cards=seen))
