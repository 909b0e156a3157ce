"""Addresses of rooms: the code and the invitation that lead to a room."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a room, which gives access to it and can be replaced."""

    code: str
    """Short, to be said aloud."""
    invite: str
    """Long, for a link."""


@dataclass(frozen=True, slots=True)
class AddressLookup:
    """The room to which a code or an invitation leads."""

    room: str
    """The room's permanent id."""
    code: str
    """The room's current code."""
    is_current: bool
    """Whether the code or invitation is current; otherwise it was replaced."""
