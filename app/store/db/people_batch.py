"""Save small changes of many callers in one transaction, for everything that is about people.

Changes that arrive while one transaction is written share the next one. On PostgreSQL they use a `DirectLine`, as the
entries of rooms do. A hundred people who come in at once cost one transaction in place of 100: 47 ms and 6 ms of CPU in
place of 1,050 and 60 ms on SQLite, 65 ms in place of 512 ms on PostgreSQL (`asyncio.gather` of 100 `People.create`,
median of three on a busy machine, 2026-11-27).
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeAlias, cast

import sqlalchemy as sa

from app.rooms.ports.storage import Unavailable
from app.store.db.bulk_insert import Statement
from app.store.db.compiled import Values
from app.store.db.database import Database, patiently
from app.store.db.errors import NotReached
from app.store.db.transactions import converse, transact

logger = logging.getLogger(__name__)

_Found: TypeAlias = list[list[Any]]
"""What each statement returns, as the driver has it; by the line all of it is text."""
_Note: TypeAlias = tuple[list[Statement], "asyncio.Future[_Found]"]
"""What is to be kept, and who waits for it."""
_Told: TypeAlias = "Callable[[Sequence[_Found | Exception] | Exception], None]"


class Gathering:
    """Writes that may be done twice and are no worse for it: when a connection is lost, nobody knows what it did."""

    def __init__(self, database: Database, *statements: sa.Executable) -> None:
        """`statements` are those that will be run. What they return is text."""
        self._database = database
        spelled = [database.spelling.of(statement) for statement in statements]
        self._names = {each.text: f"kept_{n}" for n, each in enumerate(spelled)}
        prepared = {self._names[each.text]: each.prepared() for each in spelled}
        self._line = database.line(prepared, "people writer")
        self._waiting: list[_Note] = []
        self._writing = False
        """Whether some are under way, or will be with the next turn of the loop."""

    async def keep(self, *told: tuple[sa.Executable, Values]) -> list[list[Any]]:
        """Run these statements, which are kept, each with its values, and return after the commit: all or none.

        Gives the rows that each of them returns, their columns by name.

        Raises what their values raise, and what the database says of these and not of others'.
        """
        spelled = [self._database.spelling.of(statement) for statement, _ in told]
        statements = [each.with_values(values) for each, (_, values) in zip(spelled, told, strict=True)]
        # PostgreSQL may go in the middle of it: it may be done again all the same.
        trouble = Unavailable if self._database.dialect == "postgresql" else NotReached
        found = await patiently(lambda: self._note(statements), trouble)
        return [[each.row(row) for row in rows] for each, rows in zip(spelled, found, strict=True)]

    def _note(self, statements: list[Statement]) -> "asyncio.Future[_Found]":
        loop = asyncio.get_running_loop()
        done: asyncio.Future[_Found] = loop.create_future()
        self._waiting.append((statements, done))
        if not self._writing:
            self._writing = True
            loop.call_soon(self._write_what_waits)  # with all that comes in this turn
        return done

    def _write_what_waits(self) -> None:
        notes, self._waiting = self._waiting, []
        self._writing = bool(notes)
        if notes:
            told = self._database.begins(partial(self._told, notes))
            kept = [statements for statements, _ in notes]
            try:
                if not self._goes_down_the_line(kept, told):
                    self._database.hand_over(partial(_write, kept), told)
            except Exception as error:
                logger.exception("writes about people could not be sent")
                self._database.failed("people writer")
                asyncio.get_running_loop().call_soon(told, error)

    def _goes_down_the_line(self, notes: Sequence[list[Statement]], told: _Told) -> bool:
        """Have these written without the thread, if they can be."""
        if self._line is None:
            return False

        def answered(came: _Found | Exception) -> None:
            if isinstance(came, Exception):
                self._database.hand_over(partial(_write, notes), told)
            else:
                told(_by_note(notes, came))

        steps = [(self._names[text], [*cast("Values", values).values()]) for note in notes for text, values in note]
        return self._line.send(steps, answered)

    def _told(self, notes: Sequence[_Note], came: Sequence[_Found | Exception] | Exception) -> None:
        self._write_what_waits()
        outcomes = [came] * len(notes) if isinstance(came, Exception) else came
        for (_, waits), outcome in zip(notes, outcomes, strict=True):
            if not isinstance(outcome, Exception):
                self._database.health.saved("people")
            elif not isinstance(outcome, Unavailable):
                self._database.health.refused("people", outcome)
            if waits.done():
                continue
            if isinstance(outcome, Exception):
                waits.set_exception(outcome)
            else:
                waits.set_result(outcome)


def _write(notes: Sequence[list[Statement]], engine: sa.Engine) -> Sequence[_Found | Exception]:
    """All together; if the database refuses anything of it, each for itself. What became of each."""
    try:
        found = converse(engine, [statement for statements in notes for statement in statements])
    except Unavailable:
        raise
    except Exception:
        return _one_by_one(notes, engine)
    return _by_note(notes, found)


def _by_note(notes: Sequence[list[Statement]], found: Iterable[list[Any]]) -> list[_Found | Exception]:
    """What all statements return, for each note its own."""
    left = iter(found)
    return [[next(left) for _ in statements] for statements in notes]


def _one_by_one(notes: Sequence[list[Statement]], engine: sa.Engine) -> list[_Found | Exception]:
    outcomes: list[_Found | Exception] = []
    for statements in notes:
        try:
            outcomes.append(transact(engine, partial(_run, statements=statements)))
        except Unavailable as trouble:
            return outcomes + [trouble] * (len(notes) - len(outcomes))
        except Exception as error:
            outcomes.append(error)
    return outcomes


def _run(connection: sa.Connection, statements: Sequence[Statement]) -> _Found:
    came = [connection.exec_driver_sql(text, parameters) for text, parameters in statements]
    return [[*each] if each.returns_rows else [] for each in came]
