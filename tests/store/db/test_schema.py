"""Keys and foreign keys keep every row of a room, or of a person, in one part of a partitioned database."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from app.store.db.schema import metadata, table_group
from app.store.db.types import UtcTime
from tests.for_each import for_each

OWNER = {"room": "room_id", "person": "person_id"}
ROOTS = {"room": "rooms", "person": "people"}
"""The tables whose own id is the id of the room or person."""
TABLES = list(metadata.tables.values())


def owned_tables() -> list[sa.Table]:
    return [table for table in TABLES if table_group(table) in OWNER and table.name not in ROOTS.values()]


@for_each("table", owned_tables())
def test_keys_and_unique_indexes_begin_with_the_room_or_the_person(table: sa.Table) -> None:
    owner = OWNER[table_group(table)]
    unique = [index.columns for index in table.indexes if index.unique]
    unique += [each.columns for each in table.constraints if isinstance(each, sa.UniqueConstraint)]
    for columns in (table.primary_key.columns, *unique):
        assert next(iter(columns)).name == owner


@for_each("table", TABLES)
def test_no_foreign_key_leads_from_one_room_or_person_to_another(table: sa.Table) -> None:
    for key in table.foreign_key_constraints:
        [target] = {element.column.table for element in key.elements}
        pairs = {element.parent.name: element.column.name for element in key.elements}
        group = table_group(target)
        if target.name == "rooms":
            assert table_group(table) == "room", "only tables of rooms refer to rooms"
            assert pairs == {"room_id": "id"}
        elif target.name == "people":
            assert pairs == {"person_id": "id"}
        elif group in OWNER:
            assert group == table_group(table)
            assert pairs.get(OWNER[group]) == OWNER[group]
        else:
            assert pairs == {"device_id": "id"}, "a small table that every machine has"


def test_directories_hold_little_and_refer_to_no_room() -> None:
    directories = [table for table in TABLES if table_group(table) == "directory"]
    assert {table.name for table in directories} == {
        *("room_codes", "match_directory", "stats_links", "devices", "device_links")
    }
    for table in directories:
        assert len(table.primary_key.columns) == 1
        assert not any(isinstance(column.type, sa.JSON) for column in table.columns)


def test_no_name_is_a_keyword_of_a_database() -> None:
    # SQLAlchemy's list for SQLite has words, such as `plan`, that need no quotes there.
    keywords = postgresql.dialect.preparer.reserved_words | sqlite.dialect.preparer.reserved_words - {"plan"}
    names = {column.name for table in TABLES for column in table.columns} | {table.name for table in TABLES}
    assert names & keywords == set()


def test_references_have_the_same_names_everywhere() -> None:
    names = {column.name for table in TABLES for column in table.columns}
    assert names & {"room", "person", "match", "device", "player"} == set()
    for table in TABLES:
        for column in table.columns:
            if column.name.endswith("_at"):
                assert isinstance(column.type, UtcTime), f"{column} is a time"
