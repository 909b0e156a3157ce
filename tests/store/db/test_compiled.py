"""Test compiled statements run by the driver: values are unchanged, and many rows need few statements."""

from datetime import timedelta, timezone
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa

from app.store.db.bulk_insert import BulkInsert
from app.store.db.compiled import StatementExecutor
from app.store.db.database import Database
from app.store.db.errors import is_dbapi_error
from app.store.db.schema import matches, ratings, rooms
from app.store.db.transactions import dialect_insert, statement_executor
from app.store.db.types import BadText
from tests.store.samples import T0

_OF = sa.select(ratings.c.person_id, ratings.c.mu, ratings.c.hands).where(ratings.c.person_id == sa.bindparam("of"))
_MATCH = sa.select(matches.c.id, matches.c.started_at, matches.c.players).where(matches.c.id == sa.bindparam("of"))
_HANDS = sa.select(ratings.c.person_id, ratings.c.hands).order_by(ratings.c.hands)
_NEW_MATCH = matches.insert()


async def test_values_written_through_the_driver_are_read_back_unchanged(database: Database) -> None:
    there = T0.astimezone(timezone(timedelta(hours=5)))
    room = {"id": "r1", "created_at": there, "active_at": there}
    match = {column.name: None for column in matches.columns}
    match |= {
        "id": "m1",
        "room_id": "r1",
        "game": "president",
        "options": {},
        "players": ["Ana ♠"],
        "started_at": there,
    }

    def work(connection: sa.Connection) -> None:
        connection.execute(rooms.insert(), room)
        by_hand = statement_executor(connection)
        by_hand.execute(_NEW_MATCH, match)
        by_hand.insert_rows(ratings, [("ana", "president", 25.5, 8.25, 3, 7)])
        assert tuple(by_hand.fetch_one_or_none(_OF, {"of": "ana"})) == ("ana", 25.5, 3)
        assert by_hand.fetch_one_or_none(_OF, {"of": "nobody"}) is None
        found = by_hand.fetch_one_or_none(_MATCH, {"of": "m1"})
        assert (found.started_at, found.started_at.utcoffset()) == (T0, timedelta(0))
        assert found.players == ["Ana ♠"]

    await database.write(work)


@pytest.mark.parametrize("rows", [1, 31, 32, 33, 70])
async def test_many_rows_are_inserted_in_few_statements(database: Database, rows: int) -> None:
    made = [(f"person {n}", "president", 25.0, 8.0, n + 1, 0) for n in range(rows)]
    insert = dialect_insert(database.dialect, ratings)
    more = {"hands": ratings.c.hands + insert.excluded.hands}
    adding = insert.on_conflict_do_update(index_elements=["person_id", "game"], set_=more)
    statements = list(BulkInsert(adding, database.statement_cache.dialect).power_of_two_statements(made))
    assert len(statements) == rows // 32 + (rows % 32).bit_count()

    def work(connection: sa.Connection) -> list[tuple[str, int]]:
        by_hand = statement_executor(connection)
        by_hand.insert_rows(adding, made)
        by_hand.insert_rows(adding, made)  # adds to the existing rows
        return [tuple(row) for row in by_hand.fetch_all(_HANDS, {})]

    assert await database.write(work) == [(person, 2 * n) for person, _, _, _, n, _ in made]


async def test_a_failed_attempt_is_undone_alone(database: Database) -> None:
    def add(by_hand: StatementExecutor, names: list[str]) -> None:
        for name in names:
            by_hand.insert_rows(ratings, [(name, "president", 25.0, 8.0, 0, 0)])

    def work(connection: sa.Connection) -> list[Any]:
        by_hand = statement_executor(connection)
        tried = [by_hand.attempt(partial(add, names=names)) for names in (["ana"], ["bob", "ana"], ["bob", "a\0"])]
        by_hand.attempt(partial(add, names=["cat"]))
        return [*tried, by_hand.fetch_one_or_none(_OF, {"of": "bob"})]

    done, refused, bad, bob = await database.write(work)
    assert (done, bob) == (None, None)
    assert is_dbapi_error(refused, "IntegrityError")
    assert isinstance(bad, BadText)
    query = sa.select(ratings.c.person_id).order_by(ratings.c.person_id)
    assert await database.read(lambda connection: [*connection.execute(query).scalars()]) == ["ana", "cat"]
