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
        sentence="Playing such a rank lets you give the same number of your cards to the next player who has "
        "cards. Only you two see them.",
        example="With sevens, 7♣ 7♦ lets Ana give two cards, one card or none.",
        source="Daifugō",
        label="Ranks that give cards",
        short="{value} lets you give cards to the next player.",
    )
    icon = "→"
    sign_text = MessageTemplate("sign.giving_ranks", {"one": "{ranks}: give cards", "other": "{ranks}: give cards"})
    conflicts = conflicts_with_rank_power(switch)

    def required_choices(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        return self.build_choices("give", laid)
