"""Write backups to files that are complete or absent, readable only by this user, and on the disk."""

import gzip
import io
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Final, Literal, cast

from app.store.db.engines import parse_url
from app.store.db.errors import BadUrl

STANDARD_STREAM: Final = Path("-")
"""Stands for standard output or input, in place of a file."""
SQLITE_SIDE_FILES: Final = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite creates beside a database."""
PAGES_AT_ONCE: Final = 2000
"""Number of database pages that are copied between two calls of `on_progress`: 8 MB.

SQLite begins again if another process writes between two parts. So beside a server all pages are copied at once.
"""


class BadBackup(Exception):
    """Raised if a backup can't be written or restored, or the target database is not empty.

    The message has the reason, for the operator.
    """


def copy_sqlite_file(url: str, path: Path, *, on_progress: Callable[[], object] | None = None) -> None:
    """Copy an SQLite database to a new file; the copy is consistent. Without `on_progress`, a server may write.

    `on_progress` is called often, and may end the copy with an exception; then no file is left. Raises `BadUrl` if the
    database can't be read, and `BadBackup` if the file can't be written.
    """
    source = parse_url(url)
    if source.get_backend_name() != "sqlite":
        raise BadUrl("only SQLite is copied as a file: dump the database instead")
    assert source.database is not None
    if not Path(source.database).exists():
        raise BadUrl("there is no such file")
    with write_file_atomically(path) as temporary:
        # Read-only: the copy changes nothing in the database, and does not write to a log that a server is writing.
        from_uri = f"{Path(source.database).absolute().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(from_uri, uri=True)) as here, closing(sqlite3.connect(temporary)) as there:
                if on_progress is None:
                    here.backup(there)
                else:
                    here.backup(there, pages=PAGES_AT_ONCE, progress=lambda *_: on_progress())
                there.execute("PRAGMA journal_mode=DELETE")  # one file, not three
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", "")
            if name == "SQLITE_FULL":  # only the copy is written
                raise BadBackup(_cannot_write_message(path, "the disk is full")) from error
            raise BadUrl(str(error)) from error


@contextmanager
def write_file_atomically(path: Path, *, replace: bool = False) -> Iterator[Path]:
    """Yield a temporary file, readable only by this user, that is renamed to `path` when it is complete.

    So no incomplete backup is left. When the context ends, file and name are on the disk. An existing file is only
    replaced with `replace`. Raises `BadBackup` if the file exists or can't be written.
    """
    if path.exists() and not replace:
        raise BadBackup(f"{path} is there already")
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.absolute().parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
        _sync_folder(path.absolute().parent)
    except OSError as error:
        raise BadBackup(_cannot_write_message(path, error.strerror or str(error))) from error
    finally:
        for suffix in ("", *SQLITE_SIDE_FILES):
            with suppress(OSError):
                temporary.with_name(temporary.name + suffix).unlink(missing_ok=True)


@contextmanager
def open_for_writing(path: Path, *, compress: bool = False) -> Iterator[IO[str]]:
    """Open a file or standard output (`-`) for writing text in the context.

    It is compressed with `compress`, and if its name ends in .gz. When the context ends, a file is on the disk.
    """
    compress = compress or path.suffix == ".gz"
    if path == STANDARD_STREAM:
        out = sys.stdout.buffer
        if compress:
            with gzip.open(out, "wt", encoding="utf-8") as file:
                yield cast("IO[str]", file)
        else:
            text = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
            try:
                yield text
            finally:
                text.detach()
        out.flush()
        with suppress(OSError):  # a pipe or a terminal can't be synced
            os.fsync(sys.stdout.fileno())
        return
    with write_file_atomically(path) as temporary, _open_text(temporary, "wt", compress=compress) as file:
        yield file


def open_for_reading(path: Path) -> IO[str]:
    """Open a file for reading as text, whether it is compressed or not."""
    with path.open("rb") as file:
        is_compressed = file.read(2) == b"\x1f\x8b"
    return _open_text(path, "rt", compress=is_compressed)


def _open_text(path: Path, mode: Literal["rt", "wt"], *, compress: bool) -> IO[str]:
    return cast("IO[str]", (gzip.open if compress else open)(path, mode, encoding="utf-8"))


def _sync_folder(folder: Path) -> None:
    """Write the names in a folder to the disk, where the system offers it."""
    if os.name != "posix":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _cannot_write_message(path: Path, why: str) -> str:
    """Return the message for the operator that a backup file can't be written, with the free space there."""
    try:
        free = f", {shutil.disk_usage(path.absolute().parent).free // 1_000_000} MB are free"
    except OSError:
        free = ""
    return f"{path} can’t be written: {why}{free}"
