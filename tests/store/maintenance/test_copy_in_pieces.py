"""A migration copies large tables in pieces: it can be stopped at any piece, and the result is the same.

The migration is made for these tests: two revisions behind the newest one, which copy a table under another key.
"""

import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from app import resources
from app.cli import main
from app.store.db.engines import make_engine, parse_url
from app.store.db.errors import BadUrl
from app.store.db.transactions import run_in_transaction
from app.store.maintenance import backup, copy_in_pieces
from app.store.maintenance.migrations import (
    MigrationStopped,
    Progress,
    current_revision,
    migrate_database,
    newest_revision,
)

ROOT = Path(__file__).parents[3]
BEFORE = newest_revision()
COPYING = """
import sqlalchemy as sa
from alembic import op

from app.store.maintenance.copy_in_pieces import PROGRESS, Copy

revision, down_revision, branch_labels, depends_on = "copying", {before!r}, None, None
COPIES = (
    Copy("rooms", "keys_new", ("id",), "id, n", "t.id, 1 FROM rooms AS t"),
    Copy("letters", "letters_new", ("room", "n"), "n, room, text", "t.n, t.room, t.text FROM letters AS t"),
)


def upgrade():
    op.create_table("keys_new", sa.Column("id", sa.Text, primary_key=True), sa.Column("n", sa.Integer))
    op.create_table(
        "letters_new",
        *(sa.Column("n", sa.Integer, primary_key=True), sa.Column("room", sa.Text, primary_key=True)),
        sa.Column("text", sa.Text),
    )
    op.create_table(
        PROGRESS,
        *(sa.Column("name", sa.Text, primary_key=True), sa.Column("last_key", sa.Text)),
        *(sa.Column("copied_rows", sa.Integer), sa.Column("is_finished", sa.Boolean)),
    )
"""
COPIED = """
from alembic import op
from alembic.script import ScriptDirectory

from app.store.maintenance.copy_in_pieces import PROGRESS, copy_all

revision, down_revision, branch_labels, depends_on = "copied", "copying", None, None


def upgrade():
    script = ScriptDirectory.from_config(op.get_context().config)
    copy_all(op.get_bind(), script.get_revision("copying").module.COPIES)
    for table in ("keys_new", "letters", PROGRESS):
        op.drop_table(table)
    op.rename_table("letters_new", "letters")
"""
LETTERS = [(room, n, f"{room} {n}") for room in ("A", "B") for n in range(9)]


def look(url: str, work: Callable[[sa.Connection], Any]) -> Any:
    engine = make_engine(parse_url(url))
    try:
        return run_in_transaction(engine, work)
    finally:
        engine.dispose()


@pytest.fixture
def filled_url(empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the URL of a database before the migration of these tests."""
    migrate_database(empty_url)
    folder = tmp_path / "migrations"
    shutil.copytree(resources.migrations_folder(), folder)
    (folder / "versions" / "copying.py").write_text(COPYING.format(before=BEFORE))
    (folder / "versions" / "copied.py").write_text(COPIED)
    monkeypatch.setattr(resources, "migrations_folder", lambda: folder)

    def fill(connection: sa.Connection) -> None:
        connection.execute(sa.text("CREATE TABLE letters (room TEXT, n INTEGER, text TEXT, PRIMARY KEY (room, n))"))
        insert = sa.text("INSERT INTO letters VALUES (:room, :n, :text)")
        connection.execute(insert, [dict(zip(("room", "n", "text"), row, strict=True)) for row in LETTERS])

    look(empty_url, fill)
    return empty_url


def letters(url: str) -> list[tuple[str, int, str]]:
    query = sa.text("SELECT room, n, text FROM letters ORDER BY room, n")
    assert look(url, current_revision) == "copied"
    return look(url, lambda connection: [tuple(row) for row in connection.execute(query)])


def test_all_rows_are_the_same_after_the_migration(filled_url: str) -> None:
    migrate_database(filled_url)
    assert letters(filled_url) == LETTERS


def test_a_migration_stops_between_two_batches_and_reports_all_rows(
    filled_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copy_in_pieces.copy_next_piece, "__defaults__", (5,))
    reports: list[Progress] = []
    stop = threading.Event()

    def report(progress: Progress) -> None:
        reports.append(progress)
        if progress.done_rows == 10:
            stop.set()

    with pytest.raises(MigrationStopped):
        migrate_database(filled_url, report=report, stop=stop)
    stop.clear()
    migrate_database(filled_url, report=reports.append, stop=stop)
    # no rooms, and 18 letters; the second run begins with those that the first one has copied
    assert [progress.done_rows for progress in reports] == [0, 0, 5, 10, 10, 15, 18]
    assert {progress.total_rows for progress in reports} == {18}
    assert letters(filled_url) == LETTERS


LONG = """
from alembic import op

revision, down_revision, branch_labels, depends_on = "long", "copied", None, None
QUERIES = {
    "sqlite": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n",
    "postgresql": "SELECT pg_sleep(60)",
}


def upgrade():
    op.execute("DELETE FROM letters")
    op.execute(QUERIES[op.get_bind().dialect.name])
"""


def test_a_single_long_statement_is_cancelled_and_rolled_back(filled_url: str, tmp_path: Path) -> None:
    migrate_database(filled_url, "copied")
    (tmp_path / "migrations" / "versions" / "long.py").write_text(LONG)
    stop = threading.Event()
    is_long = re.compile(r"WITH RECURSIVE|SELECT pg_sleep").match

    def before_statement(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if is_long(statement):
            stop.set()

    sa.event.listen(sa.Engine, "before_cursor_execute", before_statement)
    try:
        with pytest.raises(MigrationStopped):
            migrate_database(filled_url, stop=stop)
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", before_statement)
    assert letters(filled_url) == LETTERS


class Stopped(Exception):
    """Somebody stops the migration."""


def test_a_stopped_migration_continues_where_it_stopped(
    filled_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[str] = []
    copy_next_piece = copy_in_pieces.copy_next_piece

    def copy_two_rows(connection: sa.Connection, copy: copy_in_pieces.Copy) -> tuple[int, bool]:
        done = copy_next_piece(connection, copy, 2)
        copied.append(copy.name)
        if len(copied) % 3 == 0:
            raise Stopped  # before the commit: this piece is lost
        return done

    monkeypatch.setattr(copy_in_pieces, "copy_next_piece", copy_two_rows)
    stops = 0
    while True:
        try:
            migrate_database(filled_url)
            break
        except Stopped:
            stops += 1
            assert look(filled_url, current_revision) == "copying"
            with pytest.raises(BadUrl, match="it is at copying, not at copied: migrate it first"):
                backup.dump_tables(filled_url, tmp_path / "dump.jsonl")
    assert stops > 3
    assert letters(filled_url) == LETTERS


DIES = """
import os, signal, sys
from pathlib import Path
import sqlalchemy as sa
from app import resources
from app.store.maintenance import copy_in_pieces
from app.store.maintenance.migrations import migrate_database

resources.migrations_folder = lambda: Path(sys.argv[2])
copy_in_pieces.copy_next_piece.__defaults__ = (1,)
pieces = 0

def die(connection, cursor, statement, *rest):
    global pieces
    pieces += statement.startswith("INSERT INTO letters_new")
    if pieces == 2:
        os.kill(os.getpid(), signal.SIGKILL)

sa.event.listen(sa.Engine, "after_cursor_execute", die)
migrate_database(sys.argv[1])
"""


def test_a_killed_migration_continues_where_it_stopped(filled_url: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", DIES, filled_url, tmp_path / "migrations"]
    died = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    assert look(filled_url, current_revision) == "copying"
    progress = sa.text("SELECT copied_rows, is_finished FROM migration_progress WHERE name = 'letters to letters_new'")
    assert tuple(look(filled_url, lambda connection: connection.execute(progress).one())) == (1, False)
    migrate_database(filled_url)
    assert letters(filled_url) == LETTERS


def test_the_command_prints_the_progress(filled_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copy_in_pieces.copy_next_piece, "__defaults__", (6,))
    ran = CliRunner().invoke(main, ["migrate", "--database", filled_url])
    assert ran.exit_code == 0, ran.output
    assert "\n6 of 18 rows\n12 of 18 rows\n18 of 18 rows\n" in ran.output
    assert ran.output.endswith("The database is at copied.\n")
