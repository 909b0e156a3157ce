"""Test that chat messages are saved from all nodes."""

import asyncio

from app.rooms.people.chat import ChatMessage
from app.store.db.database import Database
from app.store.event_log.event_log import EventLog
from app.store.repositories.chat import ChatStore
from app.store.repositories.people import People
from tests.store.samples import T0, address, entry

MOMENTS = 15


async def test_chat_lines_saved_by_two_nodes_at_once_are_both_kept(database: Database, url: str) -> None:
    log, other = EventLog(database), Database(url)
    await log.create("KQ7F3M", address("KQ7F3M"), [entry()])
    nodes, ana = (ChatStore(database), ChatStore(other)), (await People(database).create(T0, "Ana"))[0].person
    for moment in range(MOMENTS):
        # A later message may be saved first.
        said = [ChatMessage(0, ana.id, "Ana", 1000 * moment + later, "hello", None) for later in (1, 0)]
        await asyncio.gather(*[node.save_message("KQ7F3M", "m1", line) for node, line in zip(nodes, said, strict=True)])
    kept = [line.at for line in await nodes[0].recent_messages("KQ7F3M", "m1")]
    assert kept == [1000 * moment + later for moment in range(MOMENTS) for later in (0, 1)]
    await log.close()
    await other.close()
