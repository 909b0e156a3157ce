"""One name in a room: a person or a bot, whether they have a place in the match, and who plays it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, TypedDict

from app.bots import LEVELS

from .entries import Going, Lent, Role


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
    bird: Annotated[str | None, "The bird that they chose; of a bot, the sign of its level."]
    colour: Annotated[str | None, "The colour that they chose."]
    called: Annotated[
        str | None,
        "What they are called by now, where a match holds them to their name until it is over: pages show this.",
    ]


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
    link: str | None = None
    """SHA-256 of a link that gives their place to another browser."""
    link_until: int = 0
    """Until when it does, in milliseconds since 1970."""
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
            "bird": self.bird if self.bot is None else _sign(self.bot),
            "colour": self.colour,
            "called": self.called,
        }

    def at(self, node: str) -> "Member":
        """Give the same member with a socket at this node."""
        return self if node in self.nodes else replace(self, nodes=(*self.nodes, node))

    def gone_from(self, node: str) -> "Member":
        """Give the same member without a socket at this node."""
        return replace(self, nodes=tuple(other for other in self.nodes if other != node))

    def played_by_themselves(self) -> "Member":
        """Give the same member without a bot in their place."""
        return replace(self, stand_in=None, lent=None, missed=0)


Members = Mapping[str, Member]
"""By name, in the order in which they came."""


def _sign(bot: str) -> str | None:
    return LEVELS[bot].sign if bot in LEVELS else None
