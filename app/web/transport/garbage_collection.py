"""Settings of Python's garbage collector.

Rooms, sockets and pages are mostly freed by reference counts. Garbage collection is needed for the few cycles, such as
the parser of a closed WebSocket. But each full collection stops the program for 40 to 150 ms.
"""

import gc
from typing import Final

YOUNG_OBJECTS: Final = 100_000
"""New objects, minus freed objects, before a collection: about ten megabytes. Python's default is 700 to 2,000,
depending on the version.

Connections of a flood leave cycles, so all clients wait for a collection about once a minute of flood. A lower limit
makes that wait shorter, but collects much more often at full speed (docs/measurements/server.md)."""


def collect_rarely() -> None:
    """Make Python's garbage collector run rarely, as each collection stops the server for a moment.

    Young objects are collected only after many new ones. The oldest generation is collected last, by Python's own rule.
    Call this before the imports of the server, too: they make many objects and no garbage, so this saves 0.2 s of CPU.
    """
    gc.set_threshold(YOUNG_OBJECTS, 1, 5)


def exclude_present_objects() -> None:
    """Exclude all objects that exist now from garbage collection. Call this when the server has started."""
    gc.collect()
    gc.freeze()
