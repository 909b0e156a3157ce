"""What the page of a match asks: some of its hands with all that is told of them, and the volumes before and after it.

Reads only, and no more than a page has, however long the match is.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from app.stats.counted_hand import Remembered
from app.stats.hand_story import KeptHand, RankMoved, story
from app.stats.highlights import rarest as choose
from app.store.db.database import Database
from app.store.db.schema import entered, hand_players, hands, matches, moments, room_hands
from app.store.db.types import check_text
from app.store.history.match_history import MatchLine, lines

HANDS_OF_A_PAGE: Final = 25

Move: TypeAlias = tuple[int, int | None]
"""A hand and its move; None: what was done between hands."""


@dataclass(frozen=True, slots=True)
class HandTold:
    """A hand on the page of its match."""

    number: int
    """From 0."""
    ended_at: datetime
    totals: Mapping[str, int]
    """Afterwards, of those who played it."""
    entered: tuple[Mapping[str, Any], ...]
    """Points that came before it outside of any hand: name, key, values, amount, unit."""
    kept: KeptHand


@dataclass(frozen=True, slots=True)
class StoryPage:
    """Some hands of a match."""

    match: MatchLine
    hands: tuple[HandTold, ...]
    last: int
    """The number of its last hand, on whatever page; -1: it has none yet."""
    continues: str | None
    """The match that it goes on from, a volume before."""
    continued_by: str | None


@dataclass(frozen=True, slots=True)
class SpokenHands:
    """Hands of a match of which people will speak."""

    match: MatchLine
    hands: tuple[HandTold, ...]
    """And those that only their story can tell: they are in no book."""
    next: int | None
    """The first such hand that is not among these; None: there is none."""


@dataclass(frozen=True, slots=True)
class Rarest:
    """What is rarest of that."""

    hands: tuple[HandTold, ...]
    moves: frozenset[Move]
    more: bool
    """Whether people will speak of other moves, too."""


NOTHING: Final = Rarest((), frozenset(), more=False)


class Stories:
    """Matches with their hands, in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(
        self, match_id: str, *, first: int = 0, limit: int = HANDS_OF_A_PAGE, asked_by: str | None = None
    ) -> StoryPage | None:
        """The hands of a match from this one on; `asked_by` is the person who asks. None if there is no such match."""
        check_text(match_id)
        return await self._database.read(lambda connection: _pages(connection, match_id, first, limit, asked_by))

    async def spoken(
        self, match_id: str, *, first: int = 0, limit: int = HANDS_OF_A_PAGE, asked_by: str | None = None
    ) -> SpokenHands | None:
        """The hands of a match, from this one on, of which people will speak. None if there is no such match."""
        check_text(match_id)
        return await self._database.read(lambda connection: _spoken(connection, match_id, first, limit, asked_by))

    async def rarest(self, match_id: str, *, most: int) -> Rarest:
        """So many moves of a match of which people will speak: where there are more, the rarest."""
        check_text(match_id)
        return await self._database.read(lambda connection: _rarest(connection, match_id, most))


def rarest(hands: Sequence[HandTold], most: int, booked: Iterable[tuple[Move, str]] = ()) -> Rarest:
    """The same of these hands, which are in no book, and of what the book has of others."""
    found = [*booked]
    for told in hands:
        for line in story(told.kept).spoken:
            found += [((told.number, line.n), event["e"]) for event in line.told if not isinstance(event, str)]
    moves = choose(sorted(found, key=lambda moment: (moment[0][0], moment[0][1] or 0)), most)
    return Rarest(tuple(hands), moves, len({move for move, _ in found}) > len(moves))


def _pages(connection: sa.Connection, match_id: str, first: int, limit: int, asked_by: str | None) -> StoryPage | None:
    of = {"of": match_id, "numbers": list(range(first, first + limit))}
    row = connection.execute(_MATCH, of).one_or_none()
    if row is None:
        return None
    last = connection.execute(_LAST, of).scalar()
    after = {"of": match_id, "room": row.room, "at": row.started_at}
    following = connection.execute(_NEXT, after).one_or_none()
    return StoryPage(
        lines(connection, [row], asked_by)[0],
        _hands(connection, of, row.after or (), last),
        -1 if last is None else last,
        row.continues,
        following.id if following is not None and following.continues == match_id else None,
    )


def _spoken(
    connection: sa.Connection, match_id: str, first: int, limit: int, asked_by: str | None
) -> SpokenHands | None:
    of = {"of": match_id, "first": first, "most": limit + 1}
    row = connection.execute(_MATCH, of).one_or_none()
    if row is None:
        return None
    told_of = (connection.execute(query, of).scalars() for query in (_SPOKEN_OF, _UNBOOKED))
    numbers = sorted(number for numbers in told_of for number in numbers)
    of = {"of": match_id, "numbers": numbers[:limit]}
    found = _hands(connection, of, row.after or (), connection.execute(_LAST, of).scalar())
    following = numbers[limit] if len(numbers) > limit else None
    return SpokenHands(lines(connection, [row], asked_by)[0], found, following)


def _rarest(connection: sa.Connection, match_id: str, most: int) -> Rarest:
    of = {"of": match_id, "first": 0, "most": HANDS_OF_A_PAGE}
    booked = [((number, n), what) for number, n, what in connection.execute(_MOVES, of)]
    last = connection.execute(_LAST, of).scalar()
    after = connection.execute(_MATCH, of).one().after or ()

    def hands_of(numbers: Iterable[int]) -> tuple[HandTold, ...]:
        return _hands(connection, {"of": match_id, "numbers": list(numbers)}, after, last)

    found = rarest(hands_of(connection.execute(_UNBOOKED, of).scalars()), most, booked)
    return replace(found, hands=hands_of({number for number, _ in found.moves}))


def _hands(
    connection: sa.Connection, of: Mapping[str, Any], after: Sequence[Mapping[str, Any]], last: int | None
) -> tuple[HandTold, ...]:
    told: dict[int, list[Remembered]] = {number: [] for number in connection.execute(_IN_BOOK, of).scalars()}
    for number, *moment in connection.execute(_MOMENTS, of):
        told[number].append(Remembered(*moment))
    ranks: dict[int, list[RankMoved]] = {}
    for number, *rank in connection.execute(_RANKS, of):
        ranks.setdefault(number, []).append(RankMoved(*rank))
    points: dict[int, list[Mapping[str, Any]]] = {}
    for number, *reason in connection.execute(_ENTERED, of):
        points.setdefault(number, []).append(dict(zip(_REASON, reason, strict=True)))
    return tuple(
        HandTold(
            row.number,
            row.ended_at,
            row.totals or {},
            tuple(points.get(row.number, ())),
            KeptHand(
                row.record,
                row.events,
                row.result,
                row.cut_off,
                told.get(row.number),
                ranks.get(row.number, ()),
                after if row.number == last else (),
            ),
        )
        for row in connection.execute(_HANDS, of)
    )


_REASON = ("name", "key", "values", "amount", "unit")
_MATCH = sa.select(matches).where(matches.c.id == sa.bindparam("of"))
_LAST = sa.select(sa.func.max(hands.c.number)).where(hands.c.match_id == sa.bindparam("of"))
# What goes on from a match is the next one of its room, if any.
_NEXT = (
    sa.select(matches.c.id, matches.c.continues)
    .where(
        matches.c.room == sa.bindparam("room"),
        sa.tuple_(matches.c.started_at, matches.c.id)
        > sa.tuple_(sa.bindparam("at", type_=matches.c.started_at.type), sa.bindparam("of")),
    )
    .order_by(matches.c.started_at, matches.c.id)
    .limit(1)
)
_of_page: sa.BindParameter[Any] = sa.bindparam("numbers", expanding=True)
_HANDS = (
    sa.select(hands)
    .where(hands.c.match_id == sa.bindparam("of"), hands.c.number.in_(_of_page))
    .order_by(hands.c.number)
)
_in_book = room_hands.c.match_id == sa.bindparam("of"), room_hands.c.hand.in_(_of_page)
_IN_BOOK = sa.select(room_hands.c.hand).where(*_in_book)
_MOMENTS = (
    sa.select(room_hands.c.hand, *(moments.c[name] for name in Remembered.__struct_fields__))
    .join(moments)
    .where(*_in_book)
    .order_by(room_hands.c.hand, moments.c.place)
)
_ranked = hand_players.c
_RANKS = (
    sa.select(
        room_hands.c.hand, _ranked.name, _ranked.title_before, _ranked.title, _ranked.rank_before, _ranked["rank"]
    )
    .join(hand_players)
    .where(*_in_book, _ranked["rank"].is_not(None))
)
_ENTERED = (
    sa.select(entered.c.hand, *(entered.c[name] for name in _REASON))
    .where(entered.c.match_id == sa.bindparam("of"), entered.c.hand.in_(_of_page))
    .order_by(entered.c.hand, entered.c.name, entered.c.place)
)
_some = sa.bindparam("most", type_=sa.Integer)
_of_hand = moments.c.room == room_hands.c.room, moments.c.nth == room_hands.c.nth
_SPOKEN_OF = (
    sa.select(room_hands.c.hand)
    .where(room_hands.c.match_id == sa.bindparam("of"), room_hands.c.hand >= sa.bindparam("first"))
    .where(sa.exists().where(*_of_hand))
    .order_by(room_hands.c.hand)
    .limit(_some)
)
# A volume has so many hands and no more.
_MOVES = (
    sa.select(room_hands.c.hand, moments.c.n, moments.c.what)
    .join(moments)
    .where(room_hands.c.match_id == sa.bindparam("of"))
)
_of_number = room_hands.c.match_id == hands.c.match_id, room_hands.c.hand == hands.c.number
_UNBOOKED = (
    sa.select(hands.c.number)
    .where(hands.c.match_id == sa.bindparam("of"), hands.c.number >= sa.bindparam("first"))
    .where(~sa.exists().where(*_of_number))
    .order_by(hands.c.number)
    .limit(_some)
)
