"""Simulate a disk with unsynced data, and return the files that a power cut would leave.

Synced data survives. Each unsynced sector survives in any state that it had since the last sync. Unsynced changes of
names survive in order up to some moment. Names only become durable by a sync of their folder, which is less than real
file systems guarantee.
Files from before the recording are read from `base` when they are first changed.
"""

import os.path
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final, Literal, TypeAlias

from tools.crashes.disk_recorder import RecordedOperation

CutMode: TypeAlias = Literal["forgotten", "in order", "scattered", "all"]
"""Which unsynced operations survive: none, all up to a random moment, random sectors, or all."""
CUT_MODES: Final[tuple[CutMode, ...]] = ("forgotten", "in order", "scattered", "all")
SECTOR: Final = 512

SurvivesCut: TypeAlias = Callable[[int, object], bool]
"""Function that decides whether operation number n survives in one place (sector, length or name)."""


@dataclass(slots=True, eq=False)
class _File:
    """A file on the simulated disk: its durable content, and the operations that a power cut may lose.

    `pending_operations` are pairs of the operation's number and the operation. `synced` is the number of operations,
    since the start, that `durable_content` includes.
    """

    durable_content: bytearray = field(default_factory=bytearray)
    pending_operations: list[tuple[int, RecordedOperation]] = field(default_factory=list[tuple[int, RecordedOperation]])
    synced: int = 0
    """Number of operations, since the start, that `durable_content` includes."""

    def sync(self, until: int) -> None:
        """Make the file's operations durable until `until` of them are, as a completed sync does."""
        new = max(0, until - self.synced)
        for _, deed in self.pending_operations[:new]:
            _apply_operation(self.durable_content, deed)
        del self.pending_operations[:new]
        self.synced += new

    def content_after_cut(self, keep: SurvivesCut, by_sectors: bool) -> bytes:
        """Return the file's content after a power cut; `keep` decides which operations that were not synced survive.

        With `by_sectors`, it decides on each sector of a write separately.
        """
        content = bytearray(self.durable_content)
        for n, deed in self.pending_operations:
            if deed.kind == "write" and by_sectors:
                for piece in _split_by_sector(deed):
                    if keep(n, (self, piece.at // SECTOR)):
                        _apply_operation(content, piece)
            elif keep(n, (self, "length")):
                _apply_operation(content, deed)
        return bytes(content)


@dataclass(slots=True)
class _NameChange:
    """A recorded create, remove, move or link on the simulated disk, and whether it is durable (`lasts`).

    `n` is the number of the operation `deed`. `file` is the file concerned, or None.
    """

    n: int
    deed: RecordedOperation
    file: _File | None
    lasts: bool = False


class SimulatedDisk:
    """The simulated disk of one folder, which tells what a power cut would leave of recorded operations.

    `base`: a copy of the folder from before the recording, or None if it was empty.
    """

    def __init__(self, folder: Path, base: Path | None = None) -> None:
        self._folder = str(folder.resolve())
        self._base = base
        self._before: dict[str, _File] = {}
        """Files of the base that were changed, by path."""
        self._now: dict[str, _File] = {}
        self._named: list[_NameChange] = []
        self._syncs: dict[int, tuple[_File | None, int]] = {}
        self._n = 0

    def apply_operation(self, deed: RecordedOperation) -> None:
        """Apply one recorded operation to the simulated disk; written data can be lost until a sync completes."""
        self._n += 1
        match deed.kind:
            case "write" | "cut" | "extend":
                self._file_at(deed.path).pending_operations.append((self._n, deed))
            case "create" | "remove" | "move" | "link":
                self._record_name_change(deed)
            case "sync":
                file = None if self._is_folder(deed.path) else self._file_at(deed.path)
                self._syncs[deed.at] = (
                    file,
                    len(self._named) if file is None else file.synced + len(file.pending_operations),
                )
            case "synced":
                self._complete_sync(deed)
            case "folder" | "sent":
                pass

    def _is_folder(self, path: str) -> bool:
        return path == self._folder or (self._base is not None and (self._base / self._relative_path(path)).is_dir())

    def _file_at(self, path: str) -> _File:
        """Return the simulated file with this path; at first use, load it from the base or create an empty one."""
        if path not in self._now:
            at_first = None if self._base is None else self._base / self._relative_path(path)
            there = at_first is not None and at_first.is_file()
            file = _File(bytearray(at_first.read_bytes() if at_first is not None and there else b""))
            self._now[path] = file
            if there:
                self._before[path] = file
        return self._now[path]

    def _record_name_change(self, deed: RecordedOperation) -> None:
        file = _File() if deed.kind == "create" else self._file_at(deed.path)
        self._named.append(_NameChange(self._n, deed, file))
        _apply_name_change(self._now, self._named[-1])

    def _complete_sync(self, deed: RecordedOperation) -> None:
        file, until = self._syncs.pop(deed.at)
        if file is not None:
            file.sync(until)
            return
        for named in self._named[:until]:
            paths = named.deed.path, _second_path(named.deed)
            named.lasts = named.lasts or deed.path in {os.path.dirname(path) for path in paths if path}

    def files_after_power_cut(self, how: CutMode, rng: Random) -> tuple[set[str], dict[str, bytes]]:
        """Return what a power cut now would leave: the changed paths of the base, and the content of changed files.

        Replace the first by the second in a copy of the base. Paths are relative to the folder. `how` and `rng` decide
        which operations that were not synced survive.
        """
        keep = self._survival_function(how, rng)
        names = dict(self._before)
        for named in self._named:
            if named.lasts or keep(named.n, None):
                _apply_name_change(names, named)
        gone = {self._relative_path(path) for path in self._before}
        by_sectors = how == "scattered"
        return gone, {
            self._relative_path(path): file.content_after_cut(keep, by_sectors) for path, file in names.items()
        }

    def _survival_function(self, how: CutMode, rng: Random) -> SurvivesCut:
        until, places = rng.randint(0, self._n), dict[object, int]()

        def scattered(n: int, place: object) -> bool:
            # A sector is written with all data that it got until a random moment.
            if place not in places:
                places[place] = rng.choice((0, self._n, rng.randint(0, self._n)))
            return n <= places[place]

        ways: dict[CutMode, SurvivesCut] = {
            "forgotten": lambda n, place: False,
            "in order": lambda n, place: n <= until,
            "scattered": scattered,
            "all": lambda n, place: True,
        }
        return ways[how]

    def _relative_path(self, path: str) -> str:
        return os.path.relpath(path, self._folder)


def _second_path(deed: RecordedOperation) -> str | None:
    return os.path.normpath(deed.data.decode()) if deed.kind in ("move", "link") else None


def _apply_name_change(names: dict[str, _File], named: _NameChange) -> None:
    """Apply a create, remove, move or link to `names`, the simulated files by path.

    Moves and links of missing files are ignored.
    """
    path, other = named.deed.path, _second_path(named.deed)
    if named.deed.kind == "create":
        assert named.file is not None
        names[path] = named.file
        return
    file = names.get(path) if named.deed.kind == "link" else names.pop(path, None)
    if other is not None and file is not None:
        names[other] = file


def _apply_operation(content: bytearray, deed: RecordedOperation) -> None:
    """Apply a recorded write, cut or extend operation to the content of a simulated file."""
    if deed.kind == "cut":
        del content[deed.at :]
    content.extend(bytes(max(0, deed.at - len(content))))
    if deed.kind == "write":
        content[deed.at : deed.at + len(deed.data)] = deed.data


def _split_by_sector(deed: RecordedOperation) -> Iterator[RecordedOperation]:
    """Yield the parts of a recorded write, one for each disk sector, as a power cut may lose some of them."""
    first = 0
    while first < len(deed.data):
        at = deed.at + first
        last = first + SECTOR - at % SECTOR
        yield deed._replace(at=at, data=deed.data[first:last])
        first = last
