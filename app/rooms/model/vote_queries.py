"""Queries about a room's votes: the voters, the current vote, and the play that can be undone."""

from app.rooms.model.state import Room
from app.rooms.model.vote import UndoView, VoteView


def eligible_voters(room: Room) -> tuple[str, ...]:
    """Return the names of players who may vote in the room: seated, connected, not leaving, and not played by a bot."""
    members = (room.members[name] for name in room.seated_names())
    return tuple(
        one.name for one in members if one.is_connected_person and one.active_bot is None and one.going is None
    )


def player_who_may_undo(room: Room) -> str | None:
    """Return the name of the player who may ask now to undo the last action, their own; or None."""
    run = room.run
    if run is None or run.undo is None or run.rest is not None or not room.settings.allow_undo:
        return None
    return run.undo.by


def undo_view(room: Room) -> UndoView | None:
    """Return who may ask to undo the last action, and its number, as JSON for the public view; None if nobody may.

    Only the player who took the action may ask. A proposal to undo it sends the number back, so that late ones are
    refused. The room's settings must allow undoing.
    """
    by = player_who_may_undo(room)
    return None if by is None else {"by": by, "request": room.turn}


def vote_view(room: Room) -> VoteView | None:
    """Return the running vote as JSON for the room's public view; None if no vote is running."""
    motion = None if room.run is None else room.run.motion
    if motion is None:
        return None
    return {
        "id": motion.id,
        "subject": motion.subject,
        "by": motion.by,
        "agreed": list(motion.agreed),
        "undecided": [name for name in eligible_voters(room) if name not in motion.agreed],
        "until": motion.until,
    }
