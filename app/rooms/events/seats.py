"""Events of connections to the room, and of seats: bots that play for people, links, requests and transfers."""

from dataclasses import replace
from typing import Any, Literal, TypeAlias

from app.rooms.events import event_texts
from app.rooms.events.changes import assign_seat, find_player, with_player, without_departed, without_seat_offer
from app.rooms.events.log_event import Change, LogEvent
from app.rooms.model.member import FormerHolder, StandInPeriod
from app.rooms.model.state import Room


class MemberConnected(LogEvent, frozen=True, tag="came_back"):
    """Log event: a member has a connection again, or acted again after a bot had played for them."""

    name: str
    node: str = ""
    """The server to which they are connected; empty with a single server, here and in later classes."""

    def apply(self, room: Room, at: int) -> Change:
        member = room.members[self.name].connected_at(self.node)
        if member.going is None:
            member = member.without_stand_in()
        return room.with_member(replace(member.without_link(), missed=0)), (event_texts.RECONNECTED(self.name),)


class NodeConnected(LogEvent, frozen=True, tag="also_at"):
    """Log event: a member who was connected already opened a connection at another node (server process)."""

    name: str
    node: str

    def apply(self, room: Room, at: int) -> Change:
        return room.with_member(room.members[self.name].connected_at(self.node)), ()


class NodeDisconnected(LogEvent, frozen=True, tag="went_away"):
    """Log event: a member's last connection at a node (server process) was closed, or that node stopped."""

    name: str
    node: str = ""

    def apply(self, room: Room, at: int) -> Change:
        member = room.members[self.name].disconnected_from(self.node, at)
        return room.with_member(member), () if member.is_connected else (event_texts.CONNECTION_LOST(self.name),)


class ConnectionsReset(LogEvent, frozen=True, tag="woke"):
    """Log event: the room was loaded again; members count as connected only at these other nodes, if they were."""

    nodes: tuple[str, ...] = ()

    def apply(self, room: Room, at: int) -> Change:
        members = {name: member.connected_only_at(self.nodes, at) for name, member in room.members.items()}
        return room.replace(members=members), ()


class BotTookOver(LogEvent, frozen=True, tag="stood_in"):
    """Log event: a bot plays for a person who is gone, or for whom the others have waited too long."""

    name: str
    bot: str
    lent: StandInPeriod | None = None
    """The period, if a player asked for it; None: until the person is back."""
    by: str | None = None
    """The player who asked for it."""

    def apply(self, room: Room, at: int) -> Change:
        name, bot, lent = self.name, self.bot, self.lent
        helped = room.with_member(replace(room.members[name], stand_in=bot, lent=lent))
        if lent is None:
            return helped, (event_texts.BOT_TOOK_OVER(name, bot=bot),)
        return helped, (event_texts.BOT_PLAYS[lent](name, bot=bot, asked_by=self.by),)


class SeatOffered(LogEvent, frozen=True, tag="seat_offered"):
    """Log event: a player of the match offered their seat to a spectator, from the next deal on."""

    name: str
    person: str
    """The id of the spectator."""

    def apply(self, room: Room, at: int) -> Change:
        other = room.find_member(self.person)
        giver = replace(room.members[self.name], offered_to=self.person)
        return room.with_member(giver), (
            event_texts.SEAT_OFFERED(self.name, other=None if other is None else other.name),
        )


class SeatOfferAccepted(LogEvent, frozen=True, tag="seat_offer_accepted"):
    """Log event: a spectator accepted the seat of a player, and takes it with the next deal, if connected then."""

    name: str
    giver: str

    def apply(self, room: Room, at: int) -> Change:
        member = replace(room.members[self.name], role="waiting", chair=self.giver, unseated=False)
        return room.with_member(member), (event_texts.BOT_SEAT_TAKEN(self.name, of=self.giver),)


SeatOfferEnd: TypeAlias = Literal["declined", "withdrawn", "gone", "rules"]


class SeatOfferEnded(LogEvent, frozen=True, tag="seat_offer_ended"):
    """Log event: a player keeps the seat that they had offered to a spectator."""

    name: str
    why: SeatOfferEnd

    def apply(self, room: Room, at: int) -> Change:
        return without_seat_offer(room, self.name), (event_texts.SEAT_OFFER_ENDED[self.why](self.name),)


class SeatLinkCreated(LogEvent, frozen=True, tag="link_made"):
    """Log event: the host created a link that gives an absent player's seat to the first browser that opens it."""

    name: str
    digest: str
    """SHA-256 of the secret in the link."""
    until: int
    """End of validity, in milliseconds since 1970."""
    maker: str = ""
    """The host's person id; empty in older logs."""
    device: str = ""
    """The id of the host's device; empty in older logs."""

    def apply(self, room: Room, at: int) -> Change:
        name, until = self.name, self.until
        member = replace(room.members[name], link=self.digest, link_until=until)
        member = replace(member, link_maker=self.maker, link_device=self.device)
        return room.with_member(member), (event_texts.SEAT_LINK_MADE(name, host=room.host),)


class SeatLinkAllowed(LogEvent, frozen=True, tag="link_asked"):
    """Log event: a player who has taken their seat back from another browser allows seat links again."""

    name: str

    def apply(self, room: Room, at: int) -> Change:
        member = replace(room.members[self.name], link_shut=False)
        return room.with_member(member), (event_texts.SEAT_LINK_ALLOWED(self.name),)


class SeatRequested(LogEvent, frozen=True, tag="seat_requested"):
    """Log event: a visitor asked the host for the seat of an absent player."""

    name: str
    person: str
    """The visitor's id."""

    def apply(self, room: Room, at: int) -> Change:
        player = replace(find_player(room, self.name), requested_by=self.person, requested_at=at)
        return with_player(room, player), (event_texts.SEAT_REQUESTED(self.name),)


class SeatRefused(LogEvent, frozen=True, tag="seat_refused"):
    """Log event: the host turned away the visitor who asked for this seat."""

    name: str

    def apply(self, room: Room, at: int) -> Change:
        player = find_player(room, self.name).without_request()
        return with_player(room, player), (event_texts.SEAT_REFUSED(self.name),)


class SeatHoldersSeparated(LogEvent, frozen=True, tag="players_parted"):
    """Log event: the successive holders of a seat count as different people in the room's statistics.

    The host declares this, if another browser that got the seat belongs to another person.
    """

    name: str

    def apply(self, room: Room, at: int) -> Change:
        member = replace(room.members[self.name], joined=False)
        return room.with_member(member), (event_texts.COUNTED_SEPARATELY(self.name),)


class SeatTransferred(LogEvent, frozen=True, tag="seat_moved"):
    """Log event: a seat was given to another browser, by a seat link or by the host's answer to a request."""

    name: str
    person: str
    """The id of the person who has the seat from now on."""
    by: str | None = None
    """The host's name; None in older logs."""

    def apply(self, room: Room, at: int) -> Change:
        before = find_player(room, self.name)
        room = without_departed(room.with_member(before), self.name)
        former = before.former_holders
        if before.person is not None:
            former = (*former, FormerHolder(before.person, self.by, at))
        said: dict[str, Any] = {} if self.by is None else {"host": self.by}
        moved = replace(before.without_request(), former_holders=former, nodes=(), away_since=at, joined=bool(former))
        return assign_seat(room, moved, self.person), (event_texts.SEAT_MOVED(self.name, **said),)


class SeatReclaimed(LogEvent, frozen=True, tag="seat_taken_back"):
    """Log event: a person took back a seat that the host had given to another browser."""

    name: str
    person: str
    node: str = ""

    def apply(self, room: Room, at: int) -> Change:
        """Return the seat. Persons who had it later lose their claim to it. Links to this seat stop working."""
        member = room.members[self.name]
        former = [holder.person for holder in member.former_holders]
        earlier = member.former_holders[: former.index(self.person)]
        member = replace(member, former_holders=earlier, nodes=(self.node,), link_shut=True, joined=False)
        if not member.unseated:
            member = replace(member.without_stand_in(), going=None)
        return assign_seat(room, member, self.person), (event_texts.SEAT_TAKEN_BACK(self.name),)
