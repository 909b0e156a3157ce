"""A migration copies large tables in pieces: it can be stopped at any piece, and the result is the same."""

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from app.cli import main
from app.store.db.database import Database
from app.store.db.engines import make_engine, parse_url
from app.store.db.errors import BadUrl
from app.store.db.transactions import run_in_transaction
from app.store.maintenance import backup, copy_in_pieces
from app.store.maintenance.migrations import current_revision, migrate_database, newest_revision
from tests.store.former_schema import all_rows, insert_former_rows
from tests.store.maintenance.test_backup import everything, fill

ROOT = Path(__file__).parents[3]
BEFORE = "planned_deletions"
"""The last revision with the former names."""
COPYING = "schema_copy"
"""The revision of a database whose tables are being copied."""


def look(url: str, work: Callable[[sa.Connection], Any]) -> Any:
    engine = make_engine(parse_url(url))
    try:
        return run_in_transaction(engine, work)
    finally:
        engine.dispose()


async def former_database(url: str, tmp_path: Path) -> dict[str, list[Any]]:
    """Make a database with the former names and rows in every table; return the rows as they should be afterwards."""
    filled = f"sqlite:///{tmp_path}/filled.sqlite3"
    migrate_database(filled)
    database = Database(filled)
    await fill(database)
    expected = {name: sorted(rows, key=repr) for name, rows in (await everything(database)).items()}
    await database.close()
    dump = tmp_path / "filled.jsonl"
    backup.dump_tables(filled, dump)
    # The way over a dump turns the values into those of the other database.
    migrate_database(url)
    backup.restore_backup(url, dump)
    rows = look(url, all_rows)
    look(url, drop_all)
    migrate_database(url, BEFORE)
    look(url, lambda connection: insert_former_rows(connection, rows))
    return expected | {"planned_deletions": []}


def drop_all(connection: sa.Connection) -> None:
    found = sa.MetaData()
    found.reflect(connection)
    found.drop_all(connection)


async def rows_of(url: str) -> dict[str, list[Any]]:
    database = Database(url)
    found = {name: sorted(rows, key=repr) for name, rows in (await everything(database)).items()}
    await database.close()
    return found


async def test_all_rows_are_the_same_after_the_migration(empty_url: str, tmp_path: Path) -> None:
    expected = await former_database(empty_url, tmp_path)
    migrate_database(empty_url)
    assert await rows_of(empty_url) == expected


class Stopped(Exception):
    """Somebody stops the migration."""


async def test_a_stopped_migration_continues_where_it_stopped(
    empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = await former_database(empty_url, tmp_path)
    copied: list[str] = []
    copy_next_piece = copy_in_pieces.copy_next_piece

    def copy_two_rows(connection: sa.Connection, copy: copy_in_pieces.Copy) -> tuple[int, bool]:
        done = copy_next_piece(connection, copy, 2)
        copied.append(copy.name)
        if len(copied) % 5 == 0:
            raise Stopped  # before the commit: this piece is lost
        return done

    monkeypatch.setattr(copy_in_pieces, "copy_next_piece", copy_two_rows)
    stops = 0
    while True:
        try:
            migrate_database(empty_url)
            break
        except Stopped:
            stops += 1
            assert look(empty_url, current_revision) == COPYING
            with pytest.raises(BadUrl, match=f"it is at {COPYING}, not at {newest_revision()}: migrate it first"):
                backup.dump_tables(empty_url, tmp_path / "dump.jsonl")
    assert stops > 3
    assert await rows_of(empty_url) == expected


DIES = """
import os, signal, sys
import sqlalchemy as sa
from app.store.maintenance import copy_in_pieces
from app.store.maintenance.migrations import migrate_database

copy_in_pieces.copy_next_piece.__defaults__ = (1,)
pieces = 0

def die(connection, cursor, statement, *rest):
    global pieces
    pieces += statement.startswith("INSERT INTO hands_new")
    if pieces == 2:
        os.kill(os.getpid(), signal.SIGKILL)

sa.event.listen(sa.Engine, "after_cursor_execute", die)
migrate_database(sys.argv[1])
"""


async def test_a_killed_migration_continues_where_it_stopped(empty_url: str, tmp_path: Path) -> None:
    expected = await former_database(empty_url, tmp_path)
    died = subprocess.run([sys.executable, "-c", DIES, empty_url], cwd=ROOT, capture_output=True, check=False)
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    assert look(empty_url, current_revision) == COPYING
    progress = sa.text("SELECT copied_rows, is_finished FROM migration_progress WHERE name = 'hands to hands_new'")
    assert tuple(look(empty_url, lambda connection: connection.execute(progress).one())) == (1, False)
    migrate_database(empty_url)
    assert await rows_of(empty_url) == expected


async def test_the_command_prints_the_progress(empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await former_database(empty_url, tmp_path)
    monkeypatch.setattr(copy_in_pieces, "ROWS_PER_PIECE", 1)
    monkeypatch.setattr(copy_in_pieces.copy_next_piece, "__defaults__", (1,))
    ran = CliRunner().invoke(main, ["migrate", "--database", empty_url])
    assert ran.exit_code == 0, ran.output
    assert "hands: 1 of 2 rows\nhands: 2 of 2 rows\n" in ran.output
    assert ran.output.endswith(f"The database is at {newest_revision()}.\n")
