"""Long work, such as looking back at a match of a thousand hands: off the event loop, and one piece at a time.

Addresses take turns.

Threads take turns with the event loop only between steps of Python: JSON of many parts is written part by part.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from app.engine.base.messages import Sentence
from app.web.http.errors import Refusal

IN_QUEUE = 2
"""Pieces of work of one address in the queue at a time, the one that is worked on included."""
MOST_OF_ONE = 10
"""Pieces of work of one address altogether. Those that are not in the queue wait for its others, in nobody's way."""
MOST_WAITING = 200
"""Pieces of work in the queue, of all addresses; requests beyond are asked to come again."""
AGAIN_AFTER = 5
"""Seconds."""

Work: TypeAlias = Callable[..., Awaitable[Any]]
"""Calls a function with what follows, in a thread."""


MANY_LOOK_BACK = Sentence("web.many_look_back", "Many people are looking back right now: try again.")


@dataclass(slots=True)
class _Address:
    """The work of one address."""

    in_queue: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(IN_QUEUE))
    count: int = 0
    """Pieces of work, in the queue and before it."""


class SlowWork:
    """A queue for long work in which addresses take turns.

    Whatever one address asks for, another one waits for at most one piece of its work.
    """

    def __init__(self) -> None:
        self._busy = False
        self._addresses: dict[str, _Address] = {}
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """The queue: by address, in the order in which these have their turns."""

    @asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[Work]:
        """Wait for a turn of this address; `await work(function, …)` then runs in a thread.

        `Refusal` with status 503 if too much work waits already.
        """
        address = self._addresses.setdefault(client, _Address())
        if address.count >= MOST_OF_ONE or sum(map(len, self._waiting.values())) >= MOST_WAITING:
            self._forget(client)
            raise Refusal(503, "trouble", MANY_LOOK_BACK(), {"Retry-After": str(AGAIN_AFTER)})
        address.count += 1
        try:
            async with address.in_queue:
                await self._begin(client)
                try:
                    yield asyncio.to_thread
                finally:
                    self._end()
        finally:
            address.count -= 1
            self._forget(client)

    async def _begin(self, client: str) -> None:
        """Wait until nothing is worked on and it is this address's turn."""
        if not self._busy:
            self._busy = True
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._end()  # it had its turn in the same moment
            else:
                self._leave(client, turn)
            raise

    def _end(self) -> None:
        """Give the turn to the next address in line, which then goes to the end of it."""
        if not self._waiting:
            self._busy = False
            return
        client = next(iter(self._waiting))
        line = self._waiting.pop(client)
        turn = line.popleft()
        if line:
            self._waiting[client] = line
        turn.set_result(None)

    def _leave(self, client: str, turn: asyncio.Future[None]) -> None:
        self._waiting[client].remove(turn)
        if not self._waiting[client]:
            del self._waiting[client]

    def _forget(self, client: str) -> None:
        if not self._addresses[client].count:
            del self._addresses[client]


def as_json(whole: Mapping[str, Any], depth: int = 1) -> bytes:
    """The JSON of an object, its lists element by element; with `depth` also what lies so much deeper, part by part.

    >>> as_json({"game": "president", "hands": [{"n": 0}, {"n": 1}]})
    b'{"game":"president","hands":[{"n":0},{"n":1}]}'
    >>> as_json({"matches": [{"record": {"hands": [{"n": 0}, {"n": 1}]}}]}, depth=4)
    b'{"matches":[{"record":{"hands":[{"n":0},{"n":1}]}}]}'
    """
    return _part(dict(whole), depth + 1).encode("utf-8", "replace")


def _part(value: Any, depth: int) -> str:
    if depth and isinstance(value, list):
        return f"[{','.join([_part(each, depth - 1) for each in value])}]"
    if depth and isinstance(value, dict):
        return f"{{{','.join([f'{_encode(key)}:{_part(each, depth - 1)}' for key, each in value.items()])}}}"
    return _encode(value)


_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
