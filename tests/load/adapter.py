"""What the driver has to know of a server's protocol, in some forty lines for each.

The driver has the sockets, the schedule, the clock and the counters. An adapter says how a seat is taken, what a
message means and what the seat to move sends. `message` runs for every frame that comes: a few searches for bytes, no
JSON. `check` is for `verify` alone, and may be as slow and strict as it likes.
"""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import aiohttp

    from .tables import Seat, Table

SEATS: Final = 4

NOTHING: Final = None
"""The message tells nothing of the game."""
READY: Final = -2
"""This seat has its place and may play."""


class Adapter:
    """How one kind of server is spoken to."""

    def __init__(self, address: str, game: str = "") -> None:
        """`address` is host:port."""
        self.address = address
        self.game = game

    async def join(self, http: "aiohttp.ClientSession", table: "Table", seat: int) -> str:
        """Give the address of this seat's socket; the first seat opens the room. Seats come one after the other."""
        raise NotImplementedError

    def headers(self, table: "Table", seat: int) -> dict[str, str]:
        """Give the headers of this seat's handshake."""
        return {}

    def opened(self, seat: "Seat") -> None:
        """Send what takes the place, now that the socket is open."""

    def message(self, seat: "Seat", data: bytes) -> int | None:
        """Say what came: NOTHING, READY, or how many moves of the table this seat has seen by now."""
        raise NotImplementedError

    def turn(self, table: "Table") -> int:
        """Say which seat moves next."""
        raise NotImplementedError

    def move(self, table: "Table", seat: int) -> bytes:
        """Give the next move of this seat."""
        raise NotImplementedError

    def illegal(self, table: "Table") -> list[tuple[int, bytes]]:
        """Give some (seat, move) that must be refused, and leave everybody's position as it was."""
        raise NotImplementedError

    def position(self, seat: "Seat") -> Any:
        """Give what this seat was shown and a refused move must not change. Asked where everything is checked."""
        raise NotImplementedError

    def check(self, seat: "Seat", data: bytes, moves: int) -> None:
        """Look at an update as closely as can be; AssertionError if it is wrong."""
        raise NotImplementedError
