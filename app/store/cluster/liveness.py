"""Which nodes live, judged by how long each has been silent. Pure: times are handed in."""

from collections.abc import Mapping

A_LITTLE = 0.1
"""Seconds after which somebody is sure to have been silent for longer than that."""


class Pulse:
    """What one node knows of the others."""

    def __init__(self, node: str, silence: float) -> None:
        """`node`: this one. Another is dead after `silence` seconds."""
        self._node = node
        self._silence = silence
        self._looked = float("-inf")
        self._heard: dict[str, float] = {}
        """Of each of the others that lives: when it was last heard."""

    def look(self, now: float, silent: Mapping[str, float | None]) -> frozenset[str]:
        """Give the nodes that live, this one among them.

        `silent` says for how many seconds each has been silent, None of one that has left; `now`, in seconds, is by
        this one's own clock. Whoever is not in it has been silent since it last was.
        """
        if now - self._looked > self._silence:
            # It was this node that was away, or the database: the others get as long as they always have.
            self._heard = dict.fromkeys(self._heard, now)
        self._looked = now
        for node, seconds in silent.items():
            if seconds is None:
                self._heard.pop(node, None)
            elif node != self._node:
                self._heard[node] = max(now - seconds, self._heard.get(node, now - seconds))
        self._heard = {node: at for node, at in self._heard.items() if now - at <= self._silence}
        return frozenset(self._heard) | {self._node}

    def pause(self, now: float, beat: float) -> float:
        """Give the seconds until the next look: it is time for a beat, or the first of the others would be dead."""
        first = min(self._heard.values(), default=now)
        return max(A_LITTLE, min(beat, first + self._silence + A_LITTLE - now))
