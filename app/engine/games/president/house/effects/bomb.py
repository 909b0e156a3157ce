"""Ranks that bomb other ranks [PRES-69]: 12-bomber, the queen bomber."""

from collections.abc import Iterable

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Option
from app.engine.climbing.effects import Effect
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.games.president.rank_powers import RANKS, RankPower, conflicts_with_rank_power


class BombRanks(RankPower):
    """A house rule of President: the player of such a rank names ranks, and all players discard cards of these."""

    switch = Option(
        id="PRES-69",
        also="12-bomber Q bomber queen bomber 12ボンバー クイーンボンバー",
        key="bombing_ranks",
        domain=RANKS,
        default="",
        sentence="Who plays such a rank names as many ranks, and everybody lays all cards of these aside, "
        "themselves, too. Jokers can’t be named.",
        example="With queens, Ana plays Q♣ and names the four: nobody holds a four any more.",
        source="Daifugō",
        label="Ranks that bomb",
    )
    icon = "✶"
    sign_text = MessageTemplate("sign.bombing_ranks", {"one": "{ranks} bombs", "other": "{ranks} bomb"})
    conflicts = conflicts_with_rank_power(switch)

    def required_choices(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        return self.build_choices("bomb", laid)
