"""Decide which nodes are alive by the time since their last heartbeat. Pure functions: times are arguments."""

from collections.abc import Mapping

MARGIN_SECONDS = 0.1
"""Seconds added to a deadline, so that the check runs surely after it."""


class NodeLiveness:
    """What this node (server process) knows about the last heartbeats of the others, to decide which are alive."""

    def __init__(self, node: str, max_silence: float) -> None:
        """Start without other nodes. `node` is this node; any other node is dead after `max_silence` seconds."""
        self._node = node
        self._max_silence = max_silence
        self._last_check = float("-inf")
        self._last_heard: dict[str, float] = {}
        """Time of the last heartbeat of each other live node."""

    def update_alive_nodes(self, now: float, silent_seconds: Mapping[str, float | None]) -> frozenset[str]:
        """Take in how long each node has been silent, and return the ids of the live nodes, this one included.

        `silent_seconds` has the seconds since each node's last heartbeat, None for a node that has left. `now` is this
        node's clock in seconds. A node that is missing in `silent_seconds` keeps its last known heartbeat.
        """
        if now - self._last_check > self._max_silence:
            # This node or the database was away, so the other nodes get the full time again.
            self._last_heard = dict.fromkeys(self._last_heard, now)
        self._last_check = now
        for node, seconds in silent_seconds.items():
            if seconds is None:
                self._last_heard.pop(node, None)
            elif node != self._node:
                self._last_heard[node] = max(now - seconds, self._last_heard.get(node, now - seconds))
        self._last_heard = {node: at for node, at in self._last_heard.items() if now - at <= self._max_silence}
        return frozenset(self._last_heard) | {self._node}

    def seconds_until_check(self, now: float, beat_seconds: float) -> float:
        """Return in how many seconds the live nodes must be checked again: at the next heartbeat, or earlier.

        Earlier if another node's time for its heartbeat ends before that. `now`: this node's clock; `beat_seconds`:
        the interval.
        """
        first = min(self._last_heard.values(), default=now)
        return max(MARGIN_SECONDS, min(beat_seconds, first + self._max_silence + MARGIN_SECONDS - now))
