"""Addresses of rooms: the code and the invitation that lead to a room."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a room, a code and an invitation.

    Either gives access to the room; both can be replaced.
    """

    code: str
    """Short, to be said aloud."""
    invite: str
    """Long, for a link."""


@dataclass(frozen=True, slots=True)
class AddressLookup:
    """The result of looking up a code or an invitation: the room, and whether the address is still current."""

    room: str
    """The room's permanent id."""
    code: str
    """The room's current code."""
    is_current: bool
    """Whether the code or invitation is current; otherwise it was replaced."""
