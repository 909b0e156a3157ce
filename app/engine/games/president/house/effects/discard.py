"""Ranks with which a player discards cards [PRES-66]: 10-sute."""

from collections.abc import Iterable

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Option
from app.engine.climbing.effects import Effect
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.games.president.rank_powers import RANKS, RankPower, conflicts_with_rank_power


class DiscardRanks(RankPower):
    """A house rule of President: the player of such a rank discards own cards to the pile.

    It is the number of cards played or, if the options allow it, fewer (PRES-72).
    """

    switch = Option(
        id="PRES-66",
        also="10-sute jūsute 10捨て 十捨て ten discard",
        key="discarding_ranks",
        domain=RANKS,
        default="",
        sentence="Who plays such a rank lays cards of theirs aside for all to see, as many as were played.",
        example="With tens, 10♣ lets Ana be rid of a three at once.",
        source="Daifugō",
        label="Ranks that lay cards aside",
    )
    icon = "↓"
    sign_text = MessageTemplate("sign.discarding_ranks", {"one": "{ranks} lays aside", "other": "{ranks} lay aside"})
    conflicts = conflicts_with_rank_power(switch)

    def required_choices(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        return self.build_choices("discard", laid)
