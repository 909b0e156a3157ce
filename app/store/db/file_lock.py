"""One process to one SQLite file: a lock beside it, that the system lets go when the process dies, however it dies.

Two servers on one file would not see each other's hints, and each would believe a room to be as it left it. Who only
reads, as a backup does, needs no lock.
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

from app.store.db.engines import make_folder, parse_url
from app.store.db.errors import BadUrl

try:
    import fcntl
except ImportError:  # Windows: nothing is locked there
    fcntl = None  # type: ignore[assignment]

SUFFIX: Final = ".lock"

logger = logging.getLogger(__name__)


class InUse(Exception):
    """Another process has the file; the message says which."""


@contextmanager
def claimed(url: str) -> Iterator[None]:
    """Hold an SQLite file for this process alone, or `InUse`. A PostgreSQL may be shared, and is not held."""
    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite" or fcntl is None:
        yield
        return
    assert parsed.database is not None
    # The file itself, by whatever name it was called.
    path = Path(parsed.database).absolute()
    with explained(path):
        path = path.resolve()
        make_folder(path)
        if path.exists() and not os.access(path, os.W_OK):  # SQLite would say so only when the first card is played
            raise BadUrl("the file can’t be written")
        lock = path.with_name(path.name + SUFFIX)
        held = _hold(lock, path)
    try:
        yield
    finally:
        if held is not None:
            with suppress(OSError):
                lock.unlink()
            os.close(held)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn an error of the system about a database's file into a `BadUrl`: the folder, the user and the free space."""
    try:
        yield
    except OSError as error:
        who = f"user {os.geteuid()}" if hasattr(os, "geteuid") else "this user"
        try:
            free = f", {shutil.disk_usage(path.parent).free // 1_000_000} MB are free"
        except OSError:
            free = ""
        raise BadUrl(f"the folder {path.parent} can’t be used by {who}: {error.strerror}{free}") from None


def _hold(lock: Path, path: Path) -> int | None:
    """The lock, open; None where the file system knows no locks."""
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
            raise InUse(_who(path, said)) from None
        except OSError as error:
            os.close(held)
            logger.warning("%s can’t be locked (%s): see to it that one server only uses it", path, error.strerror)
            return None
        # Who had it may have taken the file away between our opening and our locking: then this is another.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(held), lock.stat()):
                break
        os.close(held)
    mine = {"pid": os.getpid(), "host": socket.gethostname(), "since": datetime.now(UTC).isoformat(timespec="seconds")}
    try:
        os.ftruncate(held, 0)
        os.pwrite(held, json.dumps(mine).encode(), 0)
    except OSError:  # the disk is full
        os.close(held)
        lock.unlink(missing_ok=True)
        raise
    return held


def _who(path: Path, said: bytes) -> str:
    try:
        holder = json.loads(said)
        named = f"process {holder['pid']} on {holder['host']}, since {holder['since']}"
    except (ValueError, KeyError, TypeError):  # it has not yet said so
        named = "it has just begun"
    return f"another Pecking Order uses {path} ({named}). Stop that one, or give this one another file."
