"""Reactions of bots: like people's, but rare and based on public events only.

A reaction follows from the room and its events, so every node shows the same without a message between nodes.
"""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import cast
from zlib import crc32

from app.bots import LEVELS, Occasion
from app.engine.display.events import GameEvent, prominence_by_event
from app.rooms.model.state import Room
from app.rooms.people.reactions import Reaction

SELDOM = 3
"""A bot reacts on one of this number of occasions."""
_BOT = attrgetter("bot")


def choose_bot_reaction(before: Room, room: Room, events: Sequence[GameEvent]) -> tuple[str, Reaction] | None:
    """Return a bot's name and the reaction it shows to the last change of the room, or None: no bot reacts.

    `before` is the room before the game events `events`. Bots react to about one occasion in three.
    """
    if not any(map(_BOT, room.members.values())):
        return None
    for name, occasion in _find_occasions(before, room, events):
        member = room.members.get(name)
        level = None if member is None or member.bot is None else LEVELS.get(member.bot)
        reaction = None if level is None else level.reactions.get(occasion)
        if reaction is not None and crc32(f"{room.id} {room.seq} {name}".encode()) % SELDOM == 0:
            return name, cast("Reaction", reaction)
    return None


def _find_occasions(before: Room, room: Room, events: Sequence[GameEvent]) -> Iterator[tuple[str, Occasion]]:
    """Yield (player, occasion) pairs of the last change, from which bots choose a reaction.

    After a great event: "stuns" for the player who caused it, "admires" for the others. At the end of a hand: "first"
    and "last" for its best and worst place.
    """
    match = room.match
    if match is None:
        return
    great = {event.by for event in events if prominence_by_event().get(event.name) == "great" and event.by is not None}
    for name in match.seats:
        if great:
            yield name, "stuns" if name in great else "admires"
    if (
        before.match is not None
        and before.match.is_hand_running
        and not match.is_hand_running
        and match.last is not None
    ):
        standing = match.last.standing
        if len(standing) < 2:  # a hand without places
            return
        for place, occasion in ((standing[0], "first"), (standing[-1], "last")):
            yield from ((name, cast("Occasion", occasion)) for name in ((place,) if isinstance(place, str) else place))
