"""Seats and tables: the sockets of a room, the seat in turn, and the moves that each seat has seen."""

import time
from collections import deque
from typing import Any

from picows import WSFrame, WSListener, WSMsgType, WSTransport

from .adapter import READY, SEATS, Adapter

now = time.perf_counter
_SLOTS = 8
"""The number of recent moves that a table remembers. At most five are on their way to a seat."""


class Counts:
    """The counters of all tables since the last reset."""

    def __init__(self) -> None:
        self.lost = 0
        self.failure: str | None = None
        self.running = self.closed_loop = self.checking = self.closing = False
        self.record_from = 0.0
        self.reset()

    def reset(self) -> None:
        """Start to count."""
        self.messages = self.bytes = self.moves = 0
        self.waited: list[float] = []

    def check(self) -> None:
        """Raise the first error, if there was one."""
        if self.failure:
            raise AssertionError(self.failure)
        if self.lost:
            raise ConnectionError(f"{self.lost} connections lost")


class Table:
    """A room."""

    def __init__(self, adapter: Adapter, counts: Counts) -> None:
        self.adapter = adapter
        self.counts = counts
        self.data: dict[str, Any] = {}
        """The adapter's data."""
        self.seats = [Seat(self, number) for number in range(SEATS)]
        self.moves = 0
        """Moves sent."""
        self.done = 0
        """Moves seen by all four seats."""
        self.due = [0.0] * _SLOTS
        """The due times of the moves under way."""
        self.backlog = deque[float]()
        """The due times of moves that wait for earlier ones."""
        self._seen_by = [0] * _SLOTS

    def play(self, due: float) -> None:
        """Send the next move."""
        seat = self.adapter.turn(self)
        data = self.adapter.move(self, seat)
        self.moves += 1
        self.due[self.moves % _SLOTS] = due
        self.seats[seat].send(data)

    def failed(self, why: str) -> None:
        """Store the first error."""
        self.counts.failure = self.counts.failure or why

    def seen(self, before: int, after: int) -> None:
        """Note that a seat has seen the moves after `before` up to `after`. The last of the four completes a move."""
        counts = self.counts
        for number in range(before + 1, after + 1):
            slot = number % _SLOTS
            self._seen_by[slot] += 1
            if self._seen_by[slot] < SEATS:
                continue
            self._seen_by[slot] = 0
            self.done = number
            counts.moves += 1
            if self.due[slot] >= counts.record_from:
                counts.waited.append(now() - self.due[slot])
            if self.backlog and number == self.moves and counts.running:
                self.play(self.backlog.popleft())


class Seat(WSListener):
    """A socket."""

    def __init__(self, table: Table, number: int) -> None:
        super().__init__()
        self.table = table
        self.number = number
        self.ready = False
        self.seen = 0
        """Moves of the table that this seat has seen."""
        self.last = b""
        """The newest message that the adapter needs."""
        self.data: Any = None
        """The adapter's data."""
        self.came: Any = None
        """A future that is done when the seat is taken."""
        self._transport: WSTransport | None = None
        self._parts = b""

    def send(self, data: bytes) -> None:
        """Send a message."""
        assert self._transport is not None
        self._transport.send(WSMsgType.TEXT, data)

    def leave(self) -> None:
        """Close the socket."""
        if self._transport is not None:
            self._transport.send_close()
            self._transport.disconnect()

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Take the seat."""
        self._transport = transport
        self.table.adapter.opened(self)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Report an unexpected end of the connection."""
        self.table.counts.lost += not self.table.counts.closing
        if self.came and not self.came.done():
            self.came.set_exception(ConnectionError("closed before the seat was ready"))

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Join messages that come in several frames."""
        if frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()
        elif frame.msg_type in (WSMsgType.TEXT, WSMsgType.CONTINUATION):
            data = frame.get_payload_as_bytes()
            if frame.msg_type == WSMsgType.CONTINUATION:
                data = self._parts + data
            if frame.fin:
                self._heard(data)
            else:
                self._parts = data

    def _heard(self, data: bytes) -> None:
        table, counts = self.table, self.table.counts
        counts.messages += 1
        counts.bytes += len(data)
        told = table.adapter.message(self, data)
        if told is None:
            return
        if told == READY:
            self.ready = True
            if self.came and not self.came.done():
                self.came.set_result(None)
        elif self.ready and told > self.seen:
            self._updated(told, data)

    def _updated(self, moves: int, data: bytes) -> None:
        table, counts = self.table, self.table.counts
        if moves > table.moves:
            table.failed(f"update {moves} before move {table.moves} was sent: {data[:200]!r}")
            return
        if counts.checking:
            try:
                table.adapter.check(self, data, moves)
            except Exception as error:
                table.failed(f"{error!r} in {data[:600]!r}")
        before, self.seen = self.seen, moves
        # At full speed the next seat moves as soon as its own update arrives.
        if counts.closed_loop and counts.running and moves == table.moves and table.adapter.turn(table) == self.number:
            table.play(now())
        table.seen(before, moves)
