"""Test that the integrity check names each kind of damage and accepts sound data."""

import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from app.cli import main
from app.engine.games import GAMES
from app.rooms.log import snapshots
from app.store.db.database import Database
from app.store.db.schema import counted_hand_players, hands, room_events, room_snapshots
from app.store.deletion.person_deletion import PersonDeletion
from app.store.deletion.room_cleanup import RoomCleanup
from app.store.event_log.event_log import EventLog
from app.store.maintenance import integrity_check
from app.store.maintenance.integrity_check import check_database, first_difference
from app.store.maintenance.migrations import migrate_database
from tests import postgres
from tests.rooms.world import World
from tests.store.db.test_split_tables import migrate_and_split
from tests.store.deletion.test_person_deletion import an_evening
from tests.store.maintenance.test_rebuild import known_before, wild
from tests.store.played import keep, play
from tests.store.samples import at


@pytest.fixture
async def log(database: Database) -> AsyncIterator[EventLog]:
    log = EventLog(database)
    yield log
    await log.close()


def told(url: str) -> list[str]:
    found: list[str] = []
    check_database(url, lambda finding: found.append(str(finding)))
    return found


async def test_an_intact_database_has_no_findings(database: Database, log: EventLog, url: str) -> None:
    worlds = [wild(game, seed) for seed, game in enumerate(sorted(GAMES), 20)]
    await keep(log, database, *worlds, *known_before(worlds[0]))
    found: list[str] = []
    looked_at = check_database(url, lambda finding: found.append(str(finding)))
    assert found == []
    assert (looked_at.rooms, looked_at.without_checksum, looked_at.refused_entries) == (len(worlds) + 3, 0, 0)
    assert looked_at.entries == await database.read(
        lambda c: c.execute(sa.select(sa.func.count()).select_from(room_events)).scalar_one()
    )
    assert looked_at.hands == await database.read(
        lambda c: c.execute(sa.select(sa.func.count()).select_from(hands)).scalar_one()
    )
    ran = CliRunner().invoke(main, ["check", "--database", url])
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert f"{looked_at.hands} hands: no findings." in ran.stderr


async def test_a_deleted_person_causes_no_findings(database: Database, url: str) -> None:
    zoe, _, _ = await an_evening(database, EventLog(database))
    forgetting = PersonDeletion(database, zoe)
    await forgetting.rewrite_room("room-1", at(500))
    await forgetting.delete_person_rows(at(502))
    assert told(url) == []


async def test_remaining_entries_of_a_deleted_room_are_checked(database: Database, log: EventLog, url: str) -> None:
    await keep(log, database, *two_rooms())
    await RoomCleanup(database).delete_room("room-one", at(5000))
    assert told(url) == []
    left = (await log.read("room-one", 0))[0]
    here = room_events.update().where(room_events.c.room_id == "room-one", room_events.c.seq == left.seq)
    await database.write(lambda connection: connection.execute(here.values(created_at=at(1))))
    assert [line.partition(".")[0] for line in told(url)] == [
        f"room room-one, entry {left.seq}: its checksum is wrong ({left.kind})"
    ]


def two_rooms() -> list[World]:
    """Return two rooms, each with three finished hands and an aborted one."""
    return [
        play(World(game="president", bots=("easy",), room=room, seed=seed).join("Bob", "Cat"), 3)
        for seed, room in enumerate(("room-one", "room-two"))
    ]


async def test_each_damage_is_named_and_the_check_continues(database: Database, log: EventLog, url: str) -> None:
    one, two = two_rooms()
    await keep(log, database, one, two)
    acted = next(entry for entry in one.entries if entry.kind == "acted")
    hole = two.entries[-3].seq
    match = next(fact.match_id for fact in two.facts if hasattr(fact, "match_id"))

    def damage(connection: sa.Connection) -> None:
        entry = room_events.c.room_id == "room-one", room_events.c.seq == acted.seq
        data = dict(acted.data)
        connection.execute(room_events.update().where(*entry).values(data=data | {"by": "Bob"}))
        gone = room_events.c.room_id == "room-two", room_events.c.seq == hole
        connection.execute(room_events.delete().where(*gone))
        row = hands.c.match_id == match, hands.c.hand_number == 1
        record = connection.execute(sa.select(hands.c.record).where(*row)).scalar_one()
        record["fair"]["secret"] = "00" * 32
        connection.execute(hands.update().where(*row).values(record=record, totals={"Ana": 77}))
        connection.execute(
            counted_hand_players.update().where(counted_hand_players.c.room_id == "room-one").values(points=99)
        )

    await database.write(damage)
    found = told(url)
    assert f"room room-one, entry {acted.seq}: its checksum is wrong (acted)." in found[0]
    assert f"room room-two, entry {hole}: it is missing." in found[1]
    assert f"room room-two, match {match}: the deal of hand 2: not proven" in found[2]
    assert all("Stop the server" in line for line in found)
    # The rows of a room with a damaged log can't be compared, so they are skipped.
    ran = CliRunner().invoke(main, ["check", "--database", url])
    assert ran.exit_code == 1
    assert ran.stdout.splitlines() == found


async def test_rows_that_differ_from_the_log_are_named(database: Database, log: EventLog, url: str) -> None:
    await keep(log, database, *two_rooms())

    def damage(connection: sa.Connection) -> None:
        connection.execute(hands.update().where(hands.c.hand_number == 1).values(totals={"Ana": 77}))
        players = counted_hand_players.c
        mine = players.room_id == "room-two", players.room_hand_number == 1, players.player_key == "ana"
        connection.execute(counted_hand_players.update().where(*mine).values(points=99))

    await database.write(damage)
    found = told(url)
    assert len(found) == 3
    assert found[0].startswith("room room-one: hands room_id=room-one match_id=")
    assert "number=1 differs from the log in totals." in found[0]
    assert found[1].startswith("room room-two: hands room_id=room-two match_id=")
    assert found[2].startswith("room room-two: counted_hand_players room_id=room-two")
    assert all(line.endswith("`pecking-order rebuild`, which corrects this from the log.") for line in found)


async def test_a_snapshot_that_differs_from_the_log_is_named(database: Database, log: EventLog, url: str) -> None:
    one, two = two_rooms()
    await keep(log, database, one, two)
    assert one.snapshot is not None
    seq, state = one.snapshot
    settings = {**state["settings"], "pace": {"odd": 1}}

    def damage(connection: sa.Connection) -> None:
        here = room_snapshots.update().where(room_snapshots.c.room_id == "room-one")
        connection.execute(here.values(state={**state, "host": "Nobody", "settings": settings}))
        connection.execute(room_snapshots.update().where(room_snapshots.c.room_id == "room-two").values(seq=10_000))

    await database.write(damage)
    assert [line.partition(".")[0] for line in told(url)] == [
        f"room room-one, entry {seq}: its snapshot differs from the log in “host”",
        f"room room-two, entry {two.room.seq}: the log ends here, and the room’s snapshot is of entry 10000",
    ]


async def test_a_snapshot_of_another_version_causes_no_finding(database: Database, log: EventLog, url: str) -> None:
    one, two = two_rooms()
    await keep(log, database, one, two)
    assert one.snapshot is not None
    state = {**one.snapshot[1], "format": snapshots.FORMAT - 1, "host": "Nobody"}
    here = room_snapshots.update().where(room_snapshots.c.room_id == "room-one")
    await database.write(lambda connection: connection.execute(here.values(state=state)))
    assert told(url) == []


def test_keys_missing_from_an_old_snapshot_are_not_a_difference() -> None:
    assert first_difference({"a": 1, "b": [{"c": 2, "new": 0}], "new": 3}, {"a": 1, "b": [{"c": 2}], "gone": 5}) is None
    assert first_difference({"a": [1, 2]}, {"a": [1]}) == "a"


# Damaged files ------------------------------------------------------------------------------------------------


async def a_file(tmp_path: Path) -> tuple[str, Path]:
    """Return an SQLite file with two rooms that no process has open."""
    path = tmp_path / "store.sqlite3"
    url = f"sqlite:///{path}"
    migrate_database(url)
    database = Database(url)
    log = EventLog(database)
    await keep(log, database, *two_rooms())
    await log.close()
    await database.close()
    assert told(url) == []
    return url, path


def page_of(path: Path, table: str) -> tuple[int, int]:
    """Return the offset and the size of a table's last page with rows."""
    with closing(sqlite3.connect(path)) as connection:
        [size] = connection.execute("PRAGMA page_size").fetchone()
        [root] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    start = (root - 1) * size
    page = path.read_bytes()[start : start + size]
    assert page[0] == 5, "a table of several pages"
    return (int.from_bytes(page[8:12]) - 1) * size, size


async def test_a_flipped_bit_in_a_value_is_found(tmp_path: Path) -> None:
    url, path = await a_file(tmp_path)
    content = bytearray(path.read_bytes())
    start, size = page_of(path, "room_events")
    place = content.index(b'"cards":"', start, start + size)
    content[place + 9] ^= 1
    path.write_bytes(content)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "SQLite sees nothing"
    found = told(url)
    assert "its checksum is wrong" in found[0]
    # A rebuild from a damaged log would make things worse, so the text does not suggest it.
    assert all("restore the newest backup" in line for line in found)


async def test_bytes_that_are_not_valid_text_are_found(tmp_path: Path) -> None:
    url, path = await a_file(tmp_path)
    content = bytearray(path.read_bytes())
    start, size = page_of(path, "room_events")
    content[content.index(b'"cards":"', start, start + size) + 9] |= 0x80
    path.write_bytes(content)
    found = told(url)
    assert ", entry " in found[0]
    assert "it can’t be read: " in found[0]


async def test_the_check_continues_after_a_batch_with_an_unreadable_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, path = await a_file(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        [(entries,)] = connection.execute("SELECT count(*) FROM room_events").fetchall()
        first = "SELECT data FROM room_events WHERE room_id = 'room-one' AND event_type = 'acted' ORDER BY seq LIMIT 1"
        [(data,)] = connection.execute(first).fetchall()
    content = bytearray(path.read_bytes())
    content[content.index(data.encode()) + 2] |= 0x80
    path.write_bytes(content)
    monkeypatch.setattr(integrity_check, "ENTRIES_PER_BATCH", 50)
    assert check_database(url, lambda finding: None).entries == entries


async def test_a_page_of_zeros_is_named_with_its_table_and_the_check_continues(tmp_path: Path) -> None:
    url, path = await a_file(tmp_path)
    content = bytearray(path.read_bytes())
    pages = {}
    for table in ("room_events", "hands"):
        start, size = page_of(path, table)
        content[start : start + size] = bytes(size)
        pages[table] = start // size + 1
    path.write_bytes(content)
    found = told(url)
    for table, page in pages.items():
        assert any(re.match(rf"table {table}: .*\b[Pp]age {page}\b", line) for line in found), found
    assert any(re.match(r"room room-\w+, entry \d+: it can’t be read", line) for line in found)
    assert any(re.match(r"room room-\w+, match \w+: its record can’t be played", line) for line in found)
    assert any(line.startswith("history and books: ") for line in found)
    ran = CliRunner().invoke(main, ["check", "--database", url])
    assert (ran.exit_code, ran.stdout.splitlines()) == (1, found)
    assert f"{len(found)} findings" in ran.stderr


def test_a_file_that_is_not_a_database_gets_the_usual_error(tmp_path: Path) -> None:
    (tmp_path / "other.sqlite3").write_bytes(b"nothing of the kind" * 100)
    for name in ("other", "none"):
        ran = CliRunner().invoke(main, ["check", "--database", f"sqlite:///{tmp_path}/{name}.sqlite3"])
        assert (ran.exit_code, ran.stdout) == (2, "")
        assert "The database can’t be used" in ran.stderr


@pytest.mark.postgres
@pytest.mark.parametrize("is_split", [False, True], ids=["whole tables", "split tables"])
async def test_damaged_postgresql_blocks_are_named_and_the_check_continues(is_split: bool) -> None:
    reason = postgres.missing()
    if reason is not None:
        pytest.skip(reason)
    with postgres.Postgres() as server:
        url = server.create_database()
        (migrate_and_split if is_split else migrate_database)(url)
        database = Database(url)
        log = EventLog(database)
        await keep(log, database, *two_rooms())
        await log.close()
        files = await database.read(_files)
        await database.write(lambda connection: connection.execute(sa.text("CREATE EXTENSION amcheck")))
        await database.close()
        assert told(url) == []
        server.stop()
        for file, size in files:
            path = server.folder / "data" / file
            content = bytearray(path.read_bytes())
            # Damage the last block: rows of the table, and the newest keys of the index.
            content[-size // 2] ^= 1
            path.write_bytes(content)
        server.start()
        found = told(url)
    part = r"public_partitions\.room_events_\d\d" if is_split else "room_events"
    assert any(re.match(rf"table {part}, block \d+: invalid page in block", line) for line in found), found
    index = r"public_partitions\.hands_\d\d_pkey" if is_split else "pk_hands"
    assert any(re.match(rf"index {index}: ", line) for line in found), "\n".join(found)
    assert any(re.match(r"room room-\w+, entry \d+: it can’t be read", line) for line in found), "\n".join(found)


def _files(connection: sa.Connection) -> list[tuple[str, int]]:
    """Return the files of a table and a primary key in PostgreSQL, or of a partition with rows; and the block size."""
    block = "current_setting('block_size')::int"
    table = f"SELECT pg_relation_filepath(tableoid), {block} FROM room_events LIMIT 1"
    key = f"SELECT pg_relation_filepath(indexrelid), {block} FROM pg_index WHERE indisprimary"
    key += " AND indrelid = (SELECT tableoid FROM hands LIMIT 1)"
    return [tuple(connection.execute(sa.text(query)).one()) for query in (table, key)]
