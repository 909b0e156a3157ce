"""Keep a way back before a migration: copy an SQLite file beside itself, and tell the operator how to go back."""

import glob
import logging
import shlex
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from app.store.db.engines import describe_location, parse_url
from app.store.db.errors import BadUrl
from app.store.maintenance.backup_file import BadBackup, copy_sqlite_file

logger = logging.getLogger(__name__)

BEFORE_UPGRADE: Final = ".before-upgrade-"
"""Part of the names of copies: the name of the database comes before it, and the time of the copy after it.

The time has microseconds, because two upgrades in one second need different names.
"""


def keep_way_back(url: str, on_progress: Callable[[], object]) -> None:
    """Copy an SQLite database beside itself, and log how to go back to the version before; the newest copy stays.

    PostgreSQL keeps changed rows itself (batches.py). The caller must have exclusive use of the database. `on_progress`
    is called often, and may end the copy with an exception. Raises `BadUrl` if the copy can't be written.
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite":
        logger.info(
            "migrating %s: rows that are changed or deleted stay in tables old_…. To go back, restore a backup of "
            "before into an empty database with the version that made it",
            describe_location(url),
        )
        return
    file = Path(parsed.database or "").resolve()
    copy = file.with_name(f"{file.name}{BEFORE_UPGRADE}{datetime.now(UTC):%Y-%m-%d-%H%M%S-%f}")
    for unfinished in _files(file, f".{file.name}{BEFORE_UPGRADE}"):
        unfinished.unlink()
    _require_space(file)
    older = _files(file, f"{file.name}{BEFORE_UPGRADE}")
    try:
        copy_sqlite_file(url, copy, on_progress=on_progress)
    except BadBackup as error:
        raise BadUrl(f"it can’t be copied before the migration: {error}") from error
    for each in older:
        if each != copy:
            each.unlink()
    wal, shm, there, here = (shlex.quote(str(path)) for path in (f"{file}-wal", f"{file}-shm", copy, file))
    logger.info(
        "database copied before the migration: %s, %.1f MB. To go back, stop the server, run "
        "`rm -f %s %s; mv %s %s`, and start the version before",
        *(copy, copy.stat().st_size / 1e6, wal, shm, there, here),
    )


def _files(file: Path, start: str) -> list[Path]:
    """Return the files in the folder of the database whose names begin so."""
    return [*file.parent.glob(f"{glob.escape(start)}*")]


def _require_space(file: Path) -> None:
    """Raise `BadUrl` if the disk has no space for a copy of the file and its log."""
    needed = sum(path.stat().st_size for path in (file, file.with_name(f"{file.name}-wal")) if path.exists())
    missing = needed - shutil.disk_usage(file.parent).free
    if missing > 0:
        megabytes = -(-missing // 1_000_000)
        raise BadUrl(f"there is no space to copy it before the migration: {megabytes} MB are missing in {file.parent}")
