"""A member of a room: a person or bot with a name, their role, and the bot that may play for them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal, TypeAlias, TypedDict

Role: TypeAlias = Literal["seated", "waiting", "spectator"]
LeavingAs: TypeAlias = Literal["gone", "spectator"]
StandInPeriod: TypeAlias = Literal["turn", "seat"]
"""The period in which a bot plays for a person: this turn, or until the person uses their seat again."""
AWAY_BEFORE_LINK_MS = 60_000
"""Milliseconds without connection after which the host may give a player's seat to another browser.

A connection that is lost for a moment must not reveal a player's hidden cards to others.
"""


class PersonView(TypedDict):
    """A member of the room: a person or a bot."""

    name: Annotated[str, "The name of the member, unique in the room."]
    role: Annotated[Role, "seated: plays; waiting: plays from the next hand on; spectator: watches."]
    present: Annotated[bool, "Whether the person is connected. Always true for bots."]
    bot: Annotated[str | None, "The level of a bot; null: a person."]
    stand_in: Annotated[str | None, "The level of the bot that plays for this person now; null: none."]
    missed_turns: Annotated[int, "Number of turns missed in a row."]
    leaving_as: Annotated[
        LeavingAs | None,
        "The change before the next deal. gone: leaves the room; spectator: leaves the seat; null: stays.",
    ]
    program: Annotated[bool, "Whether the client is a program."]
    ready: Annotated[bool, "In the waiting room: whether the person is ready. Always true for bots."]
    takes_seat_of: Annotated[
        str | None, "The name of the bot or player whose seat this person takes at the next deal; null: none."
    ]
    offers_seat_to: Annotated[
        str | None, "The spectator to whom this player offers their seat from the next deal on; null: nobody."
    ]
    unseated: Annotated[
        bool, "Whether the host removed this person from a seat. False again after the person takes a seat."
    ]
    link_allowed_from: Annotated[
        int | None,
        "When the host may give this seat to another browser, in epoch milliseconds; null: not allowed.",
    ]
    seat_requested: Annotated[
        bool, "Whether a visitor asks the host for this seat. The host answers with `answer_seat_request`."
    ]
    counted_as_one: Annotated[
        bool, "Whether stats count all holders of this seat as the same person. `count_separately` ends it."
    ]
    bird: Annotated[str | None, "The bird that the person saved in their profile; null: none. Pages show `room.birds`."]
    colour: Annotated[str | None, "The colour that the person saved; null: none. Pages show `room.hues`."]
    chosen_name: Annotated[
        str | None,
        "The new name to show, while the running match uses the old one; null: `name`.",
    ]


@dataclass(frozen=True, slots=True)
class FormerHolder:
    """A person whose seat the host gave to another browser. They may take it back."""

    person: str
    """The person's id."""
    by: str | None
    """The name of the host who let the other browser in; None in logs from before this was recorded."""
    at: int
    """When, in milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Member:
    """A person or bot with a name in a room, seated or not, with the state of their seat. Immutable."""

    name: str
    person: str | None
    """The person who owns the seat; None for a bot, and for a seat whose person was removed."""
    role: Role
    bot: str | None = None
    """The kind of bot, if this is a bot."""
    nodes: tuple[str, ...] = ()
    """The nodes at which the person has connections."""
    stand_in: str | None = None
    """The kind of bot that plays for the person."""
    missed: int = 0
    """Missed turns in a row."""
    going: LeavingAs | None = None
    """What the member becomes before the next deal: gone, or a spectator."""
    ready: bool = False
    """Whether the member is ready to start, in the waiting room."""
    program: bool = False
    """Whether the client declared itself to be a program."""
    chair: str | None = None
    """The bot or player whose seat the member takes with the next deal."""
    offered_to: str | None = None
    """The id of the spectator to whom the player offers their seat in the match."""
    lent: StandInPeriod | None = None
    """The period in which the bot plays, if other players asked for it while the person was here."""
    acted_for: bool = False
    """Whether the last action of this hand was made for the person."""
    unseated: bool = False
    """Whether the host took their seat, until they take another."""
    away_since: int = 0
    """When the last connection was closed, in milliseconds since 1970. Meaningless while connected."""
    link: str | None = None
    """SHA-256 of the secret in a link that gives the seat to another browser."""
    link_until: int = 0
    """End of the link's validity, in milliseconds since 1970."""
    link_maker: str = ""
    """The id of the person who created the link as host."""
    link_device: str = ""
    """The id of the device with which the link was created."""
    link_shut: bool = False
    """Whether the person took the seat back. Then seat links stay disabled until the person allows them."""
    former_holders: tuple[FormerHolder, ...] = ()
    """Persons who had this seat before the host gave it to another browser, oldest first."""
    requested_by: str | None = None
    """The id of the visitor who asks the host for this seat."""
    requested_at: int = 0
    """When the visitor asked, in milliseconds since 1970."""
    joined: bool = False
    """Whether the room's statistics count the former holders and the holder of this seat as the same person."""
    bird: str | None = None
    colour: str | None = None
    called: str | None = None
    """The chosen name, which replaces `name` once no match uses that."""

    @property
    def is_connected(self) -> bool:
        """Whether this member, a person, has an open connection at any node. Always false for a bot."""
        return bool(self.nodes)

    @property
    def active_bot(self) -> str | None:
        """The kind of bot that plays this member's seat: the bot itself, or one that plays for the person.

        None if the person plays.
        """
        return self.bot or self.stand_in

    @property
    def is_connected_person(self) -> bool:
        """Whether this member is a person with an open connection."""
        return self.person is not None and bool(self.nodes)

    @property
    def is_staying_person(self) -> bool:
        """Whether this member is a person who is not about to leave the room.

        Becoming a spectator counts as staying.
        """
        return self.person is not None and self.going != "gone"

    @property
    def link_allowed_from(self) -> int | None:
        """From when on the host may give this absent member's seat to another browser, in milliseconds since 1970.

        That is a minute after the last connection, or at once if they left. None if it is not allowed: connected,
        removed, or a bot.
        """
        if self.person is None or self.is_connected or self.unseated or self.link_shut:
            return None
        return self.away_since + (AWAY_BEFORE_LINK_MS if self.going is None else 0)

    def view(self, offers_seat_to: str | None = None) -> PersonView:
        """Return the member as JSON for the room's public view, without ids and secrets.

        `offers_seat_to`: the name of the spectator to whom they offer their seat.
        """
        return {
            "name": self.name,
            "role": self.role,
            "present": self.is_connected or self.bot is not None,
            "bot": self.bot,
            "stand_in": self.stand_in,
            "missed_turns": self.missed,
            "leaving_as": self.going,
            "ready": self.ready or self.bot is not None,
            "program": self.program,
            "takes_seat_of": self.chair,
            "offers_seat_to": offers_seat_to,
            "unseated": self.unseated,
            "link_allowed_from": self.link_allowed_from,
            "seat_requested": self.requested_by is not None and not self.is_connected,
            "counted_as_one": self.joined,
            "bird": self.bird,
            "colour": self.colour,
            "chosen_name": self.called,
        }

    def connected_at(self, node: str) -> "Member":
        """Return the member with a connection at this node; a visitor's request for the seat is dropped.

        Unchanged if they are connected there already.
        """
        return self if node in self.nodes else replace(self.without_request(), nodes=(*self.nodes, node))

    def connected_only_at(self, nodes: Collection[str], at: int) -> "Member":
        """Return the member without connections at other nodes than these. New connections are not added.

        `at`: now, in milliseconds since 1970, stored as the start of absence if no connection is left.
        """
        live = tuple(node for node in self.nodes if node in nodes)
        if live == self.nodes:
            return self
        return replace(self, nodes=live, away_since=self.away_since if live else at)

    def disconnected_from(self, node: str, at: int) -> "Member":
        """Return the member without their connection at this node.

        `at`: now, in milliseconds since 1970, stored as the start of absence if no connection is left.
        """
        return self.connected_only_at([other for other in self.nodes if other != node], at)

    def without_link(self) -> "Member":
        """Return the member without the link that gives their seat to another browser; such a link no longer works."""
        return self if self.link is None else replace(self, link=None, link_until=0, link_maker="", link_device="")

    def without_request(self) -> "Member":
        """Return the member without a visitor's request for their seat, because it was answered or is pointless now."""
        return self if self.requested_by is None else replace(self, requested_by=None, requested_at=0)

    def without_stand_in(self) -> "Member":
        """Return the member without the bot that plays for them, and with no missed turns.

        They play themselves again, or their seat in the match has ended.
        """
        return replace(self, stand_in=None, lent=None, missed=0)


Members = Mapping[str, Member]
"""Members by name, in the order in which they joined."""
