"""Ranks that skip [PRES-67]: 5-tobashi."""

from collections.abc import Iterator

from app.engine.base.messages import Sentence
from app.engine.base.options import Switch
from app.engine.climbing.effects import Effect, Skip
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid
from app.engine.games.president.rank_powers import RANKS, RankPower, apart


class Skipping(RankPower):
    """The next players lose a turn."""

    switch = Switch(
        id="PRES-67",
        also="5-tobashi 5飛ばし 5スキップ 五飛ばし five skip",
        key="skipping_ranks",
        domain=RANKS,
        default="",
        sentence="A play of such a rank skips as many players who could act next, at most all others.",
        example="With fives, 5♣ 5♦ skips two players.",
        source="Daifugō",
        label="Ranks that skip players",
    )
    icon = "↷"
    does = Sentence("sign.skipping_ranks", {"one": "{ranks} skips", "other": "{ranks} skip"})
    conflicts = apart(switch)

    def skips(self, hand: HandState, laid: Laid) -> Iterator[Effect]:
        if number := self.number(laid.combination):
            yield Skip(number, self.switch.id)
