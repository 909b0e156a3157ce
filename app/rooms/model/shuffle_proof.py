"""Deals that anybody can verify and nobody can control, by commit and reveal.

The room commits to a secret of 32 bytes by showing its SHA-256. Each page sends the SHA-256 of a seed that it keeps
secret. When a deal is requested, the list of commitment, cut and hashes is closed. Only then the pages send their
seeds. A seed that is missing or does not match its hash is left out. So nobody can adapt a seed or the secret to
the others. The game's deck in its fixed order is shuffled by Fisher–Yates from the last card down. Each step draws
32-bit words from a stream, and rejects words that would favour some positions:

    message = "number:seed" of each seed, sorted by number as text, each followed by a newline; then "cut:17" or "cut:"
    block i = HMAC-SHA-256(secret, message + 0x00 + i as four bytes), read as eight big-endian words

After the hand the secret is shown, and anybody can repeat the shuffle. The message contains numbers for the seeds,
and the names are stored separately. So a name can be removed, and the deal can still be proven.

Older proofs have no closed list: their seeds were public, so a player who knew the secret and sent the last seed
could choose the deal. In still older proofs the message contained names in place of numbers (sorted as UTF-16, like
JavaScript's `sort()`). If one of these names is removed, the resulting blocks are stored in the proof
(`without_names`). This module does not depend on rooms.
"""

import hashlib
import hmac
import itertools
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from struct import Struct
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from app.engine.base.frozen import FrozenState
from app.engine.base.messages import MessageTemplate
from app.engine.cards.cards import Cards, format_cards, parse_cards
from app.engine.cards.deal_order import DealOrder, DealOrderView
from app.rooms.errors import RoomError

SECRET_BYTES = 32
_WORDS = Struct(">8I")
SHORTEST_SEED, LONGEST_SEED = 32, 64
"""Limits for the number of hex digits of a seed."""

ProofKind: TypeAlias = Literal["sealed", "open", "server"]
"""How far a deal can be trusted.

"sealed": seeds were fixed by their hashes first. "open": seeds were sent in public (older proofs). "server": no
player's seed counts, so the deal depends on the server alone.
"""


class ClosedListView(TypedDict):
    """The part of a deal that is fixed before the first seed is revealed."""

    commitment: Annotated[str, "The SHA-256 of the server's secret."]
    cut: Annotated[int | None, "Number of cards after which the deck is cut; null: no player chose it."]
    hashes: Annotated[dict[str, str], "The SHA-256 of each seed, in hex by number."]
    givers: Annotated[dict[str, str], "The names of those who give the seeds, by number."]
    order: Annotated[DealOrderView, "Which pile of the deck goes to which seat."]


class ClosedList(FrozenState, frozen=True):
    """The part of a deal that is fixed before the first seed is shown: commitment, cut, seed hashes, order.

    So nobody can adapt a seed or the secret to the others.
    """

    commitment: str
    cut: int | None
    hashes: Mapping[str, str]
    """SHA-256 of each seed, by number."""
    givers: Mapping[str, str]
    """Names, by number."""
    order: DealOrder
    until: int = 0
    """When the room deals without the missing seeds, in milliseconds since 1970."""

    @property
    def view(self) -> ClosedListView:
        """The closed list as JSON, as everybody in the room sees it and as proofs of the shuffle contain it."""
        return {
            "commitment": self.commitment,
            "cut": self.cut,
            "hashes": dict(self.hashes),
            "givers": dict(self.givers),
            "order": self.order.to_json,
        }


CancelReason: TypeAlias = Literal["deleted", "seats_changed", "match_ended", "lost_entries"]
"""Why a deal was cancelled after its list was closed.

"deleted": a player deleted their data. "seats_changed": other players have the seats. "match_ended": the match was
stopped. "lost_entries": the database lost the room's last log entries.
"""
Reason: TypeAlias = Annotated[
    CancelReason,
    "Why: a player deleted their data, other players have the seats, the match ended, or the database lost entries.",
]
By: TypeAlias = Annotated[str | None, "For `deleted`: the name of the player who deleted their data."]


class CancelledDealView(TypedDict):
    """A deal that was cancelled after its list was closed, before its secret and seeds are shown."""

    reason: Reason
    by: By
    list: Annotated[ClosedListView, "The closed list."]
    givers: Annotated[dict[str, str], "The names of those whose seeds had arrived, by number."]


class CancelledDeal(TypedDict):
    """The proof of a deal that was cancelled after its list was closed: which cards it would have given."""

    reason: Reason
    by: By
    commitment: Annotated[str, "The SHA-256 of the secret."]
    secret: Annotated[str, "The server's secret, in hex. It was never used for another deal."]
    seeds: Annotated[dict[str, str], "The players' seeds that had arrived, in hex by number."]
    givers: Annotated[dict[str, str], "The names of those who gave these seeds, by number."]
    cut: Annotated[int | None, "Number of cards after which the deck would have been cut; null: not cut."]
    pack: Annotated[str, "The deck in its fixed order."]
    list: Annotated[ClosedListView, "The closed list."]


CancelledDeals: TypeAlias = list[CancelledDeal]

MAX_CANCELLED = 30
"""Cancelled deals that a room keeps until the next hand is over. Pages keep the same number of lists."""


class PastDeal(TypedDict):
    """The proof of a deal."""

    commitment: Annotated[str, "The SHA-256 of the secret, as published before the deal."]
    secret: Annotated[str, "The server's secret, in hex."]
    seeds: Annotated[dict[str, str], "The players' seeds, in hex by number. In older proofs by name."]
    givers: NotRequired[Annotated[dict[str, str], "The names of those who gave the seeds, by number."]]
    cut: Annotated[int | None, "Number of cards after which the deck was cut; null: not cut."]
    pack: Annotated[str, "The shuffled deck."]
    blocks: NotRequired[Annotated[list[str], "Hash blocks in hex, if a name was removed from the hashed data."]]
    list: NotRequired[
        Annotated[
            ClosedListView,
            "The closed list. Missing in older proofs and for deals without seeds.",
        ]
    ]
    known: NotRequired[
        Annotated[
            Literal["variation", "deals"],
            "Why the deck was not shuffled: its cards come from another match, and people may know them.",
        ]
    ]
    cancelled: NotRequired[
        Annotated[CancelledDeals, "The deals before this one that were cancelled after their list was closed."]
    ]


def known_cards_proof(known: Literal["variation", "deals"]) -> PastDeal:
    """Return what replaces the proof of the shuffle if the cards come from another match and were not shuffled.

    `known`: a variation, or the deals of another match.
    """
    return {"commitment": "", "secret": "", "seeds": {}, "cut": None, "pack": "", "known": known}


class DealRandomness(FrozenState, frozen=True, dict=True):
    """The random inputs for shuffling one hand: the server's secret, the players' seeds and the cut.

    Secret and seeds are published when the hand is over (`build_proof`); before, only their hashes are shown.
    """

    secret: bytes
    seeds: Mapping[str, str] = {}
    """Seeds in hex, by name, or by number as in the message."""
    cut: int | None = None
    hashes: Mapping[str, str] = {}
    """SHA-256 of the promised seeds in hex, by person."""
    closed: ClosedList | None = None
    """The closed list; None before a deal is requested, and if nobody promised a seed."""

    @cached_property
    def commitment(self) -> str:
        """SHA-256 of the server's secret in hex: shown before the deal, so that the server can't change the secret."""
        return hashlib.sha256(self.secret).hexdigest()

    @property
    def seed_givers(self) -> dict[str, str]:
        """The names of the players whose seeds have arrived, by the number that each seed has in the shuffle."""
        if self.closed is None:
            return {str(number): name for number, name in enumerate(self.seeds, 1)}
        return {number: name for number, name in self.closed.givers.items() if name in self.seeds}

    @property
    def missing_seed_givers(self) -> list[str]:
        """The names of players who promised a seed for this deal that has not arrived.

        Empty before a deal is requested.
        """
        return [] if self.closed is None else [name for name in self.closed.givers.values() if name not in self.seeds]

    @property
    def with_numbered_seeds(self) -> "DealRandomness":
        """The same random inputs with the seeds by number in place of name, so that a name can be removed later.

        The cards are shuffled with this copy.
        """
        return self.replace(seeds={number: self.seeds[name] for number, name in self.seed_givers.items()})

    @property
    def hmac_message(self) -> bytes:
        """The message of the HMAC from which the shuffle's random numbers come: all seeds, and the cut."""
        names = sorted(self.seeds, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        lines = "".join(f"{name}:{self.seeds[name]}\n" for name in names)
        return f"{lines}cut:{'' if self.cut is None else self.cut}".encode()

    def shuffle(self, pack: Cards) -> Cards:
        """Return the deck `pack` in the order that these random inputs produce; the same inputs give the same order."""
        return _shuffle_with_blocks(pack, self._random_blocks())

    def hex_blocks_used(self, pack: Cards) -> list[str]:
        """Return the blocks of random words, in hex, that shuffling this deck uses.

        An old proof stores them when a player's name in it is replaced, because they could not be computed then.
        """
        taken: list[bytes] = []

        def noted() -> Iterator[bytes]:
            for block in self._random_blocks():
                taken.append(block)
                yield block

        _shuffle_with_blocks(pack, noted())
        return [block.hex() for block in taken]

    def seed_within_hand(self) -> int:
        """Return the number from which random events during the hand follow.

        It has 48 bits, which JSON numbers hold exactly.
        """
        return int.from_bytes(hmac.digest(self.secret, self.hmac_message + b"\x01", "sha256")[:6])

    def build_proof(self, pack: Cards) -> PastDeal:
        """Return the proof of the shuffle of this deck.

        It contains the secret, so it is shown after the hand only.
        """
        proof: PastDeal = {
            "commitment": self.commitment,
            "secret": self.secret.hex(),
            "seeds": dict(self.with_numbered_seeds.seeds),
            "givers": self.seed_givers,
            "cut": self.cut,
            "pack": format_cards(pack),
        }
        if self.closed is not None:
            proof["list"] = self.closed.view
        return proof

    def cancelled_deal(self, pack: Cards, reason: CancelReason, by: str | None = None) -> CancelledDeal:
        """Return the proof of the deal of this deck that is cancelled now, after its list was closed.

        It contains secret and seeds, so it is shown after the following hand only. `by`: who deleted their data.
        """
        assert self.closed is not None, "before its list is closed, a deal can't be cancelled"
        return {
            "reason": reason,
            "by": by,
            "commitment": self.commitment,
            "secret": self.secret.hex(),
            "seeds": dict(self.with_numbered_seeds.seeds),
            "givers": self.seed_givers,
            "cut": self.cut,
            "pack": format_cards(pack),
            "list": self.closed.view,
        }

    def _random_blocks(self) -> Iterator[bytes]:
        message = self.hmac_message + b"\x00"
        for count in itertools.count():
            yield hmac.digest(self.secret, message + count.to_bytes(4), "sha256")


def _shuffle_with_blocks(pack: Cards, blocks: Iterable[bytes]) -> Cards:
    """Return the deck shuffled with these blocks of random words; raise `ValueError` if there are too few."""
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


SEED_IS_HEX = MessageTemplate("room.seed_is_hex", "A seed must have {least} to {most} hex digits, two per byte.")


def normalize_seed(value: str) -> str:
    """Return a player's seed in lower-case hex, as it is stored.

    Raises `RoomError` `bad_seed` for a wrong length or other characters.
    """
    seed = value.lower()
    fits = SHORTEST_SEED <= len(seed) <= LONGEST_SEED and len(seed) % 2 == 0
    if not fits or set(seed) - set("0123456789abcdef"):
        raise RoomError("bad_seed", SEED_IS_HEX(least=SHORTEST_SEED, most=LONGEST_SEED))
    return seed


def seed_hash(seed: str) -> str:
    """Return the SHA-256 in hex of a player's seed, given in hex: the hash that promises the seed."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def proof_kind(proof: Mapping[str, Any]) -> ProofKind:
    """Return how far a proof of a shuffle can be trusted: "sealed", "open" (older proofs) or "server".

    "server" means that no player's seed counts. The proof itself is not checked here.
    """
    if not proof["seeds"]:
        return "server"
    return "sealed" if "list" in proof else "open"


def names_without_seed(proof: Mapping[str, Any]) -> list[str]:
    """Return the players on a proof's closed list whose promised seeds were late, so that they don't count."""
    return [name for number, name in proof.get("list", {}).get("givers", {}).items() if number not in proof["seeds"]]


def check_closed_list(proof: Mapping[str, Any]) -> None:
    """Check that a proof of a shuffle agrees with its closed list. Older proofs, without a list, pass.

    Raises `ValueError` with the difference.
    """
    closed = proof.get("list")
    if closed is None:
        return
    for key in ("commitment", "cut"):
        if closed[key] != proof[key]:
            raise ValueError(f"its {key} is not the one on the closed list")
    for number, seed in proof["seeds"].items():
        if number not in closed["hashes"]:
            raise ValueError(f"seed {number} is not on the closed list")
        if seed_hash(seed) != closed["hashes"][number]:
            raise ValueError(f"seed {number} does not fit its hash on the closed list")
        if proof["givers"][number] != closed["givers"][number]:
            raise ValueError(f"seed {number} was given by somebody else than the closed list says")


def check_secret(proof: Mapping[str, Any]) -> DealRandomness:
    """Check that a proof's secret matches its commitment, and its seeds its closed list; return its random inputs.

    Raises `ValueError` with the difference.
    """
    chance = randomness_from_proof(proof)
    if chance.commitment != proof["commitment"]:
        raise ValueError("the secret is not the one committed to")
    check_closed_list(proof)
    return chance


def verify_and_shuffle(proof: Mapping[str, Any], pack: Cards | None = None) -> Cards:
    """Verify a proof of a shuffle and return the deck in the order that it leads to.

    Raises `ValueError` if the secret does not match the commitment, the closed list differs, or the deck is not
    `pack`.
    """
    chance = check_secret(proof)
    shown = parse_cards(proof["pack"])
    if pack is not None and pack != shown:
        raise ValueError("the pack is not the game's")
    if "blocks" in proof:
        return _shuffle_with_blocks(shown, map(bytes.fromhex, proof["blocks"]))
    return chance.shuffle(shown)


def randomness_from_proof(proof: Mapping[str, Any]) -> DealRandomness:
    """Return the random inputs that a proof of a shuffle states: secret, seeds and cut.

    Nothing is checked.
    """
    return DealRandomness(bytes.fromhex(proof["secret"]), proof["seeds"], proof["cut"])


def without_names(proof: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a proof of the same shuffle that stays valid when names of players in it are replaced.

    Needed for old proofs only, in which names are part of the message: the resulting random blocks are added.
    """
    if "givers" in proof or "blocks" in proof:
        return proof
    return {**proof, "blocks": randomness_from_proof(proof).hex_blocks_used(parse_cards(proof["pack"]))}
