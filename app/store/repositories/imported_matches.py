"""Matches that somebody brought as files and keeps: theirs, no room's, and counted nowhere.

They are told as the history tells matches, so that the same pages show them.
"""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from app.engine.match.record import file_of
from app.stats.hand_story import KeptHand
from app.store.db.database import Database
from app.store.db.schema import imported_hands, imported_matches, people
from app.store.db.types import check_text, check_texts, check_time, encode
from app.store.history.match_history import HandDetail, Imported, MatchDetail, MatchLine, PlayerLine, begun, hand_line
from app.store.history.match_stories import HANDS_OF_A_PAGE, HandTold, StoryPage

AT_ONCE = 200
"""Hands written by one statement."""


@dataclass(frozen=True, slots=True)
class NewHand:
    """One hand of a match from a file."""

    number: int
    record: dict[str, Any]
    society: dict[str, Any]
    """Right before its deal, as a record’s `carried`."""
    events: list[dict[str, Any]]
    result: dict[str, Any]
    totals: dict[str, int] | None


@dataclass(frozen=True, slots=True)
class NewImport:
    """A match from a file, as it was checked."""

    game: str
    options: dict[str, Any]
    players: Sequence[str]
    totals: dict[str, int]
    winners: Sequence[str]
    after: Sequence[Any]
    over: bool
    hands: Sequence[NewHand]
    carried: dict[str, Any] | None = None
    """The society that it goes on with: a record’s `carried`."""
    origin: dict[str, Any] | None = None
    """Where its cards come from, if they were known: a record’s `origin`."""


@dataclass(frozen=True, slots=True)
class WrittenImport:
    """A match from a file, written as it is kept."""

    digest: str
    """Of its record: nobody keeps the same match twice."""
    bytes: int
    match: dict[str, Any]
    hands: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Stored:
    """What somebody keeps of files."""

    matches: int
    bytes: int


class Imports:
    """What was brought as files, in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, person_id: str, at: datetime, match: WrittenImport) -> str:
        """Save a match as somebody's and return its id; one that they have already stays as it is."""
        match_id = secrets.token_urlsafe(12)
        head = {
            "id": match_id,
            "person_id": check_text(person_id),
            "imported_at": check_time(at),
            "digest": match.digest,
            "bytes": match.bytes,
            **match.match,
        }
        hands = [{"match_id": match_id, **hand} for hand in match.hands]
        there = sa.select(imported_matches.c.id).where(
            imported_matches.c.person_id == person_id, imported_matches.c.digest == match.digest
        )

        def work(connection: sa.Connection) -> str:
            known: str | None = connection.execute(there).scalar()
            if known is not None:
                return known
            connection.execute(imported_matches.insert(), head)
            for first in range(0, len(hands), AT_ONCE):
                connection.execute(imported_hands.insert(), hands[first : first + AT_ONCE])
            return match_id

        return await self._database.write(work)

    async def drop(self, person_id: str, match_id: str) -> bool:
        """Let go of a match that somebody brought; False: they brought none of this id."""
        mine = imported_matches.c.id == check_text(match_id), imported_matches.c.person_id == check_text(person_id)
        gone = imported_matches.delete().where(*mine)
        return await self._database.write(lambda connection: connection.execute(gone).rowcount > 0)

    async def stored(self, person_id: str) -> Stored:
        """Count the matches that somebody has brought, and their bytes."""
        total = sa.func.coalesce(sa.func.sum(imported_matches.c.bytes), 0)
        query = sa.select(sa.func.count(), total).where(imported_matches.c.person_id == check_text(person_id))
        found = await self._database.read(lambda connection: connection.execute(query).one())
        return Stored(int(found[0]), int(found[1]))

    async def digests(self, person_id: str) -> frozenset[str]:
        """Return the digests of all matches that somebody has brought."""
        query = sa.select(imported_matches.c.digest).where(imported_matches.c.person_id == check_text(person_id))
        return await self._database.read(lambda connection: frozenset(connection.execute(query).scalars()))

    async def of(self, person_id: str, *, limit: int) -> tuple[MatchLine, ...]:
        """The matches that somebody has brought, the latest first."""
        query = (
            _matches.where(imported_matches.c.person_id == check_text(person_id))
            .order_by(imported_matches.c.imported_at.desc(), imported_matches.c.id)
            .limit(limit)
        )
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(_line(row, person_id) for row in found)

    async def match(self, match_id: str, *, person_id: str | None = None) -> MatchDetail | None:
        """A match with its hands; `person_id` is who asks."""
        head = _matches.where(imported_matches.c.id == check_text(match_id))
        hands = (
            sa.select(
                imported_hands.c.number,
                imported_hands.c.record["dealer"].as_string().label("dealer"),
                imported_hands.c.result,
                imported_hands.c.totals,
                imported_hands.c.totals.is_(None).label("cut_off"),
            )
            .where(imported_hands.c.match_id == match_id)
            .order_by(imported_hands.c.number)
        )

        def work(connection: sa.Connection) -> MatchDetail | None:
            row = connection.execute(head).one_or_none()
            if row is None:
                return None
            return MatchDetail(
                _line(row, person_id),
                tuple(hand_line(hand, row.imported_at) for hand in connection.execute(hands)),
            )

        return await self._database.read(work)

    async def pages(
        self, match_id: str, *, first: int = 0, limit: int = HANDS_OF_A_PAGE, asked_by: str | None = None
    ) -> StoryPage | None:
        """The hands of a match from this one on, as its page tells them."""
        head = _matches.where(imported_matches.c.id == check_text(match_id))
        hands = sa.select(imported_hands).where(imported_hands.c.match_id == match_id)
        some = hands.where(imported_hands.c.number.between(first, first + limit - 1)).order_by(imported_hands.c.number)
        numbers = sa.select(sa.func.max(imported_hands.c.number)).where(imported_hands.c.match_id == match_id)

        def work(connection: sa.Connection) -> StoryPage | None:
            row = connection.execute(head).one_or_none()
            if row is None:
                return None
            last = int(connection.execute(numbers).scalar_one())
            told = tuple(_told(hand, row, last) for hand in connection.execute(some))
            return StoryPage(_line(row, asked_by), told, last, None, None)

        return await self._database.read(work)

    async def hand(self, match_id: str, number: int) -> HandDetail | None:
        """One hand with everything that is kept of it."""
        query = (
            sa.select(imported_hands, imported_matches.c.imported_at)
            .join(imported_matches)
            .where(imported_hands.c.match_id == check_text(match_id), imported_hands.c.number == number)
        )
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            return None
        return HandDetail(row.match_id, row.number, row.imported_at, row.record, row.events, row.result)

    async def since(self, match_id: str, number: int) -> tuple[int, dict[str, Any]] | None:
        """As in the history: a hand with as few before it as it can be played with, and the number of the first."""
        check_text(match_id)
        return await self._database.read(lambda connection: since(connection, match_id, number))

    async def record(self, match_id: str) -> dict[str, Any] | None:
        """A whole match as a record file."""
        check_text(match_id)
        return await self._database.read(lambda connection: record_of(connection, match_id))


def record_of(connection: sa.Connection, match_id: str) -> dict[str, Any] | None:
    """A whole match as a record file, if there is such a match."""
    row = connection.execute(sa.select(imported_matches).where(imported_matches.c.id == match_id)).one_or_none()
    if row is None:
        return None
    hands = sa.select(imported_hands.c.record).where(imported_hands.c.match_id == match_id)
    played = connection.execute(hands.order_by(imported_hands.c.number)).scalars()
    return file_of(row.game, row.options, row.players, played, row.after, row.carried, row.origin)


def since(
    connection: sa.Connection, match_id: str, number: int, last: int | None = None
) -> tuple[int, dict[str, Any]] | None:
    """A hand with those before it, back to one of which it is kept how it began; None if of none it is.

    With those after it, too, up to the `last`.
    """
    hand, match = imported_hands.c, imported_matches.c
    query = (
        sa.select(hand.number, hand.society, match.game, match.options)
        .join(imported_matches)
        .where(hand.match_id == match_id, hand.number <= number, hand.society.is_not(None))
        .order_by(hand.number.desc())
        .limit(1)
    )
    start = connection.execute(query).one_or_none()
    if start is None:
        return None
    some = hand.match_id == match_id, hand.number.between(start.number, number if last is None else last)
    played = connection.execute(sa.select(hand.record).where(*some).order_by(hand.number))
    return start.number, begun(start.game, start.options, start.society, played.scalars())


_matches = sa.select(imported_matches, people.c.name.label("by")).join(people)


def written(match: NewImport) -> WrittenImport:
    """Write a match as it is kept; for many hands that takes long, so off the event loop."""
    check_texts([list(match.players), list(match.winners), match.totals, match.carried])
    hands = [
        {
            "number": hand.number,
            "record": encode(hand.record),
            "society": encode(hand.society),
            "events": encode(hand.events),
            "result": encode(hand.result),
            "totals": None if hand.totals is None else encode(hand.totals),
        }
        for hand in match.hands
    ]
    head = {
        "game": match.game,
        "options": encode(match.options),
        "players": encode(list(match.players)),
        "after": encode(list(match.after)) if match.after else None,
        "carried": None if match.carried is None else encode(match.carried),
        "origin": None if match.origin is None else encode(match.origin),
    }
    digest = hashlib.sha256("\n".join(filter(None, head.values())).encode())
    for hand in hands:
        digest.update(str(hand["record"]).encode())
    more = {
        "totals": encode(match.totals),
        "winners": encode(list(match.winners)),
        "hands": sum(hand.totals is not None for hand in match.hands),
        "over": match.over,
    }
    rows: list[dict[str, Any]] = [head, more, *hands]
    texts = (value for row in rows for value in row.values() if isinstance(value, str))
    return WrittenImport(digest.hexdigest(), sum(len(text.encode()) for text in texts), {**head, **more}, hands)


def _line(row: sa.Row[Any], person_id: str | None) -> MatchLine:
    seated = dict.fromkeys((*row.players, *row.totals))
    return MatchLine(
        row.id,
        None,
        row.game,
        row.options,
        row.imported_at,
        row.imported_at,
        row.hands,
        tuple(PlayerLine(name, False, False, row.totals.get(name), name in row.winners) for name in seated),
        tuple(row.winners),
        None if row.origin is None else {**row.origin, "match": None},
        imported=Imported(row.by, row.imported_at, row.person_id == person_id),
    )


def _told(hand: sa.Row[Any], match: sa.Row[Any], last: int) -> HandTold:
    """A hand on the page of its match. It stands in no book: what is notable about it its events tell."""
    after = (match.after or ()) if hand.number == last else ()
    kept = KeptHand(hand.record, hand.events, hand.result, hand.totals is None, None, (), after)
    return HandTold(hand.number, match.imported_at, hand.totals or {}, (), kept)
