"""Addresses of rooms: the code and the invitation that lead to a room."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Address:
    """What lets people into a room, until it gets another one."""

    code: str
    """Short, to be said aloud."""
    invite: str
    """Long, for a link."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Where a code or an invitation leads."""

    room: str
    """The room's id, which it has for ever."""
    code: str
    """The room's code now."""
    current: bool
    """Whether what was asked for is the room's address now; if not, it was."""
