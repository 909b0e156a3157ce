"""The society of a match: who sits there, and what lasts from hand to hand. All that a game may ask of its match."""

from collections.abc import Mapping
from typing import Any, TypeVar

from app.engine.base.frozen import Value
from app.engine.base.messages import Sentence
from app.engine.base.options import Options
from app.engine.display.point_reasons import Reason
from app.engine.match.hand import Hand, HandResult

COME_AND_GO_BETWEEN_HANDS = Sentence(
    "refused.come_and_go_between_hands", "People come and go between hands: wait until this one is over."
)


class Society(Value, frozen=True):
    """People at one table, during hands and between them. A `Match` is one, with its game."""

    options: Options
    seats: tuple[str, ...]
    """Players clockwise, as seated for the hand that runs or comes next."""
    totals: Mapping[str, int]
    """Points so far by player, starting credit included; those who left keep theirs."""
    hierarchy: tuple[str, ...] = ()
    """The standing carried into the next hand, best first; empty before the first is over."""
    dealt: int = 0
    """Hands begun."""
    dealer: str | None = None
    """Who dealt the last hand."""
    hand: Hand | None = None
    """The game's hand state: running, or over until the next begins; None before the first."""
    last: HandResult | None = None
    """How the last finished hand ended."""
    over: bool = False
    """Whether the match is over."""
    entered: tuple[Reason, ...] = ()
    """What was added to totals since the last hand, or as the match began: credits, for one."""
    memory: Mapping[str, Any] = {}
    """What the game itself keeps from hand to hand: values that JSON can hold."""

    @property
    def the_hand(self) -> Hand:
        """The hand that runs, or the one that is over until the next begins. There is one."""
        assert self.hand is not None
        return self.hand

    @property
    def running(self) -> bool:
        """Whether a hand is being played."""
        return self.hand is not None and self.hand.phase != "over"


AnySociety = TypeVar("AnySociety", bound=Society)
"""What a game is handed between hands, and gives back changed."""
