"""Simulate power failures of PostgreSQL during play, like `python -m tools soak --cuts`, with a private PostgreSQL.

    python -m tests.tools.crashes.recorded_postgres --cuts 200

This records all writes of PostgreSQL to the disk. For each cut it builds the data folder as the disk may have it. Then
it starts PostgreSQL, which recovers, and compares the data.
"""

import argparse
import contextlib
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import psycopg

from app.engine.games import GAMES
from app.store.maintenance.migrations import migrate_database
from tests.postgres import FAST, Postgres
from tools.crashes.power_loss import play_and_cut_power

CHECKPOINT_SECONDS = 1.0
"""Far more frequent than usual, because checkpoints write pages that were not synced."""


class _Server(Postgres):
    """A PostgreSQL with an extra environment and frequent checkpoints."""

    environment: Mapping[str, str] = {}

    def _surroundings(self) -> dict[str, Any]:
        surroundings = super()._surroundings()
        return {**surroundings, "env": {**surroundings["env"], **self.environment}}

    def checkpoints(self, stop: threading.Event) -> None:
        while not stop.wait(CHECKPOINT_SECONDS):
            with contextlib.suppress(psycopg.OperationalError):
                self._sql("CHECKPOINT")

    def give(self, folder: Path) -> None:
        """Give a folder to the user that PostgreSQL runs as, who is not root."""
        folder.chmod(0o700)
        if self._as_user:
            for path in (folder, *folder.rglob("*")):
                os.chown(path, self._as_user["user"], self._as_user["group"])


class RecordedPostgres:
    """A cluster whose writes are recorded, cut off and replayed. `settings` are PostgreSQL's."""

    def __init__(self, place: Path, **settings: str) -> None:
        self._server = _Server(**{"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", **settings})
        self.folder = self._server.folder / "data"
        self.base = place / "base"
        self.url = self._server.create_database()
        migrate_database(self.url)
        self._server.stop()
        shutil.copytree(self.folder, self.base)

    @contextlib.contextmanager
    def run_recorded(self, environment: Mapping[str, str]) -> Iterator[None]:
        self._server.environment = environment
        self._server.start()
        enough = threading.Event()
        checkpoints = threading.Thread(target=self._server.checkpoints, args=(enough,))
        checkpoints.start()
        try:
            yield
        finally:
            enough.set()
            checkpoints.join()
            self._server.stop()
            self._server.environment = {}
            self._server.settings |= FAST  # from now on it only recovers
            shutil.rmtree(self.folder)

    @contextlib.contextmanager
    def open_copy(self, folder: Path) -> Iterator[str]:
        shutil.move(folder, self.folder)
        self._server.give(self.folder)
        try:
            self._server.start()
            yield self.url
        finally:
            self._server.kill()
            shutil.move(self.folder, folder)

    def close(self) -> None:
        self._server.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--rooms", type=int, default=4)
    parser.add_argument("--answers", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--setting", action="append", default=[], help="of PostgreSQL, as in synchronous_commit=off")
    asked = parser.parse_args()
    settings = dict(setting.split("=", 1) for setting in asked.setting)
    with contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pecking-order-cuts-")))
        database = stack.enter_context(contextlib.closing(RecordedPostgres(place, **settings)))
        came = play_and_cut_power(database, place, asked.cuts, asked.rooms, asked.answers, tuple(GAMES), asked.seed)
    print(*came.damage[:20], came, sep="\n")
    raise SystemExit(1 if came.lost or came.other or came.damage else 0)


if __name__ == "__main__":
    main()
