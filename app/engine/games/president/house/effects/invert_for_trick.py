"""Ranks that turn the ranks until the trick ends [PRES-64]: 11-back, the jack back."""

from collections.abc import Iterator

from app.engine.base.messages import Sentence
from app.engine.base.options import Switch
from app.engine.climbing.effects import Effect, Turn
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid
from app.engine.display.events import EventType
from app.engine.games.president.combinations.cards import toronto
from app.engine.games.president.rank_powers import RANKS, RankPower, apart

BACK = EventType(
    "back",
    "{by} turns the ranks until the trick ends.",
    you="You turn the ranks until the trick ends.",
    stood_out="ranks turned",
    moment=False,
    celebrated="flip",
)


class Turning(RankPower):
    """Upside down, or back from that, until the trick ends."""

    switch = Switch(
        id="PRES-64",
        also="11-back elevenback jack back イレブンバック 11バック Jバック",
        key="back_ranks",
        domain=RANKS,
        default="",
        sentence="A play of such a rank turns the ranks upside down until the trick ends; in a revolution "
        "it turns them back.",
        example="With jacks, 10♦ beats J♣, and a queen does not.",
        source="Daifugō",
        label="Ranks that turn the ranks for a trick",
    )
    turns = "trick"
    icon = "↯"
    does = Sentence("sign.back_ranks", {"one": "{ranks} turns the ranks", "other": "{ranks} turn the ranks"})
    conflicts = (*apart(switch), toronto(switch))

    def played(self, hand: HandState, laid: Laid) -> Iterator[Effect]:
        if not laid.ends and self.number(laid.combination):
            yield Turn(BACK(laid.by, self.switch.id))
