"""Ranks that bomb others [PRES-69]: 12-bomber, the queen bomber."""

from collections.abc import Iterable

from app.engine.base.messages import Sentence
from app.engine.base.options import Switch
from app.engine.climbing.effects import Effect
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid
from app.engine.games.president.rank_powers import RANKS, RankPower, apart


class Bombing(RankPower):
    """Everybody lays the cards of the ranks named aside."""

    switch = Switch(
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
    does = Sentence("sign.bombing_ranks", {"one": "{ranks} bombs", "other": "{ranks} bomb"})
    conflicts = apart(switch)

    def chooses(self, hand: HandState, laid: Laid) -> Iterable[Effect]:
        return self.choice("bomb", laid)
