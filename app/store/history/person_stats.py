"""Queries of a person's page over all their rooms: totals for each game, rivals, evenings.

Read-only. All numbers are summed up over the rows of the person's hands, which an index finds.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from app.stats import tallies as count
from app.stats.counted_hand import is_person
from app.stats.ratings import Rating
from app.stats.reigns import find_reigns, longest_reigns
from app.store.db.database import Database
from app.store.db.schema import counted_hand_players, counted_hands, highlights, merged_players, people, ratings
from app.store.db.types import check_text, check_time
from app.store.history.room_stats import (
    SCORE_KEYS,
    EveningScore,
    HighlightLine,
    build_highlight_lines,
    highlights_query,
)
from app.store.history.standings import (
    Reign,
    SamePlayers,
    build_reigns,
    load_ends,
    load_same_players,
    parse_places,
    select_ends,
    select_places,
)
from app.store.history.sums_cache import SumsCache
from app.store.history.tallies import HANDS_OF_PLAYERS, Tallies, add_count, add_sums, count_moments, sum_numbers

MAX_RIVALS: Final = 3
"""Number of nemeses and of victims listed."""
MAX_REIGNS: Final = 3
"""Number of reigns listed for each end of each game's hierarchy."""


@dataclass(frozen=True, slots=True)
class Rival:
    """Another person, with the results of the two against each other in one game, over all rooms."""

    person: str
    name: str | None
    """Their current name."""
    bird: str | None
    colour: str | None
    together: int
    above: int
    """Number of hands in which the person who asks was placed above the rival."""
    below: int

    @property
    def margin(self) -> int:
        """Hands in which the person was above this rival, minus hands below; lowest for the worst nemesis."""
        return self.above - self.below


@dataclass(frozen=True, slots=True)
class PersonGameStats:
    """A person's statistics in one game, over all their rooms."""

    tallies: Tallies
    rating: Rating | None
    reigns: tuple[Reign, ...]
    """Their longest reigns at both ends."""
    nemeses: tuple[Rival, ...]
    """People placed above them more often than below, by difference."""
    victims: tuple[Rival, ...]


@dataclass(frozen=True, slots=True)
class PersonRoomStats:
    """The numbers and dates of a person's hands in one room, for the list on their statistics page."""

    room: str
    name: str
    """The person's name in their last match there."""
    hands: int
    with_bots: int
    """Number of hands with at least one bot."""
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True)
class PersonStats:
    """A person's statistics over all their rooms."""

    games: Mapping[str, PersonGameStats]
    rooms: tuple[PersonRoomStats, ...]
    """Rooms in order of their last hand there, newest first."""


@dataclass(frozen=True, slots=True)
class PersonEvening:
    """A person's results in one game of one evening (session) in a room."""

    room: str
    evening: int
    at: datetime
    """When their last hand of the evening ended."""
    score: EveningScore


@dataclass(frozen=True, slots=True)
class PersonHand:
    """A person's result in one hand."""

    game: str
    place: int | None
    rank: int | None
    """In the hierarchy after the hand, from 1; `last_rank` is the lowest."""
    last_rank: int | None
    title: str | None
    performance: int | None
    """From 100 (first place) to 0 (last place); None without a place."""


@dataclass(frozen=True, slots=True)
class PersonHighlights:
    """One page of a person's highlights, newest first."""

    moments: tuple[HighlightLine, ...]
    next: tuple[datetime, int, int] | None
    """Value of `before` for the next page: time, hand of the room, position in the hand; None on the last page."""


class PersonStatsQueries:
    """Reads statistics of people over all their rooms from one database."""

    def __init__(self, database: Database, cache: SumsCache | None = None) -> None:
        self._database = database
        self._cache = cache or SumsCache()

    async def stats_of_person(self, person: str, *, rooms_listed: int = 20) -> PersonStats:
        """Return the statistics of the person with this id, by game over all rooms, and the rooms where they played
        last.

        At most `rooms_listed` rooms are listed, newest first. For an unknown id, everything is empty.
        """
        check_text(person)
        return await self._database.read(
            lambda connection: _load_person_stats(connection, person, rooms_listed, self._cache)
        )

    async def evenings_of_person(
        self, person: str, *, limit: int = 100, before: datetime | None = None
    ) -> tuple[PersonEvening, ...]:
        """Return a person's results in the evenings (sessions) of all rooms, newest first, at most `limit`.

        `before`: only evenings that ended before this time.
        """
        query = _EVENINGS
        if before is not None:
            query = query.having(_ended_at < before)
        query = query.order_by(_ended_at.desc(), _seat.room_id, _hand.game).limit(limit)
        whose = {"person": check_text(person)}

        def work(connection: sa.Connection) -> tuple[PersonEvening, ...]:
            rooms = list(connection.execute(_ROOM_IDS, whose).scalars())
            key = "evenings", person, limit, before
            found = self._cache.get_or_compute(connection, key, rooms, lambda: connection.execute(query, whose).all())
            return tuple(
                PersonEvening(room, evening, at, EveningScore(game, person, *sums))
                for room, evening, game, *sums, at in found
            )

        return await self._database.read(work)

    async def latest_hands(self, person: str, room: str, *, limit: int) -> tuple[PersonHand, ...]:
        """Return a person's latest hands in a room, oldest first, at most `limit`."""
        where = {"person": check_text(person), "room": check_text(room), "most": limit}
        found = await self._database.read(lambda connection: connection.execute(_LATEST, where).all())
        return tuple(PersonHand(*row) for row in reversed(found))

    async def highlights_of_person(
        self, person: str, *, limit: int = 50, before: tuple[datetime, int, int] | None = None
    ) -> PersonHighlights:
        """Return one page of a person's highlights in all rooms, newest first.

        `before` is the previous page's `next`.
        """
        query = highlights_query(limit).where(highlights.c.player_key == check_text(person))
        key = highlights.c.ended_at, highlights.c.room_hand_number, highlights.c.position
        if before is not None:
            at, nth, place = before
            here = sa.literal(check_time(at), highlights.c.ended_at.type), sa.literal(nth), sa.literal(place)
            # The separate condition on the time lets the database use the index.
            query = query.where(highlights.c.ended_at <= here[0], sa.tuple_(*key) < sa.tuple_(*here))
        query = query.order_by(*(column.desc() for column in key), highlights.c.room_id)
        found = await self._database.read(lambda connection: connection.execute(query).all())
        lines = build_highlight_lines(found[:limit])
        last = lines[-1] if len(found) > limit else None
        return PersonHighlights(lines, None if last is None else (last.at, last.nth, last.place))


def _load_person_stats(connection: sa.Connection, person: str, rooms_listed: int, cache: SumsCache) -> PersonStats:
    whose = {"person": person}
    rooms = list(connection.execute(_ROOM_IDS, whose).scalars())
    if not rooms:
        return PersonStats({}, ())
    sums = cache.get_or_compute(connection, ("person", person), rooms, lambda: _load_sums(connection, person, rooms))
    rated = {row.game: Rating(row.mu, row.sigma, row.hands) for row in connection.execute(_RATED, whose)}
    games = {
        game: PersonGameStats(
            tallies,
            rated.get(game),
            tuple(reign for reign in sums.reigns if reign.game == game),
            *(_with_names(connection, rivals) for rivals in sums.rivals.get(game, ((), ()))),
        )
        for game, tallies in sums.tallies.items()
    }
    there = connection.execute(_ROOMS, {**whose, "listed": rooms_listed})
    return PersonStats(games, tuple(PersonRoomStats(*row) for row in there))


@dataclass(frozen=True, slots=True)
class _PersonSums:
    """The sums and reigns of a person by game, and their rivals without names, as cached."""

    tallies: Mapping[str, Tallies]
    reigns: tuple[Reign, ...]
    rivals: Mapping[str, tuple[Sequence[Rival], Sequence[Rival]]]


def _load_sums(connection: sa.Connection, person: str, rooms: Sequence[str]) -> _PersonSums:
    whose = {"person": person}
    tallies: dict[str, Tallies] = {}
    for game, title, *sums in connection.execute(_SUMS, whose):
        tallies_of_game = tallies.setdefault(game, {})
        add_sums(tallies_of_game, sums)
        if title is not None:
            add_count(tallies_of_game, count.TITLE + title, sums[0])
    for game, kind, n in connection.execute(_MOMENTS, whose):
        add_count(tallies.setdefault(game, {}), count.HIGHLIGHT + kind, n)
    ends = load_ends(connection, _ENDS, {"rooms": rooms})
    reigns = [each for each in find_reigns(ends) if each.player == person]
    listed = build_reigns(connection, longest_reigns(reigns, MAX_REIGNS))
    same_players = load_same_players(connection, merged_players.c.room_id.in_(rooms))
    return _PersonSums(
        tallies, listed, _find_rivals(person, connection.execute(_PLACES, {"rooms": rooms}), same_players)
    )


def _find_rivals(
    person: str, hands_by_places: Iterable[Sequence[Any]], same_players: SamePlayers
) -> dict[str, tuple[Sequence[Rival], Sequence[Rival]]]:
    """Return, by game, the three people who were most often above a person, and the three most often below.

    The difference counts, largest first. People without a difference are in neither list.
    """
    met: dict[str, dict[str, Counter[str]]] = {}
    for room, game, text, hands in hands_by_places:
        places = dict(parse_places(text))
        own, newest = places.get(person), same_players.get((room, person), person)
        if own is None:
            continue
        for key, place in places.items():
            other = same_players.get((room, key), key)
            if other != newest and is_person(other):
                sums = met.setdefault(game, {}).setdefault(other, Counter())
                sums["together"] += hands
                sums["above"] += hands * (own < place)
                sums["below"] += hands * (own > place)
    found: dict[str, tuple[Sequence[Rival], Sequence[Rival]]] = {}
    for game, others in met.items():
        rivals = [
            Rival(other, None, None, None, sums["together"], sums["above"], sums["below"])
            for other, sums in sorted(others.items())
        ]
        by_margin = sorted(rivals, key=lambda rival: rival.margin)
        nemeses = [rival for rival in by_margin if rival.margin < 0][:MAX_RIVALS]
        victims = [rival for rival in reversed(by_margin) if rival.margin > 0][:MAX_RIVALS]
        found[game] = nemeses, victims
    return found


def _with_names(connection: sa.Connection, rivals: Sequence[Rival]) -> tuple[Rival, ...]:
    ids = [rival.person for rival in rivals]
    found = {row.id: row for row in connection.execute(_PEOPLE, {"ids": ids})}
    return tuple(
        replace(rival, name=row.name, bird=row.avatar, colour=row.colour) if (row := found.get(rival.person)) else rival
        for rival in rivals
    )


_hand, _seat = counted_hands.c, counted_hand_players.c
_theirs = _seat.player_key == sa.bindparam("person")
_ended_at = sa.func.max(_hand.ended_at)
_SUMS = sum_numbers(_hand.game, _seat.title).where(_theirs).order_by(_hand.game)
_EVENINGS = (
    sum_numbers(_seat.room_id, _hand.session_number, _hand.game, keys=SCORE_KEYS).add_columns(_ended_at).where(_theirs)
)
_MOMENTS = count_moments().where(highlights.c.player_key == sa.bindparam("person"))
_PEOPLE = sa.select(people).where(people.c.id.in_(sa.bindparam("ids", expanding=True)))
_LATEST = (
    sa.select(_hand.game, _seat.place, _seat.rank_after, _hand.last_rank, _seat.title, _seat.performance)
    .join_from(counted_hand_players, counted_hands)
    .where(_theirs, _seat.room_id == sa.bindparam("room"))
    .order_by(_seat.room_hand_number.desc())
    .limit(sa.bindparam("most", type_=sa.Integer))
)
_RATED = sa.select(ratings).where(ratings.c.person_id == sa.bindparam("person"))
_there = (
    sa.select(
        _seat.room_id,
        sa.func.count().label("hands"),
        sa.func.count(sa.case((_hand.with_bots, 1))).label("with_bots"),
        sa.func.min(_hand.ended_at).label("first_at"),
        sa.func.max(_hand.ended_at).label("last_at"),
        sa.func.max(_hand.room_hand_number).label("last"),
    )
    .select_from(HANDS_OF_PLAYERS)
    .where(_theirs)
    .group_by(_seat.room_id)
    .subquery()
)
_ROOMS = (
    sa.select(_there.c.room_id, _seat.name, _there.c.hands, _there.c.with_bots, _there.c.first_at, _there.c.last_at)
    .select_from(_there)
    .join(
        counted_hand_players,
        sa.and_(_seat.room_id == _there.c.room_id, _seat.room_hand_number == _there.c.last, _theirs),
    )
    .order_by(_there.c.last_at.desc(), _there.c.room_id)
    .limit(sa.bindparam("listed"))
)
_ROOM_IDS = sa.select(_seat.room_id).where(_theirs).distinct()
_in_rooms = _hand.room_id.in_(sa.bindparam("rooms", expanding=True))
_ENDS, _PLACES = select_ends(_in_rooms), select_places(_in_rooms)
