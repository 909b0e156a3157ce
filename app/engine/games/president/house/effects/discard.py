"""Ranks that lay cards aside [PRES-66]: 10-sute."""

from collections.abc import Iterable

from app.engine.base.messages import Sentence
from app.engine.base.options import Switch
from app.engine.climbing.effects import Effect
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid
from app.engine.games.president.rank_powers import RANKS, RankPower, apart


class Discarding(RankPower):
    """Cards for the pile."""

    switch = Switch(
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
    does = Sentence("sign.discarding_ranks", {"one": "{ranks} lays aside", "other": "{ranks} lay aside"})
    conflicts = apart(switch)

    def chooses(self, hand: HandState, laid: Laid) -> Iterable[Effect]:
        return self.choice("discard", laid)
