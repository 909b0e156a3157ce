"""Deals that anybody can check: a secret committed to beforehand, everybody's seeds and a cut make the deck.

Before a hand the room shows the SHA-256 of a fresh secret of 32 bytes. Then the players add seeds, and whoever may cut
says where. The deck is the game's pack in its fixed order, shuffled by Fisher–Yates from the last card down; each
step draws 32-bit words from a stream and rejects those that would favour some places:

    message = "name:seed" of each seed, sorted by name (as UTF-16), each followed by a newline; then "cut:17" or "cut:"
    block i = HMAC-SHA-256(secret, message + 0x00 + i as four bytes), read as eight big-endian words

After the hand the secret is shown, and anybody can do the same again: in a browser names are sorted like this by
JavaScript's own `sort()`. Nothing here knows a room.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, TypedDict

from app.engine.cards import Cards, parse_cards, show
from app.engine.words import Sentence

from .errors import RoomError

SECRET_BYTES = 32
LONGEST_SEED = 64
"""Hex digits of a seed."""


class PastDeal(TypedDict):
    """What proves the last deal."""

    commitment: Annotated[str, "The SHA-256 of the secret, as promised."]
    secret: Annotated[str, "The server’s part of the chance, as hex."]
    seeds: Annotated[dict[str, str], "The players’ parts, as hex, by name."]
    cut: Annotated[int | None, "Where the pack was cut, if it was."]
    pack: Annotated[str, "The deck as shuffled."]


@dataclass(frozen=True)
class Chance:
    """What makes the deck of one hand. Only `commitment`, `seeds` and `cut` are for all to see before it is over."""

    secret: bytes
    seeds: Mapping[str, str] = field(default_factory=dict[str, str])
    """Hex, by name."""
    cut: int | None = None

    @cached_property
    def commitment(self) -> str:
        """What is shown before the hand: SHA-256 of the secret, in hex."""
        return hashlib.sha256(self.secret).hexdigest()

    @property
    def message(self) -> bytes:
        """What the secret is applied to."""
        names = sorted(self.seeds, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        lines = "".join(f"{name}:{self.seeds[name]}\n" for name in names)
        return f"{lines}cut:{'' if self.cut is None else self.cut}".encode()

    def deck(self, pack: Cards) -> Cards:
        """Shuffle the pack."""
        words = self._words()
        cards = list(pack)
        for last in range(len(cards) - 1, 0, -1):
            places = last + 1
            limit = 2**32 - 2**32 % places
            word = next(word for word in words if word < limit)
            other = word % places
            cards[last], cards[other] = cards[other], cards[last]
        return tuple(cards)

    def seed(self) -> int:
        """Make the seed of what is shuffled within the hand: 48 bits, which JSON carries safely."""
        return int.from_bytes(hmac.digest(self.secret, self.message + b"\x01", "sha256")[:6])

    def revealed(self, pack: Cards) -> PastDeal:
        """The proof, once the hand is over."""
        return {
            "commitment": self.commitment,
            "secret": self.secret.hex(),
            "seeds": dict(self.seeds),
            "cut": self.cut,
            "pack": show(pack),
        }

    def _words(self) -> Iterator[int]:
        message, count = self.message + b"\x00", 0
        while True:
            block = hmac.digest(self.secret, message + count.to_bytes(4), "sha256")
            yield from (int.from_bytes(block[at : at + 4]) for at in range(0, 32, 4))
            count += 1


SEED_IS_HEX = Sentence("room.seed_is_hex", "A seed is up to {most} hex digits.")


def check_seed(value: str) -> str:
    """Check a seed and give it as it is kept, in lower-case hex; `bad_seed`."""
    seed = value.lower()
    if not seed or len(seed) > LONGEST_SEED or set(seed) - set("0123456789abcdef"):
        raise RoomError("bad_seed", SEED_IS_HEX(most=LONGEST_SEED))
    return seed


def verify(proof: Mapping[str, Any], pack: Cards | None = None) -> Cards:
    """Deal a proof's deck again; `ValueError` if the secret is not what was committed to, or the pack another."""
    chance = Chance(bytes.fromhex(proof["secret"]), proof["seeds"], proof["cut"])
    if chance.commitment != proof["commitment"]:
        raise ValueError("the secret is not the one committed to")
    shown = parse_cards(proof["pack"])
    if pack is not None and pack != shown:
        raise ValueError("the pack is not the game's")
    return chance.deck(shown)
