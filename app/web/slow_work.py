"""Long work for those who look back, such as a match of a thousand hands: off the event loop, and one piece at a time.

Threads take turns with the event loop only between steps of Python: JSON of many parts is written part by part.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from app.engine.words import Sentence
from app.web.errors import Refusal

MOST_WAITING = 40
"""Pieces of work altogether; who comes then is asked to come again."""
MOST_OF_ONE = 10
"""Pieces of work for one address."""
AGAIN_AFTER = 5
"""Seconds."""

Work: TypeAlias = Callable[..., Awaitable[Any]]
"""Calls a function with what follows, in a thread."""


MANY_LOOK_BACK = Sentence("web.many_look_back", "Many people are looking back right now: try again.")


class SlowWork:
    """Takes one piece of work after the other."""

    def __init__(self) -> None:
        self._one = asyncio.Lock()
        self._waiting: Counter[str] = Counter()

    @asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[Work]:
        """Wait for one's turn; `await work(function, …)` then runs in a thread."""
        if self._waiting.total() >= MOST_WAITING or self._waiting[client] >= MOST_OF_ONE:
            raise Refusal(503, "trouble", MANY_LOOK_BACK(), {"Retry-After": str(AGAIN_AFTER)})
        self._waiting[client] += 1
        try:
            async with self._one:
                yield asyncio.to_thread
        finally:
            self._waiting[client] -= 1
            if not self._waiting[client]:
                del self._waiting[client]


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
