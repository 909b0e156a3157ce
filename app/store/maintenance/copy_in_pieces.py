"""Copy large tables in pieces during a migration: each piece is committed with the key at which the next one begins.

A migration that was stopped continues with the next piece. A revision lists its copies in `COPIES`, and makes the
table `PROGRESS`. No program may write to the copied tables meanwhile.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import sqlalchemy as sa

PROGRESS: Final = "migration_progress"
"""Name of the table with the last copied key of each copy."""
ROWS_PER_PIECE: Final = 5000
"""Number of rows copied in one transaction: 0.1 to 1 s of work, which a stop discards."""


@dataclass(frozen=True, slots=True)
class Copy:
    """The copy of one table to another with other keys."""

    source: str
    target: str
    key: tuple[str, ...]
    """Columns of the primary key of the source."""
    columns: str
    """Columns of the target, in the order of `select`."""
    select: str
    """The columns and tables to read; the source has the alias `t`."""

    @property
    def name(self) -> str:
        """The name of the copy in the table of progress."""
        return f"{self.source} to {self.target}"


def copy_next_piece(connection: sa.Connection, copy: Copy, rows: int = ROWS_PER_PIECE) -> tuple[int, bool]:
    """Copy the next piece of a table. Return the number of rows copied so far, and whether all are copied."""
    progress = connection.execute(sa.text(_SELECT_PROGRESS), {"name": copy.name}).one_or_none()
    if progress is not None and progress.is_finished:
        return progress.copied_rows, True
    after: Sequence[Any] | None = None if progress is None else json.loads(progress.last_key)
    key = ", ".join(f"t.{column}" for column in copy.key)
    values: dict[str, Any] = {}
    conditions = []
    if after is not None:
        conditions.append(f"({key}) > ({_bind('after', after, values)})")
    where = " WHERE " + " AND ".join(conditions) if conditions else ""
    last = connection.execute(
        sa.text(
            f"SELECT {key} FROM {copy.source} AS t{where} ORDER BY {key} LIMIT 1 OFFSET {rows - 1}"  # noqa: S608
        ),
        values,
    ).one_or_none()
    if last is not None:
        conditions.append(f"({key}) <= ({_bind('last', last, values)})")
        where = " WHERE " + " AND ".join(conditions)
    done = connection.execute(
        sa.text(f"INSERT INTO {copy.target} ({copy.columns}) SELECT {copy.select}{where}"),
        values,
    ).rowcount
    copied = done + (0 if progress is None else progress.copied_rows)
    state = {
        "name": copy.name,
        "last_key": None if last is None else json.dumps(list(last)),
        "copied_rows": copied,
        "is_finished": last is None,
    }
    connection.execute(sa.text(_SAVE_PROGRESS), state)
    return copied, last is None


def copy_all(connection: sa.Connection, copies: Sequence[Copy]) -> None:
    """Copy what is left to copy, all in the given transaction."""
    for copy in () if are_all_copied(connection, copies) else copies:
        while not copy_next_piece(connection, copy)[1]:
            pass


def are_all_copied(connection: sa.Connection, copies: Sequence[Copy]) -> bool:
    """Return whether all these copies are finished."""
    finished = _finished_copies(connection)
    return all(copy.name in finished for copy in copies)


def _finished_copies(connection: sa.Connection) -> set[str]:
    return set(connection.execute(sa.text(_SELECT_FINISHED), {"finished": True}).scalars())


def copied_rows(connection: sa.Connection, copy: Copy) -> int:
    """Return how many rows of this copy are made."""
    found = connection.execute(sa.text(_SELECT_PROGRESS), {"name": copy.name}).one_or_none()
    return 0 if found is None else int(found.copied_rows)


def copy_in_transactions(
    run: Callable[[Callable[[sa.Connection], Any]], Any], copies: Sequence[Copy], after_piece: Callable[[int], object]
) -> None:
    """Copy what is left to copy. `run` calls a function in one transaction and returns its result.

    `after_piece` gets the number of rows of each piece, after its commit. An error that it raises stops the copies.
    """
    finished: set[str] = run(_finished_copies)
    for copy in (copy for copy in copies if copy.name not in finished):
        before: int = run(partial(copied_rows, copy=copy))
        is_finished = False
        while not is_finished:
            copied, is_finished = run(partial(copy_next_piece, copy=copy))
            after_piece(copied - before)
            before = copied


def count_rows(connection: sa.Connection, table: str) -> int:
    """Return the number of rows of a table."""
    count: int = connection.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one()  # noqa: S608
    return count


def _bind(prefix: str, key: Sequence[Any], values: dict[str, Any]) -> str:
    """Add the parts of a key to the values of a statement, and return their parameters."""
    for number, part in enumerate(key):
        values[f"{prefix}_{number}"] = part
    return ", ".join(f":{prefix}_{number}" for number in range(len(key)))


_SELECT_PROGRESS: Final = f"SELECT last_key, copied_rows, is_finished FROM {PROGRESS} WHERE name = :name"  # noqa: S608
_SELECT_FINISHED: Final = f"SELECT name FROM {PROGRESS} WHERE is_finished = :finished"  # noqa: S608
_SAVE_PROGRESS: Final = f"""
INSERT INTO {PROGRESS} (name, last_key, copied_rows, is_finished)
VALUES (:name, :last_key, :copied_rows, :is_finished)
ON CONFLICT (name) DO UPDATE SET last_key = excluded.last_key, copied_rows = excluded.copied_rows,
    is_finished = excluded.is_finished
"""  # noqa: S608
