"""Ranks that invert the order of ranks until the trick ends [PRES-64]: 11-back, the jack back."""

from collections.abc import Iterator

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Option
from app.engine.climbing.effects import Effect, InvertForTrick
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.display.events import GameEventType
from app.engine.games.president.combinations.cards import conflict_with_toronto
from app.engine.games.president.rank_powers import RANKS, RankPower, conflicts_with_rank_power

BACK = GameEventType(
    "back",
    "{by} reverses the ranks until the trick ends.",
    you="You reverse the ranks until the trick ends.",
    stood_out="ranks reversed",
    highlighted=False,
    celebrated="flip",
)


class InvertForTrickRanks(RankPower):
    """A house rule of President: such a rank inverts the order of ranks until the trick ends.

    In a revolution, which has inverted them already, it restores them.
    """

    switch = Option(
        id="PRES-64",
        also="11-back elevenback jack back イレブンバック 11バック Jバック",
        key="back_ranks",
        domain=RANKS,
        default="",
        sentence="Playing such a rank reverses the rank order until the trick ends. During a revolution it "
        "restores the normal order.",
        example="With jacks, 10♦ beats J♣, and a queen does not.",
        source="Daifugō",
        label="Ranks that reverse the ranks for a trick",
        short="{value} reverses the ranks for the trick.",
    )
    inverts_for = "trick"
    icon = "↯"
    sign_text = MessageTemplate(
        "sign.back_ranks", {"one": "{ranks}: low beats high", "other": "{ranks}: low beats high"}
    )
    conflicts = (*conflicts_with_rank_power(switch), conflict_with_toronto(switch))

    def effects_of_play(self, hand: HandState, laid: PlayedCombination) -> Iterator[Effect]:
        if not laid.ends and self.activation_count(laid.combination):
            yield InvertForTrick(BACK(laid.by, self.switch.id))
