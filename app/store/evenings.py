"""Read the evenings of a person or a room for their album: matches of one room by time, until a pause of six hours.

Read-only. An evening has all matches of its room, whether the statistics count them or not. Variations and imported
matches stand alone.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations
from typing import Any, Final, Literal, TypeAlias

import sqlalchemy as sa

from app.engine.climbing.hand import PLAYED
from app.stats.counted_hand import is_person
from app.stats.highlights import best_moment
from app.stats.rivals import ENOUGH
from app.store.db.database import Database
from app.store.db.directory import in_directory, is_match
from app.store.db.schema import (
    counted_hand_players,
    counted_hands,
    hands,
    imported_matches,
    match_directory,
    match_players,
    matches,
    merged_players,
    people,
)
from app.store.db.types import check_text
from app.store.event_log.stats_writer import EVENING_GAP
from app.store.history.match_history import MatchLine, load_match_lines
from app.store.history.room_stats import HighlightLine, build_highlight_lines, highlights_query
from app.store.history.standings import load_same_players, parse_places, select_places
from app.store.history.sums_cache import SumsCache
from app.store.history.tallies import HANDS_OF_PLAYERS
from app.store.repositories.imported_matches import load_imported_lines

MAX_MOMENTS: Final = 10_000
"""Number of highlights read for the evenings of one page."""

EveningKind: TypeAlias = Literal["evening", "variation", "import"]
Month: TypeAlias = tuple[int, int]
"""Year and month (1 to 12), in UTC."""
SavedFace: TypeAlias = tuple[str, str | None, str | None]
"""The id of a person, and the bird and the colour that they have saved."""


@dataclass(frozen=True, slots=True)
class BestMoment:
    """The best moment of an evening or a match, with the cards of its play; None if the moment is no play."""

    line: HighlightLine
    cards: str | None


@dataclass(frozen=True, slots=True)
class Evening:
    """One evening of a room, or one variation or imported match."""

    kind: EveningKind
    room: str | None
    """The id of its room; None for an imported match."""
    matches: tuple[MatchLine, ...]
    """Newest first; at least one."""
    saved_faces: Mapping[str, SavedFace]
    """What people have saved, by their names in these matches."""
    ahead: str | None
    """The player at the top of the hierarchy after the last counted hand, else the one with the most points."""
    best: BestMoment | None


@dataclass(frozen=True, slots=True)
class MonthRivalry:
    """Two people who met often in a month: numbers of hands in which each was placed above the other."""

    first: str
    """The name of the person who leads, or of either."""
    second: str
    above: int
    """Hands in which `first` was placed above `second`."""
    below: int


@dataclass(frozen=True, slots=True)
class AlbumPage:
    """One page of an album, newest evening first."""

    evenings: tuple[Evening, ...]
    rivalries: Mapping[Month, MonthRivalry]
    """The rivalry of each month that has evenings on the page and a rivalry."""
    next: str | None
    """Value of `before` for the next page; None on the last page."""


@dataclass(frozen=True, slots=True)
class _Listed:
    """A match as the division into evenings needs it."""

    room: str | None
    id: str
    started_at: datetime
    ended_at: datetime
    kind: EveningKind
    is_shown: bool
    """False for a match of the room in which the person of the album did not play, or without a finished hand."""


class Evenings:
    """Reads evenings from one database."""

    def __init__(self, database: Database, cache: SumsCache | None = None) -> None:
        self._database = database
        self._cache = cache or SumsCache()

    async def evenings_of_person(self, person_id: str, *, limit: int, before: str | None = None) -> AlbumPage:
        """Return a page of the evenings in which a person played, with this person's matches only, newest first.

        `before` is the `next` of the previous page. Each page reads a line of every match in the person's rooms.
        """
        check_text(before or "")
        who = {"who": check_text(person_id)}

        def work(connection: sa.Connection) -> AlbumPage:
            listed = [_Listed(*row) for row in connection.execute(_MATCHES_OF_PERSON, who)]
            imports = [_Listed(None, *row, "import", True) for row in connection.execute(_IMPORTS, who)]
            return _load_page(connection, [*listed, *imports], person_id, limit, before, self._cache, of_person=True)

        return await self._database.read(work)

    async def evenings_of_room(self, room_id: str, *, viewer: str, limit: int, before: str | None = None) -> AlbumPage:
        """Return a page of the evenings of a room, newest first, as a person (`viewer`) may see it.

        `before` is the `next` of the previous page.
        """
        check_text(before or "")
        where = {"room": check_text(room_id)}

        def work(connection: sa.Connection) -> AlbumPage:
            listed = [_Listed(*row) for row in connection.execute(_MATCHES_OF_ROOM, where)]
            return _load_page(connection, listed, viewer, limit, before, self._cache, of_person=False)

        return await self._database.read(work)

    async def best_moment_of_match(self, match_id: str) -> BestMoment | None:
        """Return the best moment of a match; None without one, or for a match that the statistics don't count."""
        of = {"ids": [check_text(match_id)]}

        def work(connection: sa.Connection) -> BestMoment | None:
            return _find_best(connection, build_highlight_lines(connection.execute(_MOMENTS, of).all()), self._cache)

        return await self._database.read(work)


def _split_into_evenings(listed: Iterable[_Listed]) -> Iterator[list[_Listed]]:
    """Yield the matches of each evening. The given matches of a room must be in order of time."""
    open_evenings: dict[str, list[_Listed]] = {}
    until: dict[str, datetime] = {}
    for each in listed:
        if each.room is None or each.kind != "evening":
            yield [each]
            continue
        evening = open_evenings.get(each.room)
        if evening is not None and each.started_at - until[each.room] > EVENING_GAP:
            yield evening
            evening = None
        if evening is None:
            evening = open_evenings[each.room] = []
        evening.append(each)
        until[each.room] = max(each.ended_at, until.get(each.room, each.ended_at))
    yield from open_evenings.values()


def _load_page(
    connection: sa.Connection,
    listed: Iterable[_Listed],
    who: str,
    limit: int,
    before: str | None,
    cache: SumsCache,
    *,
    of_person: bool,
) -> AlbumPage:
    shown = ([each for each in evening if each.is_shown] for evening in _split_into_evenings(listed))
    found = sorted((each for each in shown if each), key=lambda each: (each[0].started_at, each[0].id), reverse=True)
    ids = [each[0].id for each in found]
    first = ids.index(before) + 1 if before in ids else 0
    page = found[first : first + limit]
    rooms = sorted({each[0].room for each in page if each[0].room is not None})
    months = {_month_of(each[0].started_at) for each in page}
    return AlbumPage(
        _load_evenings(connection, page, who, cache),
        {
            month: rivalry
            for month in months
            if (rivalry := _load_rivalry(connection, rooms, month, who if of_person else None, cache)) is not None
        },
        ids[first + limit - 1] if len(found) > first + limit else None,
    )


def _month_of(at: datetime) -> Month:
    return at.year, at.month


def _load_evenings(
    connection: sa.Connection, page: Sequence[Sequence[_Listed]], who: str, cache: SumsCache
) -> tuple[Evening, ...]:
    played = [each.id for evening in page for each in evening if each.kind != "import"]
    imported = [each.id for evening in page for each in evening if each.kind == "import"]
    of = {"ids": played}
    rows = connection.execute(_MATCHES, of).all()
    lines = {line.id: line for line in load_match_lines(connection, rows, who)}
    lines.update((line.id, line) for line in load_imported_lines(connection, imported, who))
    faces: dict[str, dict[str, SavedFace]] = {}
    for match_id, name, *saved in connection.execute(_FACES, of):
        faces.setdefault(match_id, {})[name] = tuple(saved)
    top = dict(connection.execute(_TOPS, of).all())
    moments: dict[str, list[HighlightLine]] = {}
    for moment in build_highlight_lines(connection.execute(_MOMENTS, of).all()):
        moments.setdefault(moment.match_id, []).append(moment)
    return tuple(
        Evening(
            evening[0].kind,
            evening[0].room,
            tuple(lines[each.id] for each in reversed(evening)),
            {name: face for each in evening for name, face in faces.get(each.id, {}).items()},
            next(
                filter(None, (top.get(each.id) or _leader_by_points(lines[each.id]) for each in reversed(evening))),
                None,
            ),
            _find_best(connection, [moment for each in evening for moment in moments.get(each.id, ())], cache),
        )
        for evening in page
    )


def _leader_by_points(line: MatchLine) -> str | None:
    points = {player.name: player.total for player in line.players if player.total is not None}
    ahead = [name for name, total in points.items() if total == max(points.values())]
    return ahead[0] if len(ahead) == 1 < len(points) else None


def _find_best(connection: sa.Connection, moments: Sequence[HighlightLine], cache: SumsCache) -> BestMoment | None:
    best = best_moment((at, moment.highlight.what) for at, moment in enumerate(moments))
    if best is None:
        return None
    line = moments[best]
    where = line.match_id, line.hand, line.highlight.n
    # The cards of a play never change.
    return BestMoment(line, cache.get_or_compute(connection, where, (), lambda: _load_cards(connection, *where)))


def _load_cards(connection: sa.Connection, match_id: str, hand: int, move: int | None) -> str | None:
    """Return the cards of a play; None if this move is no play."""
    query = sa.select(hands.c.events).where(is_match(hands, match_id), hands.c.hand_number == hand)
    events: Sequence[Mapping[str, Any]] = connection.execute(query).scalar_one_or_none() or ()
    return next((each.get("cards") for each in events if each["e"] == PLAYED.name and each.get("n") == move), None)


def _load_rivalry(
    connection: sa.Connection, among: Sequence[str], month: Month, person: str | None, cache: SumsCache
) -> MonthRivalry | None:
    """Return the two people who met most often in these rooms in a month; with `person`, one of them is this person.

    None unless two met in at least `ENOUGH` hands, and each was placed above the other at least once.
    """
    if not among:
        return None
    met = cache.get_or_compute(
        connection, ("met", *among, month), among, lambda: _count_meetings(connection, among, month)
    )
    pairs = [pair for pair in met if met[pair[::-1]] and (person is None or person in pair)]
    best = max(pairs, key=lambda pair: (met[pair] + met[pair[::-1]], met[pair], pair), default=None)
    if best is None or met[best] + met[best[::-1]] < ENOUGH:
        return None
    names = dict(connection.execute(_NAMES, {"ids": best}).all())
    if not all(names.get(each) for each in best):
        return None
    return MonthRivalry(names[best[0]] or "", names[best[1]] or "", met[best], met[best[::-1]])


def _count_meetings(connection: sa.Connection, among: Sequence[str], month: Month) -> Counter[tuple[str, str]]:
    """Return the number of hands in which the first person of each pair was placed above the second."""
    year, number = month
    of = {
        "rooms": among,
        "since": datetime(year, number, 1, tzinfo=UTC),
        "until": datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC),
    }
    same = load_same_players(connection, merged_players.c.room_id.in_(among))
    met: Counter[tuple[str, str]] = Counter()
    for room, _, text, number in connection.execute(_PLACES_OF_MONTH, of):
        places = [(same.get((room, key), key), place) for key, place in parse_places(text) if is_person(key)]
        for one, other in combinations(places, 2):
            if one[0] != other[0] and one[1] != other[1]:
                met[(one[0], other[0]) if one[1] < other[1] else (other[0], one[0])] += number
    return met


_has_finished_hand = sa.exists().where(
    hands.c.room_id == matches.c.room_id, hands.c.match_id == matches.c.id, ~hands.c.is_aborted
)
_kind = sa.case((matches.c.origin.is_(None), "evening"), else_="variation")
_is_listed = sa.or_(matches.c.ended_at.is_(None), _has_finished_hand)
_line = (
    matches.c.room_id,
    matches.c.id,
    matches.c.started_at,
    sa.func.coalesce(matches.c.ended_at, matches.c.started_at, type_=matches.c.started_at.type),
    _kind,
)
_in_order = matches.c.room_id, matches.c.started_at, matches.c.id
_who: sa.BindParameter[Any] = sa.bindparam("who")
_plays = match_players.c
_MATCHES_OF_PERSON = (
    sa.select(
        *_line,
        sa.and_(
            _is_listed,
            sa.exists().where(
                _plays.room_id == matches.c.room_id, _plays.match_id == matches.c.id, _plays.person_id == _who
            ),
        ),
    )
    .where(matches.c.room_id.in_(sa.select(_plays.room_id).where(_plays.person_id == _who)))
    .order_by(*_in_order)
)
_MATCHES_OF_ROOM = sa.select(*_line, _is_listed).where(matches.c.room_id == sa.bindparam("room")).order_by(*_in_order)
_IMPORTS = sa.select(imported_matches.c.id, imported_matches.c.imported_at, imported_matches.c.imported_at).where(
    imported_matches.c.person_id == _who
)
_ids: sa.BindParameter[Any] = sa.bindparam("ids", expanding=True)
_NAMES = sa.select(people.c.id, people.c.name).where(people.c.id.in_(_ids))
_MATCHES = (
    sa.select(matches).join(match_directory, in_directory(matches, "id")).where(match_directory.c.match_id.in_(_ids))
)
_FACES = (
    sa.select(_plays.match_id, _plays.name, people.c.id, people.c.avatar, people.c.colour)
    .join(match_directory, in_directory(match_players))
    .join(people, people.c.id == _plays.person_id)
    .where(match_directory.c.match_id.in_(_ids))
)
_TOPS = (
    sa.select(counted_hands.c.match_id, counted_hand_players.c.name)
    .select_from(HANDS_OF_PLAYERS)
    .join(match_directory, in_directory(counted_hands))
    .where(match_directory.c.match_id.in_(_ids), counted_hand_players.c.rank_after == 1)
    .order_by(counted_hands.c.room_hand_number)
)
"""The top of the hierarchy after each hand; the last row of a match is that after its last hand."""
_MOMENTS = (
    highlights_query(MAX_MOMENTS)
    .join(match_directory, in_directory(counted_hands))
    .where(match_directory.c.match_id.in_(_ids))
    .order_by(counted_hands.c.room_hand_number)
)
_PLACES_OF_MONTH = select_places(
    sa.and_(
        counted_hands.c.room_id.in_(sa.bindparam("rooms", expanding=True)),
        counted_hands.c.ended_at >= sa.bindparam("since", type_=counted_hands.c.ended_at.type),
        counted_hands.c.ended_at < sa.bindparam("until", type_=counted_hands.c.ended_at.type),
    )
)
