"""Ranks with which a player discards cards [PRES-66]: 10-sute."""

from collections.abc import Iterable

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Option
from app.engine.climbing.effects import Effect
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.games.president.rank_powers import RANKS, RankPower, conflicts_with_rank_power


class DiscardRanks(RankPower):
    """A house rule of President: a player who plays certain ranks discards own cards to the pile.

    The number of discarded cards is that of the cards played, or always one (PRES-71). By PRES-72 the player may
    discard fewer cards, or none.
    """

    switch = Option(
        id="PRES-66",
        also="10-sute jūsute 10捨て 十捨て ten discard",
        key="discarding_ranks",
        domain=RANKS,
        default="",
        sentence="Playing such a rank lets you discard the same number of your cards, face up.",
        example="With tens, 10♣ lets Ana discard a three at once.",
        source="Daifugō",
        label="Ranks that discard",
        short="{value} lets you discard cards.",
    )
    icon = "↓"
    sign_text = MessageTemplate("sign.discarding_ranks", {"one": "{ranks}: discard", "other": "{ranks}: discard"})
    conflicts = conflicts_with_rank_power(switch)

    def required_choices(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        return self.build_choices("discard", laid)
