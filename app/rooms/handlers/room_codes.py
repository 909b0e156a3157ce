"""What a room is called: an id of its own, for ever, and an address that lets people in and may change.

Everything that is kept of a room is kept under its id, which opens nothing. A code, to be said aloud, and an
invitation, for links, lead to it; chance makes them all.
"""

import base64

from app.rooms.model.state import Draw
from app.rooms.ports.addresses import Address

LETTERS = "23456789BCDFGHJKMNPQRSTVWXZ"
"""Of room codes: none that look alike, and no words."""
CODE_LENGTH = 6


def new_id(draw: Draw) -> str:
    """Make an id that no other room has. No code is as long."""
    return _text(draw(12))


def new_address(draw: Draw) -> Address:
    """Make a code and an invitation. Another room may have that code, or once had it: the log knows."""
    number = int.from_bytes(draw(8))
    letters = []
    for _ in range(CODE_LENGTH):
        number, letter = divmod(number, len(LETTERS))
        letters.append(LETTERS[letter])
    return Address("".join(letters), _text(draw(16)))


def _text(drawn: bytes) -> str:
    return base64.urlsafe_b64encode(drawn).rstrip(b"=").decode()
