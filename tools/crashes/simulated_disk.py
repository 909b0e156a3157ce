"""A disk that has not yet written all that it was given, and what of it would be there if the power went now.

What was synced is there. Of all else any sector may be on the disk or not, in any state that it had since; any name may
be there or not, as long as those before it are. Names last with a sync of their folder alone, which is less than file
systems do. Pure but for the files from before, which are read when they are first written to.
"""

import os.path
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final, Literal, TypeAlias

from tools.crashes.disk_recorder import Deed

How: TypeAlias = Literal["forgotten", "in order", "scattered", "all"]
"""What is there of what was not synced: nothing; all up to some moment; any of it; all."""
HOWS: Final[tuple[How, ...]] = ("forgotten", "in order", "scattered", "all")
SECTOR: Final = 512

Keep: TypeAlias = Callable[[int, object], bool]
"""Whether what was given as number n lasts in one place."""


@dataclass(slots=True, eq=False)
class _File:
    """A file: its content on the disk, and what it was given since."""

    lasting: bytearray = field(default_factory=bytearray)
    given: list[tuple[int, Deed]] = field(default_factory=list[tuple[int, Deed]])
    synced: int = 0
    """How many of those that were ever given are in `lasting`."""

    def sync(self, until: int) -> None:
        """Let last what was given until then."""
        new = max(0, until - self.synced)
        for _, deed in self.given[:new]:
            _do(self.lasting, deed)
        del self.given[:new]
        self.synced += new

    def content(self, keep: Keep, by_sectors: bool) -> bytes:
        """What would be in it."""
        content = bytearray(self.lasting)
        for n, deed in self.given:
            if deed.kind == "write" and by_sectors:
                for piece in _sectors(deed):
                    if keep(n, (self, piece.at // SECTOR)):
                        _do(content, piece)
            elif keep(n, (self, "length")):
                _do(content, deed)
        return bytes(content)


@dataclass(slots=True)
class _Named:
    """A change of names."""

    n: int
    deed: Deed
    file: _File | None
    lasts: bool = False


class Disk:
    """Takes what is recorded; `base` is a copy of the folder as it was before, where there was one."""

    def __init__(self, folder: Path, base: Path | None = None) -> None:
        self._folder = str(folder.resolve())
        self._base = base
        self._before: dict[str, _File] = {}
        """Files of the base that something happened to."""
        self._now: dict[str, _File] = {}
        self._named: list[_Named] = []
        self._syncs: dict[int, tuple[_File | None, int]] = {}
        self._n = 0

    def take(self, deed: Deed) -> None:
        """The next thing that happened."""
        self._n += 1
        match deed.kind:
            case "write" | "cut" | "extend":
                self._file(deed.path).given.append((self._n, deed))
            case "create" | "remove" | "move" | "link":
                self._name(deed)
            case "sync":
                file = None if self._is_folder(deed.path) else self._file(deed.path)
                self._syncs[deed.at] = file, len(self._named) if file is None else file.synced + len(file.given)
            case "synced":
                self._synced(deed)
            case "folder" | "sent":
                pass

    def _is_folder(self, path: str) -> bool:
        return path == self._folder or (self._base is not None and (self._base / self._inside(path)).is_dir())

    def _file(self, path: str) -> _File:
        """The file of this name; of the base, if nothing happened to it before."""
        if path not in self._now:
            at_first = None if self._base is None else self._base / self._inside(path)
            there = at_first is not None and at_first.is_file()
            file = _File(bytearray(at_first.read_bytes() if at_first is not None and there else b""))
            self._now[path] = file
            if there:
                self._before[path] = file
        return self._now[path]

    def _name(self, deed: Deed) -> None:
        file = _File() if deed.kind == "create" else self._file(deed.path)
        self._named.append(_Named(self._n, deed, file))
        _rename(self._now, self._named[-1])

    def _synced(self, deed: Deed) -> None:
        file, until = self._syncs.pop(deed.at)
        if file is not None:
            file.sync(until)
            return
        for named in self._named[:until]:
            paths = named.deed.path, _other(named.deed)
            named.lasts = named.lasts or deed.path in {os.path.dirname(path) for path in paths if path}

    def after_a_cut(self, how: How, rng: Random) -> tuple[set[str], dict[str, bytes]]:
        """What would be there: files of the base that are not as they were, and all that there are in their place.

        Their names are as in the folder."""
        keep = self._keep(how, rng)
        names = dict(self._before)
        for named in self._named:
            if named.lasts or keep(named.n, None):
                _rename(names, named)
        gone = {self._inside(path) for path in self._before}
        by_sectors = how == "scattered"
        return gone, {self._inside(path): file.content(keep, by_sectors) for path, file in names.items()}

    def _keep(self, how: How, rng: Random) -> Keep:
        until, places = rng.randint(0, self._n), dict[object, int]()

        def scattered(n: int, place: object) -> bool:
            # A sector is written as it is at some moment: with all that it was given until then.
            if place not in places:
                places[place] = rng.choice((0, self._n, rng.randint(0, self._n)))
            return n <= places[place]

        ways: dict[How, Keep] = {
            "forgotten": lambda n, place: False,
            "in order": lambda n, place: n <= until,
            "scattered": scattered,
            "all": lambda n, place: True,
        }
        return ways[how]

    def _inside(self, path: str) -> str:
        return os.path.relpath(path, self._folder)


def _other(deed: Deed) -> str | None:
    return os.path.normpath(deed.data.decode()) if deed.kind in ("move", "link") else None


def _rename(names: dict[str, _File], named: _Named) -> None:
    """Change names as somebody did; of what is not there nothing becomes anything else."""
    path, other = named.deed.path, _other(named.deed)
    if named.deed.kind == "create":
        assert named.file is not None
        names[path] = named.file
        return
    file = names.get(path) if named.deed.kind == "link" else names.pop(path, None)
    if other is not None and file is not None:
        names[other] = file


def _do(content: bytearray, deed: Deed) -> None:
    """Do to a file what was done."""
    if deed.kind == "cut":
        del content[deed.at :]
    content.extend(bytes(max(0, deed.at - len(content))))
    if deed.kind == "write":
        content[deed.at : deed.at + len(deed.data)] = deed.data


def _sectors(deed: Deed) -> Iterator[Deed]:
    """What was written, sector by sector."""
    first = 0
    while first < len(deed.data):
        at = deed.at + first
        last = first + SECTOR - at % SECTOR
        yield deed._replace(at=at, data=deed.data[first:last])
        first = last
