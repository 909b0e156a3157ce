"""Compulsory beating [PRES-27]: who can beat what lies on the table may not pass."""

from app.engine.base.messages import Said, Sentence
from app.engine.base.options import Switch, flag
from app.engine.climbing import hand as loop
from app.engine.climbing.rule_hooks import HandState
from app.engine.games.president.house_rule import Part

YOU_MUST = Sentence("president.you_must", "You can beat this, so you must")


class MustBeat(Part[None]):
    """You must beat if you can."""

    switch = Switch(
        id="PRES-27",
        also="forced play no voluntary pass 有大必出 有大必压 能管必管",
        key="must_beat",
        domain=flag("You may always pass", "You must beat if you can"),
        default=False,
        sentence="Whether only those who can’t beat the table may pass.",
        example="Who holds 9♣ must play it on 8♦.",
    )
    section = "trick"

    def must_play(self, hand: HandState, by: str) -> Said | None:
        return YOU_MUST() if loop.can_play(hand, by) else None
