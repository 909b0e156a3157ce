"""Find damaged pages of a database, as far as the database can detect them.

SQLite checks its own structure. On PostgreSQL, every value of every table is read, which fails on a damaged page (with
page checksums, for any flipped bit). If `amcheck` is installed, indexes are compared with tables. SQLite does not
notice a bit that flips inside a value. Log entries have checksums for this, and derived rows are rebuilt and compared.
"""

from collections.abc import Iterator
from contextlib import suppress

import sqlalchemy as sa

from app.store.db.schema import metadata


def find_corrupt_pages(connection: sa.Connection) -> Iterator[tuple[str, str]]:
    """Yield (place, the database's message) for each damaged page or broken structure of a database."""
    return (_corrupt_in_sqlite if connection.dialect.name == "sqlite" else _corrupt_in_postgres)(connection)


def driver_message(error: sa.exc.DBAPIError) -> str:
    """Return the first line of the database driver's error message."""
    return str(error.orig).partition("\n")[0]


def one_line_message(error: Exception) -> str:
    """Return the first line of an error's message, with the error's type unless the database driver raised it."""
    if isinstance(error, sa.exc.DBAPIError):
        return driver_message(error)
    return f"{type(error).__name__}: {error}".partition("\n")[0]


# SQLite -------------------------------------------------------------------------------------------------------


def _corrupt_in_sqlite(connection: sa.Connection) -> Iterator[tuple[str, str]]:
    whole = _run_check_pragma(connection, "integrity_check")
    if whole:
        of_tables = [
            (f"table {name}", line)
            for name in _table_names()
            for line in _run_check_pragma(connection, "integrity_check", name)
        ]
        yield from of_tables or [("the file", line) for line in whole]
    for line in _run_check_pragma(connection, "foreign_key_check"):
        yield "the file", f"a row refers to one that is not there: {line}"


def _table_names() -> list[str]:
    return [table.name for table in metadata.sorted_tables]


def _run_check_pragma(connection: sa.Connection, pragma: str, table: str = "") -> list[str]:
    """Return the problems that a check built into SQLite reports, one line each, as far as the check gets.

    `table`: check this table only.
    """
    query = f"SELECT * FROM pragma_{pragma}" + (f"('{table}')" if table else "")  # noqa: S608 (only names from this program)
    try:
        return _query_lines(connection, query)
    except sa.exc.DatabaseError as error:
        # The first row describes the pages. It comes before the rows are read, which fails.
        with suppress(sa.exc.DatabaseError):
            return _query_lines(connection, f"{query} LIMIT 1") or [driver_message(error)]
        return [driver_message(error)]


def _query_lines(connection: sa.Connection, query: str) -> list[str]:
    found = [" ".join(str(part) for part in row) for row in connection.execute(sa.text(query)).all()]
    lines = [line for text in found for line in text.split("\n")]
    return [line for line in lines if line not in ("ok", "*** in database main ***")]


# PostgreSQL ---------------------------------------------------------------------------------------------------


def _corrupt_in_postgres(connection: sa.Connection) -> Iterator[tuple[str, str]]:
    for name in _table_names():
        if _statement_error(connection, _READ_ALL_VALUES.format(name)):
            for part in connection.execute(_PARTITIONS, {"name": name}).scalars().all() or [name]:
                yield from _unreadable_blocks(connection, part)
    if connection.execute(_AMCHECK).first() is not None:
        for index in connection.execute(_INDEXES).scalars().all():
            wrong = _statement_error(connection, "SELECT bt_index_check(CAST(:index AS regclass), true)", index=index)
            if wrong is not None:
                yield f"index {index}", wrong


def _unreadable_blocks(connection: sa.Connection, table: str) -> Iterator[tuple[str, str]]:
    """Yield (place, PostgreSQL's message) for each block of a table that can't be read."""
    size = sa.text("SELECT pg_relation_size(CAST(:name AS regclass)) / current_setting('block_size')::int")
    blocks = connection.execute(size, {"name": table}).scalar_one()
    for block in range(blocks):
        here = "WHERE ctid >= CAST(:first AS tid) AND ctid < CAST(:next AS tid)"
        wrong = _statement_error(
            connection, f"{_READ_ALL_VALUES.format(table)} {here}", first=f"({block},0)", next=f"({block + 1},0)"
        )
        if wrong is not None:
            yield f"table {table}, block {block}", wrong


def _statement_error(connection: sa.Connection, statement: str, **values: str) -> str | None:
    """Run a statement to see whether it fails; return PostgreSQL's message, or None if it succeeds.

    None also if it is not permitted. A lost connection is raised.
    """
    try:
        with connection.begin_nested():
            connection.execute(sa.text(statement), values)
    except sa.exc.DBAPIError as error:
        if error.connection_invalidated:
            raise
        return None if getattr(error.orig, "sqlstate", None) == _INSUFFICIENT_PRIVILEGE else driver_message(error)
    return None


_INSUFFICIENT_PRIVILEGE = "42501"
_READ_ALL_VALUES = "SELECT sum(length(CAST(one AS text))) FROM {0} AS one"
"""Reads every value completely, including values stored outside the row."""
_PARTITIONS = sa.text("SELECT CAST(relid AS text) FROM pg_partition_tree(CAST(:name AS regclass)) WHERE isleaf")
"""The partitions with the rows of a table that is split; none for any other table."""
_AMCHECK = sa.text("SELECT 1 FROM pg_extension WHERE extname = 'amcheck'")
_INDEXES = sa.text(
    "SELECT CAST(pg_index.indexrelid AS regclass)::text FROM pg_index"
    " JOIN pg_class ON pg_class.oid = pg_index.indexrelid JOIN pg_am ON pg_am.oid = pg_class.relam"
    " JOIN pg_class AS parent ON parent.oid = coalesce(pg_partition_root(indrelid), indrelid)"
    " WHERE pg_am.amname = 'btree' AND pg_class.relkind = 'i'"
    " AND parent.relnamespace = CAST(current_schema() AS regnamespace) ORDER BY 1"
)
