"""Record what processes write to the disk and send to the network, in order, and read the recording.

`disk_recorder.c` makes the recording. It is compiled before use and loaded into the processes with LD_PRELOAD. Linux
only.
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


class RecordedOperation(NamedTuple):
    """One recorded operation of a server on a file or folder, or one send on a socket.

    `kind` tells which. `path` is the file's or folder's path; empty for a send. `at` is the offset of a write, the new
    length of a file, the number of a sync, or the client's port of a send. `data` are the written or sent bytes, or the
    new path of a move or link.
    """

    kind: Kind
    path: str
    """Path of the file or folder; empty for sent data."""
    at: int
    """A number whose meaning depends on `kind`.

    It is the offset of a write, the new length of a cut or extended file, the number of a sync, or the port that data
    was sent to.
    """
    data: bytes
    """The written or sent bytes, or the new path of a move or link."""


class Recorder:
    """A recording of what processes do to files below one folder, to simulate power cuts later.

    Raises `ClickException` if recording is impossible on this machine.
    """

    def __init__(self, folder: Path, place: Path) -> None:
        """Prepare a recording of `folder`. `place`: an own folder for the recording, made readable for other users."""
        place.chmod(0o755)
        self._file = place / "recording"
        lock, library = place / "lock", place / "recorder.so"
        lock.write_bytes(bytes(4096))
        self._file.touch()
        for each in (self._file, lock):  # a database may run as another user
            each.chmod(0o666)
        _compile_recorder(library)
        self.environment: Final = {
            "LD_PRELOAD": str(library),
            "RECORD_FOLDER": str(folder.resolve()),
            "RECORD_FILE": str(self._file),
            "RECORD_LOCK": str(lock),
        }
        """Environment variables for the processes to record."""

    def recorded_operations(self) -> Iterator[RecordedOperation]:
        """Yield the operations (on files, and sends on sockets) recorded so far, in order."""
        with self._file.open("rb") as file:
            while head := file.read(_HEAD.size):
                kind, path, at, size = _HEAD.unpack(head)
                yield RecordedOperation(
                    _KINDS[chr(kind)], os.path.normpath(file.read(path).decode()), at, file.read(size)
                )


def _compile_recorder(library: Path) -> None:
    compiler = shutil.which("cc")
    if os.uname().sysname != "Linux" or compiler is None:
        raise click.ClickException("Cuts of the power are played on Linux only, and want a C compiler (cc).")
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(_SOURCE), "-ldl"]
    made = subprocess.run(command, capture_output=True, check=False)  # noqa: S603
    if made.returncode:
        raise click.ClickException(f"{_SOURCE.name} can’t be compiled:\n{made.stderr.decode(errors='replace')}")


def text_frame_indexes_by_port(deeds: Iterable[RecordedOperation]) -> dict[int, list[int]]:
    """Return, by client port, the index of the operation that completed each WebSocket text frame to the client.

    So it is known after which operation a client had which answer. `deeds` are the recorded operations, in order.
    """
    sent = defaultdict[int, list[int]](list)
    streams = defaultdict[int, bytearray](bytearray)
    for number, deed in enumerate(deeds):
        if deed.kind == "sent":
            stream = streams[deed.at]
            if deed.data.startswith(b"HTTP/"):  # a new connection from a port used before
                stream.clear()
            stream += deed.data
            sent[deed.at] += [number] * _consume_text_frames(stream)
    return sent


def _consume_text_frames(stream: bytearray) -> int:
    """Remove complete frames (and the handshake) from a server's byte stream; return the number of text frames.

    An incomplete frame stays in `stream`.
    """
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
