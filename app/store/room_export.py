"""A whole room as one file: its people by name, its settings, its matches as records, decrees, and its book.

There is no code in it, no token and no person's id: nothing that leads into the room. `docs/records.md` tells the keys.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from app import __version__
from app.rooms.model.state import Room
from app.stats.counted_hand import bot_name
from app.store.history.match_history import MatchLine
from app.store.history.match_list import Wanted
from app.store.history.room_stats import EveningLine, RoomBook
from app.store.store import Store

ROOM_FORMAT: Final = "climbing-room/1"
DEPTH: Final = 4
"""Lists and objects around a hand in the file: what is written hand by hand lets others have their turn."""
AT_ONCE: Final = 50
"""Matches or evenings asked for in one go."""
ORDERS: Final = frozenset({"decree", "obey", "defy"})
"""Actions that are listed as decrees."""


async def whole_room(store: Store, room: Room, at: datetime) -> dict[str, Any]:
    """Everything of a room that its people share, as JSON; `at` is now."""
    lines = [(line, await store.history.record(line.id)) for line in await _lines(store, room.id)]
    book, evenings = await store.books.room(room.id), await _evenings(store, room.id)
    return await asyncio.to_thread(_told, room, at, lines, book, evenings)


def _told(
    room: Room,
    at: datetime,
    lines: Iterable[tuple[MatchLine, dict[str, Any] | None]],
    book: RoomBook | None,
    evenings: Iterable[EveningLine],
) -> dict[str, Any]:
    """The same, of what the store has. Long work, in a room of years."""
    matches = [_match(line, record) for line, record in lines]
    names = {} if book is None else _names(book)
    return {
        "format": ROOM_FORMAT,
        "program": __version__,
        "exported": _when(at),
        "settings": room.settings.to_json(),
        "people": _people(room, book, names),
        "decrees": [decree for number, match in enumerate(matches) for decree in _decrees(number, match["record"])],
        "matches": matches,
        "book": None if book is None else _book(book, names, evenings),
    }


async def _lines(store: Store, room: str) -> list[MatchLine]:
    """The matches of a room, the first one first."""
    found: list[MatchLine] = []
    before = None
    while True:
        page = await store.matches.search(Wanted(room=room), limit=AT_ONCE, before=before)
        found += page.matches
        before = page.next
        if before is None:
            return found[::-1]


async def _evenings(store: Store, room: str) -> list[EveningLine]:
    """The evenings of a room, the first one first."""
    found: list[EveningLine] = []
    before = None
    while True:
        page = await store.books.evenings(room, limit=AT_ONCE, before=before)
        found += page.evenings
        before = page.next
        if before is None:
            return found[::-1]


def _match(line: MatchLine, record: dict[str, Any] | None) -> dict[str, Any]:
    assert record is not None, "a match that is listed is there"
    return {
        "started": _when(line.started_at),
        "ended": None if line.ended_at is None else _when(line.ended_at),
        "winners": list(line.winners),
        "totals": {player.name: player.total for player in line.players if player.total is not None},
        "record": record,
    }


def _decrees(number: int, record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The decrees of a match, and who obeyed or defied them, in order."""
    for hand, element in enumerate(record["hands"]):
        for made in (*element.get("between", ()), *element.get("actions", ())):
            if made["do"] in ORDERS:
                yield {"match": number, "hand": hand, **made}


def _names(book: RoomBook) -> dict[str, str]:
    """A name of their own for each player of a book. Who was called as somebody else is now has a number behind it."""
    names: dict[str, str] = {}
    for player in book.players:
        name, number = player.name, 1
        while name in names.values():
            number += 1
            name = f"{player.name} ({number})"
        names[player.player] = name
    return names


def _people(room: Room, book: RoomBook | None, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Who played here, and who is here and has not played yet."""
    played = [] if book is None else list(book.players)
    known = {player.player for player in played}
    others = [member for member in room.members.values() if member.person is not None and member.person not in known]
    return [
        *(
            {
                "name": names[player.player],
                "bot": player.bot,
                "hands": player.hands,
                "first": _when(player.first_at),
                "last": _when(player.last_at),
            }
            for player in played
        ),
        *({"name": member.name, "bot": False, "hands": 0} for member in others),
    ]


def _book(book: RoomBook, names: Mapping[str, str], evenings: Iterable[EveningLine]) -> dict[str, Any]:
    """What all hands come to, by name."""
    return {
        "hands": book.hands,
        "evenings": [
            {
                "number": evening.number,
                "began": _when(evening.began_at),
                "ended": _when(evening.ended_at),
                "hands": evening.hands,
                "scores": [_named(asdict(score), names) for score in evening.scores],
            }
            for evening in evenings
        ],
        "tallies": {
            game: {_name(player, names): dict(counted) for player, counted in players.items()}
            for game, players in book.tallies.items()
        },
        "pairs": {game: [_named(asdict(pair), names) for pair in pairs] for game, pairs in book.pairs.items()},
        "reigns": [
            {
                **_named(asdict(reign), names),
                "began_at": _when(reign.began_at),
                "ended_at": _when(reign.ended_at),
            }
            for reign in book.reigns
        ],
    }


def _named(told: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The same, with names where ids of players stand."""
    return {key: _name(value, names) if key in ("player", "other") else value for key, value in told.items()}


def _name(player: str, names: Mapping[str, str]) -> str:
    # A person whom the book lists nowhere else stays without one.
    return names.get(player) or bot_name(player) or "?"


def _when(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")
