"""Settings of Python's garbage collector.

Rooms, sockets and pages are mostly freed by reference counts. Garbage collection is needed for the few cycles, such as
the parser of a closed WebSocket. But each full collection stops the program: 130 to 150 ms of CPU with the objects of a
server that has just started. With 250 rooms in saturation it runs once in 20 seconds, for 50 ms of CPU (busy machine,
2026-11-27). p50 and p99 are the same as with a collection schedule of our own.
"""

import gc
from typing import Final

YOUNG_OBJECTS: Final = 100_000
"""New objects, minus freed objects, before a collection: about ten megabytes. Python's default is 700 to 2,000,
depending on the version.

Connections of a flood leave cycles. So about once a minute of flood, all clients wait 40 to 80 ms for a collection. A
limit of 20,000 makes that 5 to 10 ms (`python -m tools soak --floods 2 --connections 8`). But with 250 rooms in
saturation that limit collects 18 times in 25 seconds, for 2.4 % of the CPU and up to 131 ms each. The limit of 100,000
collects once, for 61 ms (`python -m tools bench rooms --rooms 250 --seconds 25`, 2026-11-27)."""


def collect_rarely() -> None:
    """Make Python's garbage collector run rarely, as each collection stops the server for a moment.

    All objects that exist now are excluded, so call this when the server has started. Young objects are collected only
    after many new ones. The oldest generation is collected last, by Python's own rule.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, 1, 5)
