"""Store matches that people import from files. They belong to a person, not to a room, and are not counted.

They are returned in the same form as matches of the history, so that the same pages show them.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from app.engine.match.record import build_record
from app.rooms.people import names
from app.stats.hand_story import StoredHand
from app.store.db.database import Database
from app.store.db.directory import importer_of_match
from app.store.db.schema import imported_hands, imported_matches, match_directory, people
from app.store.db.types import check_text, check_time
from app.store.history.match_history import (
    HandDetail,
    ImportInfo,
    MatchDetail,
    MatchLine,
    PlayerLine,
    build_hand_line,
    build_partial_record,
)
from app.store.history.match_stories import (
    HANDS_OF_A_PAGE,
    HandStory,
    MatchForStandings,
    StoryPage,
    read_hands_for_standings,
)
from app.store.repositories.import_encoding import EncodedImport

HANDS_PER_STATEMENT = 200
"""Number of hands that one statement inserts."""


@dataclass(frozen=True, slots=True)
class StorageUsed:
    """Number of a person's imported matches, and of the bytes they take; both are limited."""

    matches: int
    bytes: int


class ImportedMatches:
    """Stores the matches that people have imported from files, each for the person who imported it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save_match(self, person_id: str, at: datetime, match: EncodedImport) -> str:
        """Save a person's imported match and return its id.

        If the person already has it, return the existing id.
        """
        match_id = secrets.token_urlsafe(12)
        head = {
            "id": match_id,
            "person_id": check_text(person_id),
            "imported_at": check_time(at),
            "content_hash": match.digest,
            "size_bytes": match.bytes,
            **match.match,
        }
        hands = [{"person_id": person_id, "match_id": match_id, **hand} for hand in match.hands]
        there = sa.select(imported_matches.c.id).where(
            imported_matches.c.person_id == person_id, imported_matches.c.content_hash == match.digest
        )

        def work(connection: sa.Connection) -> str:
            known: str | None = connection.execute(there).scalar()
            if known is not None:
                return known
            connection.execute(imported_matches.insert(), head)
            connection.execute(
                match_directory.insert(), {"match_id": match_id, "room_id": None, "person_id": person_id}
            )
            for first in range(0, len(hands), HANDS_PER_STATEMENT):
                connection.execute(imported_hands.insert(), hands[first : first + HANDS_PER_STATEMENT])
            return match_id

        return await self._database.write(work)

    async def delete_match(self, person_id: str, match_id: str) -> bool:
        """Delete a person's imported match; return False if this person has no match with this id."""
        is_own = imported_matches.c.id == check_text(match_id), imported_matches.c.person_id == check_text(person_id)
        gone = imported_matches.delete().where(*is_own)
        unlisted = match_directory.delete().where(
            match_directory.c.match_id == match_id, match_directory.c.person_id == person_id
        )

        def work(connection: sa.Connection) -> bool:
            found = connection.execute(gone).rowcount > 0
            connection.execute(unlisted)
            return found

        return await self._database.write(work)

    async def storage_used(self, person_id: str) -> StorageUsed:
        """Return the number of matches that a person has imported, and their total bytes."""
        total = sa.func.coalesce(sa.func.sum(imported_matches.c.size_bytes), 0)
        query = sa.select(sa.func.count(), total).where(imported_matches.c.person_id == check_text(person_id))
        found = await self._database.read(lambda connection: connection.execute(query).one())
        return StorageUsed(int(found[0]), int(found[1]))

    async def digests_of_person(self, person_id: str) -> frozenset[str]:
        """Return the digests of all matches that a person has imported, to recognize one that is imported again."""
        query = sa.select(imported_matches.c.content_hash).where(imported_matches.c.person_id == check_text(person_id))
        return await self._database.read(lambda connection: frozenset(connection.execute(query).scalars()))

    async def matches_of_person(self, person_id: str, *, limit: int) -> tuple[MatchLine, ...]:
        """Return up to `limit` of a person's imported matches, latest import first."""
        query = (
            _matches.where(imported_matches.c.person_id == check_text(person_id))
            .order_by(imported_matches.c.imported_at.desc(), imported_matches.c.id)
            .limit(limit)
        )
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(_build_match_line(row, person_id) for row in found)

    async def find_match(self, match_id: str, *, person_id: str | None = None) -> MatchDetail | None:
        """Return an imported match with its hands in short, or None.

        `person_id` is the person who asks; it marks their own import.
        """
        head = _matches.where(_is_import(check_text(match_id)))
        hands = (
            sa.select(
                imported_hands.c.hand_number,
                imported_hands.c.record["dealer"].as_string().label("dealer"),
                imported_hands.c.result,
                imported_hands.c.totals,
                imported_hands.c.totals.is_(None).label("is_aborted"),
            )
            .where(_is_hand_of(match_id))
            .order_by(imported_hands.c.hand_number)
        )

        def work(connection: sa.Connection) -> MatchDetail | None:
            row = connection.execute(head).one_or_none()
            if row is None:
                return None
            return MatchDetail(
                _build_match_line(row, person_id),
                tuple(build_hand_line(hand, row.imported_at) for hand in connection.execute(hands)),
            )

        return await self._database.read(work)

    async def load_story_page(
        self, match_id: str, *, first: int = 0, limit: int = HANDS_OF_A_PAGE, person_id: str | None = None
    ) -> StoryPage | None:
        """Return up to `limit` hands of an imported match from number `first`, for its page; None if it does not exist.

        `person_id` is the id of the person who asks.
        """
        head = _matches.where(_is_import(check_text(match_id)))
        hands = sa.select(imported_hands).where(_is_hand_of(match_id))
        some = hands.where(imported_hands.c.hand_number.between(first, first + limit - 1)).order_by(
            imported_hands.c.hand_number
        )
        numbers = sa.select(sa.func.max(imported_hands.c.hand_number)).where(_is_hand_of(match_id))

        def work(connection: sa.Connection) -> StoryPage | None:
            row = connection.execute(head).one_or_none()
            if row is None:
                return None
            last = int(connection.execute(numbers).scalar_one())
            stories = tuple(_build_hand_story(hand, row, last) for hand in connection.execute(some))
            return StoryPage(_build_match_line(row, person_id), stories, last, None, None)

        return await self._database.read(work)

    async def load_standings(self, match_id: str) -> MatchForStandings | None:
        """Return an imported match with the data from which `standings_by_hand` computes.

        None if it does not exist.
        """
        head = _matches.where(_is_import(check_text(match_id)))

        def work(connection: sa.Connection) -> MatchForStandings | None:
            row = connection.execute(head).one_or_none()
            if row is None:
                return None
            is_counted = sa.and_(_is_hand_of(match_id), imported_hands.c.totals.is_not(None))
            hands = read_hands_for_standings(connection, imported_hands, is_counted, {})
            return MatchForStandings(_build_match_line(row, None), hands)

        return await self._database.read(work)

    async def find_hand(self, match_id: str, number: int) -> HandDetail | None:
        """Return one hand of an imported match with its record, events, result and players, or None."""
        query = (
            sa.select(
                imported_hands,
                imported_matches.c.imported_at,
                imported_matches.c.players,
                imported_matches.c.totals.label("match_totals"),
            )
            .join(imported_matches)
            .where(_is_hand_of(check_text(match_id)), imported_hands.c.hand_number == number)
        )
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            return None
        persons = dict.fromkeys((*row.players, *row.match_totals))
        return HandDetail(
            row.match_id, row.hand_number, row.imported_at, row.record, row.events, row.result, None, persons
        )

    async def find_replayable_record(self, match_id: str, number: int) -> tuple[int, dict[str, Any]] | None:
        """Return the shortest record of an imported match with which this hand can be replayed.

        It is given with the number of the record's first hand. None if no start was saved.
        """
        check_text(match_id)
        return await self._database.read(lambda connection: find_replayable_record(connection, match_id, number))

    async def load_record(self, match_id: str) -> dict[str, Any] | None:
        """Return a whole imported match as a record, or None if it does not exist."""
        check_text(match_id)
        return await self._database.read(lambda connection: load_record(connection, match_id))


def load_record(connection: sa.Connection, match_id: str) -> dict[str, Any] | None:
    """Return a whole imported match as a record, or None if it does not exist."""
    row = connection.execute(sa.select(imported_matches).where(_is_import(match_id))).one_or_none()
    if row is None:
        return None
    hands = sa.select(imported_hands.c.record).where(_is_hand_of(match_id))
    played = connection.execute(hands.order_by(imported_hands.c.hand_number)).scalars()
    return build_record(
        row.game,
        row.options,
        row.players,
        played,
        row.trailing_actions,
        row.initial_state,
        row.origin,
        row.cancelled_deals,
    )


def find_replayable_record(
    connection: sa.Connection, match_id: str, number: int, last: int | None = None
) -> tuple[int, dict[str, Any]] | None:
    """Return a short record with which a hand of an imported match can be replayed, and its first hand's number.

    The record begins with the nearest hand, at or before `number`, whose start was saved. It ends with hand `last`, by
    default with `number`. None if no start was saved.
    """
    hand, match = imported_hands.c, imported_matches.c
    query = (
        sa.select(hand.hand_number, hand.initial_state, match.game, match.options)
        .join(imported_matches)
        .where(_is_hand_of(match_id), hand.hand_number <= number, hand.initial_state.is_not(None))
        .order_by(hand.hand_number.desc())
        .limit(1)
    )
    start = connection.execute(query).one_or_none()
    if start is None:
        return None
    some = _is_hand_of(match_id), hand.hand_number.between(start.hand_number, number if last is None else last)
    played = connection.execute(sa.select(hand.record).where(*some).order_by(hand.hand_number))
    return start.hand_number, build_partial_record(start.game, start.options, start.initial_state, played.scalars())


def _is_import(match_id: str) -> sa.ColumnElement[bool]:
    """Build the condition for the row of an imported match."""
    return sa.and_(imported_matches.c.person_id == importer_of_match(match_id), imported_matches.c.id == match_id)


def _is_hand_of(match_id: str) -> sa.ColumnElement[bool]:
    """Build the condition for the hands of an imported match."""
    return sa.and_(imported_hands.c.person_id == importer_of_match(match_id), imported_hands.c.match_id == match_id)


_matches = sa.select(imported_matches, people.c.name.label("by")).join(people)
_MATCHES_OF = _matches.where(
    imported_matches.c.person_id == sa.bindparam("who"),
    imported_matches.c.id.in_(sa.bindparam("ids", expanding=True)),
)


def load_imported_lines(connection: sa.Connection, ids: Sequence[str], person_id: str) -> tuple[MatchLine, ...]:
    """Return these imported matches of a person."""
    if not ids:
        return ()
    rows = connection.execute(_MATCHES_OF, {"who": person_id, "ids": ids})
    return tuple(_build_match_line(row, person_id) for row in rows)


def _build_match_line(row: sa.Row[Any], person_id: str | None) -> MatchLine:
    seated = dict.fromkeys((*row.players, *row.totals))
    return MatchLine(
        row.id,
        None,
        row.game,
        row.options,
        row.imported_at,
        row.imported_at,
        row.hand_count,
        tuple(
            PlayerLine(name, names.is_bot_name(name), False, row.totals.get(name), name in row.winners)
            for name in seated
        ),
        tuple(row.winners),
        None if row.origin is None else {**row.origin, "match": None},
        imported=ImportInfo(row.by, row.imported_at, row.person_id == person_id),
    )


def _build_hand_story(hand: sa.Row[Any], match: sa.Row[Any], last: int) -> HandStory:
    """Return a hand of an imported match for its page.

    It has no stored highlights, since statistics do not count imported hands.
    """
    after = (match.trailing_actions or ()) if hand.hand_number == last else ()
    stored = StoredHand(hand.record, hand.events, hand.result, hand.totals is None, None, (), after)
    return HandStory(hand.hand_number, match.imported_at, hand.totals or {}, (), stored)
