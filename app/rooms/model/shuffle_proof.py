"""Deals that anybody can check, and that nobody can choose: commit and reveal.

The room commits to a secret of 32 bytes by showing its SHA-256. Each page sends the SHA-256 of a seed that it keeps to
itself. When a deal is requested, the list of commitment, cut and hashes is closed. Only then the pages send their
seeds, and a seed that is missing or does not fit its hash is left out. So nobody can adapt a seed or the secret to the
others. The deck is the game's pack in its fixed order, shuffled by Fisher–Yates from the last card down; each
step draws 32-bit words from a stream and rejects those that would favour some places:

    message = "number:seed" of each seed, sorted by number as text, each followed by a newline; then "cut:17" or "cut:"
    block i = HMAC-SHA-256(secret, message + 0x00 + i as four bytes), read as eight big-endian words

After the hand the secret is shown, and anybody can repeat the shuffle. Seeds have numbers in the message, and the names
of their givers stand beside them: so a name can be removed, and its deals can still be proven.

Older proofs have no closed list: their seeds were sent in the open, and whoever knew the secret and sent the last seed
could choose the deal. In still older proofs names stood in the place of the numbers (sorted as UTF-16, as JavaScript's
own `sort()` does); if one of these names is removed, the resulting blocks are kept instead (`unnamed`). This module
knows no room.
"""

import hashlib
import hmac
import itertools
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from struct import Struct
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from app.engine.base.frozen import Value
from app.engine.base.messages import Sentence
from app.engine.cards.cards import Cards, parse_cards, show
from app.engine.cards.deal_order import DealOrder, DealOrderShown
from app.rooms.errors import RoomError

SECRET_BYTES = 32
_WORDS = Struct(">8I")
SHORTEST_SEED, LONGEST_SEED = 32, 64
"""Hex digits of a seed."""

Kind: TypeAlias = Literal["sealed", "open", "server"]
"""How far a deal can be trusted: seeds were fixed by their hashes first; they were sent in the open (older proofs); or
no player's seed counts, so the deal depends on the server alone."""


class ClosedListShown(TypedDict):
    """What is fixed before the first seed is shown."""

    commitment: Annotated[str, "The SHA-256 of the server’s secret."]
    cut: Annotated[int | None, "Where the pack is cut, if somebody has said so."]
    hashes: Annotated[dict[str, str], "The SHA-256 of each seed to come, as hex, by number."]
    givers: Annotated[dict[str, str], "Who gives them, by number."]
    order: Annotated[DealOrderShown, "Which pile of the deck goes to which seat."]


class ClosedList(Value, frozen=True):
    """What is fixed before the first seed is shown."""

    commitment: str
    cut: int | None
    hashes: Mapping[str, str]
    """By number."""
    givers: Mapping[str, str]
    """Names, by number."""
    order: DealOrder
    until: int = 0
    """When the room deals without the seeds that are missing, in milliseconds since 1970."""

    @property
    def shown(self) -> ClosedListShown:
        """Return the list as everybody sees it, and as proofs keep it."""
        return {
            "commitment": self.commitment,
            "cut": self.cut,
            "hashes": dict(self.hashes),
            "givers": dict(self.givers),
            "order": self.order.shown,
        }


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
    list: NotRequired[
        Annotated[
            ClosedListShown,
            "What was fixed before the first seed was shown. Older proofs have none, nor do deals without seeds.",
        ]
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
    """What makes the deck of one hand. The secret, and until the hand is over the seeds, are for nobody to see."""

    secret: bytes
    seeds: Mapping[str, str] = {}
    """Hex, by name, or by whatever stands for it in the message."""
    cut: int | None = None
    hashes: Mapping[str, str] = {}
    """The SHA-256 of the seeds to come, as hex, by person."""
    closed: ClosedList | None = None
    """The closed list; None before a deal is requested, and where nobody gives a seed."""

    @cached_property
    def commitment(self) -> str:
        """The SHA-256 of the secret, in hex, which is shown before the hand."""
        return hashlib.sha256(self.secret).hexdigest()

    @property
    def givers(self) -> dict[str, str]:
        """Map the number of each seed that counts to the name of its giver."""
        if self.closed is None:
            return {str(number): name for number, name in enumerate(self.seeds, 1)}
        return {number: name for number, name in self.closed.givers.items() if name in self.seeds}

    @property
    def missing(self) -> list[str]:
        """List the people on the closed list whose seeds have not come."""
        return [] if self.closed is None else [name for name in self.closed.givers.values() if name not in self.seeds]

    @property
    def numbered(self) -> "Chance":
        """Copy with numbers in place of names. The room deals by this one."""
        return self.but(seeds={number: self.seeds[name] for number, name in self.givers.items()})

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
        """Return the proof, which is shown when the hand is over."""
        proof: PastDeal = {
            "commitment": self.commitment,
            "secret": self.secret.hex(),
            "seeds": dict(self.numbered.seeds),
            "givers": self.givers,
            "cut": self.cut,
            "pack": show(pack),
        }
        if self.closed is not None:
            proof["list"] = self.closed.shown
        return proof

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


SEED_IS_HEX = Sentence("room.seed_is_hex", "A seed is {least} to {most} hex digits, two for each byte.")


def check_seed(value: str) -> str:
    """Return a seed in lower-case hex, as it is kept; `bad_seed` if it is too short, too long or no hex."""
    seed = value.lower()
    fits = SHORTEST_SEED <= len(seed) <= LONGEST_SEED and len(seed) % 2 == 0
    if not fits or set(seed) - set("0123456789abcdef"):
        raise RoomError("bad_seed", SEED_IS_HEX(least=SHORTEST_SEED, most=LONGEST_SEED))
    return seed


def hash_of(seed: str) -> str:
    """Return the SHA-256 of a seed's bytes, as hex."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def kind_of(proof: Mapping[str, Any]) -> Kind:
    """Tell how far the deal of a proof can be trusted."""
    if not proof["seeds"]:
        return "server"
    return "sealed" if "list" in proof else "open"


def left_out(proof: Mapping[str, Any]) -> list[str]:
    """List the people on a proof's closed list whose seeds don't count."""
    return [name for number, name in proof.get("list", {}).get("givers", {}).items() if number not in proof["seeds"]]


def check_list(proof: Mapping[str, Any], seen: Mapping[str, Any] | None = None) -> None:
    """Compare a proof with its closed list, and with the list that a player saw (`seen`).

    Raises `ValueError` with the difference.
    """
    closed = proof.get("list")
    if seen is not None:
        if closed is None:
            raise ValueError("it has no closed list, but a player saw one")
        for key in ClosedListShown.__annotations__:
            if key in seen and seen[key] != closed[key]:
                raise ValueError(f"its closed list has another {key} than the list that a player saw")
    if closed is None:
        return
    for key in ("commitment", "cut"):
        if closed[key] != proof[key]:
            raise ValueError(f"its {key} is not the one on the closed list")
    for number, seed in proof["seeds"].items():
        if number not in closed["hashes"]:
            raise ValueError(f"seed {number} is not on the closed list")
        if hash_of(seed) != closed["hashes"][number]:
            raise ValueError(f"seed {number} does not fit its hash on the closed list")
        if proof["givers"][number] != closed["givers"][number]:
            raise ValueError(f"seed {number} was given by somebody else than the closed list says")


def verify(proof: Mapping[str, Any], pack: Cards | None = None) -> Cards:
    """Shuffle a proof's deck again.

    Raises `ValueError` if the secret is not the one committed to, the pack is another, or the closed list differs.
    """
    chance = proven(proof)
    if chance.commitment != proof["commitment"]:
        raise ValueError("the secret is not the one committed to")
    check_list(proof)
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
