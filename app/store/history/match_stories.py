"""Queries of the match page: a page of hands with their story, and the volumes before and after the match.

Read-only. Reads no more than one page, independent of the match's length.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from app.stats.counted_hand import HandMoment
from app.stats.hand_story import RankChange, StoredHand, build_hand_story
from app.stats.highlights import rarest_moves as choose
from app.store.db.database import Database
from app.store.db.schema import entered, hand_players, hands, matches, moments, room_hands
from app.store.db.types import check_text
from app.store.history.match_history import MatchLine, load_match_lines

HANDS_OF_A_PAGE: Final = 25

Move: TypeAlias = tuple[int, int | None]
"""Number of a hand and of a move in it; None for actions between hands."""


@dataclass(frozen=True, slots=True)
class HandStory:
    """A hand on the match page: what is stored of it, from which its story is told."""

    number: int
    """Number of the hand, from 0."""
    ended_at: datetime
    totals: Mapping[str, int]
    """Match totals after the hand, of the players in it."""
    entered: tuple[Mapping[str, Any], ...]
    """Points entered before this hand, outside of hands: name, key, values, amount, unit."""
    stored: StoredHand


@dataclass(frozen=True, slots=True)
class StoryPage:
    """One page of the hands of a match, and the volumes of the match before and after it."""

    match: MatchLine
    hands: tuple[HandStory, ...]
    last: int
    """Number of the match's last hand; -1 without hands."""
    continues: str | None
    """Id of the previous volume of the match."""
    continued_by: str | None


@dataclass(frozen=True, slots=True)
class HighlightedHands:
    """One page of those hands of a match that have highlights."""

    match: MatchLine
    hands: tuple[HandStory, ...]
    """Includes hands without statistics: only their story can show whether they have highlights."""
    next: int | None
    """Number of the first such hand after these, or None."""


@dataclass(frozen=True, slots=True)
class RarestHighlights:
    """The rarest highlights of a match, and their hands, shown at the head of the match page."""

    hands: tuple[HandStory, ...]
    moves: frozenset[Move]
    more: bool
    """True if the match has further highlights."""


NO_HIGHLIGHTS: Final = RarestHighlights((), frozenset(), more=False)


class MatchStories:
    """Reads stored hands for the pages that tell the story of a match."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load_story_page(
        self, match_id: str, *, first: int = 0, limit: int = HANDS_OF_A_PAGE, asked_by: str | None = None
    ) -> StoryPage | None:
        """Return up to `limit` hands of a match from number `first`, for its page; None if the match does not exist.

        `asked_by` is the id of the person who asks.
        """
        check_text(match_id)
        return await self._database.read(
            lambda connection: _read_story_page(connection, match_id, first, limit, asked_by)
        )

    async def load_highlighted_hands(
        self, match_id: str, *, first: int = 0, limit: int = HANDS_OF_A_PAGE, asked_by: str | None = None
    ) -> HighlightedHands | None:
        """Return up to `limit` hands of a match that have highlights, from number `first`.

        None if the match does not exist. `asked_by` is the id of the person who asks.
        """
        check_text(match_id)
        return await self._database.read(
            lambda connection: _read_highlighted_hands(connection, match_id, first, limit, asked_by)
        )

    async def load_rarest_highlights(self, match_id: str, *, most: int) -> RarestHighlights:
        """Return the rarest highlights of a match, at most `most` of them, with their hands.

        The match must exist.
        """
        check_text(match_id)
        return await self._database.read(lambda connection: _read_rarest_highlights(connection, match_id, most))


def select_rarest_highlights(
    hands: Sequence[HandStory], most: int, counted_highlights: Iterable[tuple[Move, str]] = ()
) -> RarestHighlights:
    """Choose the rarest highlights, at most `most`, from the stories of `hands` and from stored highlights of others.

    `counted_highlights`: (move, name of the event) of hands that the statistics have counted.
    """
    found = [*counted_highlights]
    for told in hands:
        for line in build_hand_story(told.stored).spoken:
            found += [((told.number, line.n), event["e"]) for event in line.told if not isinstance(event, str)]
    moves = choose(sorted(found, key=lambda moment: (moment[0][0], moment[0][1] or 0)), most)
    return RarestHighlights(tuple(hands), moves, len({move for move, _ in found}) > len(moves))


def _read_story_page(
    connection: sa.Connection, match_id: str, first: int, limit: int, asked_by: str | None
) -> StoryPage | None:
    of = {"of": match_id, "numbers": list(range(first, first + limit))}
    row = connection.execute(_MATCH, of).one_or_none()
    if row is None:
        return None
    last = connection.execute(_LAST, of).scalar()
    after = {"of": match_id, "room": row.room, "at": row.started_at}
    following = connection.execute(_NEXT, after).one_or_none()
    return StoryPage(
        load_match_lines(connection, [row], asked_by)[0],
        _read_hand_stories(connection, of, row.after or (), last),
        -1 if last is None else last,
        row.continues,
        following.id if following is not None and following.continues == match_id else None,
    )


def _read_highlighted_hands(
    connection: sa.Connection, match_id: str, first: int, limit: int, asked_by: str | None
) -> HighlightedHands | None:
    of = {"of": match_id, "first": first, "most": limit + 1}
    row = connection.execute(_MATCH, of).one_or_none()
    if row is None:
        return None
    told_of = (connection.execute(query, of).scalars() for query in (_SPOKEN_OF, _UNBOOKED))
    numbers = sorted(number for numbers in told_of for number in numbers)
    of = {"of": match_id, "numbers": numbers[:limit]}
    found = _read_hand_stories(connection, of, row.after or (), connection.execute(_LAST, of).scalar())
    following = numbers[limit] if len(numbers) > limit else None
    return HighlightedHands(load_match_lines(connection, [row], asked_by)[0], found, following)


def _read_rarest_highlights(connection: sa.Connection, match_id: str, most: int) -> RarestHighlights:
    of = {"of": match_id, "first": 0, "most": HANDS_OF_A_PAGE}
    booked = [((number, n), what) for number, n, what in connection.execute(_MOVES, of)]
    last = connection.execute(_LAST, of).scalar()
    after = connection.execute(_MATCH, of).one().after or ()

    def hands_of(numbers: Iterable[int]) -> tuple[HandStory, ...]:
        return _read_hand_stories(connection, {"of": match_id, "numbers": list(numbers)}, after, last)

    found = select_rarest_highlights(hands_of(connection.execute(_UNBOOKED, of).scalars()), most, booked)
    return replace(found, hands=hands_of({number for number, _ in found.moves}))


def _read_hand_stories(
    connection: sa.Connection, of: Mapping[str, Any], after: Sequence[Mapping[str, Any]], last: int | None
) -> tuple[HandStory, ...]:
    told: dict[int, list[HandMoment]] = {number: [] for number in connection.execute(_IN_BOOK, of).scalars()}
    for number, *moment in connection.execute(_MOMENTS, of):
        told[number].append(HandMoment(*moment))
    ranks: dict[int, list[RankChange]] = {}
    for number, *rank in connection.execute(_RANKS, of):
        ranks.setdefault(number, []).append(RankChange(*rank))
    points: dict[int, list[Mapping[str, Any]]] = {}
    for number, *reason in connection.execute(_ENTERED, of):
        points.setdefault(number, []).append(dict(zip(_REASON, reason, strict=True)))
    return tuple(
        HandStory(
            row.number,
            row.ended_at,
            row.totals or {},
            tuple(points.get(row.number, ())),
            StoredHand(
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
# The next volume of a match can only be the next match of its room.
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
    sa.select(room_hands.c.hand, *(moments.c[name] for name in HandMoment.__struct_fields__))
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
# A volume has a limited number of hands, so this needs no limit.
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
