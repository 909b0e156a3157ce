"""Build INSERT statements for many rows of one table: few statements, in the form that the driver takes.

Column names and value converters are read from SQLAlchemy's table once for each table, not for each batch. The
measurements in `compiled.py` cover both modules together.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from app.store.db.types import bind_converter, check_text, is_text_type

Row: TypeAlias = tuple[Any, ...]
"""The values of one row, in the order of the table's columns, as the driver takes them."""
Statement: TypeAlias = tuple[str, tuple[Any, ...] | dict[str, Any]]
"""SQL text with its parameters: a tuple or a dict, depending on the placeholders in the text."""

MAX_PREPARED_ROWS: Final = 32
"""Largest number of rows in a statement of `power_of_two_statements`."""


class BulkInsert:
    """Builds the statements that insert rows into one table, for SQLite or for PostgreSQL.

    If it is created from an INSERT with ON CONFLICT, every statement has the same ON CONFLICT clause.
    """

    def __init__(self, into: sa.Table | sa.Insert, dialect: sa.Dialect) -> None:
        quoted = dialect.identifier_preparer
        table = into if isinstance(into, sa.Table) else into.table
        columns = ", ".join(quoted.format_column(column) for column in table.columns)
        self._into = f"INSERT INTO {quoted.format_table(table)} ({columns})"
        self._conflict_clause = "" if isinstance(into, sa.Table) else _conflict_clause(into, dialect)
        mark = "?" if dialect.positional else "%s"
        self._row = f"({', '.join([mark] * len(table.columns))})"
        others = [(place, column.type) for place, column in enumerate(table.columns) if not is_text_type(column.type)]
        converters = [(place, bind_converter(kind, dialect)) for place, kind in others]
        self._converters = [(place, process) for place, process in converters if process is not None]
        self._cached_insert_text = cache(self._insert_text)

    def check_and_convert_row(self, *values: Any) -> Row:
        """Return the values of one row, in the order of the table's columns, converted for the database driver.

        Raises `BadText` for a text that can't be stored, and the errors of the column types.
        """
        check_text("".join([value for value in values if type(value) is str]))
        return self.convert_row(*values)

    def check_and_convert_rows(self, rows: Sequence[Row]) -> list[Row]:
        """Return several rows of the table, converted for the database driver, after checking their texts.

        Raises `BadText`. The texts are checked in one call: a hand's statistics are mostly text.
        """
        check_text("".join([value for row in rows for value in row if type(value) is str]))
        return [self.convert_row(*row) for row in rows]

    def convert_row(self, *values: Any) -> Row:
        """Return the values of one row converted for the database driver; its texts must have been checked before."""
        row = [*values]
        for place, process in self._converters:
            row[place] = process(row[place])
        return tuple(row)

    def power_of_two_statements(self, rows: Sequence[Row]) -> Iterator[Statement]:
        """Return statements that insert these rows, with 32, 16, 8, 4, 2 or 1 rows each.

        So there are only six texts for a table, and the database can keep all of them prepared.
        """
        return map(self._one_statement, _power_of_two_chunks(rows))

    def _one_statement(self, rows: Sequence[Row]) -> Statement:
        return self._cached_insert_text(len(rows)), rows[0] if len(rows) == 1 else tuple(
            [value for row in rows for value in row]
        )

    def _insert_text(self, row_count: int) -> str:
        return f"{self._into} VALUES {', '.join([self._row] * row_count)}{self._conflict_clause}"


def _power_of_two_chunks(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    first = 0
    while left := len(rows) - first:
        size = MAX_PREPARED_ROWS if left >= MAX_PREPARED_ROWS else 1 << left.bit_length() - 1
        yield rows[first : first + size]
        first += size


def _conflict_clause(insert: sa.Insert, dialect: sa.Dialect) -> str:
    """Return the text of the ON CONFLICT clause of an INSERT, to be added to statements for several rows.

    The clause must have no parameters. `dialect` is that of SQLite or PostgreSQL.
    """
    text = str(insert.compile(dialect=dialect))
    return text[text.index(" ON CONFLICT") :]
