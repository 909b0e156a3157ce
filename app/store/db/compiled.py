"""Compiles SQLAlchemy statements once and runs them by the driver alone, for the most frequent ones.

Text, order of values and conversions of a statement never change, so they are kept. SQLAlchemy's own cache of compiled
statements does not replace this: it saves compiling, but not the work around each execution. A commit of one entry
takes 23 to 31 µs of CPU in this way, and 147 to 277 µs through SQLAlchemy Core (2026-11-26, docs/speed.md).
"""

import re
from collections import namedtuple
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import sqlalchemy as sa

from app.store.db.bulk_insert import Inserts, Row, Statement
from app.store.db.types import comes_out, goes_in

Values: TypeAlias = Mapping[str, Any]
"""What goes into a statement, by the names that it has for them."""


class Driver(Protocol):
    """A connection, as sqlite3 and psycopg have it."""

    def execute(self, text: str, parameters: Any = ..., /) -> Any:
        """Run one statement."""
        ...


class _Spelled:
    """One statement for one dialect, with its values by name."""

    def __init__(self, statement: sa.Executable, dialect: sa.Dialect) -> None:
        compiled: Any = statement.compile(dialect=dialect)  # type: ignore[attr-defined]
        self.text: str = compiled.string
        self._positions: list[str] | None = compiled.positiontup if compiled.positional else None
        binds: dict[str, sa.BindParameter[Any]] = compiled.binds
        named = self._positions or [name for name in binds if not name.startswith("%")]
        self._goes_in = [(name, goes_in(binds[name].type, dialect)) for name in named]
        self._fixed = {name: binds[name].value for name in named if not binds[name].required}
        self._row: Any = None
        columns = statement.exported_columns if isinstance(statement, sa.Select | sa.UpdateBase) else ()
        if columns:
            # Made of what the statement says, so there is no class to write down.
            self._row = namedtuple("Found", [str(column.key) for column in columns])  # type: ignore[misc] # noqa: PYI024
            self._comes_out = [comes_out(column.type, dialect) for column in columns]

    def with_values(self, values: Values) -> Statement:
        """Give the text and what goes in; raises what the types of the values raise."""
        given = {**self._fixed, **values} if self._fixed else values
        found = [given[name] if process is None else process(given[name]) for name, process in self._goes_in]
        if self._positions is not None:
            return self.text, tuple(found)
        return self.text, dict(zip([name for name, _ in self._goes_in], found, strict=True))

    def prepared(self) -> str:
        """Give the text for PostgreSQL to prepare: its values are numbered, in the order that `with_values` has."""
        number = {name: n for n, (name, _) in enumerate(self._goes_in, 1)}
        return re.sub(r"%\((\w+)\)s", lambda found: f"${number[found[1]]}", self.text)

    def row(self, found: Sequence[Any]) -> Any:
        """Give a row that the driver found as it is meant, its columns by name."""
        assert self._row is not None, "it finds no rows"
        return self._row._make(
            [value if out is None else out(value) for out, value in zip(self._comes_out, found, strict=True)]
        )


class Spelling:
    """How statements are spelled for the database behind one engine. Each is spelled when it is first needed."""

    def __init__(self, dialect: sa.Dialect) -> None:
        self.dialect = dialect
        self._spelled: dict[sa.Executable, _Spelled] = {}
        self._inserts: dict[sa.Table | sa.Insert, Inserts] = {}

    def of(self, statement: sa.Executable) -> _Spelled:
        """Give a statement, which is one that is kept: it is known again by being the same object."""
        found = self._spelled.get(statement)
        if found is None:
            found = self._spelled[statement] = _Spelled(statement, self.dialect)
        return found

    def inserts(self, into: sa.Table | sa.Insert) -> Inserts:
        """Give what puts rows into a table, or adds them as an INSERT says that is kept."""
        found = self._inserts.get(into)
        if found is None:
            found = self._inserts[into] = Inserts(into, self.dialect)
        return found


class Scribe:
    """Writes and reads in a transaction that somebody else began on this connection, and will commit."""

    def __init__(self, driver: Driver, spelling: Spelling) -> None:
        self._driver = driver
        self.spelling = spelling
        self.dialect = spelling.dialect.name

    def run(self, statement: Statement) -> None:
        """Run a statement that is spelled already."""
        self._driver.execute(*statement)

    def execute(self, statement: sa.Executable, *values: Values) -> None:
        """Run a statement that is kept, with each of these."""
        spelled = self.spelling.of(statement)
        for each in values or ({},):
            self._driver.execute(*spelled.with_values(each))

    def all(self, statement: sa.Executable, values: Values) -> list[Any]:
        """Give the rows that a SELECT finds, which is kept."""
        spelled = self.spelling.of(statement)
        return [spelled.row(found) for found in self._driver.execute(*spelled.with_values(values)).fetchall()]

    def one_or_none(self, statement: sa.Executable, values: Values) -> Any:
        """Give the row that a SELECT finds, if there is one; it never finds more."""
        found = self.all(statement, values)
        assert len(found) < 2
        return found[0] if found else None

    def insert(self, into: sa.Table | sa.Insert, rows: Sequence[Row]) -> None:
        """Put rows, each in the order of the table's columns, into a table, or as an INSERT says that is kept."""
        inserts = self.spelling.inserts(into)
        for statement in inserts.in_few_sizes(inserts.rows(rows)):
            self._driver.execute(*statement)
