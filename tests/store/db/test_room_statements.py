"""No statement that a room's command causes touches two rooms: the statements of a played evening are read."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app.settings import Limits, Settings
from app.store.db.schema import metadata, table_group
from tests.upgrade.make import Evening
from tests.web.conftest import serving
from tests.web.visitors import visiting

ROOM_TABLES = {table.name for table in metadata.tables.values() if table_group(table) == "room"}
WRITES = ("INSERT", "UPDATE", "DELETE")


AT_START = "SELECT hands.match_id, min(hands.hand_number)"
"""A statement of the server, which looks for hands without an initial state when it starts."""


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """All statements of all connections, with their values."""
    said: list[str] = []

    def connected(connection: Any, _record: object) -> None:
        connection.set_trace_callback(said.append)

    sa.event.listen(sa.Engine, "connect", connected)
    yield said
    sa.event.remove(sa.Engine, "connect", connected)


async def test_each_statement_of_an_evening_is_bound_to_one_room(
    statements: list[str], migrated: Path, tmp_path: Path
) -> None:
    file = tmp_path / "rooms.sqlite3"
    file.write_bytes(migrated.read_bytes())
    limits = Limits(messages_per_second=1000, messages_at_once=1000)
    settings = Settings(database_url=f"sqlite:///{file}", limits=limits)
    async with serving(settings) as live, visiting(live.base) as come:
        statements.clear()  # of opening the database
        await Evening(come).play()
    with closing(sqlite3.connect(file)) as connection:
        ids = {room for (room,) in connection.execute("SELECT id FROM rooms")}
    assert len(ids) == 5
    written: set[str] = set()
    for text in statements:
        without_texts = re.sub(r"'(?:[^']|'')*'", "''", text)
        tables = ROOM_TABLES & set(re.findall(r"(?:FROM|INTO|UPDATE|JOIN) (\w+)", without_texts))
        if tables and not text.startswith(AT_START):
            written |= tables if text.startswith(WRITES) else set()
            problem = problem_of(text, ids)
            assert problem is None, f"{problem}: {text[:1000]}"
    never = {"chat_messages", "merged_players", "point_adjustments"}
    assert written == ROOM_TABLES - never, "the evening should touch every table that commands write to"


def problem_of(text: str, ids: set[str]) -> str | None:
    """Return what is wrong with a statement about rooms, or None."""
    named = [room for room in re.findall(r"'((?:[^']|'')*)'", text) if room in ids]
    rows = inserted_rows(text)
    if rows is not None:
        # One statement may have rows of several rooms: the database sends each row to its room's part.
        return None if all(row.split(",")[0].strip("('") in ids for row in rows) else "a row has no room"
    if len(set(named)) != 1:
        return f"it names {len(set(named))} rooms"
    if text.startswith("INSERT"):
        return None  # the room of the inserted row
    conditions = re.findall(r"(?:room_id|\brooms\.id) = '([^']*)'", text)
    return None if ids & set(conditions) else "it has no condition on the room"


def inserted_rows(text: str) -> list[str] | None:
    """Return the rows of an INSERT with VALUES, each as text, or None for another statement."""
    match = re.match(r"INSERT INTO \w+ \((\w+)[^)]*\) VALUES ", text)
    if match is None:
        return None
    assert match[1] in ("room_id", "id"), f"the room is not the first column: {text[:200]}"
    without_texts, rows, depth, start = text[match.end() :], [], 0, 0
    quoted = False
    for place, char in enumerate(without_texts):
        if char == "'":
            quoted = not quoted
        elif not quoted and char == "(":
            depth += 1
            start = place if depth == 1 else start
        elif not quoted and char == ")":
            depth -= 1
            if depth == 0:
                rows.append(without_texts[start : place + 1])
        elif not quoted and depth == 0 and char.isalpha():
            break  # ON CONFLICT
    return rows
