"""Deals that anybody can check: a secret committed to beforehand, everybody's seeds and a cut make the deck.

Before a hand the room shows the SHA-256 of a fresh secret of 32 bytes. Then the players add seeds, and whoever may cut
says where. The deck is the game's pack in its fixed order, shuffled by Fisher–Yates from the last card down; each
step draws 32-bit words from a stream and rejects those that would favour some places:

    message = "number:seed" of each seed, sorted by number as text, each followed by a newline; then "cut:17" or "cut:"
    block i = HMAC-SHA-256(secret, message + 0x00 + i as four bytes), read as eight big-endian words

After the hand the secret is shown, and anybody can do the same again. Seeds have numbers there, and whose they were
stands beside them: so a name can be forgotten, and its deals still be proven. In older proofs names stood in the place
of the numbers (sorted as UTF-16, as JavaScript's own `sort()` does); where one has to go from them, the blocks that the
message came to are kept instead of it (`unnamed`). Nothing here knows a room.
"""

import hashlib
import hmac
import itertools
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from struct import Struct
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from app.engine.cards import Cards, parse_cards, show
from app.engine.values import Value
from app.engine.words import Sentence

from .errors import RoomError

SECRET_BYTES = 32
_WORDS = Struct(">8I")
LONGEST_SEED = 64
"""Hex digits of a seed."""


class PastDeal(TypedDict):
    """What proves the last deal."""

    commitment: Annotated[str, "The SHA-256 of the secret, as promised."]
    secret: Annotated[str, "The server’s part of the chance, as hex."]
    seeds: Annotated[dict[str, str], "The players’ parts, as hex, by number; in older proofs by name."]
    givers: NotRequired[Annotated[dict[str, str], "Whose they were, by number."]]
    cut: Annotated[int | None, "Where the pack was cut, if it was."]
    pack: Annotated[str, "The deck as shuffled."]
    blocks: NotRequired[
        Annotated[list[str], "What was hashed came to, as hex, where a name was taken out of it since."]
    ]
    known: NotRequired[
        Annotated[
            Literal["variation", "deals"],
            "Nothing was shuffled: these are the cards of another match, which people may know.",
        ]
    ]


def not_shuffled(known: Literal["variation", "deals"]) -> PastDeal:
    """Give what stands in the place of a proof where the cards were known before."""
    return {"commitment": "", "secret": "", "seeds": {}, "cut": None, "pack": "", "known": known}


class Chance(Value, frozen=True, dict=True):
    """What makes the deck of one hand. Only `commitment`, `seeds` and `cut` are for all to see before it is over."""

    secret: bytes
    seeds: Mapping[str, str] = {}
    """Hex, by name, or by whatever stands for it in the message."""
    cut: int | None = None

    @cached_property
    def commitment(self) -> str:
        """What is shown before the hand: SHA-256 of the secret, in hex."""
        return hashlib.sha256(self.secret).hexdigest()

    @property
    def numbered(self) -> "Chance":
        """The same with numbers in the place of names: by it the room deals."""
        return self.but(seeds={str(number): seed for number, seed in enumerate(self.seeds.values(), 1)})

    @property
    def message(self) -> bytes:
        """What the secret is applied to."""
        names = sorted(self.seeds, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        lines = "".join(f"{name}:{self.seeds[name]}\n" for name in names)
        return f"{lines}cut:{'' if self.cut is None else self.cut}".encode()

    def deck(self, pack: Cards) -> Cards:
        """Shuffle the pack."""
        return _shuffled(pack, self._blocks())

    def blocks(self, pack: Cards) -> list[str]:
        """Give the blocks, as hex, that shuffling the pack takes."""
        taken: list[bytes] = []

        def noted() -> Iterator[bytes]:
            for block in self._blocks():
                taken.append(block)
                yield block

        _shuffled(pack, noted())
        return [block.hex() for block in taken]

    def seed(self) -> int:
        """Make the seed of what is shuffled within the hand: 48 bits, which JSON carries safely."""
        return int.from_bytes(hmac.digest(self.secret, self.message + b"\x01", "sha256")[:6])

    def revealed(self, pack: Cards) -> PastDeal:
        """Give the proof, once the hand is over."""
        return {
            "commitment": self.commitment,
            "secret": self.secret.hex(),
            "seeds": dict(self.numbered.seeds),
            "givers": {str(number): name for number, name in enumerate(self.seeds, 1)},
            "cut": self.cut,
            "pack": show(pack),
        }

    def _blocks(self) -> Iterator[bytes]:
        message = self.message + b"\x00"
        for count in itertools.count():
            yield hmac.digest(self.secret, message + count.to_bytes(4), "sha256")


def _shuffled(pack: Cards, blocks: Iterable[bytes]) -> Cards:
    """Shuffle the pack by these blocks; `ValueError` if they are too few."""
    words = itertools.chain.from_iterable(map(_WORDS.unpack, blocks))
    cards = list(pack)
    for last in range(len(cards) - 1, 0, -1):
        places = last + 1
        limit = 2**32 - 2**32 % places
        word = limit
        while word >= limit:
            word = next(words, -1)
        if word < 0:
            raise ValueError("blocks are missing")
        other = word % places
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


SEED_IS_HEX = Sentence("room.seed_is_hex", "A seed is up to {most} hex digits.")


def check_seed(value: str) -> str:
    """Check a seed and give it as it is kept, in lower-case hex; `bad_seed`."""
    seed = value.lower()
    if not seed or len(seed) > LONGEST_SEED or set(seed) - set("0123456789abcdef"):
        raise RoomError("bad_seed", SEED_IS_HEX(most=LONGEST_SEED))
    return seed


def verify(proof: Mapping[str, Any], pack: Cards | None = None) -> Cards:
    """Deal a proof's deck again; `ValueError` if the secret is not what was committed to, or the pack another."""
    chance = proven(proof)
    if chance.commitment != proof["commitment"]:
        raise ValueError("the secret is not the one committed to")
    shown = parse_cards(proof["pack"])
    if pack is not None and pack != shown:
        raise ValueError("the pack is not the game's")
    if "blocks" in proof:
        return _shuffled(shown, map(bytes.fromhex, proof["blocks"]))
    return chance.deck(shown)


def proven(proof: Mapping[str, Any]) -> Chance:
    """Give the chance that a proof tells of."""
    return Chance(bytes.fromhex(proof["secret"]), proof["seeds"], proof["cut"])


def unnamed(proof: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the proof of the same deal, which goes on proving it when the names of its seeds are others."""
    if "givers" in proof or "blocks" in proof:
        return proof
    return {**proof, "blocks": proven(proof).blocks(parse_cards(proof["pack"]))}
