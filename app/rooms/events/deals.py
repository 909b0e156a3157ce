"""Events that prepare a deal: its secret, the seeds of the players, and the cards of another match."""

from typing import Any

import msgspec

from app.engine.cards.deal_order import DealOrder
from app.rooms.events import event_texts
from app.rooms.events.log_event import Change, LogEvent
from app.rooms.model.shuffle_proof import MAX_CANCELLED, CancelledDeal, CancelReason, ClosedList, DealRandomness
from app.rooms.model.state import NO_CHANCE, KnownDeals, Room


class SecretCommitted(LogEvent, frozen=True, tag="committed"):
    """Log event: a secret for the next deal was drawn; the room shows its SHA-256 from now on."""

    secret: str

    def apply(self, room: Room, at: int) -> Change:
        return room.replace(chance=DealRandomness(bytes.fromhex(self.secret))), ()


class SeedHashReceived(LogEvent, frozen=True, tag="seed_promised"):
    """Log event: a person's page promised a random seed for the next deal by sending its SHA-256."""

    person: str
    hash: str

    def apply(self, room: Room, at: int) -> Change:
        hashes = {**room.chance.hashes, self.person: self.hash}
        giver = room.find_member(self.person)
        texts = () if giver is None else (event_texts.SEED_PROMISED(giver.name),)
        return room.replace(chance=room.chance.replace(hashes=hashes)), texts


class SeedListClosed(LogEvent, frozen=True, tag="list_closed"):
    """Log event: a deal was requested; its commitment, cut and seed hashes are fixed, and pages send seeds next."""

    commitment: str
    cut: int | None
    hashes: dict[str, str]
    """By number."""
    givers: dict[str, str]
    """Names, by number."""
    order: dict[str, Any]
    """Which pile of cards goes to which seat (`DealOrder`)."""
    until: int
    """When the room deals without the missing seeds, in milliseconds since 1970."""

    def apply(self, room: Room, at: int) -> Change:
        order = msgspec.convert(self.order, DealOrder)
        closed = ClosedList(self.commitment, self.cut, self.hashes, self.givers, order, self.until)
        chance = room.chance.replace(closed=closed, seeds={})
        return room.replace(chance=chance), (event_texts.SEED_LIST_CLOSED(None),)


class SeedReceived(LogEvent, frozen=True, tag="seeded"):
    """Log event: a player's page sent its random seed.

    In older logs this came before the deal was requested.
    """

    name: str
    value: str

    def apply(self, room: Room, at: int) -> Change:
        seeds = {**room.chance.seeds, self.name: self.value}
        return room.replace(chance=room.chance.replace(seeds=seeds)), (event_texts.SEED_RECEIVED(self.name),)


class DealCancelled(LogEvent, frozen=True, tag="deal_cancelled"):
    """Log event: a deal was cancelled after its list was closed. Its secret and seeds are never used again."""

    deal: CancelledDeal
    """The cancelled draw, and the reason; secret and seeds are shown after the following hand."""

    def apply(self, room: Room, at: int) -> Change:
        deal = self.deal
        reason: CancelReason = deal["reason"]
        said: dict[str, Any] = {"reason": reason, reason: True, "commitment": deal["commitment"]}
        chance = NO_CHANCE if deal["commitment"] == room.chance.commitment else room.chance
        cancelled = (*room.cancelled, deal)[-MAX_CANCELLED:]
        return room.replace(chance=chance, cancelled=cancelled), (event_texts.DEAL_CANCELLED(deal["by"], **said),)


class AutomaticDealFailed(LogEvent, frozen=True, tag="held"):
    """Log event: the next hand could not be dealt automatically, so a player has to ask for it."""

    def apply(self, room: Room, at: int) -> Change:
        return room, ()


class KnownDealsSet(LogEvent, frozen=True, tag="deals_given"):
    """Log event: the room's next match is dealt with the cards of another match."""

    match: str
    people: list[str]
    """Persons who played that match and know the cards."""
    hands: list[dict[str, Any]]
    """The deals of that match, by seat (`KnownDeal`)."""

    def apply(self, room: Room, at: int) -> Change:
        return room.replace(deals=msgspec.convert(self.to_json(), KnownDeals)), ()
