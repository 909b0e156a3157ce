"""What a person's page asks of all their rooms: what they come to in each game, whom they met, their evenings.

Reads only: what a page costs does not grow with the hands that somebody played, only with the evenings
and with whom they met there.
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
from app.store.db.schema import evening_players, moments, pairs, people, ratings, reigns, room_players, tallies
from app.store.db.types import check_text, check_time
from app.store.history.room_stats import (
    SUMS,
    EveningScore,
    MomentLine,
    Reign,
    Tallies,
    by_key,
    moment_lines,
    moments_query,
    one_player,
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

    @property
    def margin(self) -> int:
        """How much more often above than below: the nemesis has the lowest."""
        return self.above - self.below


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
    with_bots: int
    """Hands in which at least one bot played."""
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
    counted = {game: by_key(sums) for game, *sums in connection.execute(_SUMMED, {"person": person})}
    for game, key, n in connection.execute(_TALLIES, {"person": person}):
        counted.setdefault(game, {})[key] = n
    met: dict[str, list[Rival]] = {}
    for game, *rival in connection.execute(_MET, {"person": person}):
        met.setdefault(game, []).append(Rival(*rival))
    rated = {row.game: Rating(row.mu, row.sigma, row.hands) for row in connection.execute(_RATED, {"of": person})}
    games = {
        game: GameOfPerson(
            found,
            rated.get(game),
            _reigns(connection, person, game),
            *_rivals(met.get(game, ())),
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


def _rivals(met: Sequence[Rival]) -> tuple[tuple[Rival, ...], tuple[Rival, ...]]:
    """Those who were placed above somebody more often than below, and those below more often than above, by most."""
    by_margin = sorted(met, key=lambda rival: rival.margin)
    nemeses = tuple(rival for rival in by_margin if rival.margin < 0)
    victims = tuple(rival for rival in reversed(by_margin) if rival.margin > 0)
    return nemeses[:MET], victims[:MET]


_SUMMED = (
    sa.select(evening_players.c.game, *SUMS)
    .where(evening_players.c.player == sa.bindparam("person"))
    .group_by(evening_players.c.game)
)
_TALLIES = (
    sa.select(tallies.c.game, tallies.c.key, sa.func.sum(tallies.c.n))
    .where(tallies.c.player == sa.bindparam("person"))
    .group_by(tallies.c.game, tallies.c.key)
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
_other, _player = one_player(pairs, "other").label("other"), one_player(pairs).label("other")
_there = sa.union_all(
    sa.select(
        pairs.c.game, one_player(pairs, "other").label("other"), pairs.c.together, pairs.c.above, pairs.c.below
    ).where(pairs.c.player == sa.bindparam("person")),
    sa.select(pairs.c.game, one_player(pairs).label("other"), pairs.c.together, pairs.c.below, pairs.c.above).where(
        pairs.c.other == sa.bindparam("person")
    ),
).subquery()
_MET = (
    sa.select(
        _there.c.game,
        _there.c.other,
        people.c.name,
        *(sa.func.sum(_there.c[each]) for each in ("together", "above", "below")),
    )
    .outerjoin(people, people.c.id == _there.c.other)
    .where(sa.func.substr(_there.c.other, 1, 1) != BOT_MARK)
    .group_by(_there.c.game, _there.c.other, people.c.name)
    .order_by(_there.c.game, _there.c.other)
)
