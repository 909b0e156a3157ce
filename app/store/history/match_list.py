"""List the matches of a person or a room, with filters and text search, page by page.

The cost of a page does not depend on the length of the list. A search checks a fixed number of matches for each page;
if only few of them match, the page is short but has a next page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from app.engine.match.match import DECREED
from app.store.db.database import Database
from app.store.db.directory import in_directory, room_of_match
from app.store.db.schema import (
    counted_hands,
    highlights,
    match_directory,
    match_players,
    matches,
    people,
    room_codes,
    room_visits,
)
from app.store.db.types import check_text
from app.store.history.match_history import MatchLine, MatchPage, load_match_lines

MATCHES_PER_SEARCH: Final = 400
"""Number of matches that the search for one page checks. It reads all decrees in them."""
MAX_LATER_MATCHES: Final = 1000
"""Number of a person's later matches that are searched for those with the same cards."""


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Conditions for a list of matches in the history; all given conditions must hold."""

    person: str | None = None
    """Id of a person who played in the matches."""
    room: str | None = None
    """Id of a room. A person or a room must be given."""
    game: str | None = None
    since: datetime | None = None
    """Earliest start time."""
    until: datetime | None = None
    """The match started before this time."""
    player: str = ""
    """Name of a player, as in the match or as now."""
    text: str = ""
    """Words that must all occur, ignoring case, in player names, the game's name, decrees, or codes of the room.

    Room codes are only searched if the asking person has been in the room.
    """
    with_bots: bool | None = None
    """Whether a bot played in at least one counted hand of the match; None: either."""
    games: Mapping[str, str] = field(default_factory=dict[str, str])
    """Displayed names of the games, by key."""

    @property
    def needs_search(self) -> bool:
        """Whether names or texts of matches must be read to decide whether they fulfil this filter.

        If not, one query finds the matches.
        """
        return bool(self.player or self.text)


class MatchList:
    """Lists the matches of a person or a room from one database, with filters and search."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def search(
        self, match_filter: MatchFilter, *, person_id: str | None = None, limit: int = 20, before: str | None = None
    ) -> MatchPage:
        """Return a page of the matches that fulfil the filter, newest first.

        `person_id` is the id of the person who asks; `before` is the `next` of the previous page.
        """
        for text in (
            match_filter.person,
            match_filter.room,
            match_filter.game,
            match_filter.player,
            match_filter.text,
            before,
        ):
            check_text(text or "")

        def work(connection: sa.Connection) -> MatchPage:
            ids, following = _find_page(connection, match_filter, person_id, limit, before)
            if not ids:
                return MatchPage((), following)
            among = sa.select(matches).join(match_directory, in_directory(matches, "id"))
            rows = connection.execute(among.where(match_directory.c.match_id.in_(ids)))
            found = {row.id: row for row in rows}
            return MatchPage(load_match_lines(connection, [found[each] for each in ids], person_id), following)

        return await self._database.read(work)

    async def matches_with_cards_of(self, match_id: str, person_id: str, *, limit: int = 10) -> tuple[MatchLine, ...]:
        """Return a person's matches with the cards of this match (repeated deals or variations), newest first.

        Only the person's first `MAX_LATER_MATCHES` matches after this one are searched.
        """
        among = {"of": check_text(match_id), "who": check_text(person_id)}

        def work(connection: sa.Connection) -> tuple[MatchLine, ...]:
            found = {row.id: row for row in connection.execute(_PLAYED_FROM, among)}
            newest = sorted(found.values(), key=lambda row: (row.started_at, row.id), reverse=True)
            return load_match_lines(connection, newest[:limit], person_id)

        return await self._database.read(work)


def _find_page(
    connection: sa.Connection, match_filter: MatchFilter, person_id: str | None, limit: int, before: str | None
) -> tuple[Sequence[str], str | None]:
    """Return the match ids of a page of the list, and the id after which the next page begins (None: last page)."""
    at_once = MATCHES_PER_SEARCH if match_filter.needs_search else limit
    # The additional match shows whether there is another page.
    looked_at: list[str] = list(connection.execute(_filter_query(match_filter, before).limit(at_once + 1)).scalars())
    more, looked_at = len(looked_at) > at_once, looked_at[:at_once]
    if not match_filter.needs_search:
        return looked_at, looked_at[-1] if more else None
    fitting = _matching_ids(connection, looked_at, match_filter, person_id)
    found = [each for each in looked_at if each in fitting]
    if len(found) > limit:
        return found[:limit], found[limit - 1]
    return found, looked_at[-1] if more else None


def _filter_query(match_filter: MatchFilter, before: str | None) -> sa.Select[Any]:
    """Return the query for the ids of matches that fulfil the filter without `player` and `text`, latest start first.

    The filter must have a person or a room, whose index it uses. `before`: the id after which the page begins.
    """
    if match_filter.person is not None:
        columns = match_players.c
        at, match_id, game, room = columns.started_at, columns.match_id, columns.game, columns.room_id
        query = sa.select(match_id).where(columns.person_id == match_filter.person)
    else:
        assert match_filter.room is not None, "nobody is shown all matches of everybody"
        at, match_id, game, room = matches.c.started_at, matches.c.id, matches.c.game, matches.c.room_id
        query = sa.select(match_id)
    if match_filter.room is not None:
        query = query.where(room == match_filter.room)
    if match_filter.game is not None:
        query = query.where(game == match_filter.game)
    if match_filter.since is not None:
        query = query.where(at >= match_filter.since)
    if match_filter.until is not None:
        query = query.where(at < match_filter.until)
    if match_filter.with_bots is not None:
        of_match = counted_hands.c.room_id == room, counted_hands.c.match_id == match_id
        with_bots = sa.exists().where(*of_match, counted_hands.c.with_bots)
        query = query.where(with_bots if match_filter.with_bots else ~with_bots)
    if before is not None:
        there = sa.select(matches.c.started_at, matches.c.id).where(
            matches.c.room_id == room_of_match(before), matches.c.id == before
        )
        query = query.where(sa.tuple_(at, match_id) < there.scalar_subquery())
    return query.order_by(at.desc(), match_id.desc())


def _matching_ids(
    connection: sa.Connection, ids: Sequence[str], match_filter: MatchFilter, person_id: str | None
) -> set[str]:
    """Return the ids of those matches that have the wanted player and contain every word of the search."""
    said: dict[str, set[str]] = {}
    for match_id, *names in connection.execute(_NAMES, {"ids": ids}):
        said.setdefault(match_id, set()).update(each.casefold() for each in names if each)
    if player := match_filter.player.casefold():
        said = {match_id: names for match_id, names in said.items() if player in names}
    words = match_filter.text.casefold().split()
    if words:
        among = {"ids": list(said), "asked_by": person_id}
        for match_id, game in connection.execute(_GAMES, among):
            said[match_id].add(match_filter.games.get(game, game).casefold())
        for query in (_CODES, _DECREES):
            for match_id, text in connection.execute(query, among):
                said[match_id].add(text.casefold())
    return {match_id for match_id, texts in said.items() if all(any(word in text for text in texts) for word in words)}


_among: sa.BindParameter[Any] = sa.bindparam("ids", expanding=True)
_NAMES = (
    sa.select(match_players.c.match_id, match_players.c.name, people.c.name.label("now"))
    .join(match_directory, in_directory(match_players))
    .outerjoin(people, people.c.id == match_players.c.person_id)
    .where(match_directory.c.match_id.in_(_among))
)
_GAMES = (
    sa.select(matches.c.id, matches.c.game)
    .join(match_directory, in_directory(matches, "id"))
    .where(match_directory.c.match_id.in_(_among))
)
# Includes earlier codes of the room, since people may remember them.
_CODES = (
    sa.select(match_directory.c.match_id, room_codes.c.code)
    .join(room_codes, room_codes.c.room_id == match_directory.c.room_id)
    .join(room_visits, room_visits.c.room_id == match_directory.c.room_id)
    .where(match_directory.c.match_id.in_(_among), room_visits.c.person_id == sa.bindparam("asked_by"))
)
# A match's hands are consecutive hands of its room, so only the first and the last are looked up.
_first_hand, _last_hand = (
    sa.select(counted_hands.c.room_hand_number)
    .where(in_directory(counted_hands))
    .order_by(order)
    .limit(1)
    .scalar_subquery()
    for order in (counted_hands.c.hand_number.asc(), counted_hands.c.hand_number.desc())
)
_DECREES = (
    sa.select(match_directory.c.match_id, highlights.c.event_values["text"].as_string())
    .join(
        highlights,
        sa.and_(highlights.c.room_id == match_directory.c.room_id, highlights.c.event_type == DECREED.name),
    )
    .where(match_directory.c.match_id.in_(_among), highlights.c.room_hand_number.between(_first_hand, _last_hand))
)

_own_seats = match_players.c
_this = matches.c.room_id == room_of_match(sa.bindparam("of")), matches.c.id == sa.bindparam("of")
_next = (
    sa.select(_own_seats.room_id, _own_seats.match_id)
    .where(
        _own_seats.person_id == sa.bindparam("who"),
        sa.tuple_(_own_seats.started_at, _own_seats.match_id)
        > sa.select(matches.c.started_at, matches.c.id).where(*_this).scalar_subquery(),
    )
    .order_by(_own_seats.started_at, _own_seats.match_id)
    .limit(MAX_LATER_MATCHES)
    .subquery()
)
_PLAYED_FROM = (
    sa.select(matches)
    .join(_next, sa.and_(_next.c.room_id == matches.c.room_id, _next.c.match_id == matches.c.id))
    .where(matches.c.origin.is_not(None), matches.c.origin["match"].as_string() == sa.bindparam("of"))
)
