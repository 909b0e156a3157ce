"""What is said at a table is kept, whichever node it is said at."""

import asyncio

from app.rooms.people.chat import Utterance
from app.store.db.database import Database
from app.store.event_log.event_log import RoomLog
from app.store.repositories.chat import ChatLines
from app.store.repositories.people import People
from tests.store.samples import T0, address, entry

MOMENTS = 15


async def test_of_lines_that_two_nodes_keep_in_the_same_moment_both_are_kept(database: Database, url: str) -> None:
    log, other = RoomLog(database), Database(url)
    await log.create("KQ7F3M", address("KQ7F3M"), [entry()])
    nodes, ana = (ChatLines(database), ChatLines(other)), (await People(database).create(T0, "Ana"))[0].person
    for moment in range(MOMENTS):
        # The one that is said last may be kept first.
        said = [Utterance(0, ana.id, "Ana", 1000 * moment + later, "hello", None) for later in (1, 0)]
        await asyncio.gather(*[node.keep("KQ7F3M", "m1", line) for node, line in zip(nodes, said, strict=True)])
    kept = [line.at for line in await nodes[0].read("KQ7F3M", "m1")]
    assert kept == [1000 * moment + later for moment in range(MOMENTS) for later in (0, 1)]
    await log.close()
    await other.close()
