"""Queries of the match page: a page of hands with their story, and the volumes before and after the match.

Read-only. Reads no more than one page, independent of the match's length.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from app.engine.display.events import GameEventType
from app.stats.counted_hand import HandHighlight
from app.stats.hand_story import RankChange, StoredHand, build_hand_story
from app.stats.highlights import rarest_moves as choose
from app.store.db.database import Database
from app.store.db.directory import is_match, room_of_match
from app.store.db.schema import counted_hand_players, counted_hands, hands, highlights, matches, point_adjustments
from app.store.db.types import check_text
from app.store.event_log.stats_writer import HIGHLIGHT_COLUMNS
from app.store.history.match_history import MatchLine, load_match_lines

HANDS_OF_A_PAGE: Final = 25

Move: TypeAlias = tuple[int, int | None]
"""Number of a hand and of a move in it; None for actions between hands."""


@dataclass(frozen=True, slots=True)
class HandStory:
    """The stored data of one hand from which the match page tells the hand's story."""

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
class HandForStandings:
    """The stored data of one counted hand that the standing of the match after it needs.

    `stored` has only the result, the changes of rank, the players with their cards, and the events that reset lives.
    """

    number: int
    """Number of the hand, from 0."""
    totals: Mapping[str, int]
    """Match totals after the hand, of the players in it."""
    stored: StoredHand


@dataclass(frozen=True, slots=True)
class MatchForStandings:
    """A match and all its counted hands, with the data from which `standings_by_hand` computes."""

    match: MatchLine
    hands: tuple[HandForStandings, ...]


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
        self, match_id: str, *, first: int = 0, limit: int = HANDS_OF_A_PAGE, person_id: str | None = None
    ) -> StoryPage | None:
        """Return up to `limit` hands of a match from number `first`, for its page; None if the match does not exist.

        `person_id` is the id of the person who asks.
        """
        check_text(match_id)
        return await self._database.read(
            lambda connection: _read_story_page(connection, match_id, first, limit, person_id)
        )

    async def load_standings(self, match_id: str) -> MatchForStandings | None:
        """Return a match with the data from which `standings_by_hand` computes; None if it does not exist."""
        check_text(match_id)
        return await self._database.read(lambda connection: _read_standings(connection, match_id))

    async def load_highlighted_hands(
        self, match_id: str, *, first: int = 0, limit: int = HANDS_OF_A_PAGE, person_id: str | None = None
    ) -> HighlightedHands | None:
        """Return up to `limit` hands of a match that have highlights, from number `first`.

        None if the match does not exist. `person_id` is the id of the person who asks.
        """
        check_text(match_id)
        return await self._database.read(
            lambda connection: _read_highlighted_hands(connection, match_id, first, limit, person_id)
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
    for hand in hands:
        for line in build_hand_story(hand.stored).spoken:
            found += [((hand.number, line.n), event["e"]) for event in line.texts if not isinstance(event, str)]
    moves = choose(sorted(found, key=lambda moment: (moment[0][0], moment[0][1] or 0)), most)
    return RarestHighlights(tuple(hands), moves, len({move for move, _ in found}) > len(moves))


def read_hands_for_standings(
    connection: sa.Connection, hands: sa.Table, condition: sa.ColumnElement[bool], ranks: Mapping[int, list[RankChange]]
) -> tuple[HandForStandings, ...]:
    """Read the wanted hands from a table of hands, in order, without their actions and most events.

    `ranks`: changes of rank, by number of the hand.
    """
    # The text of the events is searched, because parsing them takes most of the time.
    resets = (sa.cast(hands.c.events, sa.Text).contains(name) for name in GameEventType.names_of_unit_resets())
    query = (
        sa.select(
            hands.c.hand_number,
            hands.c.totals,
            hands.c.result,
            hands.c.record["cards"].label("cards"),
            sa.case((sa.or_(sa.false(), *resets), hands.c.events)).label("events"),
        )
        .where(condition)
        .order_by(hands.c.hand_number)
    )
    return tuple(
        HandForStandings(
            row.hand_number,
            row.totals or {},
            StoredHand(
                {"cards": row.cards}, row.events or (), row.result, False, None, ranks.get(row.hand_number, ()), ()
            ),
        )
        for row in connection.execute(query)
    )


def _read_story_page(
    connection: sa.Connection, match_id: str, first: int, limit: int, person_id: str | None
) -> StoryPage | None:
    of = {"of": match_id, "numbers": list(range(first, first + limit))}
    row = connection.execute(_MATCH, of).one_or_none()
    if row is None:
        return None
    last = connection.execute(_LAST, of).scalar()
    after = {"of": match_id, "room": row.room_id, "at": row.started_at}
    following = connection.execute(_NEXT, after).one_or_none()
    return StoryPage(
        load_match_lines(connection, [row], person_id)[0],
        _read_hand_stories(connection, of, row.trailing_actions or (), last),
        -1 if last is None else last,
        row.previous_match_id,
        following.id if following is not None and following.previous_match_id == match_id else None,
    )


def _read_standings(connection: sa.Connection, match_id: str) -> MatchForStandings | None:
    of = {"of": match_id}
    row = connection.execute(_MATCH, of).one_or_none()
    if row is None:
        return None
    ranks = _ranks_by_hand(connection.execute(_ALL_RANKS, of))
    is_counted = sa.and_(is_match(hands, match_id), sa.not_(hands.c.is_aborted))
    found = read_hands_for_standings(connection, hands, is_counted, ranks)
    return MatchForStandings(load_match_lines(connection, [row], None)[0], found)


def _ranks_by_hand(rows: Iterable[Sequence[Any]]) -> dict[int, list[RankChange]]:
    ranks: dict[int, list[RankChange]] = {}
    for number, *rank in rows:
        ranks.setdefault(number, []).append(RankChange(*rank))
    return ranks


def _read_highlighted_hands(
    connection: sa.Connection, match_id: str, first: int, limit: int, person_id: str | None
) -> HighlightedHands | None:
    of = {"of": match_id, "first": first, "most": limit + 1}
    row = connection.execute(_MATCH, of).one_or_none()
    if row is None:
        return None
    number_lists = (connection.execute(query, of).scalars() for query in (_SPOKEN_OF, _UNCOUNTED))
    numbers = sorted(number for numbers in number_lists for number in numbers)
    of = {"of": match_id, "numbers": numbers[:limit]}
    found = _read_hand_stories(connection, of, row.trailing_actions or (), connection.execute(_LAST, of).scalar())
    following = numbers[limit] if len(numbers) > limit else None
    return HighlightedHands(load_match_lines(connection, [row], person_id)[0], found, following)


def _read_rarest_highlights(connection: sa.Connection, match_id: str, most: int) -> RarestHighlights:
    of = {"of": match_id, "first": 0, "most": HANDS_OF_A_PAGE}
    booked = [((number, n), what) for number, n, what in connection.execute(_MOVES, of)]
    last = connection.execute(_LAST, of).scalar()
    after = connection.execute(_MATCH, of).one().trailing_actions or ()

    def hands_of(numbers: Iterable[int]) -> tuple[HandStory, ...]:
        return _read_hand_stories(connection, {"of": match_id, "numbers": list(numbers)}, after, last)

    found = select_rarest_highlights(hands_of(connection.execute(_UNCOUNTED, of).scalars()), most, booked)
    return replace(found, hands=hands_of({number for number, _ in found.moves}))


def _read_hand_stories(
    connection: sa.Connection, of: Mapping[str, Any], after: Sequence[Mapping[str, Any]], last: int | None
) -> tuple[HandStory, ...]:
    highlights: dict[int, list[HandHighlight]] = {number: [] for number in connection.execute(_COUNTED, of).scalars()}
    for number, *highlight in connection.execute(_HIGHLIGHTS, of):
        highlights[number].append(HandHighlight(*highlight))
    ranks = _ranks_by_hand(connection.execute(_RANKS, of))
    points: dict[int, list[Mapping[str, Any]]] = {}
    for number, *reason in connection.execute(_ENTERED, of):
        points.setdefault(number, []).append(dict(zip(_REASON, reason, strict=True)))
    return tuple(
        HandStory(
            row.hand_number,
            row.ended_at,
            row.totals or {},
            tuple(points.get(row.hand_number, ())),
            StoredHand(
                row.record,
                row.events,
                row.result,
                row.is_aborted,
                highlights.get(row.hand_number),
                ranks.get(row.hand_number, ()),
                after if row.hand_number == last else (),
            ),
        )
        for row in connection.execute(_HANDS, of)
    )


_REASON = ("name", "key", "values", "amount", "unit")
_of: sa.BindParameter[Any] = sa.bindparam("of")
_MATCH = sa.select(matches).where(matches.c.room_id == room_of_match(_of), matches.c.id == _of)
_LAST = sa.select(sa.func.max(hands.c.hand_number)).where(is_match(hands, _of))
# The next volume of a match can only be the next match of its room.
_NEXT = (
    sa.select(matches.c.id, matches.c.previous_match_id)
    .where(
        matches.c.room_id == sa.bindparam("room"),
        sa.tuple_(matches.c.started_at, matches.c.id)
        > sa.tuple_(sa.bindparam("at", type_=matches.c.started_at.type), _of),
    )
    .order_by(matches.c.started_at, matches.c.id)
    .limit(1)
)
_of_page: sa.BindParameter[Any] = sa.bindparam("numbers", expanding=True)
_HANDS = sa.select(hands).where(is_match(hands, _of), hands.c.hand_number.in_(_of_page)).order_by(hands.c.hand_number)
_is_counted = is_match(counted_hands, _of), counted_hands.c.hand_number.in_(_of_page)
_COUNTED = sa.select(counted_hands.c.hand_number).where(*_is_counted)
_HIGHLIGHTS = (
    sa.select(counted_hands.c.hand_number, *HIGHLIGHT_COLUMNS)
    .join(highlights)
    .where(*_is_counted)
    .order_by(counted_hands.c.hand_number, highlights.c.position)
)
_seat = counted_hand_players.c
_ALL_RANKS = (
    sa.select(
        counted_hands.c.hand_number, _seat.name, _seat.title_before, _seat.title, _seat.rank_before, _seat.rank_after
    )
    .join(counted_hand_players)
    .where(is_match(counted_hands, _of), _seat.rank_after.is_not(None))
)
_RANKS = _ALL_RANKS.where(counted_hands.c.hand_number.in_(_of_page))
_adjustment = point_adjustments.c
_ENTERED = (
    sa.select(
        _adjustment.before_hand,
        _adjustment.name,
        _adjustment.reason_key,
        _adjustment.reason_values,
        _adjustment.amount,
        _adjustment.unit,
    )
    .where(is_match(point_adjustments, _of), _adjustment.before_hand.in_(_of_page))
    .order_by(_adjustment.before_hand, _adjustment.name, _adjustment.position)
)
_some = sa.bindparam("most", type_=sa.Integer)
_of_hand = (
    highlights.c.room_id == counted_hands.c.room_id,
    highlights.c.room_hand_number == counted_hands.c.room_hand_number,
)
_SPOKEN_OF = (
    sa.select(counted_hands.c.hand_number)
    .where(is_match(counted_hands, _of), counted_hands.c.hand_number >= sa.bindparam("first"))
    .where(sa.exists().where(*_of_hand))
    .order_by(counted_hands.c.hand_number)
    .limit(_some)
)
# A volume has a limited number of hands, so this needs no limit.
_MOVES = (
    sa.select(counted_hands.c.hand_number, highlights.c.action_number, highlights.c.event_type)
    .join(highlights)
    .where(is_match(counted_hands, _of))
)
_of_number = [counted_hands.c[key] == hands.c[key] for key in ("room_id", "match_id", "hand_number")]
_UNCOUNTED = (
    sa.select(hands.c.hand_number)
    .where(is_match(hands, _of), hands.c.hand_number >= sa.bindparam("first"))
    .where(~sa.exists().where(*_of_number))
    .order_by(hands.c.hand_number)
    .limit(_some)
)
