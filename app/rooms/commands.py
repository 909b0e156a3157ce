"""What may be asked of a room: one closed declaration for each, which is also what goes over the wire.

Every command carries `by`, the id of the person who asks, and `id`, chosen by the client: the same id of the same
person is handled once, and the second time gets the first answer. A `Message` comes over sockets: its name there is
that of its class (`take_chair`), its fields are these without `by`. A subclass more is a message more: reading it, the
schema, the page's types and what is written of it are made from here, and who may say it is known from here.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from app.bots import StandIn
from app.bounded import FREE_JSON, MOST_KEYS

from .motion import Matter
from .settings import ClockChange, Lasting, Pace
from .stake import StakeChange

LONGEST_ID = 64
"""Characters in a command's id."""

Id: TypeAlias = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LONGEST_ID,
        description="Chosen by the client. The same id again gets the same answer, and acts once.",
    ),
]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Word: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
FreeJson: TypeAlias = Annotated[Mapping[str, Any], Meta(max_length=MOST_KEYS, extra_json_schema=FREE_JSON)]
"""An object whose keys a game declares."""
Seconds: TypeAlias = Annotated[float, Meta(ge=0, le=86_400)]


Who: TypeAlias = Literal["anybody", "members", "host"]
"""Members are those who have a name here."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody, as the site knows them, and the name they want in a room."""

    id: str
    name: str
    bird: str | None = None
    colour: str | None = None


class Asked(Struct, frozen=True):
    """What somebody asks."""

    who: ClassVar[Who] = "members"
    """Who may ask it."""
    by: str
    id: Id


def _wire_name(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Message(Asked, frozen=True, forbid_unknown_fields=True, tag_field="t", tag=_wire_name):
    """What somebody asks over a socket."""

    @property
    def t(self) -> str:
        """Its name on the wire."""
        return str(self.__struct_config__.tag)


class Join(Message, frozen=True):
    """Take part under this name; a seat now or, while a hand is played, from the next deal on."""

    who: ClassVar[Who] = "anybody"
    name: Name
    program: Annotated[bool, Meta(description="Whether one is a program, which everybody is then shown.")] = False


class Watch(Message, frozen=True):
    """Stand up and watch: now if no hand is played, else when it is over."""


class TakeChair(Message, frozen=True):
    """Have the chair of a bot, where one has none: in the waiting room now, in a match from the next deal on."""

    name: Name


class Leave(Message, frozen=True):
    """Go away; a seat in a running hand is played by a bot until its end."""


class Configure(Message, frozen=True):
    """Change the room's settings, the rules only while no match runs; what is left out stays as it is."""

    who: ClassVar[Who] = "host"
    game: Word | None = None
    options: Annotated[FreeJson | None, Meta(description="A preset and the switches that differ from it.")] = None
    clock: Annotated[ClockChange | None, Meta(description="How long things may take.")] = None
    bots_delay: Annotated[Seconds | None, Meta(description="Seconds a bot seems to think.")] = None
    pace: Annotated[Pace | None, Meta(description="The same by name, in place of a number.")] = None
    ranks: Annotated[Lasting | None, Meta(description="When the hierarchy lasts into the next match.")] = None
    take_back: Annotated[
        bool | None, Meta(description="Whether somebody may take back what they just played, if all agree.")
    ] = None
    stand_in: Annotated[StandIn | None, Meta(description="Which bot plays for whoever is away.")] = None
    stake: Annotated[
        StakeChange | UnsetType | None,
        Meta(description="What is paid for each point, null for nothing; as the rules, only while no match runs."),
    ] = UNSET


class Start(Message, frozen=True):
    """Begin the match with those who are seated."""

    who: ClassVar[Who] = "host"


class Act(Message, frozen=True):
    """An action of the game, in its JSON form: `{"do": "play", "cards": "7c 7d"}`."""

    action: Annotated[FreeJson, Meta(extra_json_schema={"x-type": "Action", **FREE_JSON})]


class Next(Message, frozen=True):
    """Deal the next hand now: the host at once, everybody a little later."""


class Hurry(Message, frozen=True):
    """Have the bots play this hand to its end at once, when nobody else who plays has cards left."""


class Propose(Message, frozen=True):
    """Ask something of the table: all people who sit here and are here. What is asked already is agreed to."""

    matter: Annotated[
        Matter,
        Meta(
            description="rest: to stop for a while, which the host decides; rematch: the same again, once a match is"
            " over; take_back: what one has just played, where the host allows it."
        ),
    ]


class Consent(Message, frozen=True):
    """Agree to what is asked of the table; or not, which ends it."""

    yes: bool = True


class GoOn(Message, frozen=True):
    """Go on after a rest."""


class SeedHash(Message, frozen=True):
    """Promise a seed for the next deal by its SHA-256. Pages send it by themselves, once for each commitment."""

    commitment: Annotated[str, Meta(max_length=64, description="`room.fair.commitment`, for whose deal the seed is.")]
    hash: Annotated[
        str, Meta(max_length=64, pattern=r"^[0-9a-f]{64}$", description="The SHA-256 of the seed’s bytes, as hex.")
    ]


class Seed(Message, frozen=True):
    """Reveal the promised seed, once its hash is on the closed list (`room.fair.closed`)."""

    value: Annotated[
        str,
        Meta(
            max_length=64,
            pattern=r"^([0-9a-fA-F]{2}){16,32}$",
            description="32 to 64 hex digits: 16 to 32 random bytes.",
        ),
    ]


class AddBot(Message, frozen=True):
    """Seat a bot."""

    who: ClassVar[Who] = "host"
    kind: Word = "greedy"
    name: Name | None = None


class SetBot(Message, frozen=True):
    """Have a bot play at another level."""

    who: ClassVar[Who] = "host"
    name: Name
    kind: Word


class RemoveBot(Message, frozen=True):
    """Take a bot away: now, or when the hand is over."""

    who: ClassVar[Who] = "host"
    name: Name


class Remove(Message, frozen=True):
    """Take a person's seat: they may watch, and take one again."""

    who: ClassVar[Who] = "host"
    name: Name
    ban: Annotated[bool, Meta(description="Keep them out of the room, too, which gets another address (`renew`).")] = (
        False
    )


class AskForSeat(Message, frozen=True):
    """Ask the host for the seat of a player who is away, as the same person with another browser."""

    who: ClassVar[Who] = "anybody"
    name: Name


class AnswerSeatRequest(Message, frozen=True):
    """Let in, or turn away, the visitor who asks for the seat of this player."""

    who: ClassVar[Who] = "host"
    name: Name
    yes: bool = True


class CountApart(Message, frozen=True):
    """Count a player and the browser that the host let into this seat as two people again, in the room's statistics."""

    who: ClassVar[Who] = "host"
    name: Name


class HostAgain(Message, frozen=True):
    """Take the host's powers back after they were passed on while the host was away."""


class Reseat(Message, frozen=True):
    """Undo `remove` in the waiting room: give a seat back to somebody who is still in the room."""

    who: ClassVar[Who] = "host"
    name: Name


class LetBotPlay(Message, frozen=True):
    """Let a bot play for somebody who is awaited too long: the host; where it is the host who is, anybody who plays."""

    name: Name
    seat: Annotated[bool, Meta(description="Not this turn only, but their seat until they touch it.")] = False


class HandOver(Message, frozen=True):
    """Make somebody else the host."""

    who: ClassVar[Who] = "host"
    name: Name


class Lock(Message, frozen=True):
    """Lock the room, or open it again: while it is locked, nobody new comes in."""

    who: ClassVar[Who] = "host"
    locked: bool = True


class AllowChat(Message, frozen=True):
    """Let people write to each other in this room, or not."""

    who: ClassVar[Who] = "host"
    allowed: bool = True


class Renew(Message, frozen=True):
    """Give the room another code and link: the old ones lead those who have a name in it, and nobody else."""

    who: ClassVar[Who] = "host"


class Rematch(Message, frozen=True):
    """Back to the waiting room with the same people, once the match is over."""

    who: ClassVar[Who] = "host"


class Stop(Message, frozen=True):
    """End the match here."""

    who: ClassVar[Who] = "host"


class Back(Message, frozen=True):
    """Take one's seat back from the bot that plays it. (Any other message but `seed_hash` and `seed` does that too.)"""


class Ready(Message, frozen=True):
    """Say in the waiting room whether one is ready to begin; the host sees it, and starts when they like."""

    ready: bool = True


class TakeSeatBack(Message, frozen=True):
    """Take your seat back that the host has given to another browser, as `you.seat_given` says."""

    who: ClassVar[Who] = "anybody"


class AskForLink(Message, frozen=True):
    """Allow the host to give your seat to another browser again, after you have taken it back once."""


class MakeLink(Asked, frozen=True):
    """Make a link to the seat of a player who is away and has lost their device. Asked over HTTP."""

    who: ClassVar[Who] = "host"
    name: str
    digest: str
    """SHA-256 of what stands in the link."""
    device: str = ""
    """The id of the device that the host asks with: the link ends when that device is signed out."""


class Introduce(Asked, frozen=True):
    """What somebody looks like from now on, and what they are called (`name`; None: as before).

    Asked over HTTP, and for who has just taken a name.
    """

    bird: str | None
    colour: str | None
    name: str | None = None


class BeForgotten(Asked, frozen=True):
    """Go for good, and be called nothing but somebody in all that is kept. Asked over HTTP."""


class TakeSeat(Asked, frozen=True):
    """The seat that a link gives. Asked over HTTP."""

    who: ClassVar[Who] = "anybody"
    digest: str


# What the room's own machinery asks; never from a client.


@dataclass(frozen=True, slots=True)
class Present:
    """A person's first socket at this node is open."""

    by: str


@dataclass(frozen=True, slots=True)
class Absent:
    """A person's last socket at this node is gone."""

    by: str


@dataclass(frozen=True, slots=True)
class TimerFired:
    """The deadlines up to `until` (milliseconds since 1970) have come; the room looks whose they are."""

    until: int


@dataclass(frozen=True, slots=True)
class BotAct:
    """What a bot chose for the seat it plays, or breaks in with; `turn` is the one it was asked in."""

    name: str
    turn: int
    action: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Woken:
    """The room was opened after a sleep or a restart: nobody is here yet, at this node or at those that live no more.
    If nobody is anywhere, clocks start anew."""

    living: frozenset[str] = frozenset()
    """The nodes that live."""


@dataclass(frozen=True, slots=True)
class Living:
    """These nodes live, and no others: whoever was at another is not there."""

    nodes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Rewind:
    """The log was found to end before what this node remembers; decided once, whichever node says so first."""

    rewinds: int
    """How often this had happened to the room before."""
    moves: int
    """Deals and actions that are undone."""


Internal: TypeAlias = Present | Absent | TimerFired | BotAct | Woken | Living | Rewind

Command: TypeAlias = Asked | Internal

WIRE: dict[str, type[Message]] = {str(kind.__struct_config__.tag): kind for kind in Message.__subclasses__()}
"""Every command of sockets by its name on the wire."""
