"""Checksums that show whether a log entry is still the same as when it was written.

A disk can return other bytes than were stored, and the database does not notice bits that flip inside a value. Each
entry's checksum therefore covers all its parts: room, sequence number, time, kind and JSON text.
"""

import zlib
from datetime import UTC, datetime
from typing import Final

import msgspec

_HEAD: Final = msgspec.json.Encoder()


def checksum(room: str, seq: int, at: datetime, kind: str, data: str) -> int:
    """Return the CRC-32 of a log entry, which shows later whether the stored entry was damaged.

    `data` is the JSON text exactly as the log stores it. `seq` is the number of the entry in the room's log, and `kind`
    its type.

    >>> checksum("the-room", 3, datetime(2026, 1, 1, tzinfo=UTC), "acted", '{"by":"Ana"}')
    3255775232
    >>> checksum("the-room", 3, datetime(2026, 1, 1, tzinfo=UTC), "acted", '{"by":"Anb"}')
    3226046041
    """
    # Runs for every action, in about 0.3 µs. msgspec encodes the time, since Python's own formatting would take most of
    # it.
    return zlib.crc32(_HEAD.encode((room, seq, at.astimezone(UTC), kind)) + data.encode())
