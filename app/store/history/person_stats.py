"""Queries of a person's page over all their rooms: totals for each game, rivals, evenings.

Read-only. The cost of a page grows with the number of evenings and rivals, not with the number of hands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import sqlalchemy as sa

from app.stats.counted_hand import BOT_MARK
from app.stats.ratings import Rating
from app.stats.reigns import ENDS
from app.store.db.database import Database
from app.store.db.schema import (
    counters,
    head_to_head,
    highlights,
    people,
    ratings,
    room_players,
    session_players,
    streaks,
)
from app.store.db.types import check_text, check_time
from app.store.history.room_stats import (
    SCORE_COLUMNS,
    SUMS,
    EveningScore,
    HighlightLine,
    Reign,
    Tallies,
    build_highlight_lines,
    build_tallies,
    current_player,
    highlights_query,
)

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
class PersonHighlights:
    """One page of a person's highlights, newest first."""

    moments: tuple[HighlightLine, ...]
    next: tuple[datetime, int, int] | None
    """Value of `before` for the next page: time, hand of the room, position in the hand; None on the last page."""


class PersonStatsQueries:
    """Reads statistics of people over all their rooms from one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def stats_of_person(self, person: str, *, rooms_listed: int = 20) -> PersonStats:
        """Return the statistics of the person with this id, by game over all rooms, and the rooms where they played
        last.

        At most `rooms_listed` rooms are listed, newest first. For an unknown id, everything is empty.
        """
        check_text(person)
        return await self._database.read(lambda connection: _load_person_stats(connection, person, rooms_listed))

    async def evenings_of_person(
        self, person: str, *, limit: int = 100, before: datetime | None = None
    ) -> tuple[PersonEvening, ...]:
        """Return a person's results in the evenings (sessions) of all rooms, newest first, at most `limit`.

        `before`: only evenings that ended before this time.
        """
        there = session_players.c
        query = sa.select(there.room_id, there.session_number, there.last_hand_at, *SCORE_COLUMNS)
        query = query.where(there.player_key == check_text(person))
        if before is not None:
            query = query.where(there.last_hand_at < before)
        query = query.order_by(there.last_hand_at.desc(), there.room_id, there.game).limit(limit)
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(PersonEvening(row[0], row[1], row[2], EveningScore(*row[3:])) for row in found)

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


def _load_person_stats(connection: sa.Connection, person: str, rooms_listed: int) -> PersonStats:
    counted = {game: build_tallies(sums) for game, *sums in connection.execute(_SUMMED, {"person": person})}
    for game, key, n in connection.execute(_TALLIES, {"person": person}):
        counted.setdefault(game, {})[key] = n
    met: dict[str, list[Rival]] = {}
    for game, *rival in connection.execute(_MET, {"person": person}):
        met.setdefault(game, []).append(Rival(*rival))
    rated = {row.game: Rating(row.mu, row.sigma, row.hands) for row in connection.execute(_RATED, {"of": person})}
    games = {
        game: PersonGameStats(
            found,
            rated.get(game),
            _longest_reigns(connection, person, game),
            *_nemeses_and_victims(met.get(game, ())),
        )
        for game, found in counted.items()
    }
    there = connection.execute(_ROOMS, {"person": person, "listed": rooms_listed})
    return PersonStats(games, tuple(PersonRoomStats(*row) for row in there))


def _longest_reigns(connection: sa.Connection, person: str, game: str) -> tuple[Reign, ...]:
    return tuple(
        Reign(game, end, row.player_key, row.hands, row.first_hand, row.began_at, row.ended_at, row.lasts)
        for end in ENDS
        for row in connection.execute(_REIGNS, {"person": person, "game": game, "end": end})
    )


def _nemeses_and_victims(rivals: Sequence[Rival]) -> tuple[tuple[Rival, ...], tuple[Rival, ...]]:
    """Return the three rivals who were most often above this person, and the three most often below.

    The difference counts, largest first. Rivals without a difference are in neither list.
    """
    by_margin = sorted(rivals, key=lambda rival: rival.margin)
    nemeses = tuple(rival for rival in by_margin if rival.margin < 0)
    victims = tuple(rival for rival in reversed(by_margin) if rival.margin > 0)
    return nemeses[:MAX_RIVALS], victims[:MAX_RIVALS]


_SUMMED = (
    sa.select(session_players.c.game, *SUMS)
    .where(session_players.c.player_key == sa.bindparam("person"))
    .group_by(session_players.c.game)
)
_TALLIES = (
    sa.select(counters.c.game, counters.c.counter_key, sa.func.sum(counters.c.value))
    .where(counters.c.player_key == sa.bindparam("person"))
    .group_by(counters.c.game, counters.c.counter_key)
)
_RATED = sa.select(ratings).where(ratings.c.person_id == sa.bindparam("of"))
_ROOMS = (
    sa.select(
        room_players.c.room_id,
        room_players.c.name,
        room_players.c.hands,
        room_players.c.hands_with_bots,
        room_players.c.first_hand_at,
        room_players.c.last_hand_at,
    )
    .where(room_players.c.player_key == sa.bindparam("person"))
    .order_by(room_players.c.last_hand_at.desc(), room_players.c.room_id)
    .limit(sa.bindparam("listed"))
)
_later = streaks.alias("later")
_REIGNS = (
    sa.select(
        streaks,
        ~sa.exists()
        .where(
            *(_later.c[name] == streaks.c[name] for name in ("room_id", "game", "rank_end")),
            _later.c.first_hand > streaks.c.first_hand,
        )
        .label("lasts"),
    )
    .where(
        streaks.c.player_key == sa.bindparam("person"),
        streaks.c.game == sa.bindparam("game"),
        streaks.c.rank_end == sa.bindparam("end"),
    )
    .order_by(streaks.c.hands.desc())
    .limit(MAX_REIGNS)
)
_there = sa.union_all(
    sa.select(
        head_to_head.c.game,
        current_player(head_to_head, "opponent_key").label("other"),
        current_player(head_to_head).label("own"),
        head_to_head.c.hands,
        head_to_head.c.wins,
        head_to_head.c.losses,
    ).where(head_to_head.c.player_key == sa.bindparam("person")),
    sa.select(
        head_to_head.c.game,
        current_player(head_to_head).label("other"),
        current_player(head_to_head, "opponent_key").label("own"),
        head_to_head.c.hands,
        head_to_head.c.losses,
        head_to_head.c.wins,
    ).where(head_to_head.c.opponent_key == sa.bindparam("person")),
).subquery()
# Two people whom the host has merged into one player are not opponents: `own` equals `other`.
_MET = (
    sa.select(
        _there.c.game,
        _there.c.other,
        people.c.name,
        *(sa.func.sum(_there.c[each]) for each in ("hands", "wins", "losses")),
    )
    .outerjoin(people, people.c.id == _there.c.other)
    .where(sa.func.substr(_there.c.other, 1, 1) != BOT_MARK, _there.c.other != _there.c.own)
    .group_by(_there.c.game, _there.c.other, people.c.name)
    .order_by(_there.c.game, _there.c.other)
)
