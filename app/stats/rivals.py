"""Rivals: who is placed above somebody most often, and whom they leave behind them most often."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.stats.tallies import Meeting

ENOUGH: Final = 5
"""Hands that two have to play together before one is the other's nemesis."""
STANDS_OUT: Final = 0.15
"""So much of these hands one has to be above more often than below: a little more is chance."""


@dataclass(frozen=True, slots=True)
class Against:
    """How somebody did against one other player."""

    other: str
    above: int
    """How often they were placed above the other."""
    below: int

    @property
    def margin(self) -> int:
        """How much more often above than below."""
        return self.above - self.below

    @property
    def stands_out(self) -> bool:
        """Whether that is more than chance might do."""
        return abs(self.margin) >= STANDS_OUT * (self.above + self.below)


@dataclass(frozen=True, slots=True)
class Rivals:
    """Somebody's nemesis and favourite victim; None where nobody stands out."""

    nemesis: Against | None
    victim: Against | None


def rivals(meetings: Iterable[Meeting]) -> dict[str, Rivals]:
    """Find everybody's rivals among those they met often enough.

    >>> found = rivals([Meeting("ana", "bob", 9, 2), Meeting("ana", "cat", 1, 2), Meeting("bob", "cat", 6, 5)])
    >>> found["bob"]
    Rivals(nemesis=Against(other='ana', above=2, below=9), victim=None)
    >>> found["cat"]
    Rivals(nemesis=None, victim=None)
    """
    met: dict[str, list[Against]] = {}
    for meeting in meetings:
        if meeting.above + meeting.below >= ENOUGH:
            met.setdefault(meeting.player, []).append(Against(meeting.other, meeting.above, meeting.below))
            met.setdefault(meeting.other, []).append(Against(meeting.player, meeting.below, meeting.above))
    return {player: _of(found) for player, found in met.items()}


def _of(met: list[Against]) -> Rivals:
    by_margin = sorted((each for each in met if each.stands_out), key=lambda each: each.margin)
    below, above = ([each for each in by_margin if each.margin * way > 0] for way in (-1, 1))
    return Rivals(below[0] if below else None, above[-1] if above else None)
