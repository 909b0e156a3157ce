"""What is asked of a table, of whom, and what may be: questions to a room, which change nothing."""

from .motion import MotionShown
from .room import Room


def asked_of(room: Room) -> tuple[str, ...]:
    """List whose word counts: people who sit here, are here and stay, and play themselves."""
    members = (room.members[name] for name in room.seated())
    return tuple(one.name for one in members if one.is_here and one.player is None and one.going is None)


def may_take_back(room: Room) -> str | None:
    """Tell who may ask to take back what they just did; None: nobody."""
    run = room.run
    if run is None or run.undo is None or run.rest is not None or not room.settings.take_back:
        return None
    return run.undo.by


def shown(room: Room) -> MotionShown | None:
    """What everybody sees of what is asked; None: nothing is."""
    motion = None if room.run is None else room.run.motion
    if motion is None:
        return None
    return {
        "matter": motion.matter,
        "by": motion.by,
        "agreed": list(motion.agreed),
        "asked": [name for name in asked_of(room) if name not in motion.agreed],
        "until": motion.until,
    }
