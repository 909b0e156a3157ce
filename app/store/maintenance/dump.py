"""Turn the rows of a database into the lines of a dump, and back: JSON that fits both databases."""

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final

import sqlalchemy as sa

from app.store.db.errors import BadUrl
from app.store.db.schema import metadata, tables_in_backups
from app.store.db.types import CleanText, Json, UtcTime, encode
from app.store.maintenance.backup_file import BadBackup
from app.store.maintenance.migrations import current_revision, newest_revision, refuse_unknown_revision

FORMAT: Final = "pecking-order-dump/1"
ROWS_PER_BATCH: Final = 500
"""Number of rows read or written in one batch."""
_OTHER_TABLES: Final = ("alembic_version", "node_heartbeats")
"""Tables that are not in schema.py and not in backups."""


def dump_lines(connection: sa.Connection, *, by_bytes: bool = False) -> Iterator[str]:
    """Yield the lines of a dump: the schema's revision, each row in the order of its key, and the numbers of rows.

    With `by_bytes`, texts in keys are ordered by their bytes. Then two databases with the same rows give the same
    lines. Without it, PostgreSQL uses its indexes.
    """
    revision = current_revision(connection)
    head = {"format": FORMAT, "revision": revision, "at": datetime.now(UTC).isoformat(timespec="seconds")}
    yield f"{encode(head)}\n"
    counts: dict[str, int] = {}
    for table in tables_in_backups() if revision == newest_revision() else _older_tables(connection):
        counts[table.name] = 0
        for values in _rows_of(connection, table, by_bytes):
            counts[table.name] += 1
            yield f"{encode({table.name: values})}\n"
    yield f"{encode({'rows': counts})}\n"


def read_counts(last_line: str) -> dict[str, int]:
    """Return the numbers of rows by table from the last line of a dump."""
    counts: dict[str, int] = json.loads(last_line)["rows"]
    return counts


def read_revision(lines: Iterator[str]) -> str:
    """Read the first line of a dump, and return the revision of its schema.

    Raises `BadBackup` if it is no dump, or if this program can't migrate the schema.
    """
    with _damage_as_bad_backup():
        head = json.loads(next(lines, "{}"))
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise BadBackup("this is neither a dump nor an SQLite database")
        revision: str = head["revision"]
        try:
            refuse_unknown_revision(revision)
        except BadUrl as error:
            raise BadBackup(f"the database of this dump can’t be restored: {error}") from error
    return revision


def insert_rows(connection: sa.Connection, lines: Iterable[str]) -> None:
    """Insert the rows of a dump, after its first line, into the empty tables of its schema.

    Raises `BadBackup` for a damaged dump.
    """
    tables = _reflect(connection).tables
    try:
        for table, rows in itertools.groupby(_read_rows(lines, tables), key=lambda found: found[0]):
            while batch := [row for _, row in itertools.islice(rows, ROWS_PER_BATCH)]:
                connection.execute(table.insert(), batch)
    except (sa.exc.StatementError, sa.exc.CompileError) as error:
        if isinstance(error, sa.exc.OperationalError):
            raise
        raise BadBackup(f"the dump is damaged: its rows don't fit together ({type(error).__name__})") from error


def _rows_of(connection: sa.Connection, table: sa.Table, by_bytes: bool) -> Iterator[dict[str, Any]]:
    must_collate = by_bytes and connection.dialect.name == "postgresql"
    order = [
        column.collate("C") if must_collate and isinstance(column.type, CleanText) else column
        for column in table.primary_key.columns
    ]
    query = sa.select(table).order_by(*order)
    for row in connection.execution_options(yield_per=ROWS_PER_BATCH).execute(query).mappings():
        yield {key: value.isoformat() if isinstance(value, datetime) else value for key, value in row.items()}


def _older_tables(connection: sa.Connection) -> list[sa.Table]:
    """Return the tables of a schema that is older than this program's, without those that no backup has."""
    left_out = {*_OTHER_TABLES, *metadata.tables} - {table.name for table in tables_in_backups()}
    tables = _reflect(connection).sorted_tables  # with partitions, which are in another schema
    return [table for table in tables if table.schema is None and table.name not in left_out]


def _reflect(connection: sa.Connection) -> sa.MetaData:
    """Return the tables that the database has, which may be those of an older version."""
    tables = sa.MetaData()
    sa.event.listen(tables, "column_reflect", _set_own_type)
    tables.reflect(connection)
    return tables


def _set_own_type(_inspector: object, _table: object, column: dict[str, Any]) -> None:
    """Give a reflected column the type that the tables in schema.py have."""
    for kind, own in ((sa.DateTime, UtcTime()), (sa.JSON, Json), (sa.Text, CleanText())):
        if isinstance(column["type"], kind):
            column["type"] = own


def _read_rows(lines: Iterable[str], tables: Mapping[str, sa.Table]) -> Iterator[tuple[sa.Table, dict[str, Any]]]:
    """Yield each row of a dump, after its first line, with its table.

    Raises `BadBackup` for a damaged dump, and at the end if the dump is incomplete.
    """
    counts: Counter[str] = Counter()
    whole = False
    with _damage_as_bad_backup():
        for line in lines:
            [(name, row)] = json.loads(line).items()
            if name == "rows":
                whole = Counter(row) == counts
                continue
            table = tables[name]
            for column in table.columns:
                if isinstance(column.type, UtcTime) and row[column.name] is not None:
                    row[column.name] = datetime.fromisoformat(row[column.name])
            counts[name] += 1
            yield table, row
    if not whole:
        raise BadBackup("the dump is not whole: its end is missing")


@contextmanager
def _damage_as_bad_backup() -> Iterator[None]:
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, OSError) as error:
        raise BadBackup(f"the dump is damaged: {error}") from error
