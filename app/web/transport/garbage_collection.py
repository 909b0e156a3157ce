"""When Python's garbage collector runs.

Rooms, sockets and pages are mostly freed by reference counts. The collector is needed for the few cycles, such as the
parser of a closed WebSocket, but it stops everything while it looks at all that is alive: 130 to 150 ms of CPU with the
objects of a server that has just started. With 250 rooms in saturation it runs once in 20 seconds, for 50 ms of CPU
(busy machine, 2026-11-27); p50 and p99 are as they were with a schedule of our own.
"""

import gc
from typing import Final

YOUNG_OBJECTS: Final = 100_000
"""New objects, less those that were freed, before the collector looks at them: some ten megabytes. Python's own limit
is 700 to 2,000, by version.

Connections of a flood leave cycles, so about once a minute of flood everybody waits 40 to 80 ms for the collector. A
limit of 20,000 makes that 5 to 10 ms (`python -m tools soak --floods 2 --connections 8`). But with 250 rooms in
saturation it collects 18 times in 25 seconds, for 2.4 % of the CPU and up to 131 ms each, in place of once for 61 ms
(`python -m tools bench rooms --rooms 250 --seconds 25`, 2026-11-27)."""


def collect_rarely() -> None:
    """Leave out all objects that exist now, and collect only after many new ones.

    Call this when the server has started. Middle-aged objects are looked at with every second collection. All objects
    are looked at with every sixth of these, and only if they have grown by a quarter, which is Python's own rule.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, 1, 5)
