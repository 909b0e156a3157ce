"""Ranks that skip the next players [PRES-67]: 5-tobashi."""

from collections.abc import Iterator

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Option
from app.engine.climbing.effects import Effect, SkipPlayers
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.games.president.rank_powers import RANKS, RankPower, conflicts_with_rank_power


class SkipTurnsRanks(RankPower):
    """A house rule of President: each card of such a rank makes one of the next players lose a turn."""

    switch = Option(
        id="PRES-67",
        also="5-tobashi 5飛ばし 5スキップ 五飛ばし five skip",
        key="skipping_ranks",
        domain=RANKS,
        default="",
        sentence="Playing such a rank skips one player for each card played, at most all other players.",
        example="With fives, 5♣ 5♦ skips two players.",
        source="Daifugō",
        label="Ranks that skip players",
        short="{value} skips the next player.",
    )
    icon = "↷"
    sign_text = MessageTemplate(
        "sign.skipping_ranks", {"one": "{ranks}: skips a player", "other": "{ranks}: skip players"}
    )
    conflicts = conflicts_with_rank_power(switch)

    def skip_effects(self, hand: HandState, laid: PlayedCombination) -> Iterator[Effect]:
        if number := self.activation_count(laid.combination):
            yield SkipPlayers(number, self.switch.id)
