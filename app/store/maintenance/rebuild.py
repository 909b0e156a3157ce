"""The history and the book, made a second time from the logs of all rooms, and compared with what is kept.

Everything is told again, entry after entry, into a database of its own, by the code that keeps the book while people
play. Then the two are read side by side, row by row; what differs is named, and unless it was only to be looked at,
what the log says takes its place. Rooms are read one after the other, and rows as they come: memory does not grow with
them.

Rules are amended. A match in which an action is no longer legal, of a hand that had ended, keeps from there on what was
kept of it; and so does a room whose log can't be told at all any more, which is named.
"""

import logging
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from app.engine.match.hand import placed
from app.rooms.log.history_facts import HandLost, retold
from app.rooms.ports.facts import HandEnded, Hierarchies, Memorable, Readdressed
from app.rooms.ports.storage import StoredEntry
from app.stats.counted_hand import Played
from app.stats.ratings import Rating, rated
from app.store.db.engines import make_engine, parse_url
from app.store.db.errors import BadUrl
from app.store.db.schema import (
    addresses,
    books,
    entered,
    evening_players,
    evenings,
    hand_players,
    hand_starts,
    hands,
    match_players,
    matches,
    metadata,
    moments,
    pairs,
    ratings,
    reasons,
    reigns,
    room_entry,
    room_hands,
    room_players,
    rooms,
    same_players,
    tallies,
)
from app.store.db.transactions import scribe, transact, upserting
from app.store.db.types import CleanText, Json, UtcTime
from app.store.event_log import history_writer, stats_writer
from app.store.maintenance.page_check import one_line

AT_ONCE: Final = 500
"""Rows read or written in one go."""
TOLD: Final = (matches, match_players, entered, hand_starts, hands, same_players)
"""What rooms tell."""
COUNTED: Final = (
    *(books, room_hands, hand_players, reasons, moments, evenings, evening_players, room_players),
    *(tallies, pairs, reigns, ratings),
)
"""What hands come to."""
DERIVED: Final = (*TOLD, *COUNTED)
"""Every table that follows from the logs, those first that others point to."""

Ranked: TypeAlias = tuple[tuple[str, ...], dict[str, str]]
"""A hierarchy and its titles."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that is not as the log says."""

    table: str
    key: dict[str, Any]
    """Its primary key."""
    columns: tuple[str, ...]
    """Where the two differ; none if there is only one of them."""
    kept: bool
    """Whether there is such a row."""
    told: bool
    """Whether the log says that there should be."""

    def __str__(self) -> str:
        where = " ".join(f"{name}={value}" for name, value in self.key.items())
        what = "is missing" if not self.kept else "is in no log" if not self.told else f"has another {self._other}"
        return f"{self.table} {where} {what}"

    @property
    def _other(self) -> str:
        return ", ".join(self.columns)


@dataclass(slots=True)
class Rebuilt:
    """What came of it."""

    rooms: int = 0
    hands: int = 0
    differences: int = 0
    unreadable: dict[str, str] = field(default_factory=dict[str, str])
    """Rooms whose log can't be told any more, and why: what was kept of them stays."""
    unread: dict[str, str] = field(default_factory=dict[str, str])
    """Tables of which not every row can be read, and why; only where they are compared."""


def rebuild(url: str, *, check: bool = False, tell: Callable[[Difference], None] = lambda found: None) -> Rebuilt:
    """Make everything that follows from the logs again, or only `check` it; each difference is told.

    Nobody else writes meanwhile. `BadUrl` if what is kept can't be read: then nothing is changed.
    """
    engine = make_engine(parse_url(url))
    still = engine.execution_options(isolation_level="REPEATABLE READ") if engine.name == "postgresql" else engine
    try:
        with _scratch() as scratch:
            return transact(still, lambda connection: _rebuilt(connection, scratch, check, tell))
    except BadUrl:
        raise
    except (ValueError, sa.exc.DatabaseError) as error:  # no JSON, no text, a page that is damaged
        raise BadUrl(
            f"what is kept in it can’t all be read ({one_line(error)}). Nothing was changed; “pecking-order check” "
            "names the rows, and a backup has them"
        ) from error
    finally:
        engine.dispose()


def compare(connection: sa.Connection, tell: Callable[[Difference], None]) -> Rebuilt:
    """Only look, within a transaction that sees one moment: others may write meanwhile."""
    with _scratch() as scratch:
        made = _told_again(connection, scratch)
        for table in DERIVED:
            try:
                with connection.begin_nested():
                    for difference in _differences(connection, scratch, table):
                        made.differences += 1
                        tell(difference)
            except Exception as error:  # the disk may have made anything of it
                made.unread[table.name] = f"{type(error).__name__}: {error}"
        return made


def bring_up_to_date(url: str) -> None:
    """Make the book again if it was kept in another way than today's, or not at all."""
    engine = make_engine(parse_url(url))
    try:
        if transact(engine, is_book_current):
            return
    finally:
        engine.dispose()
    logger.info("the book is made again from the logs of all rooms: this happens once, and may take a while")
    made = rebuild(url)
    logger.info("the book is made: %d rooms, %d hands", made.rooms, made.hands)
    for room, why in made.unreadable.items():
        logger.warning("room %s can’t be told again (%s): what was kept of it stays", room, why)


def is_book_current(connection: sa.Connection) -> bool:
    """Return whether the stats of all rooms are counted as this version counts. Those of deleted rooms stay."""
    older = sa.select(books.c.room).where(books.c.version != stats_writer.VERSION, books.c.room.in_(with_logs()))
    return connection.execute(older.limit(1)).first() is None


def _rebuilt(
    connection: sa.Connection, scratch: sa.Connection, check: bool, tell: Callable[[Difference], None]
) -> Rebuilt:
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("LOCK TABLE books IN EXCLUSIVE MODE"))  # no hand ends meanwhile
    made = _told_again(connection, scratch)
    for table in DERIVED:
        for difference in _differences(connection, scratch, table):
            made.differences += 1
            _note(scratch, difference)
            tell(difference)
    if not check and made.differences:
        _mend(connection, scratch)
    return made


def with_logs() -> sa.Select[tuple[str]]:
    """The rooms that have an address: of those that were let go of (room_cleanup.py) the log is not whole."""
    return sa.select(addresses.c.room).where(addresses.c.until.is_(None))


# Telling again ------------------------------------------------------------------------------------------------


def _told_again(connection: sa.Connection, scratch: sa.Connection) -> Rebuilt:
    """Tell all logs into the other database, and rate who played."""
    made = Rebuilt()
    told = set(connection.execute(with_logs()).scalars())
    for room in connection.execute(sa.select(rooms.c.id).order_by(rooms.c.id)).scalars().all():
        made.rooms += 1
        if room in told:
            _retell(connection, scratch, room, made)
        else:
            _keep_room(connection, scratch, room)
    _rate(connection, scratch)
    made.hands = scratch.execute(sa.select(sa.func.count()).select_from(room_hands)).scalar_one()
    return made


def _retell(connection: sa.Connection, scratch: sa.Connection, room: str, made: Rebuilt) -> None:
    """Tell one room's log into the other database."""
    here, point, by_hand = connection.begin_nested(), scratch.begin_nested(), scribe(scratch)
    try:
        lost: str | None = ""
        for fact in retold(_log(connection, room)):
            if isinstance(fact, HandLost):
                if fact.match_id != lost and _of_hand(connection, fact.match_id, fact.number) is not None:
                    # It had ended: what followed in its match went on from an end that is not reached any more.
                    lost = fact.match_id
                    _keep_match(connection, scratch, room, lost, fact.number)
            elif isinstance(fact, Readdressed) or getattr(fact, "match_id", None) == lost:
                continue
            else:
                for write in history_writer.prepare([fact], by_hand.spelling):
                    write(by_hand)
    except Exception as error:  # whatever it was, what is kept of this room stays
        here.rollback()  # PostgreSQL takes no more questions after one that failed
        point.rollback()
        made.unreadable[room] = f"{type(error).__name__}: {error}"
        _keep_room(connection, scratch, room)
    else:
        here.commit()
        point.commit()


def _log(connection: sa.Connection, room: str) -> Iterator[StoredEntry]:
    """A room's whole log, read a little at a time."""
    columns = room_entry.c.seq, room_entry.c.at, room_entry.c.kind, room_entry.c.data
    query = sa.select(*columns).where(room_entry.c.room == room).order_by(room_entry.c.seq).limit(AT_ONCE)
    seq = 0
    while found := connection.execute(query.where(room_entry.c.seq > seq)).all():
        for row in found:
            yield StoredEntry(*row)
        seq = found[-1].seq


def _of_hand(connection: sa.Connection, match_id: str, number: int) -> sa.Row[Any] | None:
    query = sa.select(hands.c.number).where(hands.c.match_id == match_id, hands.c.number == number, ~hands.c.cut_off)
    return connection.execute(query).one_or_none()


def _keep_match(connection: sa.Connection, scratch: sa.Connection, room: str, match_id: str, first: int) -> None:
    """Take over a match from this hand on as it is kept, and count those hands as they were counted."""
    for table, column in ((matches, matches.c.id), (match_players, match_players.c.match_id)):
        kept = connection.execute(sa.select(table).where(column == match_id)).mappings().all()
        _put(scratch, table, kept)
    _put(scratch, entered, _rows(connection, entered, match_id, entered.c.hand >= first))
    _put(scratch, hand_starts, _rows(connection, hand_starts, match_id, hand_starts.c.number >= first))
    game, known = connection.execute(sa.select(matches.c.game, matches.c.origin).where(matches.c.id == match_id)).one()
    named = sa.select(match_players.c.name, match_players.c.person_id).where(match_players.c.match_id == match_id)
    people: dict[str, str | None] = {row.name: row.person_id for row in connection.execute(named)}
    before: Ranked = (), {}
    for row in _rows(connection, hands, match_id, hands.c.number >= first):
        _put(scratch, hands, [row])
        if row["cut_off"] or known:
            continue
        hand, before = _as_kept(connection, row, room, game, people, before)
        stats_writer.enter(scribe(scratch), hand, amended=False)


def _rows(
    connection: sa.Connection, table: sa.Table, match_id: str, condition: sa.ColumnElement[bool]
) -> Iterator[sa.RowMapping]:
    query = sa.select(table).where(table.c.match_id == match_id, condition).order_by(*table.primary_key.columns)
    yield from connection.execute(query).mappings()


def _as_kept(
    connection: sa.Connection,
    row: sa.RowMapping,
    room: str,
    game: str,
    people: dict[str, str | None],
    before: Ranked,
) -> tuple[Played, Ranked]:
    """A hand as the book has it, or if it never did, as far as its row tells; and the ranks that it left."""
    found = connection.execute(
        sa.select(room_hands.c.nth)
        .join(books, books.c.room == room_hands.c.room)
        .where(
            room_hands.c.match_id == row["match_id"],
            room_hands.c.hand == row["number"],
            books.c.version == stats_writer.VERSION,
        )
    ).scalar_one_or_none()
    result = row["result"]
    names = tuple(placed(result["standing"])) if result["titles"] else ()
    after: Ranked = names, result["titles"]
    if found is not None:
        return stats_writer.kept(scribe(connection), room, found), after
    told = tuple(
        Memorable(event.get("n"), event["e"], event.get("by"), event.get("cause"), _values(event))
        for event in row["events"]
        if event["e"] in result["events"]
    )
    fact = HandEnded(
        row["match_id"],
        row["number"],
        row["record"],
        row["events"],
        result,
        row["totals"] or {},
        row["ended_at"],
        room,
        game,
        people,
        ranks=Hierarchies(before[0], before[1], names),
        moments=told,
    )
    return history_writer.played(fact), after


def _values(event: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key not in ("e", "by", "cause", "n")}


def _keep_room(connection: sa.Connection, scratch: sa.Connection, room: str) -> None:
    """Take over all that is kept of a room."""
    of_room = sa.select(matches.c.id).where(matches.c.room == room)
    for table in DERIVED:
        if "room" in table.c:
            query = sa.select(table).where(table.c.room == room)
        elif "match_id" in table.c:
            query = sa.select(table).where(table.c.match_id.in_(of_room))
        else:
            continue  # of people: their ratings
        result = connection.execute(query)
        while some := result.mappings().fetchmany(AT_ONCE):
            _put(scratch, table, some)


def _rate(connection: sa.Connection, scratch: sa.Connection) -> None:
    """Rate everybody once more, hand after hand in the order in which it was done: that order is kept, and in no log.
    A hand that has no place in it comes after those that ended before."""
    _order.create(scratch)
    known = connection.execute(
        sa.select(*(room_hands.c[column.name] for column in _order.c)).where(room_hands.c.rated.is_not(None))
    ).mappings()
    while some := known.fetchmany(AT_ONCE):
        scratch.execute(_order.insert(), [dict(row) for row in some])
    changed = room_hands.update().where(room_hands.c.rated.is_not(None))
    hand = _order.c.match_id == room_hands.c.match_id, _order.c.hand == room_hands.c.hand
    kept = sa.select(_order.c.rated).where(*hand).scalar_subquery()
    earlier = room_hands.alias()
    order = sa.func.row_number().over(order_by=(earlier.c.at, earlier.c.room, earlier.c.nth))
    by_time = sa.select(earlier.c.room, earlier.c.nth, order.label("rated")).subquery()
    if scratch.execute(sa.select(_order.c.rated).limit(1)).first() is None:
        here = by_time.c.room == room_hands.c.room, by_time.c.nth == room_hands.c.nth
        scratch.execute(changed.values(rated=sa.select(by_time.c.rated).where(*here).scalar_subquery()))
    else:
        last = sa.select(sa.func.max(_order.c.rated)).where(_order.c.at <= room_hands.c.at).scalar_subquery()
        scratch.execute(changed.values(rated=sa.func.coalesce(kept, last, 0)))
    columns = room_hands.c
    query = sa.select(columns.game, columns.ranked).where(columns.rated.is_not(None))
    query = query.order_by(columns.rated, columns.at, columns.match_id, columns.hand)
    found: dict[tuple[str, str], Rating] = {}
    for game, places in scratch.execute(query.execution_options(yield_per=AT_ONCE)):
        before = {person: found.get((person, game), Rating()) for person in places}
        found |= {(person, game): rating for person, rating in rated(places, before).items()}
    scratch.execute(ratings.delete())
    for (person, game), rating in found.items():
        values = {"person": person, "game": game, "mu": rating.mu, "sigma": rating.sigma, "hands": rating.hands}
        scratch.execute(ratings.insert(), values)


_order = sa.Table(
    "order_of_rating",
    sa.MetaData(),
    sa.Column("match_id", sa.Text, primary_key=True),
    sa.Column("hand", sa.Integer, primary_key=True),
    sa.Column("at", UtcTime, nullable=False),
    sa.Column("rated", sa.Integer, nullable=False),
)


# Comparing and mending ----------------------------------------------------------------------------------------


def _differences(connection: sa.Connection, scratch: sa.Connection, table: sa.Table) -> Iterator[Difference]:
    """What differs between the kept rows of a table and those told again, both read in the order of their keys."""
    key = [column.name for column in table.primary_key]
    kept, told = _in_order(connection, table), _in_order(scratch, table)
    one, other = next(kept, None), next(told, None)
    while one is not None or other is not None:
        here = None if one is None else tuple(one[name] for name in key)
        there = None if other is None else tuple(other[name] for name in key)
        if there is None or (here is not None and _before(here, there)):
            assert here is not None
            yield Difference(table.name, dict(zip(key, here, strict=True)), (), kept=True, told=False)
            one = next(kept, None)
        elif here is None or _before(there, here):
            yield Difference(table.name, dict(zip(key, there, strict=True)), (), kept=False, told=True)
            other = next(told, None)
        else:
            assert one is not None
            assert other is not None
            columns = tuple(name for name in one if one[name] != other[name])
            if columns:
                yield Difference(table.name, dict(zip(key, here, strict=True)), columns, kept=True, told=True)
            one, other = next(kept, None), next(told, None)


def _before(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether a key comes first, texts in the order of their bytes."""
    return _bytes(one) < _bytes(other)


def _bytes(key: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(part.encode() if isinstance(part, str) else part for part in key)


def _in_order(connection: sa.Connection, table: sa.Table) -> Iterator[sa.RowMapping]:
    """The rows of a table in the order of their keys, read a little at a time."""
    by_bytes = connection.dialect.name == "postgresql"
    order = [
        column.collate("C") if by_bytes and isinstance(column.type, CleanText) else column
        for column in table.primary_key
    ]
    query = sa.select(table).order_by(*order).execution_options(yield_per=AT_ONCE)
    yield from connection.execute(query).mappings()


def _mend(connection: sa.Connection, scratch: sa.Connection) -> None:
    """Put what the logs say in the place of what differs: first what is in no log goes, then what there is comes."""
    by_name = {table.name: table for table in DERIVED}
    for table in reversed(DERIVED):
        for key in _noted(scratch, table, told=False):
            connection.execute(table.delete().where(*_is(table, key)))
    for table in DERIVED:
        for key in _noted(scratch, table, told=True):
            row = scratch.execute(sa.select(by_name[table.name]).where(*_is(table, key))).mappings().one()
            _put(connection, table, [row])


def _is(table: sa.Table, key: dict[str, Any]) -> list[sa.ColumnElement[bool]]:
    return [table.c[name] == value for name, value in key.items()]


def _put(connection: sa.Connection, table: sa.Table, rows: Iterable[sa.RowMapping]) -> None:
    """Write rows, in place of those that have their keys."""
    found = [dict(row) for row in rows]
    if not found:
        return
    insert = upserting(connection.dialect.name, table)
    key = [column.name for column in table.primary_key]
    changes = {column.name: insert.excluded[column.name] for column in table.c if column.name not in key}
    connection.execute(insert.on_conflict_do_update(index_elements=key, set_=changes), found)


# The other database -------------------------------------------------------------------------------------------

_differing = sa.Table(
    "differing",
    sa.MetaData(),
    sa.Column("n", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("key", Json, nullable=False),
    sa.Column("told", sa.Boolean, nullable=False),
)
"""What was found, so that a great deal of it needs no memory."""


def _note(scratch: sa.Connection, found: Difference) -> None:
    scratch.execute(_differing.insert(), {"name": found.table, "key": found.key, "told": found.told})


def _noted(scratch: sa.Connection, table: sa.Table, *, told: bool) -> Iterator[dict[str, Any]]:
    """The keys of rows of a table that differ, and that the log tells, or does not."""
    query = sa.select(_differing.c.n, _differing.c.key).where(
        _differing.c.name == table.name, _differing.c.told.is_(told)
    )
    last = 0
    while found := scratch.execute(query.where(_differing.c.n > last).order_by(_differing.c.n).limit(AT_ONCE)).all():
        for row in found:
            yield row.key
        last = found[-1].n


@contextmanager
def _scratch() -> Iterator[sa.Connection]:
    """A database for as long as this takes, in a file that nobody else sees."""
    with tempfile.TemporaryDirectory(prefix="pecking-order-rebuild-") as folder:
        engine = make_engine(parse_url(f"sqlite:///{Path(folder) / 'told.sqlite3'}"))

        @sa.event.listens_for(engine, "connect")
        def _connected(connection: Any, _record: object) -> None:
            connection.execute("PRAGMA foreign_keys=OFF").close()  # rooms and people stay where they are
            connection.execute("PRAGMA synchronous=OFF").close()

        try:
            with engine.connect() as connection, connection.begin():
                metadata.create_all(connection)
                _differing.create(connection)
                yield connection
        finally:
            engine.dispose()
