"""Test that small writes are batched, and that cached queries go straight to the driver."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from app.store.db import people_batch
from app.store.db.database import Database
from app.store.db.errors import is_dbapi_error
from app.store.db.types import BadText
from app.store.event_log.event_log import EventLog
from app.store.repositories.people import People
from tests.store.samples import T0, address, at, entry


@pytest.fixture
async def room(database: Database) -> AsyncIterator[str]:
    log = EventLog(database)
    await log.create("KQ7F3M", address("KQ7F3M"), [entry()])
    yield "KQ7F3M"
    await log.close()


async def test_a_hundred_people_are_created_in_one_batch(
    database: Database, room: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    people, poured, execute = People(database), list[int](), people_batch._execute_batch

    def counted(writes: Sequence[Any], engine: sa.Engine) -> Sequence[Any]:
        poured.append(len(writes))
        return execute(writes, engine)

    monkeypatch.setattr(people_batch, "_execute_batch", counted)
    came = await asyncio.gather(*(people.create(T0, f"p{n}", room=room) for n in range(100)))
    assert poured == [100]
    found = [await people.find_by_token(token, T0) for _, token in came]
    assert found == [known for known, _ in came]
    assert all([await people.has_visited(known.person.id, room) for known, _ in came])


async def test_one_failing_write_does_not_affect_others_in_its_batch(database: Database, room: str) -> None:
    people = People(database)
    (ana, _), (bob, _) = [await people.create(T0, name) for name in ("Ana", "Bob")]
    came = await asyncio.gather(
        people.record_visit(ana.person.id, room, T0),
        people.record_visit(bob.person.id, "no room", T0),
        people.create(T0, "Cat", room="no room"),
        people.rename(bob.person, "Robert"),
        people.create(T0, "D\0"),
        return_exceptions=True,
    )
    assert all(is_dbapi_error(each, "IntegrityError") for each in came[1:3])
    assert isinstance(came[4], BadText)
    assert came[0] is None
    assert came[3] == replace(bob.person, name="Robert")
    assert await people.has_visited(ana.person.id, room)
    assert await people.rename(ana.person, "Anna") == replace(ana.person, name="Anna")
    assert await people.rename(replace(ana.person, id="nobody"), "Anna") is None
    renamed = await people.find_by_id(bob.person.id)
    assert renamed is not None
    assert renamed.name == "Robert"
    query = sa.text("SELECT count(*) FROM people")
    assert await database.read(lambda connection: connection.execute(query).scalar_one()) == 2


async def test_repeating_a_create_does_not_duplicate_the_person(database: Database, room: str) -> None:
    """When a connection breaks, the fate of a commit is unknown, so the whole batch is repeated."""
    people = People(database)
    again = people_batch.WriteBatcher(database, people._new_person)
    known, token = await people.create(T0, "Ana", room=room)
    row = {"id": known.person.id, "name": "Other", "created_at": at(9), "last_seen_at": at(9)}
    row |= dict.fromkeys(("avatar", "colour", "language", "deleted_at"))
    await again.execute((people._new_person, row))
    assert await people.find_by_token(token, T0) == known


@pytest.mark.parametrize("dialect", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True)
async def test_reads_and_small_writes_survive_lost_connections(database: Database, room: str) -> None:
    people = People(database)
    known, token = await people.create(T0, "Ana")
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = "
    for n in range(3):
        await database.read(lambda connection: connection.exec_driver_sql(others + "current_database()").all())
        await people.record_visit(known.person.id, room, at(n))
        await database.write(lambda connection: connection.exec_driver_sql(others + "current_database()").all())
        found = await people.find_by_token(token, T0)
        assert found == known
