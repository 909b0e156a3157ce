"""Ranks that end the trick [PRES-63]: 8-giri, the eight stop."""

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Option
from app.engine.climbing.effects import EndTrick
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.games.president.combinations.card_powers import ENDED
from app.engine.games.president.rank_powers import RANKS, RankPower, conflicts_with_rank_power


class EndTrickRanks(RankPower):
    """A house rule of President: a play of such a rank ends the trick at once, and its player leads."""

    switch = Option(
        id="PRES-63",
        also="8-giri hachigiri yagiri 8切り 八切り eight stop eight ender 8 cut",
        key="ending_ranks",
        domain=RANKS,
        default="",
        sentence="Playing such a rank ends the trick at once, and its player leads. The play must beat the cards "
        "on the table.",
        example="With eights, 8♣ on 5♦ wins the trick: nobody can answer it.",
        source="Daifugō",
        label="Ranks that end the trick",
        short="{value} ends the trick.",
    )
    icon = "■"
    sign_text = MessageTemplate(
        "sign.ending_ranks", {"one": "{ranks}: ends the trick", "other": "{ranks}: end the trick"}
    )
    conflicts = conflicts_with_rank_power(switch)

    def find_trick_end(self, hand: HandState, laid: PlayedCombination) -> EndTrick | None:
        return EndTrick(ENDED(laid.by, self.switch.id)) if self.activation_count(laid.combination) else None
