"""Check whether a log entry and a person can be saved and read, without keeping them."""

import secrets
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from app.store.db.schema import devices, people, room_events, rooms
from app.store.db.types import encode
from app.store.event_log.checksum import checksum


def try_saving(connection: sa.Connection) -> None:
    """Check that rooms and people can be saved: insert test rows, read them, then roll them back.

    Raises the error of the database or its driver if that fails, and `ValueError` if other values are read. The caller
    commits the surrounding transaction, so that the commit reaches the disk.
    """
    now, name, nobody = datetime.now(UTC), f"probe-{secrets.token_hex(8)}", None
    savepoint = connection.begin_nested()
    try:
        connection.execute(rooms.insert().values(id=name, created_at=now, active_at=now))
        digest = checksum(name, 1, now, "probe", encode({}))
        connection.execute(
            room_events.insert().values(
                room_id=name, seq=1, created_at=now, event_type="probe", data={}, checksum=digest
            )
        )
        connection.execute(people.insert().values(id=name, name=nobody, created_at=now, last_seen_at=now))
        device: dict[str, Any] = {"id": name, "person_id": name, "token_hash": name, "label": nobody}
        device |= {"created_at": now, "last_seen_at": now}
        connection.execute(devices.insert().values(**device))
        entry = connection.execute(sa.select(room_events).where(room_events.c.room_id == name)).one()
        person = connection.execute(sa.select(people).where(people.c.id == name)).one()
        if (entry.created_at, entry.data, person.last_seen_at) != (now, {}, now):
            raise ValueError("the database returns other values than were saved")
    finally:
        savepoint.rollback()
