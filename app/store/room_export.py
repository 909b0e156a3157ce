"""Export a room to a single JSON file: names, settings, matches as records, decrees, and statistics.

It contains no code, token or person id, so it gives no access to the room. `docs/records.md` describes the keys.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from app import __version__
from app.engine.match.record import ROOM_FORMAT
from app.rooms.model.state import Room
from app.stats.counted_hand import bot_name
from app.store.history.match_history import MatchLine
from app.store.history.match_list import MatchFilter
from app.store.history.room_stats import EveningLine, RoomStats
from app.store.store import Store

DEPTH: Final = 4
"""Nesting depth of a hand in the file. Writing it hand by hand lets other tasks run between hands."""
PAGE_SIZE: Final = 50
"""Number of matches or evenings read in one query."""
DECREE_ACTIONS: Final = frozenset({"decree", "obey", "defy"})
"""Actions that are listed as decrees."""


async def export_room(store: Store, room: Room, at: datetime) -> dict[str, Any]:
    """Return all that the members of a room share as JSON, for a download: settings, players, matches, statistics.

    `at` is the current time. It contains nothing that gives access to the room.
    """
    lines = [(line, await store.history.load_record(line.id)) for line in await _load_matches(store, room.id)]
    stats, evenings = await store.room_stats.stats_of_room(room.id), await _load_evenings(store, room.id)
    return await asyncio.to_thread(_build_export, room, at, lines, stats, evenings)


def _build_export(
    room: Room,
    at: datetime,
    matches_with_records: Iterable[tuple[MatchLine, dict[str, Any] | None]],
    stats: RoomStats | None,
    evenings: Iterable[EveningLine],
) -> dict[str, Any]:
    """Return a room's export as JSON, from loaded data. Each match needs its record: None fails an assertion.

    `stats` is None if no hand has ended in the room. The function is slow for a room with years of matches, so it runs
    in a thread.
    """
    matches = [_export_match(line, record) for line, record in matches_with_records]
    names = {} if stats is None else _unique_player_names(stats)
    return {
        "format": ROOM_FORMAT,
        "program": __version__,
        "exported": _format_time(at),
        "settings": room.settings.to_json(),
        "people": _export_people(room, stats, names),
        "decrees": [
            decree for number, match in enumerate(matches) for decree in _list_decrees(number, match["record"])
        ],
        "matches": matches,
        "book": None if stats is None else _export_stats(stats, names, evenings),
    }


async def _load_matches(store: Store, room: str) -> list[MatchLine]:
    """Return all matches of a room from the match history, oldest first."""
    found: list[MatchLine] = []
    before = None
    while True:
        page = await store.match_list.search(MatchFilter(room=room), limit=PAGE_SIZE, before=before)
        found += page.matches
        before = page.next
        if before is None:
            return found[::-1]


async def _load_evenings(store: Store, room: str) -> list[EveningLine]:
    """Return all evenings (sessions) of a room from its statistics, oldest first."""
    found: list[EveningLine] = []
    before = None
    while True:
        page = await store.room_stats.evenings_of_room(room, limit=PAGE_SIZE, before=before)
        found += page.evenings
        before = page.next
        if before is None:
            return found[::-1]


def _export_match(line: MatchLine, record: dict[str, Any] | None) -> dict[str, Any]:
    assert record is not None, "a match that is listed is there"
    return {
        "started": _format_time(line.started_at),
        "ended": None if line.ended_at is None else _format_time(line.ended_at),
        "winners": list(line.winners),
        "totals": {player.name: player.total for player in line.players if player.total is not None},
        "record": record,
    }


def _list_decrees(number: int, record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the decrees of a match and the replies to them (obey or defy), in order, for a room's export.

    `number`: the index of the match in the export.
    """
    for hand, element in enumerate(record["hands"]):
        for action in (*element.get("between", ()), *element.get("actions", ())):
            if action["do"] in DECREE_ACTIONS:
                yield {"match": number, "hand": hand, **action}


def _unique_player_names(stats: RoomStats) -> dict[str, str]:
    """Return a unique name for each player id, to use in a room's export in place of the id.

    If two players have the same name, the later one gets a number.
    """
    names: dict[str, str] = {}
    for player in stats.players:
        name, number = player.name, 1
        while name in names.values():
            number += 1
            name = f"{player.name} ({number})"
        names[player.player] = name
    return names


def _export_people(room: Room, stats: RoomStats | None, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the players of the room for its export, then its members who have not played yet."""
    played = [] if stats is None else list(stats.players)
    known = {player.player for player in played}
    others = [member for member in room.members.values() if member.person is not None and member.person not in known]
    return [
        *(
            {
                "name": names[player.player],
                "bot": player.bot,
                "hands": player.hands,
                "first": _format_time(player.first_at),
                "last": _format_time(player.last_at),
            }
            for player in played
        ),
        *({"name": member.name, "bot": False, "hands": 0} for member in others),
    ]


def _export_stats(stats: RoomStats, names: Mapping[str, str], evenings: Iterable[EveningLine]) -> dict[str, Any]:
    """Return the room's statistics for its export, with names in place of ids."""
    return {
        "hands": stats.hands,
        "evenings": [
            {
                "number": evening.number,
                "began": _format_time(evening.began_at),
                "ended": _format_time(evening.ended_at),
                "hands": evening.hands,
                "scores": [_replace_ids_by_names(asdict(score), names) for score in evening.scores],
            }
            for evening in evenings
        ],
        "tallies": {
            game: {_player_name(player, names): dict(counted) for player, counted in players.items()}
            for game, players in stats.tallies.items()
        },
        "pairs": {
            game: [_replace_ids_by_names(asdict(pair), names) for pair in pairs] for game, pairs in stats.pairs.items()
        },
        "reigns": [
            {
                **_replace_ids_by_names(asdict(reign), names),
                "began_at": _format_time(reign.began_at),
                "ended_at": _format_time(reign.ended_at),
            }
            for reign in stats.reigns
        ],
    }


def _replace_ids_by_names(row: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a row of statistics with the ids of players replaced by their names."""
    return {key: _player_name(value, names) if key in ("player", "other") else value for key, value in row.items()}


def _player_name(player: str, names: Mapping[str, str]) -> str:
    # "?": a person who is not among the listed players.
    return names.get(player) or bot_name(player) or "?"


def _format_time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")
