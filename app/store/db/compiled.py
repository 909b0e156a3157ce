"""Compile the most frequent SQLAlchemy statements once, and run them directly with the database driver.

A statement's text, value order and converters never change, so they are cached. SQLAlchemy's own cache does not replace
this: it saves compiling, but not the work around each execution. docs/measurements/server.md
says what this saves.
"""

import re
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, TypeAlias, TypeVar

import sqlalchemy as sa

from app.store.db.bulk_insert import BulkInsert, Row, Statement
from app.store.db.errors import is_temporary_error
from app.store.db.types import bind_converter, result_converter

T = TypeVar("T")
Values: TypeAlias = Mapping[str, Any]
"""Parameter values of a statement, by name."""


class _CompiledStatement:
    """An SQL statement compiled once for one database, with the converters of its values and result columns.

    `StatementCache` makes one for each statement.
    """

    def __init__(self, statement: sa.Executable, dialect: sa.Dialect) -> None:
        compiled: Any = statement.compile(dialect=dialect)  # type: ignore[attr-defined]
        self.text: str = compiled.string
        self._positions: list[str] | None = compiled.positiontup if compiled.positional else None
        binds: dict[str, sa.BindParameter[Any]] = compiled.binds
        named = self._positions or [name for name in binds if not name.startswith("%")]
        self._bind_converters = [(name, bind_converter(binds[name].type, dialect)) for name in named]
        self._default_values = {name: binds[name].value for name in named if not binds[name].required}
        self._row: Any = None
        columns = statement.exported_columns if isinstance(statement, sa.Select | sa.UpdateBase) else ()
        if columns:
            # Built from the statement's columns at run time, so a class can't be written in the source.
            self._row = namedtuple("Found", [str(column.key) for column in columns])  # type: ignore[misc] # noqa: PYI024
            self._result_converters = [result_converter(column.type, dialect) for column in columns]

    @property
    def returns_rows(self) -> bool:
        """Whether the statement is a SELECT, or has RETURNING."""
        return self._row is not None

    def bind(self, values: Values) -> Statement:
        """Return the SQL text with these values converted for the driver; missing ones get the statement's defaults.

        Raises the errors of the value types, such as `BadText`.
        """
        given = {**self._default_values, **values} if self._default_values else values
        found = [given[name] if process is None else process(given[name]) for name, process in self._bind_converters]
        if self._positions is not None:
            return self.text, tuple(found)
        return self.text, dict(zip([name for name, _ in self._bind_converters], found, strict=True))

    def sql_for_prepare(self) -> str:
        """Return the SQL text for PostgreSQL's prepare, with parameters numbered in the order that `bind` uses."""
        number = {name: n for n, (name, _) in enumerate(self._bind_converters, 1)}
        return re.sub(r"%\((\w+)\)s", lambda found: f"${number[found[1]]}", self.text)

    def convert_row(self, driver_row: Sequence[Any]) -> Any:
        """Return a row from the driver as a named tuple with the Python types of the statement's columns."""
        assert self._row is not None, "it finds no rows"
        return self._row._make(
            [
                value if out is None else out(value)
                for out, value in zip(self._result_converters, driver_row, strict=True)
            ]
        )


class StatementCache:
    """The compiled statements and bulk inserts for one kind of database, each built when it is first used."""

    def __init__(self, dialect: sa.Dialect) -> None:
        self.dialect = dialect
        self._compiled: dict[sa.Executable, _CompiledStatement] = {}
        self._bulk_inserts: dict[sa.Table | sa.Insert, BulkInsert] = {}

    def compiled(self, statement: sa.Executable) -> _CompiledStatement:
        """Return the compiled form of a statement, compiling it once.

        The key is the statement object, so the caller must reuse the same object.
        """
        found = self._compiled.get(statement)
        if found is None:
            found = self._compiled[statement] = _CompiledStatement(statement, self.dialect)
        return found

    def bulk_insert_for(self, into: sa.Table | sa.Insert) -> BulkInsert:
        """Return the builder of inserts into this table, or for this INSERT object, made once.

        The key is the object, so the caller must reuse the same INSERT.
        """
        found = self._bulk_inserts.get(into)
        if found is None:
            found = self._bulk_inserts[into] = BulkInsert(into, self.dialect)
        return found


class StatementExecutor:
    """Runs statements directly with the driver, in a transaction that the caller began and will commit."""

    def __init__(self, driver: Any, statement_cache: StatementCache) -> None:
        """Take a connection of sqlite3 or psycopg."""
        self._driver = driver
        self.statement_cache = statement_cache
        self.dialect = statement_cache.dialect.name

    def run_bound(self, statement: Statement, *, fetch: bool = False) -> list[Any]:
        """Run a statement whose text and converted values are given, in the caller's transaction.

        Returns its rows as the driver gives them with `fetch`, which only statements with rows allow.
        """
        cursor = self._driver.execute(*statement)
        return cursor.fetchall() if fetch else []

    def attempt(self, work: Callable[["StatementExecutor"], T]) -> T | Exception:
        """Run `work` in a savepoint of the caller's transaction. If it fails, undo it alone and return its error.

        Raises temporary errors of the database: then the whole transaction should be repeated.
        """
        try:
            # PostgreSQL answers all statements of `work` together, unless it reads in between.
            with self._driver.pipeline() if self.dialect == "postgresql" else nullcontext():
                self._driver.execute("SAVEPOINT attempt")
                result = work(self)
                self._driver.execute("RELEASE attempt")
        except Exception as error:
            if is_temporary_error(error):
                raise
            self._driver.execute("ROLLBACK TO attempt")
            return error
        return result

    def execute(self, statement: sa.Executable, *values: Values) -> None:
        """Run a statement once for each set of values, or once without values, in the caller's transaction.

        The compiled form is cached by the statement object. No rows are returned.
        """
        spelled = self.statement_cache.compiled(statement)
        for each in values or ({},):
            self._driver.execute(*spelled.bind(each))

    def fetch_all(self, query: sa.Executable, values: Values) -> list[Any]:
        """Run a SELECT in the caller's transaction and return its rows as named tuples.

        The compiled form is cached by the statement object.
        """
        spelled = self.statement_cache.compiled(query)
        return [spelled.convert_row(found) for found in self._driver.execute(*spelled.bind(values)).fetchall()]

    def fetch_one_or_none(self, statement: sa.Executable, values: Values) -> Any:
        """Run a SELECT that finds at most one row, and return the row as a named tuple, or None.

        A second row is an error of the caller (`AssertionError`).
        """
        found = self.fetch_all(statement, values)
        assert len(found) < 2
        return found[0] if found else None

    def insert_rows(self, into: sa.Table | sa.Insert, rows: Sequence[Row]) -> None:
        """Check and insert rows in the caller's transaction.

        Their values are in the order of the table's columns. Raises `BadText` for a text that can't be stored.
        """
        inserts = self.statement_cache.bulk_insert_for(into)
        for statement in inserts.power_of_two_statements(inserts.check_and_convert_rows(rows)):
            self._driver.execute(*statement)
