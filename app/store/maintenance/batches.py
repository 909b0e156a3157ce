"""Change many rows in batches during a migration: each batch is committed with the key at which the next one begins.

A migration that was stopped or killed continues with the next batch, and more rows need no more memory. A revision
lists its steps in `STEPS`; they run after its `upgrade`, and before the next revision. No program may write to these
tables meanwhile.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

PROGRESS: Final = "migration_progress"
"""Name of the table with the last key of each step, which exists only during a migration."""
OLD: Final = "old_"
"""Prefix of PostgreSQL's tables with rows as they were before an upgrade. The next upgrade drops them."""
ROWS_PER_BATCH: Final = 5000
"""Number of rows in one transaction: 0.1 to 1 s of work, which a stop discards."""


@dataclass(frozen=True, slots=True)
class Copy:
    """Copy the rows of a table to another one, for example with another key."""

    table: str
    target: str
    key: tuple[str, ...]
    """Columns of the primary key of the table."""
    columns: str
    """Columns of the target, in the order of `select`."""
    select: str
    """The columns and tables to read; the table has the alias `t`."""

    @property
    def name(self) -> str:
        """The name of the step in the table of progress."""
        return f"{self.table} to {self.target}"


@dataclass(frozen=True, slots=True)
class UpdateRows:
    """Change rows in place. Their keys must stay."""

    table: str
    key: tuple[str, ...]
    values: str
    """The assignments of the UPDATE; the table has the alias `t`."""
    where: str = "true"
    keep_old_rows: bool = True
    """Whether PostgreSQL keeps the rows as they were. Not needed for new columns, or for sums that other rows give."""

    @property
    def name(self) -> str:
        """The name of the step in the table of progress."""
        return f"{self.table}: {self.values}"


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete rows."""

    table: str
    key: tuple[str, ...]
    where: str = "true"
    """The rows to delete; the table has the alias `t`."""
    keep_old_rows: bool = True

    @property
    def name(self) -> str:
        """The name of the step in the table of progress."""
        return f"{self.table} without {self.where}"


Step: TypeAlias = Copy | UpdateRows | Delete


def prepare_steps(connection: sa.Connection, steps: Sequence[Step]) -> None:
    """Make the table of progress, and on PostgreSQL the tables for old rows."""
    connection.execute(sa.text(_CREATE_PROGRESS))
    if connection.dialect.name == "postgresql":  # SQLite's whole file is copied before the migration
        for table in sorted({step.table for step in steps if not isinstance(step, Copy) and step.keep_old_rows}):
            if _has_rows(connection, table):
                make = f"CREATE TABLE {OLD}{table} AS SELECT * FROM {table} WHERE false"  # noqa: S608
                connection.execute(sa.text(make))
                connection.execute(sa.text(_mark(table)))


def forget_progress(connection: sa.Connection) -> None:
    """Drop the table of progress, after all steps of a revision."""
    connection.execute(sa.text(f"DROP TABLE IF EXISTS {PROGRESS}"))


def drop_table(connection: sa.Connection, table: str) -> None:
    """Drop a table of rows that no other rows give. If it has rows, PostgreSQL keeps it under another name."""
    if connection.dialect.name != "postgresql" or not _has_rows(connection, table):
        connection.execute(sa.text(f"DROP TABLE {table}"))
        return
    for key in connection.execute(sa.text(_FOREIGN_KEYS), {"name": table}).scalars().all():
        connection.execute(sa.text(f'ALTER TABLE {table} DROP CONSTRAINT "{key}"'))
    for index in connection.execute(sa.text(_INDEXES), {"name": table}).scalars().all():
        connection.execute(sa.text(f'ALTER INDEX "{index}" RENAME TO "{OLD}{index}"'))
    connection.execute(sa.text(f"ALTER TABLE {table} RENAME TO {OLD}{table}"))
    connection.execute(sa.text(_mark(table)))


def drop_old_rows(connection: sa.Connection) -> None:
    """Drop the tables with rows as they were before an earlier upgrade; other tables may have such names."""
    if connection.dialect.name == "postgresql":
        for table in connection.execute(sa.text(_OLD_TABLES), {"mark": _MARK}).scalars().all():
            connection.execute(sa.text(f'DROP TABLE "{table}"'))


def _mark(table: str) -> str:
    return f"COMMENT ON TABLE {OLD}{table} IS '{_MARK}'"


def _has_rows(connection: sa.Connection, table: str) -> bool:
    return connection.execute(sa.text(f"SELECT 1 FROM {table} LIMIT 1")).first() is not None  # noqa: S608


def run_next_batch(connection: sa.Connection, step: Step, rows: int = ROWS_PER_BATCH) -> tuple[int, bool]:
    """Run the next batch of a step. Return the number of rows looked at so far, and whether these are all."""
    progress = connection.execute(sa.text(_SELECT_PROGRESS), {"name": step.name}).one_or_none()
    if progress is not None and progress.is_finished:
        return progress.done_rows, True
    key = ", ".join(f"t.{column}" for column in step.key)
    values: dict[str, Any] = {}
    conditions = []
    if progress is not None:
        conditions.append(f"({key}) > ({_bind('after', json.loads(progress.last_key), values)})")
    rest = f"FROM {step.table} AS t{_where(conditions)}"
    find_last = sa.text(f"SELECT {key} {rest} ORDER BY {key} LIMIT 1 OFFSET {rows - 1}")
    last = connection.execute(find_last, values).one_or_none()
    if last is None:
        rows = connection.execute(sa.text(f"SELECT count(*) {rest}"), values).scalar_one()
    else:
        conditions.append(f"({key}) <= ({_bind('last', last, values)})")
    if rows:
        for statement in _statements(connection, step, conditions):
            connection.execute(sa.text(statement), values)
    done = rows + (0 if progress is None else progress.done_rows)
    state = {
        "name": step.name,
        "last_key": None if last is None else json.dumps(list(last)),
        "done_rows": done,
        "is_finished": last is None,
    }
    connection.execute(sa.text(_SAVE_PROGRESS), state)
    return done, last is None


def run_steps(connection: sa.Connection, steps: Sequence[Step]) -> None:
    """Run what is left of these steps, all in the given transaction."""
    for step in steps:
        while not run_next_batch(connection, step)[1]:
            pass


def are_all_finished(connection: sa.Connection, steps: Sequence[Step]) -> bool:
    """Return whether all these steps are finished."""
    finished = _finished_steps(connection)
    return all(step.name in finished for step in steps)


def _finished_steps(connection: sa.Connection) -> set[str]:
    return set(connection.execute(sa.text(_SELECT_FINISHED), {"finished": True}).scalars())


def done_rows(connection: sa.Connection, step: Step) -> int:
    """Return the number of rows that this step has looked at."""
    found = connection.execute(sa.text(_SELECT_PROGRESS), {"name": step.name}).one_or_none()
    return 0 if found is None else int(found.done_rows)


def run_in_transactions(
    run: Callable[[Callable[[sa.Connection], Any]], Any], steps: Sequence[Step], after_batch: Callable[[int], object]
) -> None:
    """Run what is left of these steps. `run` calls a function in one transaction and returns its result.

    `after_batch` gets the number of rows of each batch, after its commit. An error that it raises stops the steps.
    """
    finished: set[str] = run(_finished_steps)
    for step in (step for step in steps if step.name not in finished):
        before: int = run(partial(done_rows, step=step))
        is_finished = False
        while not is_finished:
            done, is_finished = run(partial(run_next_batch, step=step))
            after_batch(done - before)
            before = done


def count_rows(connection: sa.Connection, table: str) -> int:
    """Return the number of rows of a table."""
    count: int = connection.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one()  # noqa: S608
    return count


def _statements(connection: sa.Connection, step: Step, conditions: Sequence[str]) -> list[str]:
    """Return the statements for the rows that fulfil these conditions."""
    if isinstance(step, Copy):
        return [f"INSERT INTO {step.target} ({step.columns}) SELECT {step.select}{_where(conditions)}"]
    where = _where([*conditions, f"({step.where})"])
    if isinstance(step, UpdateRows):
        change = f"UPDATE {step.table} AS t SET {step.values}"  # noqa: S608
    else:
        change = f"DELETE FROM {step.table} AS t"  # noqa: S608
    keep = f"INSERT INTO {OLD}{step.table} SELECT t.* FROM {step.table} AS t"  # noqa: S608
    must_keep = step.keep_old_rows and connection.dialect.name == "postgresql"
    return [*([keep + where] if must_keep else []), change + where]


def _where(conditions: Sequence[str]) -> str:
    return " WHERE " + " AND ".join(conditions) if conditions else ""


def _bind(prefix: str, key: Sequence[Any], values: dict[str, Any]) -> str:
    """Add the parts of a key to the values of a statement, and return their parameters."""
    for number, part in enumerate(key):
        values[f"{prefix}_{number}"] = part
    return ", ".join(f":{prefix}_{number}" for number in range(len(key)))


_CREATE_PROGRESS: Final = f"""
CREATE TABLE {PROGRESS} (name TEXT PRIMARY KEY, last_key TEXT, done_rows BIGINT NOT NULL, is_finished BOOLEAN NOT NULL)
"""
_MARK: Final = "Rows as they were before the last upgrade of Pecking Order. The next upgrade drops this table."
_OLD_TABLES: Final = """
SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = CAST(current_schema() AS regnamespace)
    AND obj_description(oid, 'pg_class') = :mark
"""
_FOREIGN_KEYS: Final = """
SELECT conname FROM pg_constraint WHERE conrelid = CAST(:name AS regclass) AND contype = 'f' AND conparentid = 0
"""
_INDEXES: Final = "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() AND tablename = :name"
_SELECT_PROGRESS: Final = f"SELECT last_key, done_rows, is_finished FROM {PROGRESS} WHERE name = :name"  # noqa: S608
_SELECT_FINISHED: Final = f"SELECT name FROM {PROGRESS} WHERE is_finished = :finished"  # noqa: S608
_SAVE_PROGRESS: Final = f"""
INSERT INTO {PROGRESS} (name, last_key, done_rows, is_finished)
VALUES (:name, :last_key, :done_rows, :is_finished)
ON CONFLICT (name) DO UPDATE SET last_key = excluded.last_key, done_rows = excluded.done_rows,
    is_finished = excluded.is_finished
"""  # noqa: S608
