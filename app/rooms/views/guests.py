"""The guests of a room, who watch it without a name: their number for everybody, and their list for members."""

from collections.abc import Iterable
from typing import Annotated, TypedDict

from msgspec import Raw, Struct

from app.rooms.views.versioned_section import encode


class GuestView(TypedDict):
    """A person without a name who watches the room."""

    number: Annotated[int, "A random number, by which `remove_spectator` names this guest."]
    since: Annotated[int, "When the guest came, in epoch milliseconds."]
    screen: Annotated[bool, "Whether the guest only has pages that can’t act, such as a television."]


class Guests(Struct, frozen=True):
    """What a room shows of its guests. They are not stored in the room."""

    count: int = 0
    """Number of all guests."""
    joining: int = 0
    """Number of guests whose page asks for their name."""
    listed: Raw = Raw(b"[]")
    """The list for members, of `GuestView`, encoded once for all of them."""


NO_GUESTS = Guests()


def build_guests(count: int, joining: int, listed: Iterable[GuestView]) -> Guests:
    """Return what a room shows of its guests. `count` and `joining`: numbers of all; `listed`: those in the list."""
    return Guests(count, joining, Raw(encode(list(listed))))
