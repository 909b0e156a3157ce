"""When Python looks for circles of objects that nobody holds: where much is new, and not whenever some thousand are.

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
FEW: Final = 100_000
"""Nobody looks for the sake of fewer objects than these, some ten megabytes."""
MOST: Final = 3600.0
"""Seconds from one look to the next, at most: a few objects may hold much."""


def look_seldom() -> None:
    """Look for circles now, and then by the clock, as long as this event loop runs; never at what is there already."""
    gc.collect()
    gc.freeze()
    gc.disable()
    loop = asyncio.get_running_loop()
    loop.call_later(EVERY, _perhaps_look, loop.time(), FEW)


def _perhaps_look(before: float, many: int) -> None:
    """Look if so many objects are new since that moment of the loop's clock, or it is long ago, and come again.

    As long as less is new than there was when somebody looked last, circles can't have doubled what is kept.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    new, _, _ = gc.get_count()  # made since the last look, less what has gone
    if new < many and began - before < MOST:
        loop.call_later(EVERY, _perhaps_look, before, many)
        return
    gc.collect()
    many = max(FEW, len(gc.get_objects()))
    ended = loop.time()
    loop.call_later(max(EVERY, SHARE * (ended - began)), _perhaps_look, ended, many)
