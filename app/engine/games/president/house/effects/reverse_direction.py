"""Ranks that reverse the direction of play [PRES-68]: 9-reverse."""

from collections.abc import Iterator

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Option
from app.engine.climbing.effects import Effect, ReverseDirection
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.games.president.rank_powers import RANKS, RankPower, conflicts_with_rank_power


class ReverseDirectionRanks(RankPower):
    """A house rule of President: each card of such a rank reverses the direction of play once."""

    switch = Option(
        id="PRES-68",
        also="9-reverse 9リバース 九リバース uno",
        key="reversing_ranks",
        domain=RANKS,
        default="",
        sentence="Playing such a rank reverses the direction of play, once for each card played. The new "
        "direction lasts until the hand ends or until the next such play.",
        example="With nines, after 9♣ the player before Ana is next; 9♣ 9♦ changes nothing.",
        source="Daifugō",
        label="Ranks that reverse direction",
        short="{value} reverses the direction of play.",
    )
    icon = "↺"
    sign_text = MessageTemplate(
        "sign.reversing_ranks", {"one": "{ranks}: reverses direction", "other": "{ranks}: reverse direction"}
    )
    conflicts = conflicts_with_rank_power(switch)

    def effects_of_play(self, hand: HandState, laid: PlayedCombination) -> Iterator[Effect]:
        for _ in range(self.activation_count(laid.combination)):
            yield ReverseDirection(self.switch.id)
