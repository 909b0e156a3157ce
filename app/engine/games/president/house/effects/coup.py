"""Three of a rank that invert the ranks [PRES-79]: 9-coup d'état, kudeta."""

from collections.abc import Iterable

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Option
from app.engine.climbing.combinations import TRIPLE
from app.engine.climbing.effects import Effect
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.games.president.combinations.cards import conflict_with_toronto
from app.engine.games.president.rank_powers import RANKS, RankPower, conflicts_with_rank_power


class Coup(RankPower):
    """A house rule of President: exactly three cards of such a rank invert the ranks for the rest of the hand.

    The option for four of a kind decides whether the direction of play is inverted, too.
    """

    switch = Option(
        id="PRES-79",
        also="9-coup kudeta クーデター",
        key="coup_ranks",
        domain=RANKS,
        default="",
        sentence="Playing exactly three cards of such a rank reverses the rank order for the rest of the hand.",
        example="With nines, after 9♣ 9♦ 9♥ three fours beat them.",
        source="Daifugō",
        label="Coup ranks",
        short="Three cards of rank {value} reverse the ranks for the hand.",
    )
    section = "beating"
    inverts_for = "hand"
    icon = "⇅"
    count_suffix = "×3"
    sign_text = MessageTemplate("sign.coup_ranks", "{ranks} ×3: revolution")
    conflicts = (*conflicts_with_rank_power(switch), conflict_with_toronto(switch))

    def effects_of_play(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        play = laid.combination
        return (
            self.combination_rules.inversion_effects(self.switch.id)
            if play.kind == TRIPLE and self.is_set_of_power_rank(play)
            else ()
        )
