"""Run `pecking-order serve` with an upgrade that a test moves on: a real server process, whose migration waits.

`python -m tests.web.staged_upgrade FILE serve …`: the upgrade has done as many of its 100,000 rows as FILE says. With
`fail` in the file it fails, and with `end` it ends.
"""

import sys
import time
from functools import partial
from pathlib import Path

from app.cli import main
from app.store.db.cancelling import NEVER, StopSignal
from app.store.db.errors import BadUrl
from app.store.maintenance import open_database
from app.store.maintenance.migrations import MigrationStopped, Progress, Report, migrate_database
from app.web import starting

ROWS = 100_000
FAILURE = "the disk has no space: 12 MB are missing"


def migrate_as_told(control: Path, url: str, *, report: Report, stop: StopSignal = NEVER) -> None:
    """Report what the file (`control`) says, then migrate."""
    began = False
    while (said := control.read_text()) != "end":
        if stop.is_set():
            raise MigrationStopped
        if said == "fail":
            raise BadUrl(FAILURE)
        if said and not began:
            began = True
            report(Progress(0, ROWS))  # the time left is computed from the first report on
        if said:
            report(Progress(int(said), ROWS))
        time.sleep(0.02)
    migrate_database(url)


if __name__ == "__main__":
    open_database.migrate_database = partial(migrate_as_told, Path(sys.argv.pop(1)))
    starting.LOG_SECONDS = 0.1  # type: ignore[misc]
    main()
