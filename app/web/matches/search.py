"""The list of matches, as somebody asks for it: by room, person, game and day, searched, a page at a time.

    /history?room=KQ7F3M&person=Bob&game=president&from=2026-11-01&to=2026-11-22&q=an&before=…

One sees the matches that one was in; with `room`, all matches of a room that one has been in and not been removed from.
What can't be read is told beside its field, and nothing is found by it. `offset` is how many minutes the days of
whoever asks are ahead of UTC: pages fill it in.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any, Final
from urllib.parse import urlencode

from app.engine.base.messages import Said, Sentence
from app.engine.games import GAMES
from app.store.history.match_history import RoomLine
from app.store.history.match_list import Wanted
from app.web.context.sessions import Person
from app.web.context.site import Site
from app.web.http import errors
from app.web.i18n.catalogues import Texts
from app.web.matches import frames
from app.web.services import room_access

PAGE: Final = 20
LONGEST: Final = 64
"""Letters of a name or a search; what is longer is cut off."""
ROOMS_OFFERED: Final = 50
FILTERS: Final = ("room", "person", "game", "from", "to", "q")
_MINUTES: Final = re.compile(r"-?[0-9]{1,4}")

IS_A_DAY = Sentence("history.is_a_day", "A day is written as 2026-11-22.")
FIRST_DAY_FIRST = Sentence("history.first_day_first", "The last day comes before the first one: {first} to {last}.")
NO_SUCH_ROOM = Sentence("history.no_such_room", "You have been in no room with the code {code}.")
NO_SUCH_GAME = Sentence("history.no_such_game", "There is no game “{game}”.")


@dataclass(frozen=True, slots=True)
class HistoryAsked:
    """What somebody asks for, by the names of an address: what is not asked for is not there."""

    fields: Mapping[str, str]
    """Of `FILTERS`, as typed."""
    before: str | None
    offset: int
    """Minutes."""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "HistoryAsked":
        """Read an address. What is empty is not asked for."""
        typed = ((name, _typed(query, name)) for name in FILTERS)
        return cls({name: text for name, text in typed if text}, _typed(query, "before") or None, _offset(query))

    def address(self, *, but: str | None = None, before: str | None = None) -> str:
        """The address that asks for the same without one filter, or for the page after this one."""
        kept = {name: text for name, text in self.fields.items() if name != but}
        if kept and self.offset:
            kept["offset"] = str(self.offset)
        if before is not None:
            kept["before"] = before
        return f"/history?{urlencode(kept)}" if kept else "/history"


def _typed(query: Mapping[str, str], name: str) -> str:
    """What was typed, without what can't be seen."""
    return "".join(filter(str.isprintable, query.get(name, ""))).strip()[:LONGEST]


def _offset(query: Mapping[str, str]) -> int:
    text = query.get("offset", "")
    minutes = int(text) if _MINUTES.fullmatch(text) else 0
    return minutes if abs(minutes) < 24 * 60 else 0


@dataclass(frozen=True, slots=True)
class Found:
    """A page of the list."""

    matches: list[dict[str, Any]]
    next: str | None
    """What `before` asks for the page after this one; None: this is the last."""
    wrong: Mapping[str, Said]
    """What can't be read, by filter. Then nothing is found."""


async def find(site: Site, person: Person | None, asked: HistoryAsked, texts: Texts) -> Found:
    """The matches that somebody asks for, in their language, newest first."""
    if person is None:
        return Found([], None, {})
    wanted, wrong = await _read(site, person, asked, texts)
    if wrong:
        return Found([], None, wrong)
    page = await site.store.matches.search(wanted, asked_by=person.id, limit=PAGE, before=asked.before)
    return Found([frames.match_line(line) for line in page.matches], page.next, {})


async def found(site: Site, person: Person | None, query: Mapping[str, str], texts: Texts) -> dict[str, Any]:
    """The same for programs; what can't be read is refused."""
    page = await find(site, person, HistoryAsked.of(query), texts)
    for sentence in page.wrong.values():
        raise errors.Refusal(422, "bad_request", sentence)
    return {"matches": page.matches, "next": page.next}


async def page(site: Site, person: Person | None, query: Mapping[str, str], texts: Texts) -> dict[str, Any]:
    """What the page shows: the matches, the form as it was filled in, and what is in force."""
    asked = HistoryAsked.of(query)
    page = await find(site, person, asked, texts)
    rooms = () if person is None else await site.store.history.rooms_of(person.id, limit=ROOMS_OFFERED)
    return {
        "matches": page.matches,
        "more": None if page.next is None else asked.address(before=page.next),
        "asked": dict(asked.fields),
        "offset": asked.offset,
        "wrong": page.wrong,
        "chips": list(_chips(asked, texts)),
        "rooms": list(_rooms(rooms, asked)),
        "games": list(GAMES),
    }


def _chips(asked: HistoryAsked, texts: Texts) -> Iterator[dict[str, str]]:
    """What is in force, with the address that takes it away."""
    for name, text in asked.fields.items():
        said = texts.t(f"game.{text}") if name == "game" and text in GAMES else text
        yield {"filter": name, "what": said, "without": asked.address(but=name)}


def _rooms(rooms: tuple[RoomLine, ...], asked: HistoryAsked) -> Iterator[dict[str, str | None]]:
    """The rooms to choose from: those visited last, and the one that is asked for."""
    if (code := asked.fields.get("room")) and code not in {line.code for line in rooms}:
        yield {"code": code, "game": None}
    yield from ({"code": line.code, "game": line.game} for line in rooms)


async def _read(site: Site, person: Person, asked: HistoryAsked, texts: Texts) -> tuple[Wanted, dict[str, Said]]:
    """What is wanted, and what can't be read."""
    fields, wrong = asked.fields, dict[str, Said]()
    room = None
    if (code := fields.get("room")) is not None:
        lead = await room_access.lead_of_member(site, code, person)
        if lead is None:
            wrong["room"] = NO_SUCH_ROOM(code=code)
        else:
            room = lead.room
    game = fields.get("game")
    if game is not None and game not in GAMES:
        wrong["game"] = NO_SUCH_GAME(game=game)
    first, last = _day(fields, "from", wrong), _day(fields, "to", wrong)
    if first is not None and last is not None and last < first:
        wrong["to"] = FIRST_DAY_FIRST(first=first.isoformat(), last=last.isoformat())
    wanted = Wanted(
        None if room is not None else person.id,
        room,
        game,
        None if first is None else _begins(first, asked.offset),
        None if last is None else _begins(last, asked.offset) + timedelta(days=1),
        fields.get("person", ""),
        fields.get("q", ""),
        {key: texts.t(f"game.{key}") for key in GAMES},
    )
    return wanted, wrong


def _day(fields: Mapping[str, str], name: str, wrong: dict[str, Said]) -> date | None:
    if name not in fields:
        return None
    try:
        day = date.fromisoformat(fields[name])
    except ValueError:
        day = None
    # No calendar goes on for ever, nor back: a day of another zone must still be one.
    if day is None or not 1970 <= day.year < 9999:
        wrong[name] = IS_A_DAY()
        return None
    return day


def _begins(day: date, offset: int) -> datetime:
    """When a day begins where it is so many minutes later than in UTC."""
    return datetime.combine(day, time(), timezone(timedelta(minutes=offset))).astimezone(UTC)
