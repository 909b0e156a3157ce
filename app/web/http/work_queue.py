"""Runs long work, such as replaying a match of a thousand hands: one piece at a time, or a few with worker processes.

Client addresses take turns.

A thread lets the event loop run only between Python bytecode steps, so large JSON is encoded in parts.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from app.engine.base.messages import MessageTemplate
from app.web.http.errors import HttpError

IN_QUEUE = 2
"""Limit for the jobs of one address in the queue, including the running job."""
MOST_OF_ONE = 10
"""Limit for all jobs of one address. Jobs outside the queue wait for earlier jobs of the same address."""
MOST_WAITING = 200
"""Limit for queued jobs of all addresses; further requests are refused with 503."""
AGAIN_AFTER = 5
"""Seconds."""

RunInThread: TypeAlias = Callable[..., Awaitable[Any]]
"""Calls a function with the given arguments in a thread."""


MANY_LOOK_BACK = MessageTemplate(
    "web.many_look_back", "Too many people are watching replays right now. Try again in a moment."
)


@dataclass(slots=True)
class _AddressQueue:
    """The jobs that one client address has in the work queue, running or waiting.

    `in_queue` limits the jobs of the address in the queue.
    """

    in_queue: asyncio.Semaphore
    count: int = 0
    """Number of jobs, inside and outside the queue."""


@dataclass(frozen=True, slots=True)
class _Waiter:
    """A job that waits for its turn."""

    turn: asyncio.Future[None]
    is_large: bool


class WorkQueue:
    """Runs long jobs, one at a time or a few; client addresses take turns.

    Between two jobs of an address, every other waiting address gets one job. A job in a thread does not know whether
    it is large; with worker processes, large jobs leave one place for small ones.
    """

    def __init__(self, *, at_once: int = 1, of_an_address: int = IN_QUEUE) -> None:
        """Create an empty queue. `at_once`: jobs that run together; large ones are one fewer, but at least one.

        `of_an_address`: limit for the jobs of one address in the queue, including its running jobs.
        """
        self._at_once = at_once
        self._of_an_address = of_an_address
        self._running = 0
        self._large_running = 0
        self._addresses: dict[str, _AddressQueue] = {}
        self._waiting: dict[str, deque[_Waiter]] = {}
        """The queue, by address, in the order of their turns."""

    @property
    def waiting(self) -> int:
        """The number of jobs that wait for their turn."""
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def worker_slot(self, client: str, *, is_large: bool = False) -> AsyncIterator[RunInThread]:
        """Wait for this address's turn and hold it during the context; yields the function that runs work in a thread.

        Use: `await work(function, …)`. Raises `HttpError` 503 if too many jobs wait already. Used for long jobs of
        pages and exports, such as replays. `client` is the client's address.
        """
        address = self._addresses.get(client)
        if address is None:
            address = self._addresses[client] = _AddressQueue(asyncio.Semaphore(self._of_an_address))
        if address.count >= MOST_OF_ONE or self.waiting >= MOST_WAITING:
            self._remove_idle_address(client)
            raise HttpError(503, "trouble", MANY_LOOK_BACK(), {"Retry-After": str(AGAIN_AFTER)})
        address.count += 1
        try:
            async with address.in_queue:
                await self._acquire_slot(client, is_large=is_large)
                try:
                    yield asyncio.to_thread
                finally:
                    self._release_slot(is_large=is_large)
        finally:
            address.count -= 1
            self._remove_idle_address(client)

    async def _acquire_slot(self, client: str, *, is_large: bool) -> None:
        """Wait until a job may run and it is this address's turn.

        If the caller is cancelled, the turn passes on.
        """
        waiter = _Waiter(asyncio.get_running_loop().create_future(), is_large)
        self._waiting.setdefault(client, deque()).append(waiter)
        self._start_next_jobs()
        try:
            await waiter.turn
        except asyncio.CancelledError:
            if waiter.turn.done() and not waiter.turn.cancelled():
                self._release_slot(is_large=is_large)  # it got its turn in the same moment
            else:
                self._remove_waiter(client, waiter)
            raise

    def _release_slot(self, *, is_large: bool) -> None:
        self._running -= 1
        self._large_running -= is_large
        self._start_next_jobs()

    def _start_next_jobs(self) -> None:
        """Give turns to the first waiting addresses whose job may run now, and move them to the end of the line."""
        most_large = max(1, self._at_once - 1)
        while self._running < self._at_once:
            client = next(
                (
                    client
                    for client, line in self._waiting.items()
                    if not (line[0].is_large and self._large_running >= most_large)
                ),
                None,
            )
            if client is None:
                return
            line = self._waiting.pop(client)
            waiter = line.popleft()
            if line:
                self._waiting[client] = line
            if waiter.turn.cancelled():
                continue
            self._running += 1
            self._large_running += waiter.is_large
            waiter.turn.set_result(None)

    def _remove_waiter(self, client: str, waiter: _Waiter) -> None:
        line = self._waiting.get(client, deque())
        if waiter in line:
            line.remove(waiter)
            if not line:
                del self._waiting[client]

    def _remove_idle_address(self, client: str) -> None:
        if not self._addresses[client].count:
            del self._addresses[client]


def encode_json_in_parts(value: Mapping[str, Any], depth: int = 1) -> bytes:
    """Return an object as JSON, encoded in parts down to `depth` further levels, for use in a thread.

    Between the parts the event loop can run, which one large call would block.

    >>> encode_json_in_parts({"game": "president", "hands": [{"n": 0}, {"n": 1}]})
    b'{"game":"president","hands":[{"n":0},{"n":1}]}'
    >>> encode_json_in_parts({"matches": [{"record": {"hands": [{"n": 0}, {"n": 1}]}}]}, depth=4)
    b'{"matches":[{"record":{"hands":[{"n":0},{"n":1}]}}]}'
    """
    return _encode_part(dict(value), depth + 1).encode("utf-8", "replace")


def _encode_part(value: Any, depth: int) -> str:
    if depth and isinstance(value, list):
        return f"[{','.join([_encode_part(each, depth - 1) for each in value])}]"
    if depth and isinstance(value, dict):
        return f"{{{','.join([f'{_encode(key)}:{_encode_part(each, depth - 1)}' for key, each in value.items()])}}}"
    return _encode(value)


_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
