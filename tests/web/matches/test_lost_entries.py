"""Test failovers to replicas with other last entries, under a room with two nodes."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
import sqlalchemy as sa

from app.rooms.log.snapshots import load_room
from app.store.db.database import Database
from app.store.db.schema import metadata, room_events, room_snapshots
from app.store.maintenance.integrity_check import check_database
from tests.postgres import Postgres
from tests.web.conftest import two_nodes
from tests.web.visitors import Desk, visiting

Seen = dict[str, Any]
Desks = dict[str, Desk]
CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
REFUSED = "before a guest who can't be saved again"
REFUSE = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.id = '{person}' THEN RAISE EXCEPTION 'refused by the test'; END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER refuse BEFORE INSERT ON people FOR EACH ROW EXECUTE FUNCTION refuse()
"""


def lose(room: str, last: int, *, hand: int | None, person: str | None) -> Callable[[sa.Connection], None]:
    """Return a function that deletes entries after `last`, hands from `hand` on, and a person.

    With `hand=0` the whole match is deleted.
    """

    def work(connection: sa.Connection) -> None:
        connection.execute(room_events.delete().where(room_events.c.room_id == room, room_events.c.seq > last))
        connection.execute(room_snapshots.delete().where(room_snapshots.c.room_id == room, room_snapshots.c.seq > last))
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


async def play(desks: Desks, until: Callable[[Seen], object]) -> None:
    """Let all players act until this condition holds for the newest update."""
    async with asyncio.timeout(120):
        while not until(newest := max((desk.update for desk in desks.values()), key=_age)):
            for name, desk in desks.items():
                if newest["room"]["phase"] == "between_hands" and name == "Ana":
                    await desk.ask("deal_next")
                elif newest["room"]["phase"] == "lobby" and name == "Ana":
                    await desk.ask("start")
                elif desk.update["you"].get("legal") and _age(desk.update) == _age(newest):
                    await desk.ask("act", action=desk.update["you"]["legal"][0])
            await asyncio.sleep(0.01)


def hands(update: Seen) -> int:
    return len(update["room"]["hands"])


@pytest.mark.postgres
@pytest.mark.parametrize(
    "when", ["in play", "in the exchange", "right after a deal", "before the match and a guest", REFUSED]
)
async def test_a_match_continues_after_a_failover_lost_the_last_log_entries(postgres_url: str, when: str) -> None:
    async with (
        two_nodes(postgres_url) as (here, there),
        visiting(here.base) as come,
        visiting(there.base) as come_there,
    ):
        ana, bob = come(), come_there()
        # In the exchange both givers must be people, because bots give at once.
        bots = [] if when == "in the exchange" else ["easy", "easy"]
        opened = await ana.open("Ana", game="president", bots=bots, bots_delay=0)
        desks = {"Ana": await ana.sit(opened["code"]), "Bob": await bob.sit(opened["code"], "Bob")}
        if not bots:
            desks |= {"Cat": await come().sit(opened["code"], "Cat")}
            desks |= {"Dan": await come_there().sit(opened["code"], "Dan")}
        await desks["Ana"].until(lambda update: len(update["room"]["people"]) == 4)
        await desks["Ana"].do("start")
        [runner] = here.app.site.registry.loaded_rooms()
        room = runner.id

        def entry(kind: str) -> int:
            return max(each.seq for each in log if each.kind == kind)

        if when == "in play":
            await play(desks, lambda update: hands(update) == 1 and update["room"]["phase"] == "playing")
            await play(desks, lambda update: (update["table"] or {}).get("phase") == "play")
            await play(desks, lambda update, seq=runner.room.seq: update["seq"] > seq + 6)
        elif when == "in the exchange":
            await play(desks, lambda update: (update["table"] or {}).get("phase") == "exchange")
            async with asyncio.timeout(120):  # one player has given, and the other has not
                while not (giving := [each for each in desks.values() if each.update["you"].get("legal")]):
                    await asyncio.sleep(0.01)
            await giving[0].do("act", action=giving[0].update["you"]["legal"][0])
            await desks["Ana"].until(lambda update: update["seq"] >= runner.room.seq)
            assert desks["Ana"].update["table"]["phase"] == "exchange"
        else:
            await play(desks, lambda update: hands(update) == 1 and update["room"]["phase"] == "playing")
        log = await here.app.site.store.log.read(room, 0)
        commitment = desks["Ana"].update["room"]["fair"]["commitment"]
        bobs = next(each.person for each in runner.room.members.values() if each.name == "Bob")
        work = {
            "in play": lambda: lose(room, log[-1].seq - 4, hand=None, person=None),
            "in the exchange": lambda: lose(room, entry("dealt"), hand=None, person=None),
            "right after a deal": lambda: lose(room, entry("dealt") - 1, hand=1, person=None),
            "before the match and a guest": lambda: lose(room, _joined(log) - 1, hand=0, person=bobs),
            REFUSED: lambda: lose(room, _joined(log) - 1, hand=0, person=bobs),
        }[when]()
        database = Database(postgres_url)
        if when == REFUSED:
            refuse = REFUSE.format(person=bobs)
            await database.write(lambda connection: connection.exec_driver_sql(refuse))
        await database.write(work)
        with suppress(sa.exc.DBAPIError):
            await database.write(lambda connection: connection.exec_driver_sql(CUT).all())
        await database.close()

        if when == REFUSED:
            await desks["Bob"].ended()
            assert desks["Bob"].goodbye == {"t": "goodbye", "reason": "no_session"}
            # His page reloads and asks for a name.
            assert not (await bob.http.get("/api/me")).json()["known"]
            await bob.enter(opened["code"])
            desks["Bob"] = await bob.sit(opened["code"])
            assert desks["Bob"].update["you"]["name"] is None
            await desks["Bob"].do("join", name="Bob")

        def rewound(update: Seen) -> bool:
            return update["room"]["rewinds"] == 1 and "Bob" in {each["name"] for each in update["room"]["people"]}

        for desk in desks.values():
            await desk.until(rewound)
        before = hands(desks["Ana"].update)
        await play(desks, lambda update: hands(update) > before and "Bob" in update["room"]["hands"][-1]["ledger"])
        await desks["Ana"].until(lambda update: hands(update) > before)
        told = [event["e"] for update in desks["Ana"].told for event in update["events"]]
        assert "rewound" in told
        if when not in ("in play", "in the exchange"):
            assert desks["Ana"].update["room"]["fair"]["previous"]["commitment"] != commitment
        seqs = [each.seq for each in await here.app.site.store.log.read(room, 0)]
        assert seqs == [*range(1, len(seqs) + 1)]
        assert (await bob.http.get("/api/me")).json()["known"]
        persons = [each.person for each in runner.room.members.values() if each.name == "Bob"]
        assert (persons == [bobs]) == (when != REFUSED)


@pytest.mark.postgres
@pytest.mark.parametrize("longer", [False, True], ids=["shorter", "longer"])
async def test_pages_nodes_and_snapshots_follow_a_database_that_comes_back(
    postgres_server: Postgres, postgres_url: str, *, longer: bool
) -> None:
    """The nodes switch from database A to copy B and back to A. The log of A is then shorter or longer than B's."""
    async with (
        two_nodes(postgres_url) as (here, there),
        visiting(here.base) as come,
        visiting(there.base) as come_there,
    ):
        ana, bob = come(), come_there()
        code = (await ana.open("Ana", game="president", bots=["easy", "easy"], bots_delay=0))["code"]
        desks = {"Ana": await ana.sit(code), "Bob": await bob.sit(code, "Bob")}
        await desks["Ana"].do("start")
        await play(desks, lambda update: update["room"]["phase"] == "playing" and update["seq"] > 25)
        nodes = [live.app.site.registry.loaded_rooms()[0] for live in (here, there)]
        room, log = nodes[0].id, here.app.site.store.log

        async def seq() -> int:
            """Return the number of the newest entry, once both nodes and all pages know it."""
            async with asyncio.timeout(20):
                while len({desk.update["seq"] for desk in desks.values()} | {each.room.seq for each in nodes}) > 1:
                    await asyncio.sleep(0.01)
            return nodes[0].room.seq

        async def switch(other: str, rewinds: int) -> None:
            await asyncio.to_thread(postgres_server.swap_databases, postgres_url, other)
            for desk in desks.values():
                await desk.until(lambda update: update["room"]["rewinds"] == rewinds)

        copied_at = await seq()
        other = await asyncio.to_thread(postgres_server.copy_database, postgres_url)
        await play(desks, lambda update: update["seq"] >= copied_at + (80 if longer else 3))
        last = await seq()
        entries_of_a = await log.read(room, 0)
        await switch(other, 1)
        await play(desks, lambda update: update["seq"] > (copied_at + 6 if longer else last + 3))
        assert (await seq() < last) == longer

        await switch(other, 2)
        await seq()
        entries = await log.read(room, 0)
        assert entries[: len(entries_of_a)] == entries_of_a
        assert [each.kind for each in entries].count("rewound") == 1
        before = hands(desks["Ana"].update)
        await play(desks, lambda update: hands(update) > before and {*update["table"]["to_act"]} & {*desks})
        await seq()
        loaded = await log.load_confirmed(room)
        assert loaded is not None
        assert loaded.snapshot is not None
        assert loaded.snapshot[0] > len(entries_of_a)
        assert [each.room for each in nodes] == [load_room(loaded)] * 2
    found: list[str] = []
    check_database(postgres_url, lambda finding: found.append(str(finding)))
    assert found == []


def _age(update: Seen) -> tuple[int, int]:
    return update["room"]["rewinds"], update["seq"]


def _joined(log: Any) -> int:
    return int(next(each.seq for each in log if each.kind == "joined" and each.data["name"] == "Bob"))
