"""Lock an SQLite file for one process. The system releases the lock when the process ends, even after a crash.

Two servers on one file would not see each other's hints, and each would assume that its rooms are unchanged. Processes
that only read, such as a backup, need no lock.
"""

import json
import logging
import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from app.store.db.engines import make_parent_folder, parse_url
from app.store.db.errors import BadUrl

try:
    import fcntl
except ImportError:  # Windows: no lock is taken
    fcntl = None  # type: ignore[assignment]

SUFFIX: Final = ".lock"

logger = logging.getLogger(__name__)


class DatabaseLocked(Exception):
    """Raised if another process holds the lock of the database; the message names the process."""


@contextmanager
def lock_database_file(url: str) -> Iterator[None]:
    """Hold the lock of an SQLite file while the context is open, so that only one server uses it.

    For PostgreSQL it does nothing. Raises `DatabaseLocked` if another process holds the lock, and `BadUrl` if the file
    or its folder can't be written.
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite" or fcntl is None:
        yield
        return
    assert parsed.database is not None
    # Resolve links, so that each file has one lock.
    path = Path(parsed.database).absolute()
    with os_errors_as_bad_url(path):
        path = path.resolve()
        make_parent_folder(path)
        if path.exists() and not os.access(path, os.W_OK):  # SQLite would report it only at the first write
            raise BadUrl("the file can’t be written")
        lock = path.with_name(path.name + SUFFIX)
        held = _acquire_lock_file(lock, path)
    try:
        yield
    finally:
        if held is not None:
            with suppress(OSError):
                lock.unlink()
            os.close(held)


@contextmanager
def os_errors_as_bad_url(path: Path) -> Iterator[None]:
    """Turn an `OSError` in the context into a `BadUrl` that names the file's folder, the user and the free space."""
    try:
        yield
    except OSError as error:
        who = f"user {os.geteuid()}" if hasattr(os, "geteuid") else "this user"
        try:
            free = f", {shutil.disk_usage(path.parent).free // 1_000_000} MB are free"
        except OSError:
            free = ""
        raise BadUrl(f"the folder {path.parent} can’t be used by {who}: {error.strerror}{free}") from None


def _acquire_lock_file(lock: Path, path: Path) -> int | None:
    """Lock the lock file, write this process into it, and return its open descriptor; None if locks are not supported.

    Raises `DatabaseLocked` with the other process's name if it is locked already, `BadUrl` if it can't be created.
    """
    while True:
        try:
            held = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise BadUrl(f"{path.parent} can’t be written: {error.strerror}") from None
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            said = os.pread(held, 1000, 0)
            os.close(held)
            raise DatabaseLocked(_locked_message(path, said)) from None
        except OSError as error:
            os.close(held)
            logger.warning("%s can’t be locked (%s): make sure that only one server uses it", path, error.strerror)
            return None
        # The previous process may have deleted the file between our open and our lock: then try again with the new
        # file.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(held), lock.stat()):
                break
        os.close(held)
    content = {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    try:
        os.ftruncate(held, 0)
        os.pwrite(held, json.dumps(content).encode(), 0)
    except OSError:  # the disk is full
        os.close(held)
        lock.unlink(missing_ok=True)
        raise
    return held


def _locked_message(path: Path, lock_content: bytes) -> str:
    try:
        holder = json.loads(lock_content)
        named = f"process {holder['pid']} on {holder['host']}, since {holder['since']}"
    except (ValueError, KeyError, TypeError):  # not yet written by the other process
        named = "it has just begun"
    return f"another Pecking Order uses {path} ({named}). Stop that one, or give this one another file."
