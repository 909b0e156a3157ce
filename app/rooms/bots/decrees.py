"""What bots decree, where the rules let them, and how they answer what others decree.

It follows from the room alone, as what they show does (reactions.py): another node that deals this hand to this room
has the same decree. In the log it stands like anybody's.
"""

from collections.abc import Iterator
from zlib import crc32

from app.bots import LEVELS, Level
from app.bots.simple.levels import MANY
from app.engine.cards.actions import Decree, Defy, Obey
from app.rooms.model.state import Room

SELDOM = 4
"""One hand in so many."""


def decree(room: Room) -> tuple[str, Decree] | None:
    """Give what who is first in the hierarchy decrees as a hand begins; None: nothing, or no bot is first. Nobody gets
    one who has not answered the last."""
    match = room.match
    if match is None or not match.running or not match.hierarchy or match.unanswered:
        return None
    first = match.hierarchy[0]
    level, subjects = _level(room, first), match.subjects(first)
    drawn = _drawn(room, first, match.dealt)
    if level is None or not subjects or drawn % SELDOM:
        return None
    last = next(name for name in reversed(match.hierarchy) if name in subjects)
    return first, Decree(level.decrees[drawn // SELDOM % len(level.decrees)], None if level.to_all else last)


def answers(room: Room) -> Iterator[tuple[str, Obey | Defy]]:
    """Give how each bot answers the oldest decree that waits for it."""
    match = room.match
    if match is None or not match.unanswered:
        return
    for name, text in match.decreed().items():
        level = _level(room, name)
        if level is not None:
            yield name, Obey() if _drawn(room, name, text) % MANY < level.obeys else Defy()


def _level(room: Room, name: str) -> Level | None:
    """The level of a bot that sits there for itself: who plays for somebody is nobody."""
    member = room.members.get(name)
    return None if member is None or member.bot is None else LEVELS.get(member.bot)


def _drawn(room: Room, name: str, what: object) -> int:
    return crc32(f"{room.id} {name} {what}".encode())
