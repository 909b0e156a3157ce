"""Rebuild history and statistics from the logs of all rooms, and compare them with the stored rows.

All log entries are applied again into a scratch database, with the code that counts hands during play. Then both
databases are compared row by row. Each difference is reported and, unless this is only a check, replaced by the row
from the log. Rooms and rows are read one after the other, so memory use does not grow with them.

A single room can be rebuilt beside a running server (`rebuild_room`). Its ratings stay, because they follow from the
hands of all rooms.

Rules change over time. If today's rules refuse an action of a finished hand, the stored rows of its match are kept from
that hand on. If a room's log can't be applied at all, all its stored rows are kept, and the room is reported.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from app.engine.match.hand import places_in_standing
from app.rooms.log.history_facts import FactRebuilder, HandUnreadable
from app.rooms.ports.facts import AddressChanged, HandEnded, Hierarchies, HighlightFact
from app.rooms.ports.storage import StoredEvent
from app.stats.counted_hand import FinishedHand
from app.stats.ratings import Rating, update_ratings
from app.store.db.engines import make_engine, parse_url
from app.store.db.errors import BadUrl
from app.store.db.schema import (
    counted_hand_players,
    counted_hands,
    hand_initial_states,
    hands,
    highlights,
    match_directory,
    match_players,
    matches,
    merged_players,
    metadata,
    point_adjustments,
    point_reasons,
    ratings,
    room_codes,
    room_events,
    rooms,
)
from app.store.db.transactions import dialect_insert, run_in_transaction, statement_executor
from app.store.db.types import CleanText, Json
from app.store.event_log import history_writer, stats_writer
from app.store.maintenance.page_check import one_line_message

ROWS_PER_BATCH: Final = 500
"""Number of rows read or written in one batch."""
HISTORY_TABLES: Final = (
    *(matches, match_directory, match_players, point_adjustments, hand_initial_states, hands, merged_players),
)
"""Tables of the history. Of the directory, only the rows of matches that were played in a room."""
STATS_TABLES: Final = (counted_hands, counted_hand_players, point_reasons, highlights, ratings)
"""Tables of the statistics."""
DERIVED_TABLES: Final = (*HISTORY_TABLES, *STATS_TABLES)
"""All tables derived from the logs. Tables come before others that refer to them."""

RanksAndTitles: TypeAlias = tuple[tuple[str, ...], dict[str, str]]
"""Names in the order of a hierarchy, and the titles by name."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A row of history or statistics that differs from what the logs lead to."""

    table: str
    key: dict[str, Any]
    """Primary key of the row."""
    columns: tuple[str, ...]
    """Columns that differ; empty if the row exists on one side only."""
    is_stored: bool
    """True if the row is stored."""
    is_in_log: bool
    """True if the log leads to such a row."""

    def __str__(self) -> str:
        where = " ".join(f"{name}={value}" for name, value in self.key.items())
        what = (
            "is missing"
            if not self.is_stored
            else "is in no log"
            if not self.is_in_log
            else f"differs from the log in {self._changed_columns}"
        )
        return f"{self.table} {where} {what}"

    @property
    def _changed_columns(self) -> str:
        return ", ".join(self.columns)


@dataclass(slots=True)
class RebuildResult:
    """Numbers of rooms, hands and differences that a rebuild or comparison found, and unreadable rooms and tables."""

    rooms: int = 0
    hands: int = 0
    differences: int = 0
    unreadable_rooms: dict[str, str] = field(default_factory=dict[str, str])
    """Rooms whose log can't be applied, with the reason: their stored rows are kept."""
    unreadable_tables: dict[str, str] = field(default_factory=dict[str, str])
    """Tables with unreadable rows, with the reason; only for a comparison."""

    def add(self, other: "RebuildResult") -> None:
        """Add the numbers and the unreadable rooms of another result."""
        self.rooms += other.rooms
        self.hands += other.hands
        self.differences += other.differences
        self.unreadable_rooms |= other.unreadable_rooms


def rebuild(
    url: str, *, check: bool = False, on_difference: Callable[[Difference], None] = lambda found: None
) -> RebuildResult:
    """Replace all history and statistics by what the logs lead to; with `check`, only compare.

    Each difference is reported with `on_difference`. No other process may write meanwhile. Raises `BadUrl` if stored
    data can't be read; then nothing is changed.
    """
    with _errors_as_bad_url(), _engine(url) as engine, _scratch_database() as scratch:
        still = engine.execution_options(isolation_level="REPEATABLE READ") if engine.name == "postgresql" else engine
        return run_in_transaction(
            still, lambda connection: _rebuild_in_transaction(connection, scratch, check, on_difference)
        )


def rebuild_room(
    url: str, room: str, *, check: bool = False, on_difference: Callable[[Difference], None] = lambda found: None
) -> RebuildResult:
    """Replace the history and statistics of one room by what its log leads to; with `check`, only compare.

    A server may run. The log is applied without a lock. Then one transaction locks the room, applies the entries that
    were added meanwhile, and corrects the rows. `room` is an id or a code. Raises `BadUrl` if there is no such room, or
    if stored data can't be read.
    """
    with _errors_as_bad_url(), _engine(url, alongside_server=True) as engine, _scratch_database() as scratch:
        room_id = run_in_transaction(engine, lambda connection: _find_room_id(connection, room))
        replay = _RoomReplay(room_id, scratch)
        entries_seen = None
        # A log that can't be applied needs the lock, to copy the room's stored rows.
        with _engine(url, alongside_server=True, readonly=True) as reader, suppress(Exception):
            entries_seen = run_in_transaction(reader, replay.read_and_sum)

        def finish(connection: sa.Connection) -> RebuildResult:
            # No process can append to the log until the transaction ends. SQLite's transactions lock the whole file.
            connection.execute(sa.select(rooms.c.id).where(rooms.c.id == room_id).with_for_update())
            result = RebuildResult(rooms=1)
            if not replay.lost and replay.sum_of_entries(connection) == entries_seen:
                _rebuild_room(connection, scratch, replay, result)
            else:  # its stored rows are needed, or a player was deleted meanwhile
                for table in DERIVED_TABLES:
                    scratch.execute(table.delete())
                _rebuild_room(connection, scratch, _RoomReplay(room_id, scratch), result)
            _copy_rating_order(connection, scratch, room_id)
            result.hands = scratch.execute(sa.select(sa.func.count()).select_from(counted_hands)).scalar_one()
            tables = [table for table in DERIVED_TABLES if table is not ratings]
            _correct_tables(connection, scratch, tables, result, check, on_difference, room_id)
            return result

        return run_in_transaction(engine, finish)


@contextmanager
def _engine(url: str, *, alongside_server: bool = False, readonly: bool = False) -> Iterator[sa.Engine]:
    engine = make_engine(parse_url(url), alongside_server=alongside_server, readonly=readonly)
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def _errors_as_bad_url() -> Iterator[None]:
    try:
        yield
    except BadUrl:
        raise
    except (ValueError, sa.exc.DatabaseError) as error:  # bad JSON, bad text, a damaged page
        raise BadUrl(
            f"some of its rows can’t be read ({one_line_message(error)}). Nothing was changed; "
            "“pecking-order check” names the rows, and a backup has them"
        ) from error


def _find_room_id(connection: sa.Connection, text: str) -> str:
    is_meant = sa.or_(room_codes.c.code == text.upper(), room_codes.c.room_id == text)
    for found in connection.execute(select_rooms_with_logs().where(is_meant)).scalars():
        return found
    raise BadUrl(f"there is no room {text}")


def compare_with_logs(connection: sa.Connection, on_difference: Callable[[Difference], None]) -> RebuildResult:
    """Compare stored history and statistics with what the logs lead to, and report each difference.

    Changes nothing. The transaction must see one consistent state.
    """
    with _scratch_database() as scratch:
        made = _rebuild_into_scratch(connection, scratch)
        for table in DERIVED_TABLES:
            try:
                with connection.begin_nested():
                    for difference in _find_differences(connection, scratch, table):
                        made.differences += 1
                        on_difference(difference)
            except Exception as error:  # damaged data can cause any error
                made.unreadable_tables[table.name] = f"{type(error).__name__}: {error}"
        return made


def _rebuild_in_transaction(
    connection: sa.Connection, scratch: sa.Connection, check: bool, on_difference: Callable[[Difference], None]
) -> RebuildResult:
    made = _rebuild_into_scratch(connection, scratch)
    _correct_tables(connection, scratch, DERIVED_TABLES, made, check, on_difference)
    return made


def _correct_tables(
    connection: sa.Connection,
    scratch: sa.Connection,
    tables: Sequence[sa.Table],
    result: RebuildResult,
    check: bool,
    on_difference: Callable[[Difference], None],
    room: str | None = None,
) -> None:
    """Report the differences of these tables and, unless this is only a check, correct them."""
    for table in tables:
        for difference in _find_differences(connection, scratch, table, room):
            result.differences += 1
            _save_difference(scratch, difference)
            on_difference(difference)
    if not check and result.differences:
        _apply_differences(connection, scratch)


def select_rooms_with_logs() -> sa.Select[str]:
    """Return the query for the ids of rooms with a current address.

    All others were deleted, so that their logs are incomplete.
    """
    return sa.select(room_codes.c.room_id).where(room_codes.c.valid_until.is_(None))


# Rebuilding -----------------------------------------------------------------------------------------------------


def _rebuild_into_scratch(connection: sa.Connection, scratch: sa.Connection) -> RebuildResult:
    """Rebuild history and statistics of all rooms from their logs into the scratch database, then all ratings.

    Deleted rooms are copied as stored.
    """
    made = RebuildResult()
    rooms_with_logs = set(connection.execute(select_rooms_with_logs()).scalars())
    for room in connection.execute(sa.select(rooms.c.id).order_by(rooms.c.id)).scalars().all():
        made.rooms += 1
        if room in rooms_with_logs:
            _rebuild_room(connection, scratch, _RoomReplay(room, scratch), made)
        else:
            _copy_room(connection, scratch, room)
    _recompute_ratings(connection, scratch)
    made.hands = scratch.execute(sa.select(sa.func.count()).select_from(counted_hands)).scalar_one()
    return made


class _RoomReplay:
    """Applies the log of a room again, in one or two parts, and writes what follows to the scratch database."""

    def __init__(self, room: str, scratch: sa.Connection) -> None:
        self.room = room
        self.lost: str | None = None
        """The match from which on the log can't be read, because today's rules refuse an action."""
        self._scratch = scratch
        self._seq = 0
        self._facts = FactRebuilder()

    def read(self, connection: sa.Connection) -> None:
        """Apply the entries that were not read yet."""
        executor = statement_executor(self._scratch)
        for fact in self._facts.facts_of(self._read_log(connection)):
            if isinstance(fact, HandUnreadable):
                if fact.match_id != self.lost and _find_finished_hand(connection, self.room, fact) is not None:
                    # The hand had ended. Later hands of its match depend on its result, which can't be reached any
                    # more.
                    self.lost = fact.match_id
                    _copy_match(connection, self._scratch, self.room, self.lost, fact.number)
            elif not isinstance(fact, AddressChanged) and (
                self.lost is None or getattr(fact, "match_id", None) != self.lost
            ):
                for write in history_writer.build_writes(self.room, [fact], executor.statement_cache):
                    write(executor)

    def read_and_sum(self, connection: sa.Connection) -> tuple[int, int]:
        """Apply the log, and return the number of its entries and the sum of their checksums."""
        self.read(connection)
        return self.sum_of_entries(connection)

    def sum_of_entries(self, connection: sa.Connection) -> tuple[int, int]:
        """Return the number of the entries that were read, and the sum of their checksums now."""
        total = sa.func.coalesce(sa.func.sum(room_events.c.checksum), 0)
        here = room_events.c.room_id == self.room, room_events.c.seq <= self._seq
        count, checksums = connection.execute(sa.select(sa.func.count(), total).where(*here)).one()
        return count, int(checksums)

    def _read_log(self, connection: sa.Connection) -> Iterator[StoredEvent]:
        """Yield the entries of the log that follow, in order, read in batches."""
        columns = room_events.c.seq, room_events.c.created_at, room_events.c.event_type, room_events.c.data
        query = sa.select(*columns).where(room_events.c.room_id == self.room).order_by(room_events.c.seq)
        while found := connection.execute(query.where(room_events.c.seq > self._seq).limit(ROWS_PER_BATCH)).all():
            for row in found:
                yield StoredEvent(*row)
            self._seq = found[-1].seq


def _rebuild_room(
    connection: sa.Connection, scratch: sa.Connection, replay: _RoomReplay, result: RebuildResult
) -> None:
    """Rebuild history and statistics of one room from the rest of its log into the scratch database.

    If that fails, the error is noted in `result`, and the room's stored rows are copied.
    """
    here, point = connection.begin_nested(), scratch.begin_nested()
    try:
        replay.read(connection)
    except Exception as error:  # after any error, the room's stored rows are kept
        here.rollback()  # PostgreSQL refuses further queries after a failed one
        point.rollback()
        result.unreadable_rooms[replay.room] = f"{type(error).__name__}: {error}"
        for table in DERIVED_TABLES:
            if "room_id" in table.c:
                scratch.execute(table.delete().where(table.c.room_id == replay.room))
        _copy_room(connection, scratch, replay.room)
    else:
        here.commit()
        point.commit()


def _find_finished_hand(connection: sa.Connection, room: str, hand: HandUnreadable) -> sa.Row[Any] | None:
    is_hand = hands.c.match_id == hand.match_id, hands.c.hand_number == hand.number, ~hands.c.is_aborted
    query = sa.select(hands.c.hand_number).where(hands.c.room_id == room, *is_hand)
    return connection.execute(query).one_or_none()


def _copy_match(connection: sa.Connection, scratch: sa.Connection, room: str, match_id: str, first: int) -> None:
    """Copy a match as stored from hand `first` on, whose log today's rules refuse, and count its hands.

    They are counted with their stored results.
    """
    for table, key in ((matches, "id"), (match_directory, "match_id"), (match_players, "match_id")):
        query = sa.select(table).where(table.c.room_id == room, table.c[key] == match_id)
        _upsert_rows(scratch, table, connection.execute(query).mappings().all())
    _upsert_rows(
        scratch,
        point_adjustments,
        _match_rows(connection, point_adjustments, room, match_id, point_adjustments.c.before_hand >= first),
    )
    _upsert_rows(
        scratch,
        hand_initial_states,
        _match_rows(connection, hand_initial_states, room, match_id, hand_initial_states.c.hand_number >= first),
    )
    of_match = sa.select(matches.c.game, matches.c.origin).where(matches.c.room_id == room, matches.c.id == match_id)
    game, known = connection.execute(of_match).one()
    named = sa.select(match_players.c.name, match_players.c.person_id).where(
        match_players.c.room_id == room, match_players.c.match_id == match_id
    )
    people: dict[str, str | None] = {row.name: row.person_id for row in connection.execute(named)}
    before: RanksAndTitles = (), {}
    for row in _match_rows(connection, hands, room, match_id, hands.c.hand_number >= first):
        _upsert_rows(scratch, hands, [row])
        if row["is_aborted"] or known:
            continue
        hand, before = _load_stored_hand(connection, row, room, game, people, before)
        stats_writer.count_hand(statement_executor(scratch), hand, amended=False)


def _match_rows(
    connection: sa.Connection, table: sa.Table, room: str, match_id: str, condition: sa.ColumnElement[bool]
) -> Iterator[sa.RowMapping]:
    here = table.c.room_id == room, table.c.match_id == match_id, condition
    query = sa.select(table).where(*here).order_by(*table.primary_key.columns)
    yield from connection.execute(query).mappings()


def _load_stored_hand(
    connection: sa.Connection,
    row: sa.RowMapping,
    room: str,
    game: str,
    people: dict[str, str | None],
    before: RanksAndTitles,
) -> tuple[FinishedHand, RanksAndTitles]:
    """Return a stored hand in the form for counting, and the hierarchy and titles after it.

    The values are those that were counted, or if it was never counted, those of its history row. `before`: the
    hierarchy and titles before it.
    """
    found = connection.execute(
        sa.select(counted_hands.c.room_hand_number).where(
            counted_hands.c.room_id == room,
            counted_hands.c.match_id == row["match_id"],
            counted_hands.c.hand_number == row["hand_number"],
        )
    ).scalar_one_or_none()
    result = row["result"]
    names = tuple(places_in_standing(result["standing"])) if result["titles"] else ()
    after: RanksAndTitles = names, result["titles"]
    if found is not None:
        return stats_writer.load_counted_hand(statement_executor(connection), room, found), after
    highlights = tuple(
        HighlightFact(event.get("n"), event["e"], event.get("by"), event.get("cause"), _event_values(event))
        for event in row["events"]
        if event["e"] in result["events"]
    )
    fact = HandEnded(
        row["match_id"],
        row["hand_number"],
        row["record"],
        row["events"],
        result,
        row["totals"] or {},
        row["ended_at"],
        room,
        game,
        people,
        ranks=Hierarchies(before[0], before[1], names),
        moments=highlights,
    )
    return history_writer.counted_hand(fact), after


def _event_values(event: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key not in ("e", "by", "cause", "n")}


def _copy_room(connection: sa.Connection, scratch: sa.Connection, room: str) -> None:
    """Copy all stored history and statistics of a room to the scratch database, instead of rebuilding them."""
    for table in DERIVED_TABLES:
        if "room_id" not in table.c:
            continue  # ratings belong to people
        result = connection.execute(sa.select(table).where(table.c.room_id == room))
        while some := result.mappings().fetchmany(ROWS_PER_BATCH):
            _upsert_rows(scratch, table, some)


def _copy_rating_order(connection: sa.Connection, scratch: sa.Connection, room: str) -> None:
    """Give the rebuilt hands of a room the stored numbers of the rating order. A hand without one was not rated."""
    scratch.execute(counted_hands.update().values(ranking=None, rating_order=None))
    names = ("match_id", "hand_number", "ranking", "rating_order")
    query = sa.select(*(counted_hands.c[name].label(f"stored_{name}") for name in names))
    change = counted_hands.update().where(
        counted_hands.c.match_id == sa.bindparam("stored_match_id"),
        counted_hands.c.hand_number == sa.bindparam("stored_hand_number"),
    )
    change = change.values({name: sa.bindparam(f"stored_{name}") for name in ("ranking", "rating_order")})
    found = connection.execute(query.where(counted_hands.c.room_id == room)).mappings()
    while some := found.fetchmany(ROWS_PER_BATCH):
        scratch.execute(change.where(counted_hands.c.room_id == room), [dict(row) for row in some])


def _recompute_ratings(connection: sa.Connection, scratch: sa.Connection) -> None:
    """Recompute all skill ratings, hand by hand in the stored rating order, which no log contains."""
    _set_rating_order(connection, scratch)
    columns = counted_hands.c
    query = sa.select(columns.game, columns.ranking, columns.rating_order).where(columns.rating_order.is_not(None))
    query = query.order_by(columns.rating_order, columns.ended_at, columns.match_id, columns.hand_number)
    found: dict[tuple[str, str], Rating] = {}
    last: dict[tuple[str, str], int] = {}
    for game, places, order in scratch.execute(query.execution_options(yield_per=ROWS_PER_BATCH)):
        before = {person: found.get((person, game), Rating()) for person in places}
        found |= {(person, game): rating for person, rating in update_ratings(places, before).items()}
        last |= {(person, game): order for person in places}
    scratch.execute(ratings.delete())
    for (person, game), rating in found.items():
        values = {"person_id": person, "game": game, "mu": rating.mu, "sigma": rating.sigma, "hands": rating.hands}
        scratch.execute(ratings.insert(), {**values, "rating_order": last[person, game]})


def _set_rating_order(connection: sa.Connection, scratch: sa.Connection) -> None:
    """Set the rating order of all rebuilt hands to the stored order.

    A hand without a stored number gets the highest number of its players up to then. Hands with the same number are
    ordered by time. If no number is stored, all hands are numbered as if they had been rated in order of time.
    """
    _known_order.create(scratch)
    _new_order.create(scratch)
    stored = [counted_hands.c[column.name] for column in _known_order.c]
    known = connection.execute(sa.select(*stored).where(counted_hands.c.rating_order.is_not(None))).mappings()
    while some := known.fetchmany(ROWS_PER_BATCH):
        scratch.execute(_known_order.insert(), [dict(row) for row in some])
    step = 1 if scratch.execute(sa.select(_known_order).limit(1)).first() is None else 0
    there = [_known_order.c[key] == counted_hands.c[key] for key in ("room_id", "match_id", "hand_number")]
    columns = counted_hands.c
    query = (
        sa.select(columns.room_id, columns.room_hand_number, columns.game, columns.ranking, _known_order.c.rating_order)
        .select_from(counted_hands.outerjoin(_known_order, sa.and_(*there)))
        .where(columns.rating_order.is_not(None))
        .order_by(columns.ended_at, columns.room_id, columns.room_hand_number)
        .execution_options(yield_per=ROWS_PER_BATCH)
    )
    last: dict[tuple[str, str], int] = {}
    for batch in scratch.execute(query).partitions():
        new: list[dict[str, Any]] = []
        for room, number, game, places, stored_order in batch:
            persons = [(person, game) for person in places]
            highest = max((last.get(person, 0) for person in persons), default=0)
            order = highest + step if stored_order is None else stored_order
            last |= dict.fromkeys(persons, max(highest, order))
            new.append({"room_id": room, "room_hand_number": number, "rating_order": order})
        scratch.execute(_new_order.insert(), new)
    here = [_new_order.c[key] == columns[key] for key in ("room_id", "room_hand_number")]
    order_of_hand = sa.select(_new_order.c.rating_order).where(*here).scalar_subquery()
    scratch.execute(counted_hands.update().where(columns.rating_order.is_not(None)).values(rating_order=order_of_hand))


_known_order = sa.Table(
    "known_order",
    sa.MetaData(),
    sa.Column("room_id", sa.Text, primary_key=True),
    sa.Column("match_id", sa.Text, primary_key=True),
    sa.Column("hand_number", sa.Integer, primary_key=True),
    sa.Column("rating_order", sa.Integer, nullable=False),
)
"""The stored rating order."""
_new_order = sa.Table(
    "new_order",
    sa.MetaData(),
    sa.Column("room_id", sa.Text, primary_key=True),
    sa.Column("room_hand_number", sa.Integer, primary_key=True),
    sa.Column("rating_order", sa.Integer, nullable=False),
)
"""The rating order of the rebuilt hands."""


# Comparing and repairing ----------------------------------------------------------------------------------------


def _find_differences(
    connection: sa.Connection, scratch: sa.Connection, table: sa.Table, room: str | None = None
) -> Iterator[Difference]:
    """Yield the differences between stored and rebuilt rows of a table, by reading both in key order.

    With `room`, only the rows of this room are compared.
    """
    key = [column.name for column in table.primary_key]
    stored, rebuilt = _rows_in_key_order(connection, table, room), _rows_in_key_order(scratch, table, room)
    one, other = next(stored, None), next(rebuilt, None)
    while one is not None or other is not None:
        here = None if one is None else tuple(one[name] for name in key)
        there = None if other is None else tuple(other[name] for name in key)
        if there is None or (here is not None and _sorts_before(here, there)):
            assert here is not None
            yield Difference(table.name, dict(zip(key, here, strict=True)), (), is_stored=True, is_in_log=False)
            one = next(stored, None)
        elif here is None or _sorts_before(there, here):
            yield Difference(table.name, dict(zip(key, there, strict=True)), (), is_stored=False, is_in_log=True)
            other = next(rebuilt, None)
        else:
            assert one is not None
            assert other is not None
            changed = (name for name in one if one[name] != other[name])
            columns = tuple(name for name in changed if not _lacks_new_options(name, one, other))
            if columns:
                yield Difference(table.name, dict(zip(key, here, strict=True)), columns, is_stored=True, is_in_log=True)
            one, other = next(stored, None), next(rebuilt, None)


def _lacks_new_options(name: str, stored: sa.RowMapping, rebuilt: sa.RowMapping) -> bool:
    """Return whether stored options lack only options that are newer than the row, which have their defaults."""
    if name != "options":
        return False
    return all(key in rebuilt[name] and rebuilt[name][key] == value for key, value in stored[name].items())


def _sorts_before(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Return whether a row's key sorts before another's, with texts compared by bytes, as both databases are read."""
    return _byte_key(one) < _byte_key(other)


def _byte_key(key: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(part.encode() if isinstance(part, str) else part for part in key)


def _rows_in_key_order(connection: sa.Connection, table: sa.Table, room: str | None) -> Iterator[sa.RowMapping]:
    """Yield the rows of a table in the order of their keys, texts by bytes, read in batches."""
    by_bytes = connection.dialect.name == "postgresql"
    order = [
        column.collate("C") if by_bytes and isinstance(column.type, CleanText) else column
        for column in table.primary_key
    ]
    query = sa.select(table).order_by(*order).execution_options(yield_per=ROWS_PER_BATCH)
    if room is not None:
        query = query.where(table.c.room_id == room)
    elif table is match_directory:
        query = query.where(match_directory.c.room_id.is_not(None))
    yield from connection.execute(query).mappings()


def _apply_differences(connection: sa.Connection, scratch: sa.Connection) -> None:
    """Replace all differing rows by the rows from the logs: first deletions, then inserts and updates."""
    for table in reversed(DERIVED_TABLES):
        for keys in _saved_difference_keys(scratch, table, is_in_log=False):
            connection.execute(table.delete().where(_has_key(table, keys)))
    for table in DERIVED_TABLES:
        for keys in _saved_difference_keys(scratch, table, is_in_log=True):
            rows = scratch.execute(sa.select(table).where(_has_key(table, keys))).mappings()
            _upsert_rows(connection, table, rows)


def _has_key(table: sa.Table, keys: Sequence[dict[str, Any]]) -> sa.ColumnElement[bool]:
    columns = list(table.primary_key)
    return sa.tuple_(*columns).in_([tuple(key[column.name] for column in columns) for key in keys])


def _upsert_rows(connection: sa.Connection, table: sa.Table, rows: Iterable[sa.RowMapping]) -> None:
    """Insert these rows, or replace the stored rows that have the same keys."""
    found = [dict(row) for row in rows]
    if not found:
        return
    insert = dialect_insert(connection.dialect.name, table)
    key = [column.name for column in table.primary_key]
    changes = {column.name: insert.excluded[column.name] for column in table.c if column.name not in key}
    connection.execute(insert.on_conflict_do_update(index_elements=key, set_=changes), found)


# The scratch database -------------------------------------------------------------------------------------------

_difference_table = sa.Table(
    "differing",
    sa.MetaData(),
    sa.Column("n", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("key", Json, nullable=False),
    sa.Column("told", sa.Boolean, nullable=False),
)
"""Stores the differences, so that a large number of them needs no memory."""


def _save_difference(scratch: sa.Connection, found: Difference) -> None:
    scratch.execute(_difference_table.insert(), {"name": found.table, "key": found.key, "told": found.is_in_log})


def _saved_difference_keys(
    scratch: sa.Connection, table: sa.Table, *, is_in_log: bool
) -> Iterator[list[dict[str, Any]]]:
    """Yield batches of keys of rows that differ: those that the logs lead to, or (False) those that they don't."""
    query = sa.select(_difference_table.c.n, _difference_table.c.key).where(
        _difference_table.c.name == table.name, _difference_table.c.told.is_(is_in_log)
    )
    last = 0
    while found := scratch.execute(
        query.where(_difference_table.c.n > last).order_by(_difference_table.c.n).limit(ROWS_PER_BATCH)
    ).all():
        yield [row.key for row in found]
        last = found[-1].n


@contextmanager
def _scratch_database() -> Iterator[sa.Connection]:
    """Open a temporary SQLite database with empty tables for the context, in which the rebuild works."""
    with tempfile.TemporaryDirectory(prefix="pecking-order-rebuild-") as folder:
        engine = make_engine(parse_url(f"sqlite:///{Path(folder) / 'told.sqlite3'}"))

        @sa.event.listens_for(engine, "connect")
        def _connected(connection: Any, _record: object) -> None:
            connection.execute("PRAGMA foreign_keys=OFF").close()  # rooms and people are not copied
            connection.execute("PRAGMA synchronous=OFF").close()

        try:
            with engine.connect() as connection, connection.begin():
                metadata.create_all(connection)
                _difference_table.create(connection)
                yield connection
        finally:
            engine.dispose()
