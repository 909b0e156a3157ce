"""A match as known to one seat, and random complete matches that fit that knowledge.

The knowledge depends only on the seat's own cards, open cards, reported events, and the number of other players'
cards. Hidden cards can therefore be exchanged without changing it. `tools/property_checks/information_leaks.py`
checks that.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from msgspec import msgpack

from app.engine.base.random_source import RandomSource
from app.engine.cards.cards import Cards
from app.engine.match import state_codec
from app.engine.match.game import AnyGame, SeatEvent
from app.engine.match.hand import Hand, HandKnowledge
from app.engine.match.match import Match


@dataclass(frozen=True)
class SeatKnowledge:
    """What a seat knows of a running match, from which a bot that searches samples possible deals.

    `unseen` tells which cards are hidden, and where they may be.
    """

    match: Match
    """The match, with hidden cards replaced by cards in a fixed order."""
    seat: str
    unseen: HandKnowledge[Hand]

    def sample_match(self, rng: RandomSource) -> Match:
        """Return a match as it might be: hidden cards are dealt at random to players who may hold them.

        To the seat it looks the same as the real match.
        """
        unseen = self.unseen
        cards = list(unseen.hidden)
        rng.shuffle(cards)
        held, at = dict[str, Cards](), 0
        for name, count in unseen.held:
            held[name] = (*unseen.known.get(name, ()), *cards[at : at + count])
            at += count
        stock, pile = tuple(cards[at : at + unseen.stock]), tuple(cards[at + unseen.stock :][: unseen.pile])
        hand = self.match.game.fill_hidden_cards(unseen.hand, held, stock, pile, rng)
        return self.match.replace(hand=hand)

    def to_bytes(self) -> bytes:
        """Return what the seat knows as bytes for another process. Equal knowledge gives equal bytes."""
        between = self.match.replace(hand=None)
        return msgpack.encode([between.to_json(), self.seat, state_codec.encode_state(self.unseen)])

    @classmethod
    def from_bytes(cls, packed: bytes, games: Mapping[str, AnyGame]) -> Self:
        """Return a seat's knowledge that `to_bytes` encoded. `games`: all games by key."""
        saved, seat, unseen = msgpack.decode(packed)
        match = Match.from_json(saved, games)
        found: HandKnowledge[Hand] = state_codec.decode_state(unseen, rules=match.game.build_rules(match.options))
        return cls(match.replace(hand=found.hand), seat, found)


def build_seat_knowledge(match: Match, seat: str, seat_events: Sequence[SeatEvent]) -> SeatKnowledge | None:
    """Return what a seat knows of a running match, for bots that search, from open cards and the events since the deal.

    None if no hand is running, or if the missing facts can't be sampled: while cards are dealt by hand, traded or
    offered.
    """
    if not match.is_hand_running:
        return None
    unseen = match.game.build_hand_knowledge(match, match.current_hand, seat, seat_events)
    if unseen is None:
        return None
    quiet = match.replace(hand=unseen.hand, happened=(), entered=())
    return SeatKnowledge(quiet, seat, unseen)
