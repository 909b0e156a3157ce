"""Test that every entry of a log has a correct checksum, and that any change to an entry is noticed."""

from datetime import timedelta, timezone
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.store.db.database import Database
from app.store.db.engines import make_engine, parse_url
from app.store.db.schema import room_events
from app.store.db.transactions import run_in_transaction
from app.store.deletion.person_deletion import PersonDeletion
from app.store.event_log.checksum import checksum
from app.store.event_log.event_log import EventLog
from app.store.maintenance.backup import dump_tables, restore_backup
from tests.store.deletion.test_person_deletion import an_evening
from tests.store.samples import at

AS_TEXT = sa.cast(room_events.c.data, sa.Text)


def told(connection: sa.Connection) -> dict[tuple[str, int], tuple[int | None, int]]:
    """Return the stored and the expected checksum of each entry."""
    columns = (
        room_events.c.room_id,
        room_events.c.seq,
        room_events.c.created_at,
        room_events.c.event_type,
        AS_TEXT,
        room_events.c.checksum,
    )
    return {
        (room, seq): (kept, checksum(room, seq, when, kind, data))
        for room, seq, when, kind, data, kept in connection.execute(sa.select(*columns))
    }


def all_hold(found: dict[tuple[str, int], tuple[int | None, int]]) -> bool:
    return all(kept == made for kept, made in found.values())


async def test_checksums_are_valid_when_written_and_after_a_person_is_deleted(database: Database) -> None:
    log = EventLog(database)
    zoe, _, room = await an_evening(database, log)
    before = await database.read(told)
    assert len(before) == room.seq
    assert all_hold(before)
    forgetting = PersonDeletion(database, zoe)
    assert (await forgetting.rewrite_room("room-1", at(500))).seq == room.seq + 1
    await forgetting.delete_person_rows(at(502))
    after = await database.read(told)
    assert len(after) == room.seq + 1
    assert all_hold(after)
    assert any(after[key] != value for key, value in before.items())


async def test_a_dump_carries_checksums_to_any_database(database: Database, tmp_path: Path) -> None:
    await an_evening(database, EventLog(database))
    kept = await database.read(told)
    file = tmp_path / "dump.gz"
    dump_tables(database.url.render_as_string(hide_password=False), file)
    other = f"sqlite:///{tmp_path}/other.sqlite3"
    restore_backup(other, file)
    engine = make_engine(parse_url(other))
    assert run_in_transaction(engine, told) == kept
    engine.dispose()


@pytest.mark.parametrize("changed", ["room", "seq", "at", "kind", "data"])
def test_any_changed_field_changes_the_checksum(changed: str) -> None:
    entry = {"room": "room", "seq": 7, "at": at(3), "kind": "acted", "data": '{"by":"Ana"}'}
    other = {"room": "roon", "seq": 8, "at": at(3.000001), "kind": "actee", "data": '{"by":"Anb"}'}
    assert checksum(**entry) != checksum(**entry | {changed: other[changed]})


def test_any_flipped_bit_in_the_data_changes_the_checksum() -> None:
    data = '{"by":"Ana","action":{"do":"play","cards":"7c 7d"},"cmd":["ana","k1"]}'
    right = checksum("room", 7, at(3), "acted", data)
    for place in range(len(data)):
        for bit in range(7):
            flipped = data[:place] + chr(ord(data[place]) ^ (1 << bit)) + data[place + 1 :]
            assert checksum("room", 7, at(3), "acted", flipped) != right


def test_the_time_zone_of_a_time_does_not_change_the_checksum() -> None:
    elsewhere = at(3).astimezone(timezone(timedelta(hours=-5)))
    assert checksum("room", 7, elsewhere, "acted", "{}") == checksum("room", 7, at(3), "acted", "{}")
