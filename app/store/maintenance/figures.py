"""Figures of a database for the operator: its size in all, by table and by room, and what nodes and backups left."""

import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from msgspec import Struct

from app.store.db.schema import metadata, people, room_codes, server_times, table_group
from app.store.maintenance.backup import LAST_BACKUP
from app.store.maintenance.backup_file import SQLITE_SIDE_FILES
from app.store.maintenance.migrations import current_revision

_SIZES: Final = {
    # Counts the pages of each table and of its indexes. Not every build of SQLite has `dbstat`.
    "sqlite": "SELECT tbl_name, sum(pgsize) FROM dbstat('main', 1) JOIN sqlite_schema USING (name) GROUP BY tbl_name",
    # A table that is split has its rows in partitions.
    "postgresql": "SELECT relname, pg_total_relation_size(oid)"
    " + coalesce((SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree(oid)), 0) FROM pg_class"
    " WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace",
}
_NODES: Final = """
SELECT node_id, address, extract(epoch FROM clock_timestamp() - last_beat_at)::float8 FROM node_heartbeats
WHERE NOT has_left ORDER BY address
"""


class NodeRow(Struct, frozen=True):
    """A node that shares a PostgreSQL and has not left."""

    id: str
    address: str
    silent_seconds: float
    """Seconds since its last heartbeat."""


class DatabaseFigures(Struct, frozen=True):
    """What one database tells about itself and its nodes."""

    revision: str | None
    """The revision of its schema."""
    rooms: int
    """Rooms that can be opened."""
    people: int
    """People who are not deleted."""
    bytes: int
    """Size on the disk, SQLite's log included."""
    free_bytes: int | None
    """Free space of its disk. None: PostgreSQL does not tell it."""
    last_backup: datetime | None
    now: datetime
    """The clock of the database; with SQLite, that of this machine."""
    nodes: tuple[NodeRow, ...]
    """Nodes that have not left, with PostgreSQL."""


def read_figures(connection: sa.Connection) -> DatabaseFigures:
    """Read the figures of a database of this program's version. They are all quick to read."""
    count = sa.func.count
    rooms = sa.select(count()).select_from(room_codes).where(room_codes.c.valid_until.is_(None))
    persons = sa.select(count()).select_from(people).where(people.c.deleted_at.is_(None))
    backup = sa.select(server_times.c.happened_at).where(server_times.c.name == LAST_BACKUP)
    size, free = _measure_disk(connection)
    nodes, now = _read_cluster(connection)
    return DatabaseFigures(
        revision=current_revision(connection),
        rooms=connection.execute(rooms).scalar_one(),
        people=connection.execute(persons).scalar_one(),
        bytes=size,
        free_bytes=free,
        last_backup=connection.execute(backup).scalar(),
        now=now,
        nodes=nodes,
    )


def _measure_disk(connection: sa.Connection) -> tuple[int, int | None]:
    if connection.dialect.name == "postgresql":
        return connection.execute(sa.text("SELECT pg_database_size(current_database())")).scalar_one(), None
    file = Path(connection.engine.url.database or "").absolute()
    files = [file.with_name(file.name + suffix) for suffix in ("", *SQLITE_SIDE_FILES)]
    return sum(each.stat().st_size for each in files if each.exists()), shutil.disk_usage(file.parent).free


def _read_cluster(connection: sa.Connection) -> tuple[tuple[NodeRow, ...], datetime]:
    if connection.dialect.name != "postgresql":
        return (), datetime.now(UTC)
    now: datetime = connection.execute(sa.text("SELECT clock_timestamp()")).scalar_one()
    if not sa.inspect(connection).has_table("node_heartbeats"):  # no node has ever run
        return (), now
    return tuple(NodeRow(*row) for row in connection.execute(sa.text(_NODES))), now


def read_table_sizes(connection: sa.Connection) -> dict[str, int] | None:
    """Return the bytes of each table with its indexes, the largest first; None if this SQLite can't tell them.

    With SQLite, the whole file is read.
    """
    try:
        found = connection.execute(sa.text(_SIZES[connection.dialect.name])).all()
    except sa.exc.OperationalError:
        return None
    return {str(name): int(size) for name, size in sorted(found, key=lambda row: -row[1])}


def read_room_sizes(connection: sa.Connection, rooms: Sequence[str] | None = None) -> dict[str, int]:
    """Return the bytes that the data of each room takes, the largest first: the lengths of all values as text.

    `rooms`: ids of rooms; None: all rooms. All rows of these rooms are read. Indexes are not counted.
    """
    sizes: dict[str, int] = {}
    for table in metadata.sorted_tables:
        if table_group(table) != "room" or "room_id" not in table.c:
            continue
        length = sum((_length_of(column) for column in table.c), sa.literal(0))
        query = sa.select(table.c.room_id, sa.func.sum(length)).group_by(table.c.room_id)
        if rooms is not None:
            query = query.where(table.c.room_id.in_(rooms))
        for room, size in connection.execute(query):
            sizes[room] = sizes.get(room, 0) + int(size)
    return dict(sorted(sizes.items(), key=lambda each: -each[1]))


def _length_of(column: sa.Column[Any]) -> sa.ColumnElement[int]:
    value: sa.ColumnElement[Any] = column if isinstance(column.type, sa.LargeBinary) else sa.cast(column, sa.Text)
    return sa.func.coalesce(sa.func.length(value), 0)


def format_bytes(size: int) -> str:
    """Return a number of bytes for people.

    >>> format_bytes(999), format_bytes(1_234_567), format_bytes(98_765_432_100)
    ('999 bytes', '1.2 MB', '99 GB')
    """
    if size < 1000:
        return f"{size} bytes"
    power = min((len(str(size)) - 1) // 3, 4)
    value, unit = size / 1000**power, ("kB", "MB", "GB", "TB")[power - 1]
    return f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"


def format_sizes(sizes: Mapping[str, int], most: int) -> str:
    """Return the largest of several sizes for people, such as `hands 2.0 MB, rooms 10 kB`."""
    return ", ".join(f"{name} {format_bytes(size)}" for name, size in list(sizes.items())[:most])
