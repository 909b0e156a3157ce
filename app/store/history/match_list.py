"""The list of matches, of a person or of a room: filtered, searched, and told a page at a time.

A page costs what it shows, however long the list is. A search looks at so many matches at a time; where it finds few,
the page is short and there is a next one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from app.engine.match.match import DECREED
from app.store.db.database import Database
from app.store.db.schema import addresses, match_players, matches, moments, people, room_hands, visits
from app.store.db.types import check_text
from app.store.history.match_history import MatchLine, Page, lines

LOOKED_AT: Final = 400
"""Matches in which one page's search looks for a text: all that was decreed in them is read."""
PLAYED_NEXT: Final = 1000
"""Matches of somebody after one of theirs, among which those with its cards are found."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches are asked for: all that is named must hold."""

    person: str | None = None
    """Who played in them."""
    room: str | None = None
    """The id of a room. Either a person or a room is named."""
    game: str | None = None
    since: datetime | None = None
    """Begun at this time or later."""
    until: datetime | None = None
    """Begun before."""
    player: str = ""
    """The name of somebody who played, too: as in that match, or as they are called now."""
    text: str = ""
    """Words that must all be somewhere: in such a name, in what the game is called, in a code of the match's room if
    whoever asks has been there, or in a decree. Large or small letters are alike in all of it."""
    games: Mapping[str, str] = field(default_factory=dict[str, str])
    """What games are called, by key."""

    @property
    def searched(self) -> bool:
        """Whether matches have to be looked at to know which are wanted."""
        return bool(self.player or self.text)


class Matches:
    """Lists of matches, in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def search(
        self, wanted: Wanted, *, asked_by: str | None = None, limit: int = 20, before: str | None = None
    ) -> Page:
        """Those that are wanted, newest first. `asked_by` is the person who asks, `before` the last page's `next`."""
        for text in (wanted.person, wanted.room, wanted.game, wanted.player, wanted.text, before):
            check_text(text or "")

        def work(connection: sa.Connection) -> Page:
            ids, following = _found(connection, wanted, asked_by, limit, before)
            if not ids:
                return Page((), following)
            found = {row.id: row for row in connection.execute(sa.select(matches).where(matches.c.id.in_(ids)))}
            return Page(lines(connection, [found[each] for each in ids], asked_by), following)

        return await self._database.read(work)

    async def played_from(self, match_id: str, person_id: str, *, limit: int = 10) -> tuple[MatchLine, ...]:
        """The matches that somebody played with cards of this one, its deals again or variations of it, newest first.

        They are looked for among so many that this person played after it.
        """
        among = {"of": check_text(match_id), "who": check_text(person_id)}

        def work(connection: sa.Connection) -> tuple[MatchLine, ...]:
            found = {row.id: row for row in connection.execute(_PLAYED_FROM, among)}
            newest = sorted(found.values(), key=lambda row: (row.started_at, row.id), reverse=True)
            return lines(connection, newest[:limit], person_id)

        return await self._database.read(work)


def _found(
    connection: sa.Connection, wanted: Wanted, asked_by: str | None, limit: int, before: str | None
) -> tuple[Sequence[str], str | None]:
    """The ids of a page of matches, and the one after which the next page begins; None: there is none."""
    at_once = LOOKED_AT if wanted.searched else limit
    # One more than asked for: it tells whether there is another page.
    looked_at: list[str] = list(connection.execute(_query(wanted, before).limit(at_once + 1)).scalars())
    more, looked_at = len(looked_at) > at_once, looked_at[:at_once]
    if not wanted.searched:
        return looked_at, looked_at[-1] if more else None
    fitting = _fitting(connection, looked_at, wanted, asked_by)
    found = [each for each in looked_at if each in fitting]
    if len(found) > limit:
        return found[:limit], found[limit - 1]
    return found, looked_at[-1] if more else None


def _query(wanted: Wanted, before: str | None) -> sa.Select[Any]:
    """The ids of the matches that are wanted, by an index that has them in their order."""
    if wanted.person is not None:
        mine = match_players.c
        at, match_id, game, room = mine.started_at, mine.match_id, mine.game, mine.room
        query = sa.select(match_id).where(mine.person_id == wanted.person)
    else:
        assert wanted.room is not None, "nobody is shown all matches of everybody"
        at, match_id, game, room = matches.c.started_at, matches.c.id, matches.c.game, matches.c.room
        query = sa.select(match_id)
    if wanted.room is not None:
        query = query.where(room == wanted.room)
    if wanted.game is not None:
        query = query.where(game == wanted.game)
    if wanted.since is not None:
        query = query.where(at >= wanted.since)
    if wanted.until is not None:
        query = query.where(at < wanted.until)
    if before is not None:
        there = sa.select(matches.c.started_at, matches.c.id).where(matches.c.id == before)
        query = query.where(sa.tuple_(at, match_id) < there.scalar_subquery())
    return query.order_by(at.desc(), match_id.desc())


def _fitting(connection: sa.Connection, ids: Sequence[str], wanted: Wanted, asked_by: str | None) -> set[str]:
    """Those of these matches in which who is wanted played, and of which every word is said."""
    said: dict[str, set[str]] = {}
    for match_id, *names in connection.execute(_NAMES, {"ids": ids}):
        said.setdefault(match_id, set()).update(each.casefold() for each in names if each)
    if player := wanted.player.casefold():
        said = {match_id: names for match_id, names in said.items() if player in names}
    words = wanted.text.casefold().split()
    if words:
        among = {"ids": list(said), "asked_by": asked_by}
        for match_id, game in connection.execute(_GAMES, among):
            said[match_id].add(wanted.games.get(game, game).casefold())
        for query in (_CODES, _DECREES):
            for match_id, text in connection.execute(query, among):
                said[match_id].add(text.casefold())
    return {match_id for match_id, texts in said.items() if all(any(word in text for text in texts) for word in words)}


_among: sa.BindParameter[Any] = sa.bindparam("ids", expanding=True)
_NAMES = (
    sa.select(match_players.c.match_id, match_players.c.name, people.c.name.label("now"))
    .outerjoin(people, people.c.id == match_players.c.person_id)
    .where(match_players.c.match_id.in_(_among))
)
_GAMES = sa.select(matches.c.id, matches.c.game).where(matches.c.id.in_(_among))
# Those it had before, too: one remembers what one was told.
_CODES = (
    sa.select(matches.c.id, addresses.c.code)
    .join(addresses, addresses.c.room == matches.c.room)
    .join(visits, visits.c.room == matches.c.room)
    .where(matches.c.id.in_(_among), visits.c.person_id == sa.bindparam("asked_by"))
)
# The hands of a match are hands of its room in a row, of which only the ends are looked up.
_first_nth, _last_nth = (
    sa.select(room_hands.c.nth).where(room_hands.c.match_id == matches.c.id).order_by(order).limit(1).scalar_subquery()
    for order in (room_hands.c.hand.asc(), room_hands.c.hand.desc())
)
_DECREES = (
    sa.select(matches.c.id, moments.c["values"]["text"].as_string())
    .join(moments, sa.and_(moments.c.room == matches.c.room, moments.c.what == DECREED.name))
    .where(matches.c.id.in_(_among), moments.c.nth.between(_first_nth, _last_nth))
)

_mine = match_players.c
_next = (
    sa.select(_mine.match_id)
    .where(
        _mine.person_id == sa.bindparam("who"),
        sa.tuple_(_mine.started_at, _mine.match_id)
        > sa.select(matches.c.started_at, matches.c.id).where(matches.c.id == sa.bindparam("of")).scalar_subquery(),
    )
    .order_by(_mine.started_at, _mine.match_id)
    .limit(PLAYED_NEXT)
    .subquery()
)
_PLAYED_FROM = (
    sa.select(matches)
    .join(_next, _next.c.match_id == matches.c.id)
    .where(matches.c.origin.is_not(None), matches.c.origin["match"].as_string() == sa.bindparam("of"))
)
