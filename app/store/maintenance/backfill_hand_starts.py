"""How hands began, where that was not kept: found once, in the background, by playing what came before them.

A hand of a long match is shown without all those before it, as long as it is known what stood right before its deal.
It was not kept of matches that an older version took from files, nor where a room's log can't be told any more. What
today's rules refuse ends it: of what came after that hand the beginning stays unknown, and then only that one hand is
played in vain (`since`).
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Protocol

import sqlalchemy as sa

from app.engine.games import GAMES
from app.engine.match.record import Illegal, Unusable, fold, opened
from app.store.db.database import Database
from app.store.db.schema import hand_starts, hands, imported_hands, match_players
from app.store.db.transactions import upserting
from app.store.db.types import encode
from app.store.history import match_history
from app.store.repositories import imported_matches

AT_ONCE: Final = 10
"""Hands played in one go: some 30 ms of a processor, in a thread beside those who play now."""
LAST: Final = 2**31 - 1
"""No hand has a higher number."""
PAUSE: Final = 0.1
"""Seconds of rest after each."""

logger = logging.getLogger(__name__)


class Since(Protocol):
    """`since` of the history or of what was brought."""

    def __call__(
        self, connection: sa.Connection, match_id: str, number: int, last: int
    ) -> tuple[int, dict[str, Any]] | None:
        """Give the hands up to the last, back to one before this number of which it is known how it began."""
        ...


@dataclass(frozen=True, slots=True)
class Shelf:
    """Matches that are kept in the same tables."""

    unknown: sa.Select[Any]
    """Those with a hand of which it is not known how it began, and the first such hand."""
    since: Since
    whole: Callable[[sa.Connection, str], dict[str, Any] | None]
    keep: Callable[[sa.Connection, str, int, str], None]
    """Keep how one hand of a match began, unless that is known."""

    def listed(self, connection: sa.Connection) -> list[tuple[str, int]]:
        """Give what is unknown."""
        return [(row[0], row[1]) for row in connection.execute(self.unknown)]


async def fill_in(database: Database, *, pause: float = PAUSE) -> int:
    """Find out how hands began, of all matches where that is not known; gives of how many hands it was found out."""
    found = 0
    for shelf in (PLAYED, BROUGHT):
        for match_id, first in await database.read(shelf.listed):
            try:
                found += await _fill(database, shelf, match_id, first, pause)
            except Exception:  # the others, and the server, must not suffer
                logger.exception("how hands of match %s began could not be found out", match_id)
    if found:
        logger.info("it is kept now of %d hands more how they began", found)
    return found


async def _fill(database: Database, shelf: Shelf, match_id: str, first: int, pause: float) -> int:
    """Play one match on from where it is known how a hand began, a few hands at a time."""

    def read(connection: sa.Connection) -> tuple[list[str], int, dict[str, Any] | None]:
        names = _names(connection, match_id)
        some = shelf.since(connection, match_id, first, LAST)
        return (names, 0, shelf.whole(connection, match_id)) if some is None else (names, *some)

    names, begins, record = await database.read(read)
    if record is None:
        return 0
    found, beginnings = 0, _beginnings(record)
    while some := await asyncio.to_thread(lambda: list(islice(beginnings, AT_ONCE))):
        new = [(begins + place, text) for place, text in some if begins + place >= first]

        def keep(connection: sa.Connection, new: list[tuple[int, str]] = new) -> bool:
            if _names(connection, match_id) != names:
                return False  # somebody is forgotten here just now: the next start does it
            for number, text in new:
                shelf.keep(connection, match_id, number, text)
            return True

        if not await database.write(keep):
            break
        found += len(new)
        await asyncio.sleep(pause)
    return found


def _beginnings(record: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """The places of hands in a record, with the society right before each deal, as far as today's rules play them."""
    with suppress(Illegal, Unusable):
        match, elements = opened(record, GAMES, kept=True)
        for moment in fold(match, elements):
            if moment.is_deal:
                yield moment.hand, encode(moment.before.carried())


def _names(connection: sa.Connection, match_id: str) -> list[str]:
    """All who played in a match; none of one that was brought, in which names stay."""
    query = sa.select(match_players.c.name).where(match_players.c.match_id == match_id)
    return sorted(connection.execute(query).scalars())


def _keep_played(connection: sa.Connection, match_id: str, number: int, society: str) -> None:
    insert = upserting(connection.dialect.name, hand_starts).values(match_id=match_id, number=number, society=society)
    connection.execute(insert.on_conflict_do_nothing())


def _keep_brought(connection: sa.Connection, match_id: str, number: int, society: str) -> None:
    here = imported_hands.c.match_id == match_id, imported_hands.c.number == number, imported_hands.c.society.is_(None)
    connection.execute(imported_hands.update().where(*here).values(society=society))


_start = sa.and_(hand_starts.c.match_id == hands.c.match_id, hand_starts.c.number == hands.c.number)
PLAYED: Final = Shelf(
    sa.select(hands.c.match_id, sa.func.min(hands.c.number))
    .outerjoin(hand_starts, _start)
    .where(hand_starts.c.match_id.is_(None))
    .group_by(hands.c.match_id),
    match_history.since,
    match_history.record_of,
    _keep_played,
)
BROUGHT: Final = Shelf(
    sa.select(imported_hands.c.match_id, sa.func.min(imported_hands.c.number))
    .where(imported_hands.c.society.is_(None))
    .group_by(imported_hands.c.match_id),
    imported_matches.since,
    imported_matches.record_of,
    _keep_brought,
)
