"""Where somebody stands in what is kept, and what they become there: decided before anything is rewritten.

A name stands in more rooms than its bearer was in: a variation has the chairs of the match that it comes from. Whose
chairs these are only that match knows, and the room in which it was played; so what comes from a match is rewritten
before the match is.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa

from app.rooms.log.name_rewrite import (
    NAMING,
    STARTING,
    VARIATION,
    Bearer,
    Renaming,
    bearers,
    is_neutral,
    neutral,
    neutral_in,
    renamed,
)
from app.rooms.ports.storage import StoredEntry
from app.store.db.schema import match_players, matches, room_entry

REWRITTEN = "rewritten"
"""The kind of the entry that keeps a `Todo` until it is done."""
TOLD = (*sorted(NAMING), *sorted(STARTING), REWRITTEN)
"""The kinds of entries that tell who had which name in which match."""
_MARK = "\n"
"""No name has such a character."""


@dataclass(frozen=True, slots=True)
class Todo:
    """Which names become which in a room."""

    person: str
    bearers: list[Bearer]
    """The names that they had, and those of the chairs that they sat in."""
    words: dict[str, str]
    """What each of their names becomes."""
    said: dict[str, str]
    """The same for texts, in which others may speak of them."""

    def at(self, seq: int) -> Renaming:
        """What is to be renamed in the entry of this seq, and in the room as it was then."""
        then = [bearer for bearer in self.bearers if bearer.had_it(seq)]
        names = {bearer.name: self.words[bearer.name] for bearer in then if bearer.how != "lent"}
        return Renaming(names, self.said, {bearer.name for bearer in then if bearer.how != "chair"})

    def to_json(self) -> dict[str, Any]:
        """Give it as JSON."""
        kept: dict[str, Any] = msgspec.to_builtins(self)
        return kept

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> "Todo":
        """Make it of what `to_json` gave."""
        return msgspec.convert(kept, cls)


@dataclass(frozen=True, slots=True)
class _Standing:
    """Somebody in a room's log."""

    log: list[StoredEntry]
    """Of the kinds that tell of names and matches."""
    bearers: list[Bearer]
    said: set[str]


def begun(connection: sa.Connection, room: str, person: str) -> tuple[int, Todo] | None:
    """What was begun for somebody in a room and is not done, with the seq of its entry; None: nothing."""
    query = _entries.where(room_entry.c.room == room, room_entry.c.kind == REWRITTEN)
    for entry in (StoredEntry(*row) for row in connection.execute(query)):
        if entry.data.get("person") == person:
            return entry.seq, Todo.from_json(entry.data["todo"])
    return None


def planned(connection: sa.Connection, room: str, person: str) -> Todo | None:
    """What is to be done for somebody in a room; None if nothing there is of them."""
    found = _standing(connection, room, person)
    if not found.bearers and not any(_names_in(entry, found.said) for entry in found.log if entry.kind == VARIATION):
        return None
    words = _words(found)
    others = next((words[each.name] for each in found.bearers if each.how == "own"), None)
    others = others or neutral(neutral_in([entry.data for entry in found.log]) | set(words.values()))
    return Todo(person, found.bearers, words, {name: words.get(name, others) for name in sorted(found.said)})


def in_matches(connection: sa.Connection, room: str, todo: Todo) -> list[tuple[str, Renaming]]:
    """The matches of a room, each with what is to be renamed there."""
    log = _log(connection, room)
    found = [entry.data["match_id"] for entry in log if entry.kind in STARTING]
    names = [_names_in_match(connection, log, todo.bearers, match_id) for match_id in found]
    return [
        (match_id, Renaming({name: todo.words[name] for name in theirs}, todo.said))
        for match_id, theirs in zip(found, names, strict=True)
    ]


def come_from(connection: sa.Connection, rooms: Iterable[str]) -> list[str]:
    """The rooms of variations of matches of these rooms."""
    origin = matches.alias().c
    there = sa.select(origin.id).where(origin.room.in_(list(rooms)))
    query = sa.select(matches.c.room).where(
        matches.c.origin.is_not(None),
        matches.c.origin["how"].as_string() == "variation",
        matches.c.origin["match"].as_string().in_(there),
    )
    return list(connection.execute(query.distinct().order_by(matches.c.room)).scalars())


_entries = sa.select(room_entry.c.seq, room_entry.c.at, room_entry.c.kind, room_entry.c.data).order_by(room_entry.c.seq)


def _log(connection: sa.Connection, room: str) -> list[StoredEntry]:
    told = room_entry.c.kind.in_(TOLD)
    return [StoredEntry(*row) for row in connection.execute(_entries.where(room_entry.c.room == room, told))]


def _standing(connection: sa.Connection, room: str, person: str) -> _Standing:
    log = _log(connection, room)
    chairs, said = dict[str, set[str]](), set[str]()
    for entry in log:
        if entry.kind == VARIATION:
            chairs, said = _chairs(connection, entry, person)
    mine = [bearer for bearer in bearers(log, chairs) if person in bearer.persons]
    said |= {bearer.name for bearer in mine if bearer.how != "lent"}
    return _Standing(log, mine, {name for name in said if not is_neutral(name)})


def _chairs(connection: sa.Connection, resumed: StoredEntry, person: str) -> tuple[dict[str, set[str]], set[str]]:
    """The chairs of a variation, with whether they are somebody's; and the names that others may have said there."""
    origin = resumed.data["origin"]
    chairs: dict[str, set[str]] = {name: set() for name in origin["before"]["seats"]}
    room = connection.execute(sa.select(matches.c.room).where(matches.c.id == origin["match"])).scalar()
    if room is None:
        return chairs, set()
    there = _standing(connection, room, person)
    theirs = _names_in_match(connection, there.log, there.bearers, origin["match"])
    return chairs | {name: {person} for name in theirs if _names_in(resumed, (), name)}, there.said


def _names_in(resumed: StoredEntry, said: Iterable[str], *names: str) -> bool:
    """Whether one of these names stands in what a variation begins with, or is said there."""
    marked: Any = renamed(resumed.data, dict.fromkeys(names, _MARK), said=dict.fromkeys(said, _MARK))
    return bool(marked != resumed.data)


def _names_in_match(connection: sa.Connection, log: list[StoredEntry], mine: list[Bearer], match_id: str) -> list[str]:
    """The names that somebody had while a match went on, but those that another had in it."""
    starts = [entry for entry in log if entry.kind in STARTING]
    place = next(n for n, entry in enumerate(starts) if entry.data["match_id"] == match_id)
    first, last = starts[place].seq, starts[place + 1].seq - 1 if place + 1 < len(starts) else None
    query = sa.select(match_players.c.name, match_players.c.person_id).where(match_players.c.match_id == match_id)
    whose: dict[str, str | None] = {row.name: row.person_id for row in connection.execute(query)}
    return [
        each.name
        for each in mine
        if (last is None or each.first <= last) and (each.last is None or first <= each.last)
        if each.how == "chair" or (each.how == "own" and whose.get(each.name, next(iter(each.persons))) in each.persons)
    ]


def _words(found: _Standing) -> dict[str, str]:
    """What somebody's names become. Those of chairs have words of their own: who had one may sit beside it."""
    taken = neutral_in([entry.data for entry in found.log])
    words: dict[str, str] = {}
    for name in (each.name for each in found.bearers if each.how == "chair"):
        words[name] = name if is_neutral(name) else neutral(taken)
        taken.add(words[name])
    own = [each.name for each in found.bearers if each.how == "own"]
    word = next(filter(is_neutral, own), None) or neutral(taken)
    return {**dict.fromkeys(own, word), **words}
