"""Search a person's matches by room, player, game, day and text, one page at a time.

    /history?room=KQ7F3M&person=Bob&game=president&bots=without&from=2026-11-01&to=2026-11-22&q=an&before=…

Without a filter, or with a room alone, the history page shows an album of evenings (`album.py`).

A person sees the matches they played. With `room`, they see all matches of a room that they visited and were not
removed from. An unreadable filter gives an error beside its field and an empty list. Days begin at midnight in `zone`,
the name of a time zone. Without a known zone, midnight is `offset` minutes ahead of UTC. Pages fill in both.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Any, Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.games import GAMES
from app.store.history.match_history import RoomLine
from app.store.history.match_list import MatchFilter
from app.web.context.sessions import Person
from app.web.context.site import AppContext
from app.web.http import errors
from app.web.i18n.catalogues import Texts
from app.web.matches import frames
from app.web.matches.album import AlbumView, load_album
from app.web.services import room_access

PAGE: Final = 20
LONGEST: Final = 64
"""Limit for the characters of a filter; longer texts are cut."""
ROOMS_OFFERED: Final = 50
PEOPLE_OFFERED: Final = 5
BOTS: Final = ("with", "without")
FILTERS: Final = ("room", "person", "game", "bots", "from", "to", "q")
_MINUTES: Final = re.compile(r"-?[0-9]{1,4}")

IS_A_DAY = MessageTemplate("history.is_a_day", "Write a day as 2026-11-22.")
FIRST_DAY_FIRST = MessageTemplate(
    "history.first_day_first", "The last day must not come before the first: {first} to {last}."
)
NO_SUCH_ZONE = MessageTemplate(
    "history.no_such_zone",
    "The time zone “{zone}” is unknown here. Days have the offset from UTC that your clock had when you asked, so"
    " matches near midnight may be on the day before or after.",
)
NO_SUCH_ROOM = MessageTemplate("history.no_such_room", "You have not been in a room with the code {code}.")
BOTS_FILTER = MessageTemplate("history.bots_filter", "Write “with” or “without”.")
NO_SUCH_GAME = MessageTemplate("history.no_such_game", "The game “{game}” does not exist.")


@dataclass(frozen=True, slots=True)
class MatchQuery:
    """The filters of a match search as typed on the history page. Empty filters are left out."""

    fields: Mapping[str, str]
    """The texts as typed, by name from `FILTERS`."""
    before: str | None
    zone: str
    """The name of the visitor's time zone as sent, such as Europe/Berlin, or an empty text."""
    offset: int
    """Minutes that the visitor's days are ahead of UTC, if the zone is not known."""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "MatchQuery":
        """Parse the query string of the history page; empty fields are ignored and long ones cut. Never fails."""
        typed = ((name, _clean_text(query, name)) for name in FILTERS)
        return cls(
            {name: text for name, text in typed if text},
            _clean_text(query, "before") or None,
            _clean_text(query, "zone"),
            _parse_utc_offset_minutes(query),
        )

    @property
    def is_album(self) -> bool:
        """Whether the history page shows evenings, not single matches."""
        return self.fields.keys() <= {"room"}

    def to_url(self, *, without: str | None = None, before: str | None = None, **added: str) -> str:
        """Return the history page's URL for the same search, without one filter, with others (`added`), or for the
        next page (`before`).
        """
        remaining = {name: text for name, text in self.fields.items() if name != without} | added
        if remaining and self.zone:
            remaining["zone"] = self.zone
        if remaining and self.offset:
            remaining["offset"] = str(self.offset)
        if before is not None:
            remaining["before"] = before
        return f"/history?{urlencode(remaining)}" if remaining else "/history"

    def find_zone(self) -> ZoneInfo | None:
        """Return the visitor's time zone, or None if this server doesn't know its name."""
        with suppress(ZoneInfoNotFoundError, ValueError, OSError):  # OSError: the name of a folder, such as “Europe”
            return ZoneInfo(self.zone)
        return None


def _clean_text(query: Mapping[str, str], name: str) -> str:
    """Return a field of a query without unprintable characters, trimmed and cut to 64 characters."""
    return "".join(filter(str.isprintable, query.get(name, ""))).strip()[:LONGEST]


def _parse_utc_offset_minutes(query: Mapping[str, str]) -> int:
    text = query.get("offset", "")
    minutes = int(text) if _MINUTES.fullmatch(text) else 0
    return minutes if abs(minutes) < 24 * 60 else 0


@dataclass(frozen=True, slots=True)
class MatchSearchPage:
    """One page of the results of a match search, or the errors in its filters."""

    matches: list[dict[str, Any]]
    next: str | None
    """The `before` value for the next page, or None on the last page."""
    wrong: Mapping[str, TranslatableMessage]
    """Errors by filter. If there are any, `matches` is empty."""


async def find_matches(site: AppContext, person: Person | None, query: MatchQuery, texts: Texts) -> MatchSearchPage:
    """Return a page of the person's matches that fulfil these filters, newest first, as JSON.

    If a filter can't be read, the page has its error and no matches. Empty for None.
    """
    if person is None:
        return MatchSearchPage([], None, {})
    match_filter, wrong = await _parse_filters(site, person, query, texts)
    if wrong:
        return MatchSearchPage([], None, wrong)
    page = await site.store.match_list.search(match_filter, person_id=person.id, limit=PAGE, before=query.before)
    return MatchSearchPage([frames.match_view(line) for line in page.matches], page.next, {})


async def find_matches_or_raise(
    site: AppContext, person: Person | None, query: Mapping[str, str], texts: Texts
) -> dict[str, Any]:
    """Return a page of the person's matches for the API, from a query string; raise 422 for an unreadable filter."""
    page = await find_matches(site, person, MatchQuery.from_query(query), texts)
    for sentence in page.wrong.values():
        raise errors.HttpError(422, "bad_request", sentence)
    return {"matches": page.matches, "next": page.next}


async def find_album(site: AppContext, person: Person | None, query: MatchQuery, texts: Texts) -> AlbumView:
    """Return a page of the person's album, or of the album of the room in the query. Raises 422 for an unknown room."""
    room = None
    if person is not None and (code := query.fields.get("room")) is not None:
        lead = await room_access.find_address_for_member(site, code, person)
        if lead is None:
            raise errors.HttpError(422, "bad_request", NO_SUCH_ROOM(code=code))
        room = lead.room
    return await load_album(site, person, room, query.before, texts)


async def history_page_context(
    site: AppContext, person: Person | None, query: Mapping[str, str], texts: Texts
) -> dict[str, Any]:
    """Return the values of the history page's template: evenings or matches, the filled-in form, the active filters."""
    match_query = MatchQuery.from_query(query)
    album, page = None, MatchSearchPage([], None, {})
    if match_query.is_album:
        try:
            album = await find_album(site, person, match_query, texts)
        except errors.HttpError as error:
            page = replace(page, wrong={"room": error.sentence})
    else:
        page = await find_matches(site, person, match_query, texts)
    following = page.next if album is None else album["next"]
    rooms = () if person is None else await site.store.history.rooms_of_person(person.id, limit=ROOMS_OFFERED)
    return {
        "months": () if album is None else album["months"],
        "matches": page.matches,
        "more": None if following is None else match_query.to_url(before=following),
        "newest": None if match_query.before is None else match_query.to_url(),
        "offered": list(_offered_filters(album, match_query, texts)),
        "asked": dict(match_query.fields),
        "zone": match_query.zone,
        "offset": match_query.offset,
        "unknown_zone": _unknown_zone(match_query),
        "wrong": page.wrong,
        "chips": list(_active_filters(match_query, texts)),
        "rooms": list(_selectable_rooms(rooms, match_query)),
        "games": list(GAMES),
    }


def _offered_filters(album: AlbumView | None, query: MatchQuery, texts: Texts) -> Iterator[dict[str, str]]:
    """Yield filters to choose by one press, each with its URL: games and people of the evenings shown, bots, times."""
    evenings = [] if album is None else [evening for month in album["months"] for evening in month["evenings"]]
    matches = [match for evening in evenings for match in evening["matches"]]
    for game in dict.fromkeys(match["game"] for match in matches):
        if game in GAMES:
            yield {"filter": "game", "what": texts.t(f"game.{game}"), "href": query.to_url(game=game)}
    people = Counter(each["name"] for match in matches for each in match["players"] if not each["bot"] | each["you"])
    for name, _ in people.most_common(PEOPLE_OFFERED):
        yield {"filter": "person", "what": name, "href": query.to_url(person=name)}
    for which in BOTS if matches else ():
        yield {"filter": f"bots.{which}", "what": "", "href": query.to_url(bots=which)}
    for month in [] if album is None else album["months"]:
        first = date.fromisoformat(f"{month['month']}-01")
        last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
        href = query.to_url(**{"from": first.isoformat(), "to": last.isoformat()})
        yield {"filter": "month", "what": texts.month(month["at"]), "href": href}


def _unknown_zone(query: MatchQuery) -> TranslatableMessage | None:
    """Return why the days of a search may begin at another time than the visitor's; None if they don't."""
    if not query.zone or query.fields.keys().isdisjoint(("from", "to")) or query.find_zone() is not None:
        return None
    return NO_SUCH_ZONE(zone=query.zone)


def _active_filters(query: MatchQuery, texts: Texts) -> Iterator[dict[str, str]]:
    """Yield the active filters of a match search, each with the URL that removes it."""
    for name, text in query.fields.items():
        said = texts.t(f"game.{text}") if name == "game" and text in GAMES else text
        kind = f"bots.{text}" if name == "bots" and text in BOTS else name
        yield {"filter": kind, "what": said, "without": query.to_url(without=name)}


def _selectable_rooms(rooms: tuple[RoomLine, ...], query: MatchQuery) -> Iterator[dict[str, str | None]]:
    """Yield the rooms to choose from in the filter of the history page: those visited last, and the selected one."""
    if (code := query.fields.get("room")) and code not in {line.code for line in rooms}:
        yield {"code": code, "game": None}
    yield from ({"code": line.code, "game": line.game} for line in rooms)


async def _parse_filters(
    site: AppContext, person: Person, query: MatchQuery, texts: Texts
) -> tuple[MatchFilter, dict[str, TranslatableMessage]]:
    """Return the typed filters in the form for the store, and the errors by filter."""
    fields, wrong = query.fields, dict[str, TranslatableMessage]()
    room = None
    if (code := fields.get("room")) is not None:
        lead = await room_access.find_address_for_member(site, code, person)
        if lead is None:
            wrong["room"] = NO_SUCH_ROOM(code=code)
        else:
            room = lead.room
    game = fields.get("game")
    if game is not None and game not in GAMES:
        wrong["game"] = NO_SUCH_GAME(game=game)
    bots = fields.get("bots")
    if bots is not None and bots not in BOTS:
        wrong["bots"] = BOTS_FILTER()
    first, last = _parse_day(fields, "from", wrong), _parse_day(fields, "to", wrong)
    if first is not None and last is not None and last < first:
        wrong["to"] = FIRST_DAY_FIRST(first=first.isoformat(), last=last.isoformat())
    zone = query.find_zone() or timezone(timedelta(minutes=query.offset))
    match_filter = MatchFilter(
        None if room is not None else person.id,
        room,
        game,
        None if first is None else _day_start_utc(first, zone),
        None if last is None else _day_start_utc(last + timedelta(days=1), zone),
        fields.get("person", ""),
        fields.get("q", ""),
        None if bots is None else bots == "with",
        {key: texts.t(f"game.{key}") for key in GAMES},
    )
    return match_filter, wrong


def _parse_day(fields: Mapping[str, str], name: str, wrong: dict[str, TranslatableMessage]) -> date | None:
    if name not in fields:
        return None
    try:
        day = date.fromisoformat(fields[name])
    except ValueError:
        day = None
    # Calendars are limited: the day must still be valid in another time zone.
    if day is None or not 1970 <= day.year < 9999:
        wrong[name] = IS_A_DAY()
        return None
    return day


def _day_start_utc(day: date, zone: tzinfo) -> datetime:
    """Return when a day begins in a time zone, as UTC: with the offset of that day, not of today."""
    return datetime.combine(day, time(), zone).astimezone(UTC)
