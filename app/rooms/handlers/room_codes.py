"""Random room identifiers: a permanent id, and an address that gives access and can change.

Everything about a room is stored under its id, which gives no access. The address has two parts that lead to the
id: a short code to say aloud, and an invitation for links.
"""

import base64

from app.rooms.model.state import RandomBytes
from app.rooms.ports.addresses import Address

CODE_LETTERS = "23456789BCDFGHJKMNPQRSTVWXZ"
"""Letters of room codes: without vowels and similar letters, so that codes are readable and never words."""
CODE_LENGTH = 6


def new_id(draw: RandomBytes) -> str:
    """Return a new random, permanent id of 16 characters, for a room or a person.

    Room codes are shorter, so nobody confuses the two. Commands would take a hyphen at the beginning for an option.
    """
    text = _base64_text(draw(12))
    return f"0{text[1:]}" if text.startswith("-") else text


def new_address(draw: RandomBytes) -> Address:
    """Return a new random address for a room: a short code to say aloud, and a long invitation for links.

    The code may be in use or used before; storing the address then fails, and the caller draws another.
    """
    number = int.from_bytes(draw(8))
    letters = []
    for _ in range(CODE_LENGTH):
        number, letter = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[letter])
    return Address("".join(letters), _base64_text(draw(16)))


def _base64_text(drawn: bytes) -> str:
    return base64.urlsafe_b64encode(drawn).rstrip(b"=").decode()
