"""When Python looks for circles of objects that nobody holds: by the clock, and not whenever many things were made.

What rooms, sockets and pages are made of goes when nobody holds it, without this. All that is alive has to be looked at
to find the little else there is, and everybody waits for that.
"""

import asyncio
import gc
from typing import Final

EVERY: Final = 60.0
"""Seconds from one look to the next, at least."""
SHARE: Final = 1000
"""So many times as long as a look has taken nobody looks again."""


def look_seldom() -> None:
    """Look for circles now, and then by the clock, as long as this event loop runs; never at what is there already."""
    gc.collect()
    gc.freeze()
    gc.disable()
    asyncio.get_running_loop().call_later(EVERY, _look)


def _look() -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()
    gc.collect()
    loop.call_later(max(EVERY, SHARE * (loop.time() - began)), _look)
