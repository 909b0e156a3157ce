"""The part of a match that games can read: its players, and everything that lasts from hand to hand."""

from collections.abc import Mapping
from typing import Any, TypeVar

from app.engine.base.frozen import FrozenState
from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Options
from app.engine.display.point_reasons import PointReason
from app.engine.match.hand import Hand, HandResult

COME_AND_GO_BETWEEN_HANDS = MessageTemplate(
    "refused.come_and_go_between_hands", "Wait until this hand is over to join or leave."
)


class MatchContext(FrozenState, frozen=True):
    """What games can read of a match: its players, their points, and everything that lasts from hand to hand.

    `Match` adds the game.
    """

    options: Options
    seats: tuple[str, ...]
    """Players clockwise, as seated for the current or next hand."""
    totals: Mapping[str, int]
    """Points so far by player, including the starting credit; players who left keep theirs."""
    hierarchy: tuple[str, ...] = ()
    """The hierarchy for the next hand, best first; empty before the first hand is over."""
    dealt: int = 0
    """Number of hands begun."""
    dealer: str | None = None
    """The dealer of the latest hand."""
    hand: Hand | None = None
    """The game's hand state, running or finished; a finished hand stays until the next action or hand. None before."""
    last: HandResult | None = None
    """The result of the last finished hand."""
    over: bool = False
    """Whether the match is over."""
    entered: tuple[PointReason, ...] = ()
    """Reasons for points added since the last hand, or at the start of the match, such as credits."""
    memory: Mapping[str, Any] = {}
    """The game's own data that lasts from hand to hand; JSON values."""

    @property
    def current_hand(self) -> Hand:
        """Return the match's running or last finished hand. It must exist."""
        assert self.hand is not None
        return self.hand

    @property
    def is_hand_running(self) -> bool:
        """Return whether a hand of the match is being played."""
        return self.hand is not None and self.hand.phase != "over"


AnySociety = TypeVar("AnySociety", bound=MatchContext)
"""The type of match that a game receives between hands and returns changed."""
