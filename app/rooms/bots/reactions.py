"""What bots show at a table, as people do: seldom, and at what everybody sees.

It follows from the room and what happened alone, so that every node shows the same, and none tells another of it.
"""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import cast
from zlib import crc32

from app.bots import LEVELS, Occasion
from app.engine.display.events import Event, tones
from app.rooms.model.state import Room
from app.rooms.people.reactions import Reaction

SELDOM = 3
"""One time in so many."""
_BOT = attrgetter("bot")


def shown(before: Room, room: Room, events: Sequence[Event]) -> tuple[str, Reaction] | None:
    """Give who shows what as the room becomes another by these events; None: nobody anything."""
    if not any(map(_BOT, room.members.values())):
        return None
    for name, occasion in _occasions(before, room, events):
        member = room.members.get(name)
        level = None if member is None or member.bot is None else LEVELS.get(member.bot)
        reaction = None if level is None else level.shows.get(occasion)
        if reaction is not None and crc32(f"{room.id} {room.seq} {name}".encode()) % SELDOM == 0:
            return name, cast("Reaction", reaction)
    return None


def _occasions(before: Room, room: Room, events: Sequence[Event]) -> Iterator[tuple[str, Occasion]]:
    """Give what has happened to whom, what is rarest first."""
    match = room.match
    if match is None:
        return
    great = {event.by for event in events if tones().get(event.name) == "great" and event.by is not None}
    for name in match.seats:
        if great:
            yield name, "stuns" if name in great else "admires"
    if before.match is not None and before.match.running and not match.running and match.last is not None:
        standing = match.last.standing
        if len(standing) < 2:  # a hand in which nobody was before others
            return
        for place, occasion in ((standing[0], "first"), (standing[-1], "last")):
            yield from ((name, cast("Occasion", occasion)) for name in ((place,) if isinstance(place, str) else place))
