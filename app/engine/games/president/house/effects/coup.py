"""Three of a rank that turn the ranks [PRES-79]: 9-coup d'état, kudeta."""

from collections.abc import Iterable

from app.engine.base.messages import Sentence
from app.engine.base.options import Switch
from app.engine.climbing.combinations import TRIPLE
from app.engine.climbing.effects import Effect
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid
from app.engine.games.president.combinations.cards import toronto
from app.engine.games.president.rank_powers import RANKS, RankPower, apart


class Coup(RankPower):
    """Exactly three cards of such a rank turn the ranks for the hand, as four of a kind does."""

    switch = Switch(
        id="PRES-79",
        also="9-coup kudeta クーデター",
        key="coup_ranks",
        domain=RANKS,
        default="",
        sentence="Exactly three cards of such a rank turn the ranks upside down for the hand, as four of a kind may.",
        example="With nines, after 9♣ 9♦ 9♥ three fours beat them.",
        source="Daifugō",
        label="Ranks of a coup",
    )
    section = "beating"
    turns = "hand"
    icon = "⇅"
    times = "×3"
    does = Sentence("sign.coup_ranks", "{ranks} ×3: revolution")
    conflicts = (*apart(switch), toronto(switch))

    def played(self, hand: HandState, laid: Laid) -> Iterable[Effect]:
        play = laid.combination
        return self.beating.turning(self.switch.id) if play.kind == TRIPLE and self.is_of(play) else ()
