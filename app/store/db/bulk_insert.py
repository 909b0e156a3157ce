"""Build the INSERT statements for many rows of one table, as few as possible and in the form that the driver takes.

Names of columns and conversions of values are read from SQLAlchemy's table once for each table, not for each batch.
`compiled.py` has the figures: they are of both modules together.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from app.store.db.types import check_text, goes_in, is_text

Row: TypeAlias = tuple[Any, ...]
"""One value for each column, as the driver takes them."""
Statement: TypeAlias = tuple[str, tuple[Any, ...] | dict[str, Any]]
"""Its text, and its parameters, in their order or by their names, as the text has it."""

ROWS: Final = {"sqlite": 32, "postgresql": 5000}
"""Of one statement. SQLite keeps each prepared by its text, and lets other threads go on while a statement runs: not
too many, and not one for each row. PostgreSQL takes a transaction that is one statement in one round trip."""
PREPARED: Final = 32
"""Rows of the largest statement of those that `in_few_sizes` gives."""


class Inserts:
    """The statements that put rows into one table, on one kind of database.

    Of an INSERT that says what becomes of rows that are there, that is done with each row.
    """

    def __init__(self, into: sa.Table | sa.Insert, dialect: sa.Dialect) -> None:
        quoted = dialect.identifier_preparer
        table = into if isinstance(into, sa.Table) else into.table
        columns = ", ".join(quoted.format_column(column) for column in table.columns)
        self._table = table.name
        self._into = f"INSERT INTO {quoted.format_table(table)} ({columns})"
        self._or_else = "" if isinstance(into, sa.Table) else _or_else(into, dialect)
        mark = "?" if dialect.positional else "%s"
        self._row = f"({', '.join([mark] * len(table.columns))})"
        self._rows = ROWS[dialect.name]
        others = [(place, column.type) for place, column in enumerate(table.columns) if not is_text(column.type)]
        made = [(place, goes_in(kind, dialect)) for place, kind in others]
        self._goes_in = [(place, process) for place, process in made if process is not None]
        self._text = cache(self._of)

    def row(self, *values: Any) -> Row:
        """A row, from the values in the order of the columns; raises what the types of the columns raise."""
        check_text("".join([value for value in values if type(value) is str]))
        return self.clean_row(*values)

    def rows(self, rows: Sequence[Row]) -> list[Row]:
        """The same of many. Their texts are checked all at once: they are most of what a hand leaves in the book."""
        check_text("".join([value for row in rows for value in row if type(value) is str]))
        return [self.clean_row(*row) for row in rows]

    def clean_row(self, *values: Any) -> Row:
        """A row of texts that are known to be such as may stand there."""
        row = [*values]
        for place, process in self._goes_in:
            row[place] = process(row[place])
        return tuple(row)

    def statements(self, rows: Sequence[Row]) -> Iterator[Statement]:
        """What inserts these rows, in their order."""
        for first in range(0, len(rows), self._rows):
            yield self.together(rows[first : first + self._rows])

    def in_few_sizes(self, rows: Sequence[Row]) -> Iterator[Statement]:
        """The same in statements of 32 rows, 16, 8 and so on: few enough for either database to keep all prepared."""
        return map(self.together, _in_few_sizes(rows))

    def prepared(self) -> dict[str, str]:
        """Those of all these sizes, by the names that `named` has for them; their values are numbered."""
        return {
            self._name(rows): self._numbered(rows) for rows in (1 << power for power in range(PREPARED.bit_length()))
        }

    def named(self, rows: Sequence[Row]) -> list[tuple[str, list[Any]]]:
        """What inserts these rows, as names of prepared statements and their values."""
        return [(self._name(len(some)), [value for row in some for value in row]) for some in _in_few_sizes(rows)]

    def _name(self, rows: int) -> str:
        return f"{self._table}_{rows}"

    def _numbered(self, rows: int) -> str:
        numbers = itertools.count(1)
        return re.sub("%s", lambda _: f"${next(numbers)}", self._of(rows))

    def together(self, rows: Sequence[Row]) -> Statement:
        """The one statement that inserts these, which are few."""
        return self._text(len(rows)), rows[0] if len(rows) == 1 else tuple([value for row in rows for value in row])

    def _of(self, rows: int) -> str:
        return f"{self._into} VALUES {', '.join([self._row] * rows)}{self._or_else}"


def _in_few_sizes(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    first = 0
    while left := len(rows) - first:
        size = PREPARED if left >= PREPARED else 1 << left.bit_length() - 1
        yield rows[first : first + size]
        first += size


def _or_else(insert: sa.Insert, dialect: sa.Dialect) -> str:
    """What an INSERT says of rows that are there. No values of its own are in it."""
    text = str(insert.compile(dialect=dialect))
    return text[text.index(" ON CONFLICT") :]
