"""`python -m tools soak --cuts`: the power goes, again and again, and what was acknowledged is there.

Players over real sockets play once, while all that the server gives to the disk and to them is recorded
(`disk_recorder.py`). Then the power is cut at many moments of that evening, half of them right after somebody was told
something: a disk is put together as it might be then, without some or all of what was not synced (`simulated_disk.py`).
The database is opened from it, and must hold every entry that anybody had been told of, as it was; every so often
`check` looks at all of it.
"""

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, Protocol, TypeAlias

import click
import sqlalchemy as sa

from app.store.db.engines import make_engine, parse_url
from app.store.db.schema import room_entry
from app.store.db.transactions import transact
from app.store.maintenance.integrity_check import check
from app.store.maintenance.page_check import damaged
from app.store.store import visiting
from tools.crashes.disk_recorder import Recorder, frames
from tools.crashes.kill_server import PATIENCE, CrashSoak
from tools.crashes.simulated_disk import HOWS, Disk, How
from tools.local_server.server_process import OwnServer

CHECKED: Final = 10
"""Every so many cuts `check` looks at everything, which takes longer than all else."""
_SHOWN: Final = 20

Logs: TypeAlias = Mapping[str, Sequence[tuple[object, ...]]]
"""All entries of each room, in order."""


class Recordable(Protocol):
    """A database that is recorded while it is used, and opened from what was left of it."""

    url: str
    folder: Path
    """Where its files lie, and no others."""
    base: Path | None
    """A copy of them from before."""

    def running(self, environment: Mapping[str, str]) -> AbstractContextManager[None]:
        """Within the block it can be used; what it does is recorded by this environment."""
        ...

    def opened(self, folder: Path) -> AbstractContextManager[str]:
        """The URL of the database whose files lie in a folder, for the length of a block."""
        ...


class SqliteFile:
    """An SQLite database, in a folder of its own."""

    base: Path | None = None

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self.url = self._in(folder)

    @contextmanager
    def running(self, environment: Mapping[str, str]) -> Iterator[None]:
        """It runs in whatever process uses it."""
        yield

    @contextmanager
    def opened(self, folder: Path) -> Iterator[str]:
        """Opened again by whoever reads it."""
        for shared in folder.glob("*-shm"):  # memory, which is made anew
            shared.unlink()
        yield self._in(folder)

    @staticmethod
    def _in(folder: Path) -> str:
        return f"sqlite:///{folder / 'rooms.sqlite3'}"


class Promise(NamedTuple):
    """Somebody was told of an entry, and so of all before it."""

    at: int
    """The deed by which it was sent."""
    room: str
    seq: int


@dataclass(slots=True)
class Came:
    """What came of it."""

    cuts: int = 0
    told: int = 0
    """Answers and pictures that said of an entry that it is there."""
    held: int = 0
    """Entries that had to be there, over all cuts."""
    lost: int = 0
    """Entries that somebody had been told of, and that were not there."""
    other: int = 0
    """Entries that were not as they had been."""
    damage: list[str] = field(default_factory=list[str])
    """What the database, or `check`, found wrong."""

    def __str__(self) -> str:
        return (
            f"{self.cuts} cuts in an evening in which entries were told of {self.told} times: of {self.held} entries "
            f"{self.lost} were lost and {self.other} were not as they had been; {len(self.damage)} times the database "
            "was damaged."
        )


def cut(cuts: int, rooms: int, answers: int, games: Sequence[str], seed: int) -> None:
    """Play on a new SQLite file, and cut the power so often; status 1 if anything was lost or damaged."""
    with tempfile.TemporaryDirectory(prefix="pecking-order-cuts-") as place:
        came = played_and_cut(SqliteFile(Path(place) / "kept"), Path(place), cuts, rooms, answers, games, seed)
    for damage in came.damage[:_SHOWN]:
        click.echo(damage, err=True)
    click.echo(str(came))
    if came.lost or came.other or came.damage:
        sys.exit(1)


def played_and_cut(
    database: Recordable,
    place: Path,
    cuts: int,
    rooms: int,
    answers: int,
    games: Sequence[str],
    seed: int,
    environment: Mapping[str, str] | None = None,
) -> Came:
    """Play until so many answers came, then cut; `environment` is the server's besides, `place` an own folder."""
    rng = Random(seed)
    recorder = Recorder(database.folder, place)
    with database.running(recorder.environment):
        server = OwnServer(database.url)
        server.environment = {**recorder.environment, **(environment or {})}
        soak = CutSoak(server, rng)
        server.start()
        try:
            soak.open(rooms, games)
            asyncio.run(soak.play(answers))
        finally:
            server.stop()
        asyncio.run(soak.look())
        logs = _logs(database.url)
    if soak.mistakes:
        raise click.ClickException(f"Even without a cut: {soak.mistakes[0].what}")
    return _cut_again_and_again(database, place, recorder, soak.told(recorder), logs, cuts, rng)


class CutSoak(CrashSoak):
    """Plays once, and knows when everything was told."""

    async def play(self, answers: int) -> None:
        """Let people play until they were answered so often."""
        self._answers_left = answers
        playing = [
            asyncio.create_task(player.play(table.address)) for table in self._tables for player in table.players
        ]
        with suppress(TimeoutError):
            await asyncio.wait_for(self._enough.wait(), PATIENCE)
        self._server.stop()
        await asyncio.gather(*playing)

    async def look(self) -> None:
        """Hold what was told against the logs, and find out the rooms' ids."""
        await self._compare()
        async with visiting(self._server.database) as store:
            leads = [await store.log.by_code(table.code) for table in self._tables]
        self._rooms = [lead.room for lead in leads if lead is not None]

    def told(self, recorder: Recorder) -> list[Promise]:
        """Everything that said of an entry that it is there, in order."""
        sent = frames(recorder.deeds())
        return sorted(
            Promise(at, room, seq)
            for room, table in zip(self._rooms, self._tables, strict=True)
            for player in table.players
            for port, seqs in player.seqs.items()
            for at, seq in zip(sent[port][: len(seqs)], seqs, strict=True)
            if seq
        )


def _cut_again_and_again(
    database: Recordable, place: Path, recorder: Recorder, told: Sequence[Promise], logs: Logs, cuts: int, rng: Random
) -> Came:
    if not told:
        raise click.ClickException("Nothing was played.")
    came, left = Came(told=len(told)), place / "left"
    deeds, disk, taken = recorder.deeds(), Disk(database.folder, database.base), 0
    for moment in _moments(recorder, told, cuts, rng):
        for deed in islice(deeds, moment - taken):
            disk.take(deed)
        taken = moment
        _put(disk, HOWS[came.cuts % len(HOWS)], rng, left, database.base)
        came.cuts += 1
        _look(database, left, _promised(told, moment), logs, came)
    return came


def _moments(recorder: Recorder, told: Sequence[Promise], cuts: int, rng: Random) -> list[int]:
    """After how many deeds the power goes, in order: every other time when somebody was just told something."""
    last = sum(1 for _ in recorder.deeds())
    return sorted(rng.choice(told).at + 1 if n % 2 else rng.randint(told[0].at + 1, last) for n in range(cuts))


def _promised(told: Sequence[Promise], moment: int) -> dict[str, int]:
    """How far the log of each room must go."""
    before = [promise for promise in told if promise.at < moment]
    return {room: max(p.seq for p in before if p.room == room) for room in {promise.room for promise in before}}


def _put(disk: Disk, how: How, rng: Random, folder: Path, base: Path | None) -> None:
    """Make the files that would be there."""
    _make_as(folder, base)
    gone, there = disk.after_a_cut(how, rng)
    for name in gone:
        (folder / name).unlink()
    for name, content in there.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _make_as(folder: Path, base: Path | None) -> None:
    """Make a folder what it was at first; most of it may be so still, and making files is slow."""
    if base is None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return
    for path in [*folder.rglob("*")]:
        if path.is_file() and not (base / path.relative_to(folder)).exists():
            path.unlink()
    for path in [base, *base.rglob("*")]:
        there = folder / path.relative_to(base)
        if path.is_dir():
            there.mkdir(exist_ok=True)
        elif not there.exists() or _looks(there) != _looks(path):
            shutil.copy2(path, there)


def _looks(path: Path) -> tuple[int, int]:
    about = path.stat()
    return about.st_size, about.st_mtime_ns


def _look(database: Recordable, left: Path, promised: Mapping[str, int], logs: Logs, came: Came) -> None:
    """Open what is left, and see that all is there that was promised."""
    try:
        with database.opened(left) as url:
            found = _logs(url)
            came.damage += [f"cut {came.cuts}: {where}: {what}" for where, what in _damage(url, came)]
    except Exception as error:  # not even that
        came.damage.append(f"cut {came.cuts}: it can’t be opened: {error}")
        found = {}
    for room, seq in promised.items():
        here = found.get(room, ())
        came.held += seq
        came.lost += max(0, seq - len(here))
    for room, entries in found.items():
        once = logs.get(room, ())
        came.other += sum(one != other for one, other in zip(entries, once, strict=False))
        came.other += max(0, len(entries) - len(once))


def _damage(url: str, came: Came) -> list[tuple[str, str]]:
    if came.cuts % CHECKED:
        engine = make_engine(parse_url(url))
        try:
            return transact(engine, lambda connection: list(damaged(connection)))
        finally:
            engine.dispose()
    found: list[tuple[str, str]] = []
    check(url, lambda finding: found.append((finding.where, finding.what)))
    return found


def _logs(url: str) -> Logs:
    """All entries as they stand in the table."""
    text = sa.cast(room_entry.c.data, sa.Text)
    query = sa.select(room_entry.c.room, room_entry.c.seq, room_entry.c.at, room_entry.c.kind, text)
    query = query.order_by(room_entry.c.room, room_entry.c.seq)
    engine = make_engine(parse_url(url))
    logs: dict[str, list[tuple[object, ...]]] = {}
    try:
        for room, *entry in transact(engine, lambda connection: connection.execute(query).all()):
            logs.setdefault(room, []).append(tuple(entry))
    finally:
        engine.dispose()
    return logs
