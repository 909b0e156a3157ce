"""One name in a room: a person or a bot, whether they have a place in the match, and who plays it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, TypedDict

from app.bots import LEVELS
from app.rooms.model.events import Going, Lent, Role

AWAY_BEFORE_LINK_MS = 60_000
"""How many milliseconds a player must be away, without a break, before the host may give their seat to another
browser. A connection that is lost for a moment must not cost anybody their hidden cards."""


class PersonShown(TypedDict):
    """Somebody in the room."""

    name: Annotated[str, "Nobody else here has it."]
    role: Annotated[Role, "waiting: joins at the next hand."]
    present: Annotated[bool, "Whether a socket of theirs is open."]
    bot: Annotated[str | None, "The kind of a bot that sits here."]
    playing_for: Annotated[str | None, "The kind of a bot that plays this seat while its person is away."]
    missed: Annotated[int, "Turns missed in a row."]
    going: Annotated[Going | None, "What becomes of them before the next deal."]
    program: Annotated[bool, "Whether this person says that they are a program."]
    ready: Annotated[bool, "In the waiting room: whether they said that they are ready. Bots always are."]
    chair: Annotated[str | None, "The bot whose chair they have from the next deal on."]
    unseated: Annotated[bool, "Whether the host took their seat, until they take another."]
    link_from: Annotated[
        int | None,
        "From when on the host may give this seat to another browser, epoch milliseconds; null: the host may not.",
    ]
    requested: Annotated[bool, "Whether a visitor asks the host for this seat: `answer_seat_request` answers."]
    joined: Annotated[bool, "Whether statistics count the holders of this seat as one: `count_apart` ends it."]
    bird: Annotated[str | None, "The bird that they chose; of a bot, the sign of its level."]
    colour: Annotated[str | None, "The colour that they chose."]
    called: Annotated[
        str | None,
        "What they are called by now, where a match holds them to their name until it is over: pages show this.",
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
    """Somebody who has a name here."""

    name: str
    person: str | None
    """Whose place this is; None for bots, and for a place whose person was sent away."""
    role: Role
    bot: str | None = None
    """The kind of bot, if it is one."""
    nodes: tuple[str, ...] = ()
    """The nodes at which sockets of theirs are open."""
    stand_in: str | None = None
    """The kind of bot that plays in their place."""
    missed: int = 0
    """Turns missed, one after the other."""
    going: Going | None = None
    """What becomes of them before the next deal."""
    ready: bool = False
    """Whether they said in the waiting room that they are ready."""
    program: bool = False
    """Whether this person says that they are a program."""
    chair: str | None = None
    """The bot whose chair they have from the next deal on."""
    lent: Lent | None = None
    """For how long the bot in their place plays, if it was asked for while they were here."""
    acted_for: bool = False
    """Whether somebody else made their last action in this hand."""
    unseated: bool = False
    """Whether the host took their seat, until they take another."""
    away_since: int = 0
    """Since when they have had no socket open, in milliseconds since 1970. Only meaningful while they have none."""
    link: str | None = None
    """SHA-256 of a link that gives their seat to another browser."""
    link_until: int = 0
    """Until when the link works, in milliseconds since 1970."""
    link_maker: str = ""
    """The id of the person who made the link, as host."""
    link_device: str = ""
    """The id of the device that this person made it with."""
    link_shut: bool = False
    """Whether they have taken their seat back: then no link to it works until they ask for one."""
    former_holders: tuple[FormerHolder, ...] = ()
    """The persons who had this seat before the host gave it to another browser, the first of them first."""
    requested_by: str | None = None
    """The id of the visitor who asks the host for this seat."""
    requested_at: int = 0
    """When the visitor asked, in milliseconds since 1970."""
    joined: bool = False
    """Whether statistics of the room count the former holders of this seat as its holder."""
    bird: str | None = None
    colour: str | None = None
    called: str | None = None
    """The name that they will have here when a match no longer holds them to this one."""

    @property
    def present(self) -> bool:
        """Whether a socket of theirs is open."""
        return bool(self.nodes)

    @property
    def player(self) -> str | None:
        """The kind of bot that plays here; None: the person does."""
        return self.bot or self.stand_in

    @property
    def is_here(self) -> bool:
        """A person, with a socket open."""
        return self.person is not None and bool(self.nodes)

    @property
    def stays(self) -> bool:
        """A person who is not about to leave for good."""
        return self.person is not None and self.going != "gone"

    @property
    def link_from(self) -> int | None:
        """From when on the host may give this seat to another browser; None if the host may not."""
        if self.person is None or self.present or self.going is not None or self.unseated or self.link_shut:
            return None
        return self.away_since + AWAY_BEFORE_LINK_MS

    def shown(self) -> PersonShown:
        """What everybody sees."""
        return {
            "name": self.name,
            "role": self.role,
            "present": self.present or self.bot is not None,
            "bot": self.bot,
            "playing_for": self.stand_in,
            "missed": self.missed,
            "going": self.going,
            "ready": self.ready or self.bot is not None,
            "program": self.program,
            "chair": self.chair,
            "unseated": self.unseated,
            "link_from": self.link_from,
            "requested": self.requested_by is not None and not self.present,
            "joined": self.joined,
            "bird": self.bird if self.bot is None else _sign(self.bot),
            "colour": self.colour,
            "called": self.called,
        }

    def at(self, node: str) -> "Member":
        """Give the same member with a socket at this node."""
        return self if node in self.nodes else replace(self.without_request(), nodes=(*self.nodes, node))

    def only_at(self, nodes: Collection[str], at: int) -> "Member":
        """Give the same member with sockets at no other nodes than these, from this time on (milliseconds)."""
        kept = tuple(node for node in self.nodes if node in nodes)
        if kept == self.nodes:
            return self
        return replace(self, nodes=kept, away_since=self.away_since if kept else at)

    def gone_from(self, node: str, at: int) -> "Member":
        """Give the same member without a socket at this node, from this time on (milliseconds)."""
        return self.only_at([other for other in self.nodes if other != node], at)

    def without_link(self) -> "Member":
        """Give the same member without a link to their seat."""
        return self if self.link is None else replace(self, link=None, link_until=0, link_maker="", link_device="")

    def without_request(self) -> "Member":
        """Give the same member without a visitor who asks for their seat."""
        return self if self.requested_by is None else replace(self, requested_by=None, requested_at=0)

    def played_by_themselves(self) -> "Member":
        """Give the same member without a bot in their place."""
        return replace(self, stand_in=None, lent=None, missed=0)


Members = Mapping[str, Member]
"""By name, in the order in which they came."""


def _sign(bot: str) -> str | None:
    return LEVELS[bot].sign if bot in LEVELS else None
