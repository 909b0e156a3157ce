"""Try whether a log entry and a person can be saved, without saving them."""

import secrets
from datetime import UTC, datetime

import sqlalchemy as sa

from app.store.db.schema import devices, people, room_entry, rooms
from app.store.db.types import encode
from app.store.event_log.checksum import checksum


def try_saving(connection: sa.Connection) -> None:
    """Write an entry in a room of its own and a person with a device, and roll both back.

    Raises what the database says if it refuses one of them. The surrounding transaction is committed by the caller: it
    must reach the disk.
    """
    now, name, nobody = datetime.now(UTC), f"probe-{secrets.token_hex(8)}", None
    savepoint = connection.begin_nested()
    try:
        connection.execute(rooms.insert().values(id=name, created_at=now, active_at=now))
        told = checksum(name, 1, now, "probe", encode({}))
        connection.execute(room_entry.insert().values(room=name, seq=1, at=now, kind="probe", data={}, checksum=told))
        connection.execute(people.insert().values(id=name, name=nobody, created_at=now, seen_at=now))
        device = {"id": name, "person_id": name, "token_hash": name, "label": nobody, "made_at": now, "seen_at": now}
        connection.execute(devices.insert().values(**device))
    finally:
        savepoint.rollback()
