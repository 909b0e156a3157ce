"""Test dumps, copies, and restoring them on either database."""

import asyncio
import gzip
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from app.cli import main
from app.rooms.people.chat import ChatMessage
from app.rooms.ports.facts import HandStarted, PointsEntered
from app.store.db.database import Database
from app.store.db.errors import BadUrl
from app.store.db.file_lock import lock_database_file
from app.store.db.schema import server_times, static_files, tables_in_backups
from app.store.deletion.deletion_schedule import DeletionSchedule
from app.store.event_log.event_log import EventLog
from app.store.maintenance import backup
from app.store.maintenance.backup_file import BadBackup, copy_sqlite_file
from app.store.maintenance.migrations import migrate_database
from app.store.maintenance.open_database import open_for_command, open_for_server
from app.store.repositories.chat import ChatStore
from app.store.repositories.import_encoding import NewHand, NewImport, encode_import
from app.store.repositories.imported_matches import ImportedMatches
from app.store.repositories.operations import Operations
from app.store.repositories.people import People
from app.store.repositories.push_subscriptions import PushSubscriptions, Subscription
from app.store.repositories.stats_links import StatsLinks
from tests import postgres
from tests.store.samples import T0, address, at, ended, entry, hand, started

ROWS = {
    "people": 2,
    "devices": 2,
    "device_links": 1,
    "saved_rules": 0,
    "push_subscriptions": 1,
    "server_keys": 1,
    "planned_deletions": 1,
    "cleanup_times": 1,
    "server_times": 1,
    "bans": 1,
    "operator_actions": 1,
    "rooms": 2,
    "room_codes": 2,
    "stats_links": 1,
    "chat_messages": 1,
    "room_events": 605,
    "room_snapshots": 1,
    "room_visits": 1,
    "matches": 2,
    "match_directory": 3,
    "match_players": 6,
    "hand_initial_states": 2,
    "hands": 2,
    "point_adjustments": 1,
    "counted_hands": 2,
    "counted_hand_players": 6,
    "point_reasons": 2,
    "highlights": 4,
    "merged_players": 0,
    "ratings": 2,
    "imported_matches": 1,
    "imported_hands": 1,
}
RESTORED = ROWS | {"planned_deletions": 0}


async def fill(database: Database) -> None:
    """Fill every table, one of them with more rows than are read at once."""
    people, log = People(database), EventLog(database)
    ana, _ = await people.create(T0, "Ana ♠\n\\u0000")
    bob, _ = await people.create(at(0.123456))
    await people.create_recovery_token(ana.person.id, T0, timedelta(hours=1))
    await log.create("KQ7F3M", address("KQ7F3M"), [entry("opened")])
    await log.create("OTHER1", address("OTHER1"), [entry("opened")])
    await people.record_visit(ana.person.id, "KQ7F3M", at(3))
    await StatsLinks(database).create_link("KQ7F3M", at(3))
    await ChatStore(database).save_message(
        "KQ7F3M", "m1", ChatMessage(1, ana.person.id, "Ana ♠", 1000, "hello ♠", None)
    )
    subscriptions = PushSubscriptions(database)
    await subscriptions.server_key(lambda: "a key", at(3))
    await DeletionSchedule(database).update_schedule("rooms", ["OTHER1"], 2, 60)
    browser = Subscription("https://push.example.org/♠", "key", "auth", "en", "https://cards.example.org")
    await subscriptions.save_subscription(ana.person.id, ana.device, browser, at(3))
    brought = NewHand(0, {"cards": {"Ana ♠": "3c"}}, {"seats": ["Ana ♠"]}, [{"e": "out"}], {"standing": []}, None)
    match = encode_import(
        NewImport("president", {"preset": "pagat"}, ["Ana ♠"], {"Ana ♠": -1}, [], [], False, [brought])
    )
    await ImportedMatches(database).save_match(ana.person.id, at(5), match)
    await log.append("KQ7F3M", 1, [entry()], [started("m1", "KQ7F3M", (ana.person.id, None, None))])
    reason = {"name": "Ana", "key": "ledger.credit", "values": {"of": [3, "♠"]}, "amount": 5, "unit": "points"}
    await log.append("KQ7F3M", 2, [entry()], [PointsEntered("m1", 0, [reason], at(4))])
    played = [hand("m1", number, people=(ana.person.id, bob.person.id, None)) for number in range(2)]
    began = [HandStarted("m1", number, {"seats": ["Ana ♠"]}) for number in range(2)]
    await log.append("KQ7F3M", 3, [entry()], [*began, *played, ended("m1", 2)], {"b": 1, "a": [None]})
    await log.append("OTHER1", 1, [entry(number=n) for n in range(600)], [started("m2", "OTHER1")])
    await log.close()
    operations = Operations(database)
    await operations.record("rooms delete", "OTHER1", T0)
    await operations.ban(ip_network("192.0.2.0/24"), T0, at(100))
    script = static_files.insert().values(version="v", path="js/a.js", stored_at=T0, content=b"\x00")
    time = server_times.insert().values(name="last_backup", happened_at=T0)
    await database.write(lambda connection: [connection.execute(statement) for statement in (script, time)])


async def everything(database: Database) -> dict[str, list[Any]]:
    return await database.read(
        lambda c: {t.name: [tuple(row) for row in c.execute(sa.select(t))] for t in tables_in_backups()}
    )


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def other_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return an empty database of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/other/store.sqlite3"
    else:
        server: postgres.Postgres = request.getfixturevalue("postgres_server")
        with postgres.fresh_database(server) as url:
            yield url


@pytest.mark.parametrize("name", ["dump.jsonl", "dump.jsonl.gz"])
async def test_a_dump_can_be_restored_from_and_to_either_database(
    database: Database, url: str, other_url: str, tmp_path: Path, name: str
) -> None:
    await fill(database)
    path = tmp_path / name
    assert await asyncio.to_thread(backup.dump_tables, url, path) == ROWS
    assert path.stat().st_mode & 0o777 == 0o600
    assert await asyncio.to_thread(backup.restore_backup, other_url, path) == RESTORED
    other = Database(other_url)
    kept, restored = await everything(database), await everything(other)
    assert {name: len(rows) for name, rows in kept.items()} == ROWS
    kept["planned_deletions"] = []  # this table is not restored
    for name, rows in kept.items():
        assert sorted(map(repr, restored[name])) == sorted(map(repr, rows)), name
    log = EventLog(other)
    assert await log.append("OTHER1", 601, [entry()]) == 602  # the log continues
    await log.close()
    await other.close()

    with pytest.raises(BadBackup, match="not empty"):
        await asyncio.to_thread(backup.restore_backup, other_url, path)
    with pytest.raises(BadBackup, match="is there already"):
        await asyncio.to_thread(backup.dump_tables, url, path)


async def test_a_dump_is_consistent_while_hands_are_played(database: Database, url: str, tmp_path: Path) -> None:
    log = EventLog(database)
    await log.create("KQ7F3M", address("KQ7F3M"), [entry("opened")])
    await log.append("KQ7F3M", 1, [entry()], [started("m1", "KQ7F3M")])

    async def play() -> None:
        for number in range(10_000):
            await log.append("KQ7F3M", 2 + number, [entry()], [hand("m1", number)])

    playing = asyncio.create_task(play())
    for number in range(3):
        path = tmp_path / f"{number}.jsonl"
        rows = await asyncio.to_thread(backup.dump_tables, url, path)
        assert rows["room_events"] == rows["hands"] + 2
        assert rows["counted_hand_players"] == 3 * rows["hands"]
    playing.cancel()
    await asyncio.wait({playing})
    await log.close()
    restored_url = f"sqlite:///{tmp_path}/restored.sqlite3"
    await asyncio.to_thread(backup.restore_backup, restored_url, path)
    other = Database(restored_url)
    kept, restored = await everything(database), await everything(other)
    await other.close()
    for name in ("room_events", "hands", "counted_hands", "counted_hand_players", "highlights", "point_reasons"):
        assert len(restored[name]) == rows[name]
        assert {*map(repr, restored[name])} <= {*map(repr, kept[name])}, name


async def test_a_copy_has_every_row_and_its_source_is_unchanged(
    database: Database, url: str, other_url: str, tmp_path: Path
) -> None:
    await fill(database)
    source = await everything(database)
    await database.close()
    file = tmp_path / "store.sqlite3"
    before = file.read_bytes() if file.exists() else b""
    command = ["copy", "--from", url, "--to", other_url]
    for used, use in ((url, open_for_command(url, "beside")), (other_url, open_for_server(other_url))):
        if used == url and not url.startswith("postgresql"):
            use = lock_database_file(url)  # only servers hold it
        with use:
            refused = await asyncio.to_thread(CliRunner().invoke, main, command)
            assert (refused.exit_code, "another Pecking Order uses" in refused.stderr) == (75, True), refused.output
    copied = await asyncio.to_thread(CliRunner().invoke, main, command)
    assert (copied.exit_code, ", and compared." in copied.output) == (0, True), copied.output
    unchanged, other = Database(url), Database(other_url)
    target = await everything(other)
    assert {name: len(rows) for name, rows in target.items()} == ROWS
    assert await everything(unchanged) == source
    for name, rows in source.items():
        assert sorted(map(repr, target[name])) == sorted(map(repr, rows)), name
    await unchanged.close()
    await other.close()
    assert before == (file.read_bytes() if file.exists() else b"")
    again = await asyncio.to_thread(CliRunner().invoke, main, command)
    assert (again.exit_code, "the target is not empty, it has 2 people" in again.stderr) == (1, True), again.output
    same = await asyncio.to_thread(CliRunner().invoke, main, ["copy", "--from", url, "--to", url])
    assert (same.exit_code, "the same database" in same.stderr) == (2, True), same.output


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a dump once for all tests."""
    folder = tmp_path_factory.mktemp("dump")
    url = f"sqlite:///{folder}/store.sqlite3"
    migrate_database(url)

    async def make() -> None:
        database = Database(url)
        await fill(database)
        await database.close()

    asyncio.run(make())
    backup.dump_tables(url, folder / "dump.jsonl")
    return folder / "dump.jsonl"


def spoil_the_end(lines: list[str]) -> list[str]:
    return lines[:-1]


def spoil_a_row(lines: list[str]) -> list[str]:
    return [*lines[:5], lines[5][:-9], *lines[6:]]


def lose_a_row(lines: list[str]) -> list[str]:
    return [line for line in lines if '"room_snapshots"' not in line or '"rows"' in line]


def lose_a_match(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith('{"matches":')]


def rename_a_table(lines: list[str]) -> list[str]:
    return [lines[0], '{"nothing":{}}', *lines[1:]]


def from_the_future(lines: list[str]) -> list[str]:
    return [json.dumps(json.loads(lines[0]) | {"revision": "next_year"}), *lines[1:]]


def from_long_ago(lines: list[str]) -> list[str]:
    return [json.dumps(json.loads(lines[0]) | {"revision": "the_book"}), *lines[1:]]


def something_else(lines: list[str]) -> list[str]:
    return ['"Dear diary"']


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (spoil_the_end, "not whole"),
        (spoil_a_row, "damaged"),
        (lose_a_row, "not whole"),
        (lose_a_match, "not whole|don't fit together"),
        (rename_a_table, "damaged"),
        (from_the_future, "next_year"),
        (from_long_ago, "upgrade to 0.3.0 first"),
        (something_else, "neither"),
    ],
)
async def test_a_damaged_dump_restores_nothing(
    database: Database, url: str, tmp_path: Path, whole: Path, spoil: Callable[[list[str]], list[str]], why: str
) -> None:
    lines = whole.read_text().splitlines()
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text("\n".join(spoil(lines)))
    with pytest.raises(BadBackup, match=why):
        await asyncio.to_thread(backup.restore_backup, url, damaged)
    assert not any((await everything(database)).values())


def test_files_that_are_not_backups_are_refused(url: str, tmp_path: Path, whole: Path) -> None:
    with pytest.raises(BadBackup, match="there is no"):
        backup.restore_backup(url, tmp_path / "nothing")
    empty = tmp_path / "empty"
    empty.touch()
    with pytest.raises(BadBackup, match="neither"):
        backup.restore_backup(url, empty)
    half = tmp_path / "half.gz"
    half.write_bytes(gzip.compress(whole.read_bytes())[:-100])
    with pytest.raises(BadBackup, match="damaged"):
        backup.restore_backup(url, half)
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(BadBackup, match="damaged"):
        backup.restore_backup(url, picture)


async def test_sqlite_can_be_copied_while_it_is_used(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.sqlite3"
    migrate_database(url)
    database = Database(url)
    await fill(database)
    copy = tmp_path / "backups" / "copy.sqlite3"
    await asyncio.to_thread(copy_sqlite_file, url, copy)
    log = EventLog(database)
    assert await log.append("KQ7F3M", 4, [entry()]) == 5  # too late for the copy
    await log.close()
    assert [path.name for path in copy.parent.iterdir()] == ["copy.sqlite3"]

    restored = f"sqlite:///{tmp_path}/restored.sqlite3"
    assert await asyncio.to_thread(backup.restore_backup, restored, copy) == RESTORED
    with pytest.raises(BadBackup, match="is not empty"):
        await asyncio.to_thread(backup.restore_backup, restored, copy)
    await database.close()
    with pytest.raises(BadBackup, match="fits SQLite only"):
        await asyncio.to_thread(backup.restore_backup, "postgresql://nobody@nowhere.invalid/x", copy)
    with pytest.raises(BadUrl, match="dump"):
        await asyncio.to_thread(copy_sqlite_file, "postgresql://nobody@nowhere.invalid/x", tmp_path / "x")


def test_a_database_that_was_never_migrated_is_not_dumped(empty_url: str, tmp_path: Path) -> None:
    (tmp_path / "store.sqlite3").touch()
    with pytest.raises(BadUrl, match="nothing is kept in it yet"):
        backup.dump_tables(empty_url, tmp_path / "dump.jsonl")
    assert not (tmp_path / "dump.jsonl").exists()


def make_key(url: str) -> None:
    """Migrate the database and create a server key, as a server does at its first start."""
    migrate_database(url)

    async def make() -> None:
        database = Database(url)
        await PushSubscriptions(database).server_key(lambda: "another key", at(1))
        await database.close()

    asyncio.run(make())


def test_a_database_holding_only_a_server_key_counts_as_empty(whole: Path, empty_url: str) -> None:
    make_key(empty_url)
    assert backup.restore_backup(empty_url, whole) == RESTORED


def test_replace_deletes_existing_data_only_if_the_restore_succeeds(
    whole: Path, empty_url: str, tmp_path: Path
) -> None:
    backup.restore_backup(empty_url, whole)
    with pytest.raises(BadBackup, match=r"not empty, it has 2 people, 2 rooms, 2 matches\. `restore --replace`"):
        backup.restore_backup(empty_url, whole)
    cut = tmp_path / "cut.jsonl"
    cut.write_text("\n".join(lose_a_match(whole.read_text().splitlines())) + "\n")
    with pytest.raises(BadBackup):
        backup.restore_backup(empty_url, cut, replace=True)
    assert backup.count_main_rows(empty_url) == {"people": 2, "rooms": 2, "matches": 2}
    assert backup.restore_backup(empty_url, whole, replace=True) == RESTORED


def test_a_failed_restore_leaves_nothing_behind(whole: Path, empty_url: str, tmp_path: Path) -> None:
    """The row counts are right, so only the database can find the error."""
    lines = whole.read_text().splitlines()
    first, second = (number for number, line in enumerate(lines) if line.startswith('{"rooms":'))
    lines[second] = lines[first]  # the same room twice
    twice = tmp_path / "twice.jsonl"
    twice.write_text("\n".join(lines) + "\n")
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(BadBackup, match="don't fit together"):
        backup.restore_backup(empty_url, twice)
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    if empty_url.startswith("postgresql"):
        engine = sa.create_engine(empty_url)
        assert sa.inspect(engine).get_table_names() == []
        engine.dispose()


def test_a_copy_replaces_a_database_only_if_it_is_complete(tmp_path: Path, whole: Path) -> None:
    source, target = (f"sqlite:///{tmp_path}/{name}.sqlite3" for name in ("source", "target"))
    backup.restore_backup(source, whole)
    copy = tmp_path / "copy.sqlite3"
    copy_sqlite_file(source, copy)
    make_key(target)
    cut = tmp_path / "cut.sqlite3"
    cut.write_bytes(copy.read_bytes()[:5000])
    with pytest.raises((BadUrl, BadBackup)):
        backup.restore_backup(target, cut, replace=True)
    assert backup.count_main_rows(target) == {}
    assert backup.restore_backup(target, copy) == RESTORED
    assert not list(tmp_path.glob(".*"))


def test_a_dash_uses_standard_output_and_input_for_backup_and_restore(whole: Path, tmp_path: Path) -> None:
    one, other = (f"sqlite:///{tmp_path}/{name}.sqlite3" for name in ("one", "other"))
    backup.restore_backup(one, whole)
    program = [sys.executable, "-m", "app"]
    written = subprocess.run([*program, "backup", "-", "--gzip", "--database", one], check=True, capture_output=True)
    lines = gzip.decompress(written.stdout).splitlines()
    assert lines[0].startswith(b'{"format"')
    subprocess.run([*program, "restore", "-", "--database", other], check=True, input=b"\n".join(lines))
    assert backup.count_main_rows(other) == {"people": 2, "rooms": 2, "matches": 2}


async def test_a_backup_saves_its_time_when_it_is_complete(database: Database, url: str, tmp_path: Path) -> None:
    async def last_backup() -> datetime | None:
        return await database.read(lambda connection: connection.execute(query).scalar_one_or_none())

    query = sa.select(server_times.c.happened_at).where(server_times.c.name == "last_backup")
    kinds = [["dump.jsonl"], *([["--copy", "copy.sqlite3"]] if url.startswith("sqlite") else [])]
    for *options, name in kinds:
        command = ["backup", *options, str(tmp_path / name), "--database", url]
        before, began = await last_backup(), datetime.now(UTC)
        done = await asyncio.to_thread(CliRunner().invoke, main, command)
        assert (done.exit_code, done.stderr) == (0, "")
        saved = await last_backup()
        assert saved is not None
        assert began <= saved <= datetime.now(UTC)
        refused = await asyncio.to_thread(CliRunner().invoke, main, command)
        assert (refused.exit_code, "is there already" in refused.stderr) == (1, True)
        assert (await last_backup(), saved) != (before, before)
        assert await last_backup() == saved


def test_replacing_data_asks_for_confirmation(whole: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/one.sqlite3"
    backup.restore_backup(url, whole)
    command = ["restore", str(whole), "--database", url, "--replace"]
    asked = CliRunner().invoke(main, command, input="n\n")
    assert (asked.exit_code, "Delete 2 people, 2 rooms, 2 matches in" in asked.output) == (1, True)
    confirmed = CliRunner().invoke(main, [*command, "--yes"])
    assert (confirmed.exit_code, confirmed.output[:36]) == (0, "Deleting 2 people, 2 rooms, 2 matche")
