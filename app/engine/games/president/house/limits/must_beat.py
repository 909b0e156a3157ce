"""Compulsory beating [PRES-27]: a player who can beat the cards on the table may not pass."""

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.base.options import Option, on_off_choice
from app.engine.climbing import hand as loop
from app.engine.climbing.rule_hooks import HandState
from app.engine.games.president.house_rule import HouseRule

YOU_MUST = MessageTemplate("president.you_must", "You must beat this.")


class MustBeat(HouseRule[None]):
    """A house rule of President: a player who can beat the table may not pass."""

    switch = Option(
        id="PRES-27",
        also="forced play no voluntary pass 有大必出 有大必压 能管必管",
        key="must_beat",
        domain=on_off_choice("You may always pass", "You must beat if you can"),
        default=False,
        sentence="Decides whether you may pass although you can beat the play on the table.",
        example="With “You must beat if you can”, a player with 9♣ must play it on 8♦.",
        short={True: "You can’t pass if you can beat."},
    )
    section = "trick"

    def must_play_reason(self, hand: HandState, by: str) -> TranslatableMessage | None:
        return YOU_MUST() if loop.can_play(hand, by) else None
