"""What processes gave to the disk and to the network, in the order in which they did: how it is recorded, and read.

The recording is made by `disk_recorder.c`, compiled at its first use and loaded into the processes. Linux only.
"""

import os
import shutil
import struct
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

import click

Kind: TypeAlias = Literal[
    "write", "cut", "extend", "create", "remove", "move", "link", "folder", "sync", "synced", "sent"
]
_KINDS: Final[dict[str, Kind]] = {
    "w": "write", "t": "cut", "a": "extend", "c": "create", "u": "remove", "r": "move", "l": "link", "d": "folder",
    "b": "sync", "e": "synced", "s": "sent",
}  # fmt: skip
_HEAD: Final = struct.Struct("@IIQQ")
_SOURCE: Final = Path(__file__).with_name("disk_recorder.c")


class Deed(NamedTuple):
    """One thing that was done."""

    kind: Kind
    path: str
    """Of a file or folder; empty for what was sent."""
    at: int
    """Where something was written, the length that a file was cut or extended to, the number of a sync, or the port
    that something was sent to."""
    data: bytes
    """What was written or sent; the other path, for a move or link."""


class Recorder:
    """Records what happens below one folder. `ClickException` where that can't be done."""

    def __init__(self, folder: Path, place: Path) -> None:
        """`place` is a folder of our own, for the recording; others may read it."""
        place.chmod(0o755)
        self._file = place / "recording"
        lock, library = place / "lock", place / "recorder.so"
        lock.write_bytes(bytes(4096))
        self._file.touch()
        for each in (self._file, lock):  # a database may run as somebody else
            each.chmod(0o666)
        _compile(library)
        self.environment: Final = {
            "LD_PRELOAD": str(library),
            "RECORD_FOLDER": str(folder.resolve()),
            "RECORD_FILE": str(self._file),
            "RECORD_LOCK": str(lock),
        }
        """Of the processes that are to be recorded."""

    def deeds(self) -> Iterator[Deed]:
        """What was recorded so far."""
        with self._file.open("rb") as file:
            while head := file.read(_HEAD.size):
                kind, path, at, size = _HEAD.unpack(head)
                yield Deed(_KINDS[chr(kind)], os.path.normpath(file.read(path).decode()), at, file.read(size))


def _compile(library: Path) -> None:
    compiler = shutil.which("cc")
    if os.uname().sysname != "Linux" or compiler is None:
        raise click.ClickException("Cuts of the power are played on Linux only, and want a C compiler (cc).")
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(_SOURCE), "-ldl"]
    made = subprocess.run(command, capture_output=True, check=False)  # noqa: S603
    if made.returncode:
        raise click.ClickException(f"{_SOURCE.name} can’t be compiled:\n{made.stderr.decode(errors='replace')}")


def frames(deeds: Iterable[Deed]) -> dict[int, list[int]]:
    """By which deed each text that a WebSocket was sent was whole, by the port at its other end."""
    sent = defaultdict[int, list[int]](list)
    streams = defaultdict[int, bytearray](bytearray)
    for number, deed in enumerate(deeds):
        if deed.kind == "sent":
            stream = streams[deed.at]
            if deed.data.startswith(b"HTTP/"):  # another connection, to a port that one had before
                stream.clear()
            stream += deed.data
            sent[deed.at] += [number] * _texts(stream)
    return sent


def _texts(stream: bytearray) -> int:
    """Take whole frames from what a server sent; how many of them were texts."""
    texts = 0
    if stream.startswith(b"HTTP/"):
        head = stream.find(b"\r\n\r\n")
        if head < 0 or not stream.startswith(b"HTTP/1.1 101"):
            return 0
        del stream[: head + 4]
    while len(stream) >= 2:
        start, size = 2, stream[1]
        if size >= 126:
            start = 4 if size == 126 else 10
            size = int.from_bytes(stream[2:start])
        if len(stream) < start + size:
            break
        texts += stream[0] & 0x0F == 1
        del stream[: start + size]
    return texts
