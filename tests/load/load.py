"""Kinds of load: every table at full speed, a given rate, and the strict check of a few tables."""

import asyncio
import gc
from collections import deque
from collections.abc import Callable
from typing import Any

import aiohttp
from picows import ws_connect

from .adapter import SEATS, Adapter
from .servers import Sample
from .tables import Counts, Table, now

_JOINING = 32
"""Tables that are filled at the same time."""
_DEALT = 0.2
"""Seconds after the last player joined until all have cards. A connection that was just pinged gets them later."""
_MOVES_CHECKED = 60
_ILLEGAL_AT = (3, 17, 41)
_PATIENCE = 10.0
_HAND = 100
"""The length of a long hand in moves. Tables start at different moves of a hand."""


class Load:
    """Tables at one server."""

    def __init__(self, adapter: Adapter, sample: Callable[[], Sample]) -> None:
        self.counts = Counts()
        self.tables: list[Table] = []
        self._adapter = adapter
        self._sample = sample

    async def connect(self, count: int) -> float:
        """Fill tables up to this number, and return the time in seconds."""
        new = [Table(self._adapter, self.counts) for _ in range(count - len(self.tables))]
        waiting, began = deque(new), now()

        async def fill(http: aiohttp.ClientSession) -> None:
            while waiting:
                table = waiting.popleft()
                for number in range(SEATS):
                    await self._take_seat(http, table, number)

        connections = aiohttp.TCPConnector(limit=_JOINING)
        async with (
            asyncio.timeout(60 + count / 10),
            aiohttp.ClientSession(connector=connections) as http,
            asyncio.TaskGroup() as group,
        ):
            for _ in range(_JOINING):
                group.create_task(fill(http))
        self.tables += new
        took = now() - began
        await asyncio.sleep(_DEALT)
        return took

    async def _take_seat(self, http: aiohttp.ClientSession, table: Table, number: int) -> None:
        seat = table.seats[number]
        seat.came = asyncio.get_running_loop().create_future()
        address = await self._adapter.join(http, table, number)
        headers = self._adapter.headers(table, number) or None
        await ws_connect(
            lambda: seat,
            address,
            extra_headers=headers,
            websocket_handshake_timeout=60,
            max_frame_size=1 << 22,
            read_buffer_init_size=2048,
        )
        await seat.came

    async def close(self) -> None:
        """Close all connections."""
        self.counts.closing = True
        for number, table in enumerate(self.tables):
            for seat in table.seats:
                seat.leave()
            if number % 50 == 49:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)

    # Kinds

    async def verify(self) -> dict[str, Any]:
        """Play at four tables, check every update, and check that illegal moves are refused and stay hidden."""
        self.counts.checking = True
        await self.connect(4)
        refused = 0
        for number in range(_MOVES_CHECKED):
            for table in self.tables:
                if number in _ILLEGAL_AT:
                    refused += await self._try_illegal(table)
                table.play(now())
            await self._settled(self.tables, _PATIENCE)
            self.counts.check()
            assert all(table.done == table.moves for table in self.tables), f"no update after move {number}"
        return {"moves": self.counts.moves, "messages": self.counts.messages, "refused": refused}

    async def _try_illegal(self, table: Table) -> int:
        shown = [self._adapter.position(seat) for seat in table.seats]
        moves = self._adapter.illegal(table)
        for number, data in moves:
            table.seats[number].send(data)
        await asyncio.sleep(0.1)
        after = [self._adapter.position(seat) for seat in table.seats]
        assert after == shown, "an illegal move was accepted"
        return len(moves)

    async def stagger(self, count: int) -> None:
        """Play until the tables are at different moves of their hands, so that the hands end at different times."""
        tables = self.tables[:count]
        for move in range(_HAND):
            for table in tables[move * count // _HAND :]:
                table.play(now())
            await self._settled(tables, _PATIENCE)
            self.counts.check()

    async def saturate(self, count: int, seconds: float, warm_up: float) -> dict[str, Any]:
        """Measure without pauses: the seat in turn moves as soon as its update arrives."""
        tables, counts = self.tables[:count], self.counts
        counts.closed_loop = counts.running = True
        counts.record_from = float("inf")
        for table in tables:
            table.play(now())
        await asyncio.sleep(warm_up)
        gc.collect()
        counts.reset()
        counts.record_from = began = now()
        before = self._sample()
        await asyncio.sleep(seconds)
        result = self._told(before, self._sample(), now() - began)
        counts.running = counts.closed_loop = False
        await self._settled(tables, _PATIENCE)
        counts.check()
        return result

    async def at_rate(self, count: int, rate: float, seconds: float, warm_up: float) -> dict[str, Any]:
        """Measure at a fixed rate of moves, independent of the server's speed.

        A move waits from its due time until the last seat has it, so a stall counts for the moves behind it, too. The
        loop never sleeps, so that timers don't blur the schedule.
        """
        schedule = _Schedule(self.tables[:count], rate, self.counts)
        gc.collect()
        gc.disable()
        try:
            await schedule.run(now() + 0.05, warm_up)
            before, began = self._sample(), now()
            self.counts.reset()
            await schedule.run(began, seconds)
            result = self._told(before, self._sample(), now() - began)
            self.counts.running = True
            await self._settled(schedule.tables, _PATIENCE)
        finally:
            gc.enable()
            self.counts.running = False
        for table in schedule.tables:  # a move that did not arrive has waited until now
            late = [table.due[n % 8] for n in range(table.done + 1, table.moves + 1)]
            self.counts.waited += [now() - due for due in (*late, *table.backlog) if due >= self.counts.record_from]
            table.backlog.clear()
        self.counts.check()
        return {**result, **_percentiles(self.counts.waited), "driver_late_ms": schedule.late * 1000}

    async def _settled(self, tables: list[Table], limit: float) -> None:
        """Wait until everybody has seen every move, up to `limit` seconds."""
        until = now() + limit
        while now() < until and any(table.backlog or table.done < table.moves for table in tables):
            if self.counts.failure or self.counts.lost:
                return
            await asyncio.sleep(0.001)

    def _told(self, before: Sample, after: Sample, seconds: float) -> dict[str, Any]:
        counts = self.counts
        return {
            "moves_per_s": counts.moves / seconds,
            "bytes_per_message": counts.bytes / max(1, counts.messages),
            "server_cpu_s_per_10k": (after.server - before.server) / max(1, counts.moves) * 10_000,
            "server_cpu": (after.server - before.server) / seconds,
            "driver_cpu": (after.driver - before.driver) / seconds,
            "others_cpu": (after.others - before.others) / seconds,
            **_percentiles(counts.waited),
        }


class _Schedule:
    """Moves due at a fixed rate, at the tables in turn."""

    def __init__(self, tables: list[Table], rate: float, counts: Counts) -> None:
        self.tables = tables
        self.late = 0.0
        """The longest delay in seconds of the driver itself."""
        self._gap = 1.0 / rate
        self._counts = counts
        self._number = 0

    async def run(self, start: float, seconds: float) -> None:
        self._counts.running = True
        self._counts.record_from = start
        self.late = 0.0
        due, end = start, start + seconds
        while due < end:
            late = now() - due
            if late < 0:
                await asyncio.sleep(0)
                continue
            self.late = max(self.late, late)
            table = self.tables[self._number % len(self.tables)]
            if table.done == table.moves and not table.backlog:
                table.play(due)
            else:
                table.backlog.append(due)
            self._number += 1
            due += self._gap


def _percentiles(waited: list[float]) -> dict[str, float]:
    if not waited:
        return {}
    ordered = sorted(waited)
    return {
        f"p{share:g}_ms": ordered[min(len(ordered) - 1, int(share / 100 * len(ordered)))] * 1000
        for share in (50, 99, 99.9)
    }
