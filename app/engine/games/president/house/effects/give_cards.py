"""Ranks with which a player gives cards to the next player [PRES-65]: 7-watashi."""

from collections.abc import Iterable

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Option
from app.engine.climbing.effects import Effect
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.games.president.rank_powers import RANKS, RankPower, conflicts_with_rank_power


class GiveCardsRanks(RankPower):
    """A house rule of President: the player of such a rank gives cards to the next player.

    It is the number of cards played or, if the options allow it, fewer (PRES-72). Other players do not see the cards.
    """

    switch = Option(
        id="PRES-65",
        also="7-watashi nanawatashi 7渡し 七渡し seven pass",
        key="giving_ranks",
        domain=RANKS,
        default="",
        sentence="Who plays such a rank hands cards of theirs to the next player who has some, "
        "as many as were played. Only the two see them.",
        example="With sevens, 7♣ 7♦ lets Ana hand on two cards, one or none.",
        source="Daifugō",
        label="Ranks that hand cards on",
    )
    icon = "→"
    sign_text = MessageTemplate("sign.giving_ranks", {"one": "{ranks} hands on", "other": "{ranks} hand on"})
    conflicts = conflicts_with_rank_power(switch)

    def required_choices(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        return self.build_choices("give", laid)
