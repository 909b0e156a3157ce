"""The decrees that bots give where the rules allow decrees, and their answers to others' decrees.

Both follow from the room alone, like bots' reactions (reactions.py): any node that deals this hand chooses the same
decree. The log stores it like a player's decree.
"""

from collections.abc import Iterator
from zlib import crc32

from app.bots import LEVELS, BotLevel
from app.bots.simple.levels import DECREES_COUNTED
from app.engine.cards.actions import Decree, Defy, Obey
from app.rooms.model.state import Room

SELDOM = 4
"""A bot gives a decree in one of this number of hands."""


def choose_bot_decree(room: Room) -> tuple[str, Decree] | None:
    """Return a bot's decree for the hand just dealt, with the bot's name; or None, which is the usual case.

    Only the first player in the hierarchy gives one, if that is a bot, in about one hand of four. None while an
    earlier decree is unanswered.
    """
    match = room.match
    if match is None or not match.is_hand_running or not match.hierarchy or match.unanswered:
        return None
    first = match.hierarchy[0]
    level, subjects = _bot_level(room, first), match.decree_subjects(first)
    drawn = _hash_number(room, first, match.dealt)
    if level is None or not subjects or drawn % SELDOM:
        return None
    last = next(name for name in reversed(match.hierarchy) if name in subjects)
    return first, Decree(level.decrees[drawn // SELDOM % len(level.decrees)], None if level.decrees_for_all else last)


def bot_decree_answers(room: Room) -> Iterator[tuple[str, Obey | Defy]]:
    """Yield (name, answer) for each bot whose oldest unanswered decree waits: obey or defy, by the bot's level."""
    match = room.match
    if match is None or not match.unanswered:
        return
    for name, text in match.next_decree_by_player().items():
        level = _bot_level(room, name)
        if level is not None:
            yield name, Obey() if _hash_number(room, name, text) % DECREES_COUNTED < level.obeyed_decrees else Defy()


def _bot_level(room: Room, name: str) -> BotLevel | None:
    """Return the level of the bot member with this name; None for a person, even if a bot plays for them."""
    member = room.members.get(name)
    return None if member is None or member.bot is None else LEVELS.get(member.bot)


def _hash_number(room: Room, name: str, what: object) -> int:
    return crc32(f"{room.id} {name} {what}".encode())
