"""Ranks that hand cards on [PRES-65]: 7-watashi."""

from collections.abc import Iterable

from app.engine.base.messages import Sentence
from app.engine.base.options import Switch
from app.engine.climbing.effects import Effect
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid
from app.engine.games.president.rank_powers import RANKS, RankPower, apart


class Giving(RankPower):
    """Cards for the next player, unseen by others."""

    switch = Switch(
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
    does = Sentence("sign.giving_ranks", {"one": "{ranks} hands on", "other": "{ranks} hand on"})
    conflicts = apart(switch)

    def chooses(self, hand: HandState, laid: Laid) -> Iterable[Effect]:
        return self.choice("give", laid)
