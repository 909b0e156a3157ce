"""A promoted replica without the last entries: what was saved last is gone, under a room with two nodes."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
import sqlalchemy as sa

from app.store.database import Database
from app.store.tables import metadata, room_entry, room_snapshot
from tests.web.conftest import two_nodes
from tests.web.visitors import visiting

Seen = dict[str, Any]
CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


def lose(room: str, last: int, *, hand: int | None, person: str | None) -> Callable[[sa.Connection], None]:
    """Delete the entries of a room after this one, this hand of its match and later ones (all: the match), a person."""

    def work(connection: sa.Connection) -> None:
        connection.execute(room_entry.delete().where(room_entry.c.room == room, room_entry.c.seq > last))
        connection.execute(room_snapshot.delete().where(room_snapshot.c.room == room, room_snapshot.c.seq > last))
        for table in reversed(metadata.sorted_tables):
            columns = table.c
            if hand is not None and "match_id" in columns:
                numbered = next((columns[name] for name in ("number", "hand") if name in columns), None)
                if numbered is not None:
                    connection.execute(table.delete().where(numbered >= hand))
                elif hand == 0:
                    connection.execute(table.delete())
            elif hand == 0 and table.name == "matches":
                connection.execute(table.delete())
            if person is not None and "person_id" in columns:
                connection.execute(table.delete().where(columns.person_id == person))
            elif person is not None and table.name == "people":
                connection.execute(table.delete().where(columns.id == person))

    return work


@pytest.mark.postgres
@pytest.mark.parametrize("when", ["in play", "right after a deal", "before the match and a guest"])
async def test_the_evening_goes_on(postgres_url: str, when: str) -> None:
    async with (
        two_nodes(postgres_url) as (here, there),
        visiting(here.base) as come,
        visiting(there.base) as come_there,
    ):
        ana, bob = come(), come_there()
        opened = await ana.open("Ana", game="president", bots=["greedy", "greedy"], bots_delay=0)
        desks = {"Ana": await ana.sit(opened["code"]), "Bob": await bob.sit(opened["code"], "Bob")}
        await desks["Ana"].until(lambda update: len(update["room"]["people"]) == 4)
        await desks["Ana"].do("start")
        [runner] = here.app.site.registry.awake()
        room = runner.id

        async def play(until: Callable[[Seen], object]) -> None:
            async with asyncio.timeout(120):
                while not until(newest := max((desk.update for desk in desks.values()), key=_age)):
                    for name, desk in desks.items():
                        if newest["room"]["phase"] == "pause" and name == "Ana":
                            await desk.ask("next")
                        elif newest["room"]["phase"] == "lobby" and name == "Ana":
                            await desk.ask("start")
                        elif desk.update["you"].get("legal") and _age(desk.update) == _age(newest):
                            await desk.ask("act", action=desk.update["you"]["legal"][0])
                    await asyncio.sleep(0.01)

        def hands(update: Seen) -> int:
            return len(update["room"]["hands"])

        def entry(kind: str) -> int:
            return max(each.seq for each in log if each.kind == kind)

        if when == "in play":
            await play(lambda update: hands(update) == 1 and update["room"]["phase"] == "playing")
            await play(lambda update: (update["table"] or {}).get("phase") == "play")
            await play(lambda update, seq=runner.room.seq: update["seq"] > seq + 6)
        else:
            await play(lambda update: hands(update) == 1 and update["room"]["phase"] == "playing")
        log = await here.app.site.store.log.read(room, 0)
        commitment = desks["Ana"].update["room"]["fair"]["commitment"]
        [talk] = there.app.site.open_sockets
        work = {
            "in play": lambda: lose(room, log[-1].seq - 4, hand=None, person=None),
            "right after a deal": lambda: lose(room, entry("dealt") - 1, hand=1, person=None),
            "before the match and a guest": lambda: lose(room, _joined(log) - 1, hand=0, person=talk.person_id),
        }[when]()
        database = Database(postgres_url)
        await database.write(work)
        with suppress(sa.exc.DBAPIError):
            await database.write(lambda connection: connection.exec_driver_sql(CUT).all())
        await database.close()

        def rewound(update: Seen) -> bool:
            return update["room"]["rewinds"] == 1 and "Bob" in {each["name"] for each in update["room"]["people"]}

        for desk in desks.values():
            await desk.until(rewound)
        before = hands(desks["Ana"].update)
        await play(lambda update: hands(update) > before)
        told = [event["e"] for update in desks["Ana"].told for event in update["events"]]
        assert "rewound" in told
        if when in ("right after a deal", "before the match and a guest"):
            assert desks["Ana"].update["room"]["fair"]["previous"]["commitment"] != commitment
        seqs = [each.seq for each in await here.app.site.store.log.read(room, 0)]
        assert seqs == [*range(1, len(seqs) + 1)]
        assert "Bob" in desks["Ana"].update["room"]["hands"][-1]["ledger"]
        assert (await bob.http.get("/api/me")).json()["known"], "the same person, on the same device"


def _age(update: Seen) -> tuple[int, int]:
    return update["room"]["rewinds"], update["seq"]


def _joined(log: Any) -> int:
    return int(next(each.seq for each in log if each.kind == "joined" and each.data["name"] == "Bob"))
