"""Test a failover to a replica without the last entries, under a room with two nodes."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
import sqlalchemy as sa

from app.store.db.database import Database
from app.store.db.schema import metadata, room_events, room_snapshots
from tests.web.conftest import two_nodes
from tests.web.visitors import visiting

Seen = dict[str, Any]
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

        async def play(until: Callable[[Seen], object]) -> None:
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

        def entry(kind: str) -> int:
            return max(each.seq for each in log if each.kind == kind)

        if when == "in play":
            await play(lambda update: hands(update) == 1 and update["room"]["phase"] == "playing")
            await play(lambda update: (update["table"] or {}).get("phase") == "play")
            await play(lambda update, seq=runner.room.seq: update["seq"] > seq + 6)
        elif when == "in the exchange":
            await play(lambda update: (update["table"] or {}).get("phase") == "exchange")
            async with asyncio.timeout(120):  # one player has given, and the other has not
                while not (giving := [each for each in desks.values() if each.update["you"].get("legal")]):
                    await asyncio.sleep(0.01)
            await giving[0].do("act", action=giving[0].update["you"]["legal"][0])
            await desks["Ana"].until(lambda update: update["seq"] >= runner.room.seq)
            assert desks["Ana"].update["table"]["phase"] == "exchange"
        else:
            await play(lambda update: hands(update) == 1 and update["room"]["phase"] == "playing")
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
        await play(lambda update: hands(update) > before and "Bob" in update["room"]["hands"][-1]["ledger"])
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


def _age(update: Seen) -> tuple[int, int]:
    return update["room"]["rewinds"], update["seq"]


def _joined(log: Any) -> int:
    return int(next(each.seq for each in log if each.kind == "joined" and each.data["name"] == "Bob"))
