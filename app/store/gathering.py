"""Small writes of many callers, in as few transactions as there is time for.

Whatever is to be kept while one transaction is written goes into the next: a hundred people who come in at once cost a
few commits, not a hundred.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

import sqlalchemy as sa

from app.rooms.ports import Unavailable

from .database import Database, NotReached, patiently, pour, transact
from .inserting import Statement
from .scribe import Values

_Note: TypeAlias = tuple[list[Statement], "asyncio.Future[None]"]
"""What is to be kept, and who waits for it."""


class Gathering:
    """Writes that may be done twice and are no worse for it: when a connection is lost, nobody knows what it did."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[_Note] = []
        self._writing = False
        """Whether some are under way, or will be with the next turn of the loop."""

    async def keep(self, *told: tuple[sa.Executable, Values]) -> None:
        """Run these statements, which are kept, each with its values, and return after the commit: all or none.

        Raises what their values raise, and what the database says of these and not of others'.
        """
        spelling = self._database.spelling
        statements = [spelling.of(statement).with_values(values) for statement, values in told]
        # PostgreSQL may go in the middle of it: it may be done again all the same.
        trouble = Unavailable if self._database.dialect == "postgresql" else NotReached
        await patiently(lambda: self._note(statements), trouble)

    def _note(self, statements: list[Statement]) -> "asyncio.Future[None]":
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._waiting.append((statements, done))
        if not self._writing:
            self._writing = True
            loop.call_soon(self._write_what_waits)  # with all that comes in this turn
        return done

    def _write_what_waits(self) -> None:
        notes, self._waiting = self._waiting, []
        self._writing = bool(notes)
        if notes:
            self._database.submit(partial(_write, [statements for statements, _ in notes]), partial(self._told, notes))

    def _told(self, notes: Sequence[_Note], came: Sequence[Exception | None] | Exception) -> None:
        self._write_what_waits()
        outcomes = [came] * len(notes) if isinstance(came, Exception) else came
        for (_, waits), outcome in zip(notes, outcomes, strict=True):
            if waits.done():
                continue
            if outcome is None:
                waits.set_result(None)
            else:
                waits.set_exception(outcome)


def _write(notes: Sequence[list[Statement]], engine: sa.Engine) -> list[Exception | None]:
    """All together; if the database refuses anything of it, each for itself. What became of each."""
    try:
        pour(engine, [statement for statements in notes for statement in statements])
    except Unavailable:
        raise
    except Exception:
        return _one_by_one(notes, engine)
    return [None] * len(notes)


def _one_by_one(notes: Sequence[list[Statement]], engine: sa.Engine) -> list[Exception | None]:
    outcomes: list[Exception | None] = []
    for statements in notes:
        try:
            transact(engine, partial(_run, statements=statements))
        except Unavailable as trouble:
            return outcomes + [trouble] * (len(notes) - len(outcomes))
        except Exception as error:
            outcomes.append(error)
        else:
            outcomes.append(None)
    return outcomes


def _run(connection: sa.Connection, statements: Sequence[Statement]) -> None:
    for text, parameters in statements:
        connection.exec_driver_sql(text, parameters)
