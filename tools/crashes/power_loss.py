"""`python -m tools soak --cuts`: simulate power cuts, and check that nothing acknowledged is lost.

Players on real connections play once, while all writes of the server to the disk and to the players are recorded
(`disk_recorder.py`). Then power cuts are simulated at many moments of the recording, half of them right after a player
was told of an entry. For each cut, the files are rebuilt as they might be, without some or all unsynced data
(`simulated_disk.py`). The database is opened from them. It must contain every entry that a player was told of,
unchanged. After every tenth cut, a full `check` runs on the database.
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
from app.store.db.schema import room_events
from app.store.db.transactions import run_in_transaction
from app.store.maintenance.integrity_check import check_database
from app.store.maintenance.page_check import find_corrupt_pages
from app.store.store import open_beside_server
from tools.crashes.disk_recorder import Recorder, text_frame_indexes_by_port
from tools.crashes.kill_server import PATIENCE, CrashSoak
from tools.crashes.simulated_disk import CUT_MODES, CutMode, SimulatedDisk
from tools.local_server.server_process import LocalServer

CHECKED: Final = 10
"""A full `check` runs once in this number of cuts, because it takes longer than everything else."""
_SHOWN: Final = 20

Logs: TypeAlias = Mapping[str, Sequence[tuple[object, ...]]]
"""The log entries of each room, in order, by room id."""


class RecordableDatabase(Protocol):
    """A database for tests of power cuts: its file operations can be recorded, and it opens from files after a cut.

    `folder` has the database's files and no others. `base` is a copy of it from before the recording, or None if it was
    empty.
    """

    url: str
    folder: Path
    """Folder with the files of the database and no others."""
    base: Path | None
    """Copy of that folder from before the recording, or None if it was empty."""

    def run_recorded(self, environment: Mapping[str, str]) -> AbstractContextManager[None]:
        """Run the database for a `with` block, with the environment variables by which its operations are recorded."""
        ...

    def open_copy(self, folder: Path) -> AbstractContextManager[str]:
        """Open a database from the files that a power cut left in a folder, for a `with` block; yield its URL."""
        ...


class SqliteFile:
    """A new SQLite database in its own folder, for a test of power cuts."""

    base: Path | None = None

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self.url = self._url_in(folder)

    @contextmanager
    def run_recorded(self, environment: Mapping[str, str]) -> Iterator[None]:
        """Do nothing in the `with` block: SQLite runs inside the server process, which is recorded anyway."""
        yield

    @contextmanager
    def open_copy(self, folder: Path) -> Iterator[str]:
        """Remove SQLite's shared-memory files, which a power cut destroys, and yield the URL of the database."""
        for shared in folder.glob("*-shm"):  # shared memory, which SQLite recreates
            shared.unlink()
        yield self._url_in(folder)

    @staticmethod
    def _url_in(folder: Path) -> str:
        return f"sqlite:///{folder / 'rooms.sqlite3'}"


class AcknowledgedEntry(NamedTuple):
    """A message to a player that acknowledges a log entry, and so all entries of the room before it.

    `at` is the index of the recorded operation that sent it. `seq` is the entry's number in the log of `room`. After a
    later power cut, these entries must be there.
    """

    at: int
    """Index of the recorded operation that sent the message."""
    room: str
    seq: int


@dataclass(slots=True)
class CutResults:
    """The counts of a test of power cuts, and the damage that was found.

    `cuts`: simulated power cuts. `told`: answers and views that acknowledged an entry. `held`: acknowledged entries
    that had to be there, over all cuts; `lost`: those of them that were missing. `other`: entries that were changed or
    never in the log. `damage`: texts on errors when a database was opened or checked.
    """

    cuts: int = 0
    told: int = 0
    """Number of answers and views that acknowledged an entry."""
    held: int = 0
    """Number of acknowledged entries that had to be found, over all cuts."""
    lost: int = 0
    """Number of acknowledged entries that were missing."""
    other: int = 0
    """Number of entries that were changed or never in the log."""
    damage: list[str] = field(default_factory=list[str])
    """Damage found when opening or checking a database."""

    def __str__(self) -> str:
        return (
            f"{self.cuts} cuts in an evening in which entries were told of {self.told} times: of {self.held} entries "
            f"{self.lost} were lost and {self.other} were not as they had been; {len(self.damage)} times the database "
            "was damaged."
        )


def run_power_loss_test(cuts: int, rooms: int, answers: int, games: Sequence[str], seed: int) -> None:
    """Play on a new SQLite file and simulate `cuts` power cuts; exit with status 1 after any loss or damage.

    `rooms` rooms play the games in turn, until `answers` answers came.
    """
    with tempfile.TemporaryDirectory(prefix="pecking-order-cuts-") as place:
        came = play_and_cut_power(SqliteFile(Path(place) / "kept"), Path(place), cuts, rooms, answers, games, seed)
    for damage in came.damage[:_SHOWN]:
        click.echo(damage, err=True)
    click.echo(str(came))
    if came.lost or came.other or came.damage:
        sys.exit(1)


def play_and_cut_power(
    database: RecordableDatabase,
    work_folder: Path,
    cuts: int,
    rooms: int,
    answers: int,
    games: Sequence[str],
    seed: int,
    environment: Mapping[str, str] | None = None,
) -> CutResults:
    """Record play until `answers` answers came, then simulate `cuts` power cuts and return the results.

    `work_folder`: an own folder for the recording and the rebuilt files. `environment`: more environment variables for
    the server. Raises ClickException if answers and logs differ even without a cut.
    """
    rng = Random(seed)
    recorder = Recorder(database.folder, work_folder)
    with database.run_recorded(recorder.environment):
        server = LocalServer(database.url)
        server.environment = {**recorder.environment, **(environment or {})}
        soak = CutSoak(server, rng)
        server.start()
        try:
            soak.open_rooms(rooms, games)
            asyncio.run(soak.play_until_answers(answers))
        finally:
            server.stop()
        asyncio.run(soak.compare_and_find_rooms())
        logs = _read_all_logs(database.url)
    if soak.mismatches:
        raise click.ClickException(f"Even without a cut: {soak.mismatches[0].description}")
    return _check_power_cuts(database, work_folder, recorder, soak.acknowledged_entries(recorder), logs, cuts, rng)


class CutSoak(CrashSoak):
    """A run of play without crashes, for a test of power cuts; it knows when each entry was acknowledged."""

    async def play_until_answers(self, answers: int) -> None:
        """Let the players play until `answers` answers came or `PATIENCE` seconds passed, then stop the server."""
        self._answers_left = answers
        playing = [
            asyncio.create_task(player.play(table.address)) for table in self._tables for player in table.players
        ]
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._enough_answers.wait()
        self._server.stop()
        await asyncio.gather(*playing)

    async def compare_and_find_rooms(self) -> None:
        """Compare answers and views with the logs, and store the ids of the rooms for `acknowledged_entries`."""
        await self._compare_with_logs()
        async with open_beside_server(self._server.database) as store:
            leads = [await store.log.by_code(table.code) for table in self._tables]
        self._rooms = [lead.room for lead in leads if lead is not None]

    def acknowledged_entries(self, recorder: Recorder) -> list[AcknowledgedEntry]:
        """Return all acknowledgements of log entries to players, in the order in which they were sent.

        The recording tells when each was sent.
        """
        sent = text_frame_indexes_by_port(recorder.recorded_operations())
        return sorted(
            AcknowledgedEntry(at, room, seq)
            for room, table in zip(self._rooms, self._tables, strict=True)
            for player in table.players
            for port, seqs in player.seqs.items()
            for at, seq in zip(sent[port][: len(seqs)], seqs, strict=True)
            if seq
        )


def _check_power_cuts(
    database: RecordableDatabase,
    place: Path,
    recorder: Recorder,
    told: Sequence[AcknowledgedEntry],
    logs: Logs,
    cuts: int,
    rng: Random,
) -> CutResults:
    if not told:
        raise click.ClickException("Nothing was played.")
    came, left = CutResults(told=len(told)), place / "left"
    deeds, disk, taken = recorder.recorded_operations(), SimulatedDisk(database.folder, database.base), 0
    for moment in _choose_cut_moments(recorder, told, cuts, rng):
        for deed in islice(deeds, moment - taken):
            disk.apply_operation(deed)
        taken = moment
        _write_files_after_cut(disk, CUT_MODES[came.cuts % len(CUT_MODES)], rng, left, database.base)
        came.cuts += 1
        _check_recovered_database(database, left, _required_seq_by_room(told, moment), logs, came)
    return came


def _choose_cut_moments(recorder: Recorder, told: Sequence[AcknowledgedEntry], cuts: int, rng: Random) -> list[int]:
    """Choose `cuts` moments for power cuts, as sorted numbers of recorded operations.

    `told` are the acknowledgements to players. Half of the moments are right after one of them.
    """
    last = sum(1 for _ in recorder.recorded_operations())
    return sorted(rng.choice(told).at + 1 if n % 2 else rng.randint(told[0].at + 1, last) for n in range(cuts))


def _required_seq_by_room(told: Sequence[AcknowledgedEntry], moment: int) -> dict[str, int]:
    """Return, by room, the highest seq of a log entry that was acknowledged before a moment.

    After a power cut at that moment, all entries up to it must be there.
    """
    before = [promise for promise in told if promise.at < moment]
    return {room: max(p.seq for p in before if p.room == room) for room in {promise.room for promise in before}}


def _write_files_after_cut(disk: SimulatedDisk, how: CutMode, rng: Random, folder: Path, base: Path | None) -> None:
    """Write the database's files to a folder as they would be after a power cut of the kind `how`.

    `base` is a copy of the folder before the recording, or None.
    """
    _reset_folder(folder, base)
    gone, there = disk.files_after_power_cut(how, rng)
    for name in gone:
        (folder / name).unlink()
    for name, content in there.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _reset_folder(folder: Path, base: Path | None) -> None:
    """Reset a folder to the copy `base`, or to empty without one, before the files after the next cut are written.

    Only changed files are copied, to save time.
    """
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
        elif not there.exists() or _size_and_mtime(there) != _size_and_mtime(path):
            shutil.copy2(path, there)


def _size_and_mtime(path: Path) -> tuple[int, int]:
    about = path.stat()
    return about.st_size, about.st_mtime_ns


def _check_recovered_database(
    database: RecordableDatabase, left: Path, promised: Mapping[str, int], logs: Logs, came: CutResults
) -> None:
    """Open the database after a power cut, and add lost entries, changed entries and damage to `came`.

    `left` is the folder with the files that the cut left. `promised`: by room, the seq up to which entries must be
    there. `logs`: the entries before the cut.
    """
    try:
        with database.open_copy(left) as url:
            found = _read_all_logs(url)
            came.damage += [f"cut {came.cuts}: {where}: {what}" for where, what in _find_damage(url, came)]
    except Exception as error:  # opening a damaged database may raise anything
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


def _find_damage(url: str, came: CutResults) -> list[tuple[str, str]]:
    if came.cuts % CHECKED:
        engine = make_engine(parse_url(url))
        try:
            return run_in_transaction(engine, lambda connection: list(find_corrupt_pages(connection)))
        finally:
            engine.dispose()
    found: list[tuple[str, str]] = []
    check_database(url, lambda finding: found.append((finding.where, finding.what)))
    return found


def _read_all_logs(url: str) -> Logs:
    """Read all log entries of a database as stored in the table, by room, to compare them before and after a cut."""
    text = sa.cast(room_events.c.data, sa.Text)
    columns = room_events.c.room_id, room_events.c.seq, room_events.c.created_at, room_events.c.event_type
    query = sa.select(*columns, text)
    query = query.order_by(room_events.c.room_id, room_events.c.seq)
    engine = make_engine(parse_url(url))
    logs: dict[str, list[tuple[object, ...]]] = {}
    try:
        for room, *entry in run_in_transaction(engine, lambda connection: connection.execute(query).all()):
            logs.setdefault(room, []).append(tuple(entry))
    finally:
        engine.dispose()
    return logs
