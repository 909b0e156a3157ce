"""The commands that a room accepts, each with its fields as they are sent over the wire.

Each client command carries `by`, the id of the person, and `id`, chosen by the client. A repeated `id` of the same
person is handled once and gets the first answer again. A `Message` comes over sockets: its tag (`take_chair`) is
its name there, and its fields are sent without `by`. A new subclass of `Message` is enough for a new message: the
parser, the schema, the page's types, the documentation and the permission check are generated from it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from app.bots import StandIn
from app.rooms.model.settings import ClockChange, Pace, RankCarryOver
from app.rooms.model.vote import VoteSubject
from app.rooms.money.stake import StakeChange
from app.text_limits import FREE_JSON, MOST_KEYS

LONGEST_ID = 64
"""Maximum number of characters in a command's id."""

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
"""A JSON object whose keys are declared by a game."""
Seconds: TypeAlias = Annotated[float, Meta(ge=0, le=86_400)]


Commitment: TypeAlias = Annotated[
    str,
    Meta(max_length=64, description="`room.fair.commitment`: the deal that this is for, that comes next or is played."),
]
"""Identifies one deal, and so one hand of one match. The next deal has another commitment."""

AllowedSender: TypeAlias = Literal["anybody", "members", "host"]
"""Which people may send a command. Members have a name in the room."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A signed-in person who opens a room: their id, the name that they want there, and their chosen look."""

    id: str
    name: str
    bird: str | None = None
    colour: str | None = None


class ClientCommand(Struct, frozen=True):
    """A command from a person to a room, sent over a socket or caused by an HTTP request."""

    allowed_for: ClassVar[AllowedSender] = "members"
    """Which people may send it."""
    by: str
    id: Id


def _reject_missing_tag(name: str) -> str:
    if name == "Message":
        return ""
    raise TypeError(f'{name} has no name on the wire: write `class {name}(Message, frozen=True, tag="its_name")`')


class Message(ClientCommand, frozen=True, forbid_unknown_fields=True, tag_field="t", tag=_reject_missing_tag):
    """A client command sent over a socket. Each kind of message has a `tag`, its name on the wire."""

    @property
    def t(self) -> str:
        """The name of this kind of message on the wire, such as "join"."""
        return str(self.__struct_config__.tag)


class Join(Message, frozen=True, tag="join"):
    """Take part under this name; a seat now or, while a hand is played, from the next deal on."""

    allowed_for: ClassVar[AllowedSender] = "anybody"
    name: Name
    program: Annotated[bool, Meta(description="Whether one is a program, which everybody is then shown.")] = False


class Watch(Message, frozen=True, tag="watch"):
    """Stand up and watch: now if no hand is played, else when it is over."""


class TakeChair(Message, frozen=True, tag="take_chair"):
    """Have the chair of a bot, where one has none: in the waiting room now, in a match from the next deal on."""

    name: Name


class Leave(Message, frozen=True, tag="leave"):
    """Go away; a seat in a running hand is played by a bot until its end."""


class Configure(Message, frozen=True, tag="configure"):
    """Change the room's settings, the rules only while no match runs; what is left out stays as it is."""

    allowed_for: ClassVar[AllowedSender] = "host"
    game: Word | None = None
    options: Annotated[FreeJson | None, Meta(description="A preset and the switches that differ from it.")] = None
    clock: Annotated[ClockChange | None, Meta(description="How long things may take.")] = None
    bots_delay: Annotated[Seconds | None, Meta(description="Seconds a bot seems to think.")] = None
    pace: Annotated[Pace | None, Meta(description="The same by name, in place of a number.")] = None
    ranks: Annotated[RankCarryOver | None, Meta(description="When the hierarchy lasts into the next match.")] = None
    take_back: Annotated[
        bool | None, Meta(description="Whether somebody may take back what they just played, if all agree.")
    ] = None
    stand_in: Annotated[StandIn | None, Meta(description="Which bot plays for whoever is away.")] = None
    stake: Annotated[
        StakeChange | UnsetType | None,
        Meta(description="What is paid for each point, null for nothing; as the rules, only while no match runs."),
    ] = UNSET


class Start(Message, frozen=True, tag="start"):
    """Begin the match with those who are seated."""

    allowed_for: ClassVar[AllowedSender] = "host"
    commitment: Commitment


class Act(Message, frozen=True, tag="act"):
    """An action of the game, in its JSON form: `{"do": "play", "cards": "7c 7d"}`."""

    action: Annotated[FreeJson, Meta(extra_json_schema={"x-type": "Action", **FREE_JSON})]
    request: Annotated[
        int | None,
        Meta(
            description="`you.request`: what this action answers. Only what `you.may` lists, and what is done between"
            " hands, goes without it."
        ),
    ] = None


class Next(Message, frozen=True, tag="next"):
    """Deal the next hand now: the host at once, everybody a little later."""

    commitment: Commitment


class Hurry(Message, frozen=True, tag="hurry"):
    """Have the bots play this hand to its end at once, when nobody else who plays has cards left."""


class Propose(Message, frozen=True, tag="propose"):
    """Ask something of the table: all people who sit here and are here. What is asked already is agreed to."""

    matter: Annotated[
        VoteSubject,
        Meta(
            description="rest: to stop for a while, which the host decides; rematch: the same again, once a match is"
            " over; take_back: what one has just played, where the host allows it."
        ),
    ]
    commitment: Commitment
    request: Annotated[
        int | None, Meta(description="With take_back: `room.may_take_back.request`, the action to take back.")
    ] = None


class Consent(Message, frozen=True, tag="consent"):
    """Agree to what is asked of the table; or not, which ends it."""

    question: Annotated[str, Meta(max_length=64, description="`room.motion.id`: the question that this answers.")]
    yes: bool = True


class GoOn(Message, frozen=True, tag="go_on"):
    """Go on after a rest."""


class SeedHash(Message, frozen=True, tag="seed_hash"):
    """Promise a seed for the next deal by its SHA-256. Pages send it by themselves, once for each commitment."""

    commitment: Commitment
    hash: Annotated[
        str, Meta(max_length=64, pattern=r"^[0-9a-f]{64}$", description="The SHA-256 of the seed’s bytes, as hex.")
    ]


class Seed(Message, frozen=True, tag="seed"):
    """Reveal the promised seed, once its hash is on the closed list (`room.fair.closed`)."""

    value: Annotated[
        str,
        Meta(
            max_length=64,
            pattern=r"^([0-9a-fA-F]{2}){16,32}$",
            description="32 to 64 hex digits: 16 to 32 random bytes.",
        ),
    ]


class AddBot(Message, frozen=True, tag="add_bot"):
    """Seat a bot."""

    allowed_for: ClassVar[AllowedSender] = "host"
    kind: Word = "easy"
    name: Name | None = None


class SetBot(Message, frozen=True, tag="set_bot"):
    """Have a bot play at another level."""

    allowed_for: ClassVar[AllowedSender] = "host"
    name: Name
    kind: Word


class RemoveBot(Message, frozen=True, tag="remove_bot"):
    """Take a bot away: now, or when the hand is over."""

    allowed_for: ClassVar[AllowedSender] = "host"
    name: Name


class Remove(Message, frozen=True, tag="remove"):
    """Take a person's seat: they may watch, and take one again."""

    allowed_for: ClassVar[AllowedSender] = "host"
    name: Name
    ban: Annotated[bool, Meta(description="Keep them out of the room, too, which gets another address (`renew`).")] = (
        False
    )


class AskForSeat(Message, frozen=True, tag="ask_for_seat"):
    """Ask the host for the seat of a player who is away, as the same person with another browser."""

    allowed_for: ClassVar[AllowedSender] = "anybody"
    name: Name


class AnswerSeatRequest(Message, frozen=True, tag="answer_seat_request"):
    """Let in, or turn away, the visitor who asks for the seat of this player."""

    allowed_for: ClassVar[AllowedSender] = "host"
    name: Name
    yes: bool = True


class CountApart(Message, frozen=True, tag="count_apart"):
    """Count a player and the browser that the host let into this seat as two people again, in the room's statistics."""

    allowed_for: ClassVar[AllowedSender] = "host"
    name: Name


class HostAgain(Message, frozen=True, tag="host_again"):
    """Take the host's powers back after they were passed on while the host was away."""


class Reseat(Message, frozen=True, tag="reseat"):
    """Undo `remove` in the waiting room: give a seat back to somebody who is still in the room."""

    allowed_for: ClassVar[AllowedSender] = "host"
    name: Name


class LetBotPlay(Message, frozen=True, tag="let_bot_play"):
    """Let a bot play for somebody who is awaited too long: the host; where it is the host who is, anybody who plays."""

    name: Name
    seat: Annotated[bool, Meta(description="Not this turn only, but their seat until they touch it.")] = False


class HandOver(Message, frozen=True, tag="hand_over"):
    """Make somebody else the host."""

    allowed_for: ClassVar[AllowedSender] = "host"
    name: Name


class Lock(Message, frozen=True, tag="lock"):
    """Lock the room, or open it again: while it is locked, nobody new comes in."""

    allowed_for: ClassVar[AllowedSender] = "host"
    locked: bool = True


class AllowChat(Message, frozen=True, tag="allow_chat"):
    """Let people write to each other in this room, or not."""

    allowed_for: ClassVar[AllowedSender] = "host"
    allowed: bool = True


class Renew(Message, frozen=True, tag="renew"):
    """Give the room another code and link: the old ones lead those who have a name in it, and nobody else."""

    allowed_for: ClassVar[AllowedSender] = "host"


class Rematch(Message, frozen=True, tag="rematch"):
    """Back to the waiting room with the same people, once the match is over."""

    allowed_for: ClassVar[AllowedSender] = "host"


class Stop(Message, frozen=True, tag="stop"):
    """End the match here."""

    allowed_for: ClassVar[AllowedSender] = "host"


class Back(Message, frozen=True, tag="back"):
    """Take one's seat back from the bot that plays it. (Any other message but `seed_hash` and `seed` does that too.)"""


class Ready(Message, frozen=True, tag="ready"):
    """Say in the waiting room whether one is ready to begin; the host sees it, and starts when they like."""

    ready: bool = True


class TakeSeatBack(Message, frozen=True, tag="take_seat_back"):
    """Take your seat back that the host has given to another browser, as `you.seat_given` says."""

    allowed_for: ClassVar[AllowedSender] = "anybody"


class AskForLink(Message, frozen=True, tag="ask_for_link"):
    """Allow the host to give your seat to another browser again, after you have taken it back once."""


class MakeLink(ClientCommand, frozen=True):
    """Command of the host: create a link to the seat of an absent player who has lost their device.

    The link gives the seat to the first browser that opens it. Sent over HTTP.
    """

    allowed_for: ClassVar[AllowedSender] = "host"
    name: str
    digest: str
    """SHA-256 of the secret in the link."""
    device: str = ""
    """The id of the host's device: the link is revoked when that device is signed out."""


class Introduce(ClientCommand, frozen=True):
    """Command that changes a member's look, and their chosen name (`name`; None: unchanged).

    Sent when the person changes their profile over HTTP, and automatically when they have just joined.
    """

    bird: str | None
    colour: str | None
    name: str | None = None


class BeForgotten(ClientCommand, frozen=True):
    """Command that deletes a person from the room: a bot gets their seat in a match, otherwise they leave.

    Sent over HTTP when a person deletes their data. Their name in stored data is replaced in a later step.
    """


class TakeSeat(ClientCommand, frozen=True):
    """Command that gives the seat of a seat link to the browser that opened the link. Sent over HTTP.

    `digest`: SHA-256 of the secret in the link.
    """

    allowed_for: ClassVar[AllowedSender] = "anybody"
    digest: str


# Internal commands of the room actor, never sent by clients.


@dataclass(frozen=True, slots=True)
class PersonConnected:
    """Internal command to a room: a person's first connection at this node (server process) was opened."""

    by: str


@dataclass(frozen=True, slots=True)
class PersonDisconnected:
    """Internal command to a room: a person's last connection at this node (server process) was closed."""

    by: str


@dataclass(frozen=True, slots=True)
class TimerFired:
    """Internal command to a room: a timer fired, so deadlines up to `until` (milliseconds since 1970) are due.

    The room checks which ones.
    """

    until: int


@dataclass(frozen=True, slots=True)
class BotAct:
    """Internal command to a room: a bot's action for the seat `name`, on its turn or to break in.

    `turn` is the turn in which the bot was asked; if it is over, the action is ignored.
    """

    name: str
    turn: int
    action: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class RoomLoaded:
    """Internal command to a room that was loaded: drop connections recorded here, or at nodes that have stopped.

    If nobody is connected at any node, all clocks start again.
    """

    live_nodes: frozenset[str] = frozenset()
    """The nodes that are alive."""


@dataclass(frozen=True, slots=True)
class LiveNodesChanged:
    """Internal command to a room: only these nodes (server processes) are alive.

    People count as disconnected from all other nodes.
    """

    nodes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Rewind:
    """Internal command to a room: its log ends before entries that this node remembers, so the database lost them.

    Only the first node's report has an effect.
    """

    rewinds: int
    """The number of earlier losses of this room's entries."""
    moves: int
    """The number of lost deals and actions."""


InternalCommand: TypeAlias = (
    PersonConnected | PersonDisconnected | TimerFired | BotAct | RoomLoaded | LiveNodesChanged | Rewind
)

Command: TypeAlias = ClientCommand | InternalCommand


def classes_by_tag(kinds: Iterable[type[Message]]) -> dict[str, type[Message]]:
    """Map the tag (name on the wire) of each message class to the class, to decode messages of clients.

    Raises `TypeError` for a tag that two classes have.
    """
    found: dict[str, type[Message]] = {}
    for kind in kinds:
        tag = str(kind.__struct_config__.tag)
        if tag in found:
            raise TypeError(f"{found[tag].__name__} and {kind.__name__} have the same tag “{tag}”: choose another one")
        found[tag] = kind
    return found


MESSAGES_BY_TAG: dict[str, type[Message]] = classes_by_tag(Message.__subclasses__())
"""All socket messages, by their names on the wire."""
