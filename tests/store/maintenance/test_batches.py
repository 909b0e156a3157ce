"""A migration changes many rows in batches: it can be stopped at any batch, and the result is the same.

The migration is made for these tests: two revisions behind the newest one, which copy, change and delete rows.
"""

import re
import shutil
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
from app.store.maintenance import backup, batches
from app.store.maintenance.migrations import (
    MigrationStopped,
    Progress,
    current_revision,
    migrate_database,
    newest_revision,
)
from tests.store.maintenance.killed_migrations import kill_migrations

BEFORE = newest_revision()
CHANGING = """
import sqlalchemy as sa
from alembic import op

from app.store.maintenance.batches import Copy, Delete, UpdateRows

revision = "changing"
down_revision = {before!r}
STEPS = (
    Copy("rooms", "keys_new", ("id",), "id, n", "t.id, 1 FROM rooms AS t"),
    Copy("letters", "letters_new", ("room", "n"), "n, room, text", "t.n, t.room, t.text FROM letters AS t"),
    UpdateRows("pages", ("n",), "size = 2 * t.size + 1"),
    UpdateRows("pages", ("n",), "half = t.size / 2", keep_old_rows=False),
    Delete("pages", ("n",), "t.n % 3 = 0"),
)


def upgrade():
    op.create_table("keys_new", sa.Column("id", sa.Text, primary_key=True), sa.Column("n", sa.Integer))
    op.create_table(
        "letters_new",
        *(sa.Column("n", sa.Integer, primary_key=True), sa.Column("room", sa.Text, primary_key=True)),
        sa.Column("text", sa.Text),
    )
    op.add_column("pages", sa.Column("half", sa.Integer))
"""
CHANGED = """
from alembic import op

from app.store.maintenance.batches import drop_table

revision = "changed"
down_revision = "changing"


def upgrade():
    op.drop_table("keys_new")
    drop_table(op.get_bind(), "letters")
    op.rename_table("letters_new", "letters")
    op.create_index("letters_n", "letters", ["n"])
"""
NEXT = """
revision = "next"
down_revision = "changed"


def upgrade():
    pass
"""
LETTERS = [(room, n, f"{room} {n}") for room in ("A", "B") for n in range(9)]
PAGES = [(n, 100 * n) for n in range(7)]
CHANGED_PAGES = [(n, 200 * n + 1, 100 * n) for n in range(7) if n % 3]
ROWS = len(LETTERS) + 3 * len(PAGES)


def look(url: str, work: Callable[[sa.Connection], Any]) -> Any:
    engine = make_engine(parse_url(url))
    try:
        return run_in_transaction(engine, work)
    finally:
        engine.dispose()


@pytest.fixture
def filled_url(empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the URL of a database before the migration of these tests."""
    return make_database(empty_url, tmp_path, monkeypatch)


def make_database(empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Fill an empty database, let the program have the migration of these tests, and return the URL."""
    migrate_database(empty_url)
    folder = tmp_path / "migrations"
    shutil.copytree(resources.migrations_folder(), folder)
    (folder / "versions" / "changing.py").write_text(CHANGING.format(before=BEFORE))
    (folder / "versions" / "changed.py").write_text(CHANGED)
    monkeypatch.setattr(resources, "migrations_folder", lambda: folder)

    def fill(connection: sa.Connection) -> None:
        for made in (
            "CREATE TABLE letters (room TEXT, n INTEGER, text TEXT, PRIMARY KEY (room, n))",
            "CREATE INDEX letters_n ON letters (n)",
            "CREATE TABLE pages (n INTEGER PRIMARY KEY, size INTEGER)",
        ):
            connection.execute(sa.text(made))
        insert = sa.text("INSERT INTO letters VALUES (:room, :n, :text)")
        connection.execute(insert, [dict(zip(("room", "n", "text"), row, strict=True)) for row in LETTERS])
        insert = sa.text("INSERT INTO pages VALUES (:n, :size)")
        connection.execute(insert, [dict(zip(("n", "size"), row, strict=True)) for row in PAGES])

    look(empty_url, fill)
    return empty_url


def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    return look(url, lambda connection: [tuple(row) for row in connection.execute(sa.text(query))])


def assert_changed(url: str) -> None:
    """Check all rows after the migration, and on PostgreSQL those of before."""
    assert look(url, current_revision) == "changed"
    assert rows(url, "SELECT room, n, text FROM letters ORDER BY room, n") == LETTERS
    assert rows(url, "SELECT n, size, half FROM pages ORDER BY n") == CHANGED_PAGES
    tables = look(url, lambda connection: sa.inspect(connection).get_table_names())
    assert "migration_progress" not in tables
    if url.startswith("sqlite"):
        assert not [table for table in tables if table.startswith("old_")]
        return
    assert rows(url, "SELECT room, n, text FROM old_letters ORDER BY room, n") == LETTERS
    deleted = [(n, 200 * n + 1) for n in range(7) if n % 3 == 0]
    assert rows(url, "SELECT n, size FROM old_pages ORDER BY n, size") == sorted([*PAGES, *deleted])


def test_a_migration_stops_between_two_batches_and_reports_all_rows(
    filled_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches.run_next_batch, "__defaults__", (5,))
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
    # no rooms, 18 letters, and 7 pages in each of three steps; the second run begins with the rows of the first one
    assert [progress.done_rows for progress in reports] == [0, 0, 5, 10, 10, 15, 18, 23, 25, 30, 32, 37, 39]
    assert {progress.total_rows for progress in reports} == {ROWS}
    assert_changed(filled_url)


LONG = """
from alembic import op

revision = "long"
down_revision = "changed"
QUERIES = {
    "sqlite": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n",
    "postgresql": "SELECT pg_sleep(60)",
}


def upgrade():
    op.execute("DELETE FROM letters")
    op.execute(QUERIES[op.get_bind().dialect.name])
"""


def test_a_single_long_statement_is_cancelled_and_rolled_back(filled_url: str, tmp_path: Path) -> None:
    migrate_database(filled_url, "changed")
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
    assert look(filled_url, current_revision) == "changed"
    assert rows(filled_url, "SELECT room, n, text FROM letters ORDER BY room, n") == LETTERS


class Stopped(Exception):
    """Somebody stops the migration."""


def test_a_stopped_migration_continues_where_it_stopped(
    filled_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []
    run_next_batch = batches.run_next_batch

    def change_four_rows(connection: sa.Connection, step: batches.Step) -> tuple[int, bool]:
        done = run_next_batch(connection, step, 4)
        ran.append(step.name)
        if len(ran) % 3 == 0:
            raise Stopped  # before the commit: this batch is lost
        return done

    monkeypatch.setattr(batches, "run_next_batch", change_four_rows)
    stops = 0
    while True:
        try:
            migrate_database(filled_url)
            break
        except Stopped:
            stops += 1
            assert look(filled_url, current_revision) == "changing"
            with pytest.raises(BadUrl, match="it is at changing, not at changed: migrate it first"):
                backup.dump_tables(filled_url, tmp_path / "dump.jsonl")
    assert stops > 3
    assert_changed(filled_url)


def test_a_migration_killed_twice_equals_an_undisturbed_one(
    empty_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    server = None if empty_url.startswith("sqlite") else request.getfixturevalue("postgres_server")
    kill_migrations(empty_url, tmp_path, hands=30, rows_per_batch=20, kills=2, server=server)


def test_steps_also_run_after_a_migration_that_ended_before_them(filled_url: str) -> None:
    migrate_database(filled_url, "changing")
    migrate_database(filled_url)
    assert_changed(filled_url)


@pytest.mark.postgres
def test_the_next_upgrade_drops_the_rows_of_before_the_last_one(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = make_database(postgres_url, tmp_path, monkeypatch)
    migrate_database(url)
    look(url, lambda connection: connection.execute(sa.text("CREATE TABLE old_customers (id INTEGER)")))
    (tmp_path / "migrations" / "versions" / "next.py").write_text(NEXT)
    migrate_database(url)
    tables = look(url, lambda connection: sa.inspect(connection).get_table_names())
    assert [table for table in tables if table.startswith("old_")] == ["old_customers"]


def test_the_command_prints_the_progress(filled_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches.run_next_batch, "__defaults__", (6,))
    ran = CliRunner().invoke(main, ["migrate", "--database", filled_url])
    assert ran.exit_code == 0, ran.output
    assert "\n6 of 39 rows\n12 of 39 rows\n18 of 39 rows\n" in ran.output
    assert ran.output.endswith("The database is at changed.\n")
