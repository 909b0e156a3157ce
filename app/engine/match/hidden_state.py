"""A match as one seat may know it, and worlds drawn from it: matches as they may be.

What is veiled goes by the seat's own cards, by what lies open and by what the seat was told; of others' hands only the
number of cards. So hidden cards can change places, and nothing of it changes:
tools/property_checks/information_leaks.py tries that.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from msgspec import msgpack

from app.engine.base.random_source import Dice
from app.engine.cards.cards import Cards
from app.engine.match import state_codec
from app.engine.match.game import AnyGame, Told
from app.engine.match.hand import Hand, Unseen
from app.engine.match.match import Match


@dataclass(frozen=True)
class Veiled:
    """What a seat knows of a running match."""

    match: Match
    """With cards in order where hidden ones are."""
    seat: str
    unseen: Unseen[Hand]

    def sample(self, rng: Dice) -> Match:
        """A match as it may be: hidden cards dealt by chance to those who may hold them. To the seat it looks the
        same."""
        unseen = self.unseen
        cards = list(unseen.hidden)
        rng.shuffle(cards)
        held, at = dict[str, Cards](), 0
        for name, count in unseen.held:
            held[name] = (*unseen.known.get(name, ()), *cards[at : at + count])
            at += count
        stock, pile = tuple(cards[at : at + unseen.stock]), tuple(cards[at + unseen.stock :][: unseen.pile])
        hand = self.match.game.dealt_so(unseen.hand, held, stock, pile, rng)
        return self.match.but(hand=hand)

    def pack(self) -> bytes:
        """All of it, for another process; the same bytes for the same knowledge."""
        between = self.match.but(hand=None)
        return msgpack.encode([between.save(), self.seat, state_codec.packed(self.unseen)])

    @classmethod
    def unpack(cls, packed: bytes, games: Mapping[str, AnyGame]) -> Self:
        """What `pack` gave, read back; `games` by key."""
        saved, seat, unseen = msgpack.decode(packed)
        match = Match.load(saved, games)
        found: Unseen[Hand] = state_codec.unpacked(unseen, rules=match.game.rules(match.options))
        return cls(match.but(hand=found.hand), seat, found)


def veil(match: Match, seat: str, told: Sequence[Told]) -> Veiled | None:
    """What a seat knows of a running match, from what lies open and what it has been told since the deal.

    None where more is hidden than can be drawn again: while cards are dealt by hand, traded or offered.
    """
    if not match.running:
        return None
    unseen = match.game.unseen(match, match.the_hand, seat, told)
    if unseen is None:
        return None
    quiet = match.but(hand=unseen.hand, happened=(), entered=())
    return Veiled(quiet, seat, unseen)
