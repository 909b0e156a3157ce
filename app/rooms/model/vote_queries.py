"""What is asked of a table, of whom, and what may be: questions to a room, which change nothing."""

from app.rooms.model.state import Room
from app.rooms.model.vote import MotionShown, TakeBackShown


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


def take_back(room: Room) -> TakeBackShown | None:
    """What everybody sees of the action that may be taken back; None: there is none."""
    by = may_take_back(room)
    return None if by is None else {"by": by, "request": room.turn}


def shown(room: Room) -> MotionShown | None:
    """What everybody sees of what is asked; None: nothing is."""
    motion = None if room.run is None else room.run.motion
    if motion is None:
        return None
    return {
        "id": motion.id,
        "matter": motion.matter,
        "by": motion.by,
        "agreed": list(motion.agreed),
        "asked": [name for name in asked_of(room) if name not in motion.agreed],
        "until": motion.until,
    }
