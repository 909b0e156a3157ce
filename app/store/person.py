"""What a person's page asks of all their rooms: what they come to in each game, whom they met, their evenings.

Reads only: what a page costs does not grow with the hands that somebody played.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from app.book.ratings import Rating
from app.book.reigns import ENDS

from .book import EveningScore, MomentLine, Reign, Tallies, moment_lines, moments_query
from .columns import check_text, check_time
from .database import Database
from .tables import (
    evening_players,
    moments,
    people,
    person_pairs,
    person_tallies,
    ratings,
    reigns,
    room_players,
)

MET: Final = 3
"""Rivals listed at each end: those who were placed above this person most often, and those below."""
LONGEST: Final = 3
"""Reigns listed for each end of each game's hierarchy."""


@dataclass(frozen=True, slots=True)
class Rival:
    """Another person, and how the two did against each other in one game."""

    person: str
    name: str | None
    """As they last called themselves."""
    together: int
    above: int
    """How often the one who asks was placed above them."""
    below: int


@dataclass(frozen=True, slots=True)
class GameOfPerson:
    """What somebody's hands of one game come to."""

    tallies: Tallies
    rating: Rating | None
    reigns: tuple[Reign, ...]
    """Their longest, of both ends."""
    nemeses: tuple[Rival, ...]
    """Those who were placed above them more often than below, by most."""
    victims: tuple[Rival, ...]


@dataclass(frozen=True, slots=True)
class RoomOfPerson:
    """A room where somebody played."""

    room: str
    name: str
    """Theirs, as last used in a match there."""
    hands: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True)
class PersonBook:
    """What a person's hands come to, over all their rooms."""

    games: Mapping[str, GameOfPerson]
    rooms: tuple[RoomOfPerson, ...]
    """Where they played last, first."""


@dataclass(frozen=True, slots=True)
class EveningOfPerson:
    """What an evening in some room brought somebody in one game."""

    room: str
    evening: int
    at: datetime
    """When their last hand of it ended."""
    score: EveningScore


@dataclass(frozen=True, slots=True)
class PersonMoments:
    """Some moments of somebody, the newest first."""

    moments: tuple[MomentLine, ...]
    next: tuple[datetime, int, int] | None
    """What to ask for those before: when, in which hand of its room, where in its list; None: there are none."""


class PersonBooks:
    """The books of people, in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def person(self, person: str, *, rooms_listed: int = 20) -> PersonBook:
        """All that somebody's hands come to."""
        check_text(person)
        return await self._database.read(lambda connection: _person(connection, person, rooms_listed))

    async def evenings(
        self, person: str, *, limit: int = 100, before: datetime | None = None
    ) -> tuple[EveningOfPerson, ...]:
        """Somebody's evenings in all their rooms, the newest first; `before` the last of those known."""
        there = evening_players.c
        score = [there[name] for name in EveningScore.__slots__]
        query = sa.select(there.room, there.evening, there.at, *score).where(there.player == check_text(person))
        if before is not None:
            query = query.where(there.at < before)
        query = query.order_by(there.at.desc(), there.room, there.game).limit(limit)
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(EveningOfPerson(row[0], row[1], row[2], EveningScore(*row[3:])) for row in found)

    async def moments(
        self, person: str, *, limit: int = 50, before: tuple[datetime, int, int] | None = None
    ) -> PersonMoments:
        """What somebody did that people speak of, the newest first."""
        query = moments_query(limit).where(moments.c.player == check_text(person))
        key = moments.c.at, moments.c.nth, moments.c.place
        if before is not None:
            at, nth, place = before
            here = sa.literal(check_time(at), moments.c.at.type), sa.literal(nth), sa.literal(place)
            # The time by itself is what the index goes by.
            query = query.where(moments.c.at <= here[0], sa.tuple_(*key) < sa.tuple_(*here))
        query = query.order_by(*(column.desc() for column in key), moments.c.room)
        found = await self._database.read(lambda connection: connection.execute(query).all())
        lines = moment_lines(found[:limit])
        last = lines[-1] if len(found) > limit else None
        return PersonMoments(lines, None if last is None else (last.at, last.nth, last.place))


def _person(connection: sa.Connection, person: str, rooms_listed: int) -> PersonBook:
    counted: dict[str, Tallies] = {}
    for game, key, n in connection.execute(_TALLIES, {"person": person}):
        counted.setdefault(game, {})[key] = n
    rated = {row.game: Rating(row.mu, row.sigma, row.hands) for row in connection.execute(_RATED, {"of": person})}
    games = {
        game: GameOfPerson(
            found,
            rated.get(game),
            _reigns(connection, person, game),
            _met(connection, _NEMESES, person, game),
            _met(connection, _VICTIMS, person, game),
        )
        for game, found in counted.items()
    }
    there = connection.execute(_ROOMS, {"person": person, "listed": rooms_listed})
    return PersonBook(games, tuple(RoomOfPerson(*row) for row in there))


def _reigns(connection: sa.Connection, person: str, game: str) -> tuple[Reign, ...]:
    return tuple(
        Reign(game, end, row.player, row.hands, row.began, row.began_at, row.ended_at, row.lasts)
        for end in ENDS
        for row in connection.execute(_REIGNS, {"person": person, "game": game, "end": end})
    )


def _met(connection: sa.Connection, query: sa.Select[Any], person: str, game: str) -> tuple[Rival, ...]:
    return tuple(Rival(*row) for row in connection.execute(query, {"person": person, "game": game}))


_TALLIES = sa.select(person_tallies.c.game, person_tallies.c.key, person_tallies.c.n).where(
    person_tallies.c.person == sa.bindparam("person")
)
_RATED = sa.select(ratings).where(ratings.c.person == sa.bindparam("of"))
_ROOMS = (
    sa.select(*(room_players.c[name] for name in RoomOfPerson.__slots__))
    .where(room_players.c.player == sa.bindparam("person"))
    .order_by(room_players.c.last_at.desc(), room_players.c.room)
    .limit(sa.bindparam("listed"))
)
_later = reigns.alias("later")
_REIGNS = (
    sa.select(
        reigns,
        ~sa.exists()
        .where(*(_later.c[name] == reigns.c[name] for name in ("room", "game", "end")), _later.c.began > reigns.c.began)
        .label("lasts"),
    )
    .where(
        reigns.c.player == sa.bindparam("person"),
        reigns.c.game == sa.bindparam("game"),
        reigns.c.end == sa.bindparam("end"),
    )
    .order_by(reigns.c.hands.desc())
    .limit(LONGEST)
)
_met_by = (
    sa.select(person_pairs.c.other, people.c.name, person_pairs.c.together, person_pairs.c.above, person_pairs.c.below)
    .outerjoin(people, people.c.id == person_pairs.c.other)
    .where(person_pairs.c.person == sa.bindparam("person"), person_pairs.c.game == sa.bindparam("game"))
    .limit(MET)
)
_NEMESES = _met_by.where(person_pairs.c.margin < 0).order_by(person_pairs.c.margin)
_VICTIMS = _met_by.where(person_pairs.c.margin > 0).order_by(person_pairs.c.margin.desc())
