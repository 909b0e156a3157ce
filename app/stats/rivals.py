"""Rivals of a player: the opponent most often placed above the player, and the one most often below."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.stats.tallies import PairResult

ENOUGH: Final = 5
"""Number of hands that two players must play together before they can be rivals."""
STANDS_OUT: Final = 0.15
"""Smallest share of their hands by which wins and losses must differ; a smaller difference may be chance."""


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Numbers of hands in which a player was placed above and below one opponent.

    `other` is the opponent's id. `above` counts hands in which the player was placed better than `other`. Ties count in
    neither.
    """

    other: str
    above: int
    """Number of hands in which the player was placed above the other."""
    below: int

    @property
    def margin(self) -> int:
        """Hands in which the player was placed above this opponent, minus hands below: negative for a nemesis."""
        return self.above - self.below

    @property
    def stands_out(self) -> bool:
        """Whether the margin over this opponent is hardly chance: at least `STANDS_OUT` of their hands together."""
        return abs(self.margin) >= STANDS_OUT * (self.above + self.below)


@dataclass(frozen=True, slots=True)
class RivalPair:
    """A player's nemesis (often placed above the player) and favourite victim (often below).

    None stands for the lack of an opponent who stands out.
    """

    nemesis: HeadToHead | None
    victim: HeadToHead | None


def find_rivals(meetings: Iterable[PairResult], enough: int = ENOUGH) -> dict[str, RivalPair]:
    """Return the nemesis and the favourite victim of each player, among opponents met in at least `enough` hands.

    >>> results = [PairResult("ana", "bob", 9, 2), PairResult("ana", "cat", 1, 2), PairResult("bob", "cat", 6, 5)]
    >>> found = find_rivals(results)
    >>> found["bob"]
    RivalPair(nemesis=HeadToHead(other='ana', above=2, below=9), victim=None)
    >>> found["cat"]
    RivalPair(nemesis=None, victim=None)
    """
    met: dict[str, list[HeadToHead]] = {}
    for meeting in meetings:
        if meeting.above + meeting.below >= enough:
            met.setdefault(meeting.player, []).append(HeadToHead(meeting.other, meeting.above, meeting.below))
            met.setdefault(meeting.other, []).append(HeadToHead(meeting.player, meeting.below, meeting.above))
    return {player: _pick_rivals(found) for player, found in met.items()}


def _pick_rivals(met: list[HeadToHead]) -> RivalPair:
    by_margin = sorted((each for each in met if each.stands_out), key=lambda each: each.margin)
    below, above = ([each for each in by_margin if each.margin * way > 0] for way in (-1, 1))
    return RivalPair(below[0] if below else None, above[-1] if above else None)
