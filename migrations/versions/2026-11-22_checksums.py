"""Each entry of a log has a checksum of all that it is, by which `check` finds what a disk has spoilt

Revision: checksums, after quick_log

Entries that are there get theirs now: it vouches for them from today on. A server of before this, still running beside
a newer one, writes none; such entries are not checked.
"""

import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "checksums"
down_revision = "quick_log"
branch_labels = None
depends_on = None

AT_ONCE = 5000

entries = sa.table(
    "room_entry",
    sa.column("room", sa.Text()),
    sa.column("seq", sa.Integer()),
    sa.column("at", sa.DateTime(timezone=True)),
    sa.column("kind", sa.Text()),
    sa.column("data", sa.Text()),
    sa.column("checksum", sa.BigInteger()),
)


def upgrade() -> None:
    op.add_column("room_entry", sa.Column("checksum", sa.BigInteger(), nullable=True))
    here = entries.c.room == sa.bindparam("in_room"), entries.c.seq == sa.bindparam("at_seq")
    change = entries.update().where(*here).values(checksum=sa.bindparam("made"))
    for some in _some():
        op.get_bind().execute(change, [{"in_room": row[0], "at_seq": row[1], "made": _checksum(*row)} for row in some])


def downgrade() -> None:
    op.drop_column("room_entry", "checksum")


def _some() -> Iterator[list[Any]]:
    """All entries as they stand in the table, so many at a time."""
    text = sa.cast(entries.c.data, sa.Text)  # PostgreSQL's json as it was written
    query = sa.select(entries.c.room, entries.c.seq, entries.c.at, entries.c.kind, text)
    query = query.order_by(entries.c.room, entries.c.seq).limit(AT_ONCE)
    key = sa.tuple_(entries.c.room, entries.c.seq)
    found = op.get_bind().execute(query).all()
    while found:
        yield list(found)
        found = op.get_bind().execute(query.where(key > sa.tuple_(found[-1][0], found[-1][1]))).all()


def _checksum(room: str, seq: int, at: datetime, kind: str, data: str) -> int:
    """As in app/store/event_log/checksum.py on the day of this migration."""
    utc = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return zlib.crc32(msgspec.json.encode((room, seq, utc, kind)) + data.encode())
