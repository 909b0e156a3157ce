"""Kill a migration some times in the middle of a batch, and compare the result with an undisturbed migration.

python -m tests.store.maintenance.killed_migrations [HANDS] [ROWS_PER_BATCH]

On both databases, with 100,000 generated hands by default. The migration is made for this proof: it rewrites all rows
of `counted_hand_players`, so that a batch that ran twice or never would show.
"""

import hashlib
import multiprocessing
import resource
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from unittest.mock import patch

import sqlalchemy as sa

from app import resources
from app.store.db.engines import make_engine, parse_url
from app.store.db.transactions import run_in_transaction
from app.store.maintenance import batches
from app.store.maintenance.backup_file import copy_sqlite_file
from app.store.maintenance.before_migration import BEFORE_UPGRADE
from app.store.maintenance.dump import dump_lines
from app.store.maintenance.migrations import Progress, migrate_database, newest_revision
from tests.postgres import Postgres
from tests.store.seeding import NAMES, seed

KILLS = 5
HANDS_OF_ROOM = 5000
MORE_MEMORY_MB = 16
"""A migration of ten times the hands may need this much more memory, for example for caches of the driver."""
REWRITING = """
from app.store.maintenance.batches import UpdateRows

revision = "rewriting"
down_revision = {before!r}
KEY = ("room_id", "room_hand_number", "player_key")
STEPS = (UpdateRows("counted_hand_players", KEY, "points = 3 * t.points + 1, name = t.name || t.points"),)


def upgrade():
    pass
"""
REWRITTEN = """
revision = "rewritten"
down_revision = "rewriting"


def upgrade():
    pass
"""


@dataclass(frozen=True)
class Run:
    """One process that migrated, or was killed."""

    seconds: float
    done_at_start: int
    """Rows that earlier processes had committed."""
    peak_mb: int = 0


def kill_migrations(
    url: str, folder: Path, *, hands: int, rows_per_batch: int, kills: int = KILLS, server: Postgres | None = None
) -> Run:
    """Fill an empty database with generated hands, migrate a copy undisturbed and one with kills, and compare.

    `folder` is for SQLite's copy and the migrations; `server` is that of a PostgreSQL database. Prints figures, and
    returns the undisturbed migration.
    """
    migrate_database(url)
    fill(url, hands)
    before = "" if server else digest(url)
    if server is None:
        undisturbed = f"sqlite:///{folder}/undisturbed.sqlite3"
        copy_sqlite_file(url, folder / "undisturbed.sqlite3")
    else:
        undisturbed = server.copy_database(url)
    with migrations_in(folder):
        whole = run_migration(undisturbed, folder, rows_per_batch)
        print(f"  undisturbed: {whole.seconds:.1f} s, at most {whole.peak_mb} MB of memory", flush=True)
        expected = digest(undisturbed)
        rows = hands * len(NAMES)
        before_kill = rows // rows_per_batch // (kills + 1)
        assert before_kill, "too few hands for all kills"
        for number in range(kills):
            killed = run_migration(url, folder, rows_per_batch, kill_after=before_kill)
            print(f"  killed after {killed.seconds:.1f} s, began at row {killed.done_at_start:,}", flush=True)
            assert killed.done_at_start == number * before_kill * rows_per_batch
        rest = run_migration(url, folder, rows_per_batch)
        print(f"  the rest: {rest.seconds:.1f} s, began at row {rest.done_at_start:,} of {rows:,}", flush=True)
        assert rest.done_at_start == kills * before_kill * rows_per_batch
        assert digest(url) == expected
    print("  all rows are equal", flush=True)
    if server is None:
        file = Path(parse_url(url).database or "")
        [copy] = file.parent.glob(f"{file.name}{BEFORE_UPGRADE}*")
        assert digest(f"sqlite:///{copy}") == before, "the copy is older than the first kill"
    return whole


def fill(url: str, hands: int) -> None:
    """Insert generated hands."""
    engine = make_engine(parse_url(url))
    rooms = -(-hands // HANDS_OF_ROOM)
    run_in_transaction(engine, lambda connection: seed(connection, rooms, hands // rooms))
    engine.dispose()


@contextmanager
def migrations_in(folder: Path) -> Iterator[None]:
    """Use the migrations of the program and the two of this proof, which `folder` gets, for the length of a block."""
    copy = folder / "migrations"
    if not copy.exists():
        before = newest_revision()
        shutil.copytree(resources.migrations_folder(), copy)
        (copy / "versions" / "rewriting.py").write_text(REWRITING.format(before=before))
        (copy / "versions" / "rewritten.py").write_text(REWRITTEN)
    with patch.object(resources, "migrations_folder", lambda: copy):
        yield


def run_migration(url: str, folder: Path, rows_per_batch: int, kill_after: int | None = None) -> Run:
    """Migrate in a process of its own. Kill it (SIGKILL) in the batch after `kill_after` others, before its commit."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    here, there = context.Pipe()
    process = context.Process(target=migrate_here, args=(url, folder, rows_per_batch, kill_after, there))
    began = time.perf_counter()
    process.start()
    there.close()
    try:
        done_at_start: int = here.recv()
        peak_mb: int = here.recv()
    finally:
        process.kill()
        process.join()
    return Run(time.perf_counter() - began, done_at_start, peak_mb)


def migrate_here(url: str, folder: Path, rows_per_batch: int, kill_after: int | None, there: Connection) -> None:
    """Migrate in this process, and send the rows done at the start, and at the end the greatest memory in MB.

    With `kill_after`, send a 0 in the batch after so many others, and wait there to be killed.
    """
    begun: list[Progress] = []
    changes = 0

    def report(progress: Progress) -> None:
        if not begun:
            begun.append(progress)
            there.send(progress.done_rows)

    def after_statement(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        nonlocal changes
        changes += statement.startswith("UPDATE counted_hand_players")
        if changes - 1 == kill_after:
            there.send(0)
            threading.Event().wait()

    sa.event.listen(sa.Engine, "after_cursor_execute", after_statement)
    with migrations_in(folder), patch.object(batches.run_next_batch, "__defaults__", (rows_per_batch,)):
        migrate_database(url, report=report)
    there.send(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000)


def digest(url: str) -> str:
    """Return a hash of all rows of a database, and on PostgreSQL of the old ones."""
    engine = make_engine(parse_url(url), readonly=True)
    found = hashlib.sha256()

    def read(connection: sa.Connection) -> None:
        for number, line in enumerate(dump_lines(connection, by_bytes=True)):
            if number:  # the first line has the time
                found.update(line.encode())
        if sa.inspect(connection).has_table("old_counted_hand_players"):
            old = sa.text("SELECT * FROM old_counted_hand_players ORDER BY room_id, room_hand_number, player_key")
            for row in connection.execution_options(yield_per=1000).execute(old):
                found.update(repr(row).encode())

    run_in_transaction(engine, read)
    engine.dispose()
    return found.hexdigest()


def main(hands: int = 100_000, rows_per_batch: int = batches.ROWS_PER_BATCH) -> None:
    """Run the proof on both databases, and compare the memory with that for a tenth of the hands."""
    with tempfile.TemporaryDirectory() as name, Postgres() as server:
        for kind in ("sqlite", "postgresql"):
            folder = Path(name) / kind
            folder.mkdir()
            urls = [
                f"sqlite:///{folder}/{part}.sqlite3" if kind == "sqlite" else server.create_database()
                for part in ("tenth", "whole")
            ]
            print(f"{kind}, {hands // 10:,} hands:", flush=True)
            migrate_database(urls[0])
            fill(urls[0], hands // 10)
            with migrations_in(folder):
                tenth = run_migration(urls[0], folder, rows_per_batch)
            print(f"  undisturbed: {tenth.seconds:.1f} s, at most {tenth.peak_mb} MB of memory", flush=True)
            print(f"{kind}, {hands:,} hands:", flush=True)
            postgres = server if kind == "postgresql" else None
            whole = kill_migrations(urls[1], folder, hands=hands, rows_per_batch=rows_per_batch, server=postgres)
            assert whole.peak_mb <= tenth.peak_mb + MORE_MEMORY_MB


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
