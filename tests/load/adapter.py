"""The driver's interface to a server's protocol, in some forty lines for each server.

The driver has the sockets, the schedule, the clock and the counters. An adapter takes seats, reads messages and makes
moves. `message` runs for every frame, so it searches for a few bytes and parses no JSON. Only `verify` calls `check`,
which may be slow and strict.
"""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import aiohttp

    from .tables import Seat, Table

SEATS: Final = 4

NOTHING: Final = None
"""The message does not concern the game."""
READY: Final = -2
"""This seat is taken and can play."""


class Adapter:
    """The protocol of one kind of server."""

    def __init__(self, address: str, game: str = "") -> None:
        """`address` is host:port."""
        self.address = address
        self.game = game

    async def join(self, http: "aiohttp.ClientSession", table: "Table", seat: int) -> str:
        """Return the address of this seat's socket. The first seat opens the room, then the others join in turn."""
        raise NotImplementedError

    def headers(self, table: "Table", seat: int) -> dict[str, str]:
        """Return the headers of this seat's handshake."""
        return {}

    def opened(self, seat: "Seat") -> None:
        """Take the seat, now that the socket is open."""

    def message(self, seat: "Seat", data: bytes) -> int | None:
        """Return NOTHING, READY, or the number of the table's moves that this seat has seen."""
        raise NotImplementedError

    def turn(self, table: "Table") -> int:
        """Return the seat that moves next."""
        raise NotImplementedError

    def move(self, table: "Table", seat: int) -> bytes:
        """Return the next move of this seat."""
        raise NotImplementedError

    def illegal(self, table: "Table") -> list[tuple[int, bytes]]:
        """Return (seat, move) pairs that the server must refuse without a change to any position."""
        raise NotImplementedError

    def position(self, seat: "Seat") -> Any:
        """Return the state shown to this seat, which a refused move must not change. Used only by `verify`."""
        raise NotImplementedError

    def check(self, seat: "Seat", data: bytes, moves: int) -> None:
        """Check an update strictly, and raise AssertionError if it is wrong."""
        raise NotImplementedError
