"""Append as fast as possible and print what was acknowledged, until a test kills this process.

python -m tests.store.appender URL
"""

import asyncio
import contextlib
import os
import sys

from app.rooms.log import snapshots
from app.rooms.ports.storage import AddressTaken
from app.store.db.database import Database
from app.store.event_log.event_log import EventLog
from tests.store.samples import address, entry, hand, started

ROOMS = 6


async def main(url: str) -> None:
    log = EventLog(Database(url))

    async def fill(code: str) -> None:
        with contextlib.suppress(AddressTaken):
            await log.create(code, address(code), [entry("opened")])
        head = (await log.read(code, 0))[-1].seq
        match_id = f"{code}-{head}"
        head = await log.append(code, head, [entry("dealt")], [started(match_id, code)])
        for number in range(10_000):
            head = await log.append(
                code,
                head,
                [entry(number=number), entry(number=number)],
                [hand(match_id, number, room=code)],
                {"format": snapshots.FORMAT, "at": head},
            )
            # A single system call writes the whole line or nothing.
            os.write(1, f"{code} {head} {match_id} {number}\n".encode())

    await asyncio.gather(*(fill(f"ROOM{n}") for n in range(ROOMS)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
