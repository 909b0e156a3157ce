"""Ranks that end the trick [PRES-63]: 8-giri, the eight stop."""

from app.engine.base.messages import Sentence
from app.engine.base.options import Switch
from app.engine.climbing.effects import EndTrick
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid
from app.engine.games.president.combinations.card_powers import ENDED
from app.engine.games.president.rank_powers import RANKS, RankPower, apart


class Ending(RankPower):
    """The trick is over at once, and the player of such a rank leads."""

    switch = Switch(
        id="PRES-63",
        also="8-giri hachigiri yagiri 8切り 八切り eight stop eight ender 8 cut",
        key="ending_ranks",
        domain=RANKS,
        default="",
        sentence="A play of such a rank ends the trick at once, and its player leads. It needs to beat what lies "
        "there.",
        example="With eights, 8♣ on 5♦ takes the trick: nobody may answer it.",
        source="Daifugō",
        label="Ranks that end the trick",
    )
    icon = "■"
    does = Sentence("sign.ending_ranks", {"one": "{ranks} ends", "other": "{ranks} end"})
    conflicts = apart(switch)

    def ends(self, hand: HandState, laid: Laid) -> EndTrick | None:
        return EndTrick(ENDED(laid.by, self.switch.id)) if self.number(laid.combination) else None
