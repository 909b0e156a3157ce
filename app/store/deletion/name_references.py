"""Find a person's names in stored data and choose their replacements, before any row is rewritten.

A name may stand in rooms that the person never visited: a variation copies the seats of the match it comes from. Only
that match and its room show which of these seats are the person's. So variations are rewritten before their match.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa

from app.rooms.log.name_rewrite import (
    NAMING,
    RENAMING,
    STARTING,
    VARIATION,
    NameOwner,
    NameRewrite,
    find_name_owners,
    find_neutral_names,
    free_neutral_name,
    is_neutral_name,
    replace_names,
)
from app.rooms.ports.storage import StoredEvent
from app.store.db.directory import room_of_match
from app.store.db.schema import match_players, matches, room_events

REWRITTEN = "rewritten"
"""Kind of the log entry that stores a `RewritePlan` until it is done."""
REMOVED_GUEST = "spectator_removed"
"""Kind of the log entry that a person without a name was removed."""
NAME_ENTRY_KINDS = (*sorted(NAMING), *sorted(STARTING), RENAMING, REWRITTEN)
"""Kinds of log entries that show which person had which name in which match."""
_IMPOSSIBLE_NAME = "\n"
"""A character that no name contains."""


@dataclass(frozen=True, slots=True)
class RewritePlan:
    """The names to replace in one room's stored data when a person is deleted, with their periods and replacements."""

    person: str
    bearers: list[NameOwner]
    """Periods in which the person had a name, or the name of a seat of theirs."""
    words: dict[str, str]
    """Replacement of each name."""
    said: dict[str, str]
    """Replacements in free texts, in which others may mention the person."""

    def renaming_at(self, seq: int) -> NameRewrite:
        """Return the names to replace in the log entry with number `seq`, and in the room's state at that time."""
        then = [bearer for bearer in self.bearers if bearer.was_owned_at(seq)]
        names = {bearer.name: self.words[bearer.name] for bearer in then if bearer.how != "lent"}
        return NameRewrite(names, self.said, {bearer.name for bearer in then if bearer.how != "chair"})

    def to_json(self) -> dict[str, Any]:
        """Return the plan of a room's name replacements as JSON, to be stored in the room's log until it is done."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        return fields

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> "RewritePlan":
        """Rebuild a plan of a room's name replacements from the JSON of `to_json`."""
        return msgspec.convert(fields, cls)


@dataclass(frozen=True, slots=True)
class _PersonInRoom:
    """A person's names as found in one room's log, before the person is removed from it."""

    entries: list[StoredEvent]
    """Log entries that show names and matches."""
    bearers: list[NameOwner]
    mentioned_names: set[str]


def load_unfinished_plan(connection: sa.Connection, room: str, person: str) -> tuple[int, RewritePlan] | None:
    """Return a plan for removing a person's names from a room that was begun but not finished, and its entry number.

    None if nothing was stored. A server that was stopped meanwhile continues with it.
    """
    query = _entries.where(room_events.c.room_id == room, room_events.c.event_type == REWRITTEN)
    for entry in (StoredEvent(*row) for row in connection.execute(query)):
        if entry.data.get("person") == person:
            return entry.seq, RewritePlan.from_json(entry.data["todo"])
    return None


def build_rewrite_plan(connection: sa.Connection, room: str, person: str) -> RewritePlan | None:
    """Return the plan to remove a person's names from a room's stored data; None if the room does not mention them."""
    found = _find_person_in_room(connection, room, person)
    if not found.bearers and not any(
        _mentions_name(entry, found.mentioned_names) for entry in found.entries if entry.kind == VARIATION
    ):
        return None
    words = _replacement_names(found)
    others = next((words[each.name] for each in found.bearers if each.how == "own"), None)
    others = others or free_neutral_name(
        find_neutral_names([entry.data for entry in found.entries]) | set(words.values())
    )
    return RewritePlan(
        person, found.bearers, words, {name: words.get(name, others) for name in sorted(found.mentioned_names)}
    )


def match_renamings(connection: sa.Connection, room: str, todo: RewritePlan) -> list[tuple[str, NameRewrite]]:
    """Return the ids of a room's matches, each with the names to replace in it to remove the plan's person."""
    log = _name_entries(connection, room)
    found = [entry.data["match_id"] for entry in log if entry.kind in STARTING]
    names = [_person_names_in_match(connection, room, log, todo.bearers, match_id) for match_id in found]
    return [
        (match_id, NameRewrite({name: todo.words[name] for name in theirs}, todo.said))
        for match_id, theirs in zip(found, names, strict=True)
    ]


def rooms_of_variations(connection: sa.Connection, rooms: Iterable[str]) -> list[str]:
    """Return the ids of rooms with variations of matches of these rooms, whose seats have the same names."""
    origin = matches.alias().c
    there = sa.select(origin.id).where(origin.room_id.in_(list(rooms)))
    query = sa.select(matches.c.room_id).where(
        matches.c.origin.is_not(None),
        matches.c.origin["how"].as_string() == "variation",
        matches.c.origin["match"].as_string().in_(there),
    )
    return list(connection.execute(query.distinct().order_by(matches.c.room_id)).scalars())


_entries = sa.select(
    room_events.c.seq, room_events.c.created_at, room_events.c.event_type, room_events.c.data
).order_by(room_events.c.seq)


def _name_entries(connection: sa.Connection, room: str) -> list[StoredEvent]:
    has_names = room_events.c.event_type.in_(NAME_ENTRY_KINDS)
    return [StoredEvent(*row) for row in connection.execute(_entries.where(room_events.c.room_id == room, has_names))]


def _find_person_in_room(connection: sa.Connection, room: str, person: str) -> _PersonInRoom:
    log = _name_entries(connection, room)
    variation_seats, said = dict[str, set[str]](), set[str]()
    for entry in log:
        if entry.kind == VARIATION:
            variation_seats, said = _variation_seats(connection, entry, person)
    owners = [bearer for bearer in find_name_owners(log, variation_seats) if person in bearer.persons]
    said |= {bearer.name for bearer in owners if bearer.how != "lent"}
    said |= {
        entry.data["called"]
        for entry in log
        if entry.kind == RENAMING and entry.data.get("called")
        if any(bearer.name == entry.data["name"] and bearer.was_owned_at(entry.seq) for bearer in owners)
    }
    return _PersonInRoom(log, owners, {name for name in said if not is_neutral_name(name)})


def _variation_seats(
    connection: sa.Connection, variation_entry: StoredEvent, person: str
) -> tuple[dict[str, set[str]], set[str]]:
    """Return the seats of a variation, each with the person if its name is theirs, and names that texts may mention.

    `variation_entry`: the log entry that started it.
    """
    origin = variation_entry.data["origin"]
    variation_seats: dict[str, set[str]] = {name: set() for name in origin["before"]["seats"]}
    room = connection.execute(sa.select(room_of_match(origin["match"]))).scalar()
    if room is None:
        return variation_seats, set()
    there = _find_person_in_room(connection, room, person)
    theirs = _person_names_in_match(connection, room, there.entries, there.bearers, origin["match"])
    return variation_seats | {
        name: {person} for name in theirs if _mentions_name(variation_entry, (), name)
    }, there.mentioned_names


def _mentions_name(variation_entry: StoredEvent, mentioned_names: Iterable[str], *names: str) -> bool:
    """Return whether the entry that started a variation contains one of these names.

    `names` are looked for as names, `mentioned_names` inside texts.
    """
    marked: Any = replace_names(
        variation_entry.data,
        dict.fromkeys(names, _IMPOSSIBLE_NAME),
        names_in_text=dict.fromkeys(mentioned_names, _IMPOSSIBLE_NAME),
    )
    return bool(marked != variation_entry.data)


def _person_names_in_match(
    connection: sa.Connection, room: str, log: list[StoredEvent], person_bearers: list[NameOwner], match_id: str
) -> list[str]:
    """Return the names that a person had during a match, without names that another player had in it.

    `log`: the room's entries about names. `person_bearers`: when the person had which name.
    """
    starts = [entry for entry in log if entry.kind in STARTING]
    place = next(n for n, entry in enumerate(starts) if entry.data["match_id"] == match_id)
    first, last = starts[place].seq, starts[place + 1].seq - 1 if place + 1 < len(starts) else None
    query = sa.select(match_players.c.name, match_players.c.person_id).where(
        match_players.c.room_id == room, match_players.c.match_id == match_id
    )
    whose: dict[str, str | None] = {row.name: row.person_id for row in connection.execute(query)}
    return [
        each.name
        for each in person_bearers
        if (last is None or each.first <= last) and (each.last is None or first <= each.last)
        if each.how == "chair" or (each.how == "own" and whose.get(each.name, next(iter(each.persons))) in each.persons)
    ]


def _replacement_names(person_in_room: _PersonInRoom) -> dict[str, str]:
    """Choose a replacement like “Somebody 1” for each of a person's names in one room.

    Names of variation seats get separate replacements: the person may also sit in that room under their own name.
    """
    taken = find_neutral_names([entry.data for entry in person_in_room.entries])
    words: dict[str, str] = {}
    for name in (each.name for each in person_in_room.bearers if each.how == "chair"):
        words[name] = name if is_neutral_name(name) else free_neutral_name(taken)
        taken.add(words[name])
    own = [each.name for each in person_in_room.bearers if each.how == "own"]
    word = next(filter(is_neutral_name, own), None) or free_neutral_name(taken)
    return {**dict.fromkeys(own, word), **words}
