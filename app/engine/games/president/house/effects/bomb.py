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
        sentence="Playing such a rank lets you name the same number of ranks. Every player, including you, "
        "discards all cards of those ranks. You can’t name jokers.",
        example="With queens, Ana plays Q♣ and names the four: everyone discards all fours.",
        source="Daifugō",
        label="Ranks that bomb",
        short="{value} lets you name ranks that all players discard.",
    )
    icon = "✶"
    sign_text = MessageTemplate("sign.bombing_ranks", {"one": "{ranks}: bomb", "other": "{ranks}: bombs"})
    conflicts = conflicts_with_rank_power(switch)

    def required_choices(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        return self.build_choices("bomb", laid)
