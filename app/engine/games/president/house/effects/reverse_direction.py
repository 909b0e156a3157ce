"""Ranks that turn the direction of play [PRES-68]: 9-reverse."""

from collections.abc import Iterator

from app.engine.base.messages import Sentence
from app.engine.base.options import Switch
from app.engine.climbing.effects import Effect, Reverse
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid
from app.engine.games.president.rank_powers import RANKS, RankPower, apart


class Reversing(RankPower):
    """The other way round, once for each card."""

    switch = Switch(
        id="PRES-68",
        also="9-reverse 9リバース 九リバース uno",
        key="reversing_ranks",
        domain=RANKS,
        default="",
        sentence="A play of such a rank turns the direction of play, once for each of its cards, "
        "until the hand ends or the next such play.",
        example="With nines, after 9♣ the player before Ana is next; 9♣ 9♦ changes nothing.",
        source="Daifugō",
        label="Ranks that turn the direction",
    )
    icon = "↺"
    does = Sentence("sign.reversing_ranks", {"one": "{ranks} reverses", "other": "{ranks} reverse"})
    conflicts = apart(switch)

    def played(self, hand: HandState, laid: Laid) -> Iterator[Effect]:
        for _ in range(self.number(laid.combination)):
            yield Reverse(self.switch.id)
