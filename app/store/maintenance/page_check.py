"""Pages of a database that the disk has spoilt, as far as the database itself can tell.

SQLite looks at its own structure. PostgreSQL has every value of every table read, which fails where a page is not what
it should be (with its checksums, at any bit), and where `amcheck` is installed, has the indexes compared with the
tables. A bit that flips inside a value of SQLite breaks nothing here: for entries there are checksums, and what follows
from them is made again and compared.
"""

from collections.abc import Iterator
from contextlib import suppress

import sqlalchemy as sa

from app.store.db.schema import metadata


def damaged(connection: sa.Connection) -> Iterator[tuple[str, str]]:
    """Where pages are damaged, and what the database says of it. Goes on after each."""
    return (_in_sqlite if connection.dialect.name == "sqlite" else _in_postgres)(connection)


def reason(error: sa.exc.DBAPIError) -> str:
    """What the driver said, in one line."""
    return str(error.orig).partition("\n")[0]


def one_line(error: Exception) -> str:
    """What went wrong, in one line."""
    if isinstance(error, sa.exc.DBAPIError):
        return reason(error)
    return f"{type(error).__name__}: {error}".partition("\n")[0]


# SQLite -------------------------------------------------------------------------------------------------------


def _in_sqlite(connection: sa.Connection) -> Iterator[tuple[str, str]]:
    whole = _looked_at(connection, "integrity_check")
    if whole:
        of_tables = [
            (f"table {name}", line) for name in _names() for line in _looked_at(connection, "integrity_check", name)
        ]
        yield from of_tables or [("the file", line) for line in whole]
    for line in _looked_at(connection, "foreign_key_check"):
        yield "the file", f"a row refers to one that is not there: {line}"


def _names() -> list[str]:
    return [table.name for table in metadata.sorted_tables]


def _looked_at(connection: sa.Connection, pragma: str, of: str = "") -> list[str]:
    """What SQLite finds wrong, a line each, until it can go no further."""
    query = f"SELECT * FROM pragma_{pragma}" + (f"('{of}')" if of else "")  # noqa: S608 (names of ours)
    try:
        return _lines(connection, query)
    except sa.exc.DatabaseError as error:
        # The first row tells of the pages, and comes before the rows are read, which fails.
        with suppress(sa.exc.DatabaseError):
            return _lines(connection, f"{query} LIMIT 1") or [reason(error)]
        return [reason(error)]


def _lines(connection: sa.Connection, query: str) -> list[str]:
    found = [" ".join(str(part) for part in row) for row in connection.execute(sa.text(query)).all()]
    lines = [line for text in found for line in text.split("\n")]
    return [line for line in lines if line not in ("ok", "*** in database main ***")]


# PostgreSQL ---------------------------------------------------------------------------------------------------


def _in_postgres(connection: sa.Connection) -> Iterator[tuple[str, str]]:
    for name in _names():
        if _fails(connection, _READ.format(name)):
            yield from _blocks(connection, name)
    if connection.execute(_AMCHECK).first() is not None:
        for index in connection.execute(_INDEXES).scalars().all():
            wrong = _fails(connection, "SELECT bt_index_check(CAST(:index AS regclass), true)", index=index)
            if wrong is not None:
                yield f"index {index}", wrong


def _blocks(connection: sa.Connection, table: str) -> Iterator[tuple[str, str]]:
    """The blocks of a table that can't be read."""
    size = sa.text("SELECT pg_relation_size(CAST(:name AS regclass)) / current_setting('block_size')::int")
    blocks = connection.execute(size, {"name": table}).scalar_one()
    for block in range(blocks):
        here = "WHERE ctid >= CAST(:first AS tid) AND ctid < CAST(:next AS tid)"
        wrong = _fails(connection, f"{_READ.format(table)} {here}", first=f"({block},0)", next=f"({block + 1},0)")
        if wrong is not None:
            yield f"table {table}, block {block}", wrong


def _fails(connection: sa.Connection, statement: str, **values: str) -> str | None:
    """What PostgreSQL says against a statement, if it does; whoever may not ask hears nothing."""
    try:
        with connection.begin_nested():
            connection.execute(sa.text(statement), values)
    except sa.exc.DBAPIError as error:
        if error.connection_invalidated:
            raise
        return None if getattr(error.orig, "sqlstate", None) == _NOT_ALLOWED else reason(error)
    return None


_NOT_ALLOWED = "42501"
_READ = "SELECT sum(length(CAST(one AS text))) FROM {0} AS one"
"""Every value, put together from wherever it lies."""
_AMCHECK = sa.text("SELECT 1 FROM pg_extension WHERE extname = 'amcheck'")
_INDEXES = sa.text(
    "SELECT CAST(pg_index.indexrelid AS regclass)::text FROM pg_index"
    " JOIN pg_class ON pg_class.oid = pg_index.indexrelid JOIN pg_am ON pg_am.oid = pg_class.relam"
    " WHERE pg_am.amname = 'btree' AND pg_class.relnamespace = CAST(current_schema() AS regnamespace) ORDER BY 1"
)
