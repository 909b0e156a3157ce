"""The commands that a room accepts, each with its fields as they are sent over the wire.

Each client command carries `by`, the id of the person, and `id`, chosen by the client. A repeated `id` of the same
person is handled once and gets the first answer again. A `Message` comes over sockets: its tag (`take_bot_seat`) is
its name there, and its fields are sent without `by`. A new subclass of `Message` is enough for a new message: the
parser, the schema, the page's types, the documentation and the permission check are generated from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from app.bots import StandIn
from app.rooms.model.settings import ClockChange, Pace, TitleCarryOver
from app.rooms.model.shuffle_proof import CancelledDeal
from app.rooms.model.tags import classes_by_tag, require_tag
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
        description="Chosen by the client. A repeated id gets the first answer again and has no other effect.",
    ),
]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Word: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
FreeJson: TypeAlias = Annotated[Mapping[str, Any], Meta(max_length=MOST_KEYS, extra_json_schema=FREE_JSON)]
"""A JSON object whose keys are declared by a game."""
Seconds: TypeAlias = Annotated[float, Meta(ge=0, le=86_400)]


Commitment: TypeAlias = Annotated[
    str,
    Meta(max_length=64, description="The deal that this message is for: `room.fair.commitment`."),
]
"""Identifies one deal, and so one hand of one match. The next deal has another commitment."""

AllowedSender: TypeAlias = Literal["anybody", "members", "host"]
"""Which people may send a command. Members have a name in the room."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A signed-in person who opens a room: their id, the name that they want there, and their chosen avatar."""

    id: str
    name: str
    bird: str | None = None
    colour: str | None = None


class ClientCommand(Struct, frozen=True):
    """A command from a person to a room, sent over a socket or caused by an HTTP request."""

    allowed_for: ClassVar[AllowedSender] = "members"
    """Which people may send it."""
    changes_settings: ClassVar[bool] = False
    """Whether it changes the room's settings, which happens a limited number of times a minute."""
    by: str
    id: Id


class Message(ClientCommand, frozen=True, forbid_unknown_fields=True, tag_field="t", tag=require_tag("Message")):
    """A client command sent over a socket. Each kind of message has a `tag`, its name on the wire."""

    @property
    def t(self) -> str:
        """The name of this kind of message on the wire, such as "join"."""
        return str(self.__struct_config__.tag)


class Join(Message, frozen=True, tag="join"):
    """Join the room under this name. You get a seat at once, or with the next deal if a hand is running."""

    allowed_for: ClassVar[AllowedSender] = "anybody"
    name: Name
    program: Annotated[bool, Meta(description="Whether the client is a program. Everybody can see this.")] = False
    bird: Annotated[
        Word | None, Meta(description="The bird that you choose, from `you.free_faces`. Ignored if you have saved one.")
    ] = None
    colour: Annotated[Word | None, Meta(description="The colour of that bird.")] = None


class Watch(Message, frozen=True, tag="watch"):
    """Give up your seat and become a spectator: at once, or after the running hand."""


class TakeBotSeat(Message, frozen=True, tag="take_bot_seat"):
    """Take the seat of a bot: at once in the waiting room, or with the next deal in a match."""

    name: Name


class OfferSeat(Message, frozen=True, tag="offer_seat"):
    """Offer your seat in the match to a spectator, from the next deal on. `answer_seat_offer` answers."""

    name: Annotated[Name | None, Meta(description="The spectator; null: withdraw your offer.")]


class AnswerSeatOffer(Message, frozen=True, tag="answer_seat_offer"):
    """Answer a player who offers you their seat."""

    name: Annotated[Name, Meta(description="The player.")]
    yes: bool


class Leave(Message, frozen=True, tag="leave"):
    """Leave the room. A bot plays your seat until the running hand ends."""


class Configure(Message, frozen=True, tag="configure"):
    """Change settings of the room. Missing fields stay unchanged. Rules can't change while a match runs."""

    allowed_for: ClassVar[AllowedSender] = "host"
    changes_settings: ClassVar[bool] = True
    game: Word | None = None
    options: Annotated[FreeJson | None, Meta(description="A `preset`, and the options that differ from it.")] = None
    clock: Annotated[ClockChange | None, Meta(description="Time limits.")] = None
    bots_delay: Annotated[Seconds | None, Meta(description="Seconds that bots wait before they act.")] = None
    pace: Annotated[Pace | None, Meta(description="The delay of bots by name, instead of a number.")] = None
    carry_titles: Annotated[TitleCarryOver | None, Meta(description="When titles carry over into the next match.")] = (
        None
    )
    allow_undo: Annotated[bool | None, Meta(description="Whether players may undo their last play if all agree.")] = (
        None
    )
    seat_offers: Annotated[bool | None, Meta(description="Whether players may give their seats to spectators.")] = None
    allow_spectators: Annotated[bool | None, Meta(description="Whether people may watch who have not joined.")] = None
    stand_in: Annotated[StandIn | None, Meta(description="The level of the bot that plays for absent players.")] = None
    stake: Annotated[
        StakeChange | UnsetType | None,
        Meta(description="The price of a point, or null. It can't change while a match runs."),
    ] = UNSET


class Start(Message, frozen=True, tag="start"):
    """Start the match with the seated players."""

    allowed_for: ClassVar[AllowedSender] = "host"
    commitment: Commitment


class Act(Message, frozen=True, tag="act"):
    """Make an action of the game, such as `{"do": "play", "cards": "7c 7d"}`."""

    action: Annotated[FreeJson, Meta(extra_json_schema={"x-type": "Action", **FREE_JSON})]
    request: Annotated[
        int | None,
        Meta(
            description="The request that this action answers: `you.request`. Leave it out for actions in"
            " `you.off_turn` and between hands."
        ),
    ] = None


class DealNext(Message, frozen=True, tag="deal_next"):
    """Deal the next hand now. The host may send it at once, others from `room.anyone_may_deal_at` on."""

    commitment: Commitment


class FinishHand(Message, frozen=True, tag="finish_hand"):
    """Let the bots finish this hand at once. All people in the hand must be out of cards."""


class Propose(Message, frozen=True, tag="propose"):
    """Start a vote of all connected players. If the same vote is running, agree to it."""

    subject: Annotated[
        VoteSubject,
        Meta(
            description="pause: pause the match, which the host may decide alone; rematch: play again after a match;"
            " undo: undo your last play, if the host allows it."
        ),
    ]
    commitment: Commitment
    request: Annotated[
        int | None, Meta(description="With undo: the number of the action to undo, `room.may_undo.request`.")
    ] = None


class CastVote(Message, frozen=True, tag="vote"):
    """Answer the running vote. A no ends the vote."""

    vote_id: Annotated[str, Meta(max_length=64, description="The vote that this answers: `room.vote.id`.")]
    yes: bool = True


class Resume(Message, frozen=True, tag="resume"):
    """End the pause of the match."""


class SeedHash(Message, frozen=True, tag="seed_hash"):
    """Promise a seed for the next deal by its SHA-256. Pages send it automatically, once per commitment."""

    commitment: Commitment
    hash: Annotated[
        str, Meta(max_length=64, pattern=r"^[0-9a-f]{64}$", description="The SHA-256 of the bytes of the seed, in hex.")
    ]


class Seed(Message, frozen=True, tag="seed"):
    """Reveal the promised seed, after its hash is on the closed list (`room.fair.closed`)."""

    value: Annotated[
        str,
        Meta(
            max_length=64,
            pattern=r"^([0-9a-fA-F]{2}){16,32}$",
            description="16 to 32 random bytes, as 32 to 64 hex digits.",
        ),
    ]


class AddBot(Message, frozen=True, tag="add_bot"):
    """Add a bot."""

    allowed_for: ClassVar[AllowedSender] = "host"
    kind: Word = "easy"
    name: Name | None = None


class SetBot(Message, frozen=True, tag="set_bot"):
    """Change the level of a bot."""

    allowed_for: ClassVar[AllowedSender] = "host"
    name: Name
    kind: Word


class RemoveBot(Message, frozen=True, tag="remove_bot"):
    """Remove a bot: at once, or after the running hand."""

    allowed_for: ClassVar[AllowedSender] = "host"
    name: Name


class Remove(Message, frozen=True, tag="remove"):
    """Remove a person from their seat. They may watch, and take a seat again."""

    allowed_for: ClassVar[AllowedSender] = "host"
    name: Name
    ban: Annotated[
        bool, Meta(description="Whether to ban the person. The room then gets a new code, as with `rotate_code`.")
    ] = False


class RemoveSpectator(Message, frozen=True, tag="remove_spectator"):
    """Ask a spectator to leave. They may open the room again, unless you ban them."""

    allowed_for: ClassVar[AllowedSender] = "host"
    name: Annotated[Name | None, Meta(description="The name of the spectator; null: one without a name.")] = None
    number: Annotated[int, Meta(ge=0, lt=2**32, description="The number of the guest, from `you.guests`.")] | None = (
        None
    )
    ban: Annotated[
        bool, Meta(description="Whether to ban the person. The room then gets a new code, and others stay.")
    ] = False


class AskForSeat(Message, frozen=True, tag="ask_for_seat"):
    """Ask the host for the seat of an absent player, as the same person with another browser."""

    allowed_for: ClassVar[AllowedSender] = "anybody"
    name: Name


class AnswerSeatRequest(Message, frozen=True, tag="answer_seat_request"):
    """Accept or refuse the visitor who asks for the seat of this player."""

    allowed_for: ClassVar[AllowedSender] = "host"
    name: Name
    yes: bool = True


class CountSeparately(Message, frozen=True, tag="count_separately"):
    """Count the holders of this seat as separate people in the stats of the room again."""

    allowed_for: ClassVar[AllowedSender] = "host"
    name: Name


class TakeHostBack(Message, frozen=True, tag="take_host_back"):
    """Become host again, after another player became host while you were away."""


class Reseat(Message, frozen=True, tag="reseat"):
    """Undo `remove` in the waiting room: give the seat back to a person who is still in the room."""

    allowed_for: ClassVar[AllowedSender] = "host"
    name: Name


class LetBotPlay(Message, frozen=True, tag="let_bot_play"):
    """Let a bot play for a player who is late. `room.let_bot_play_after` says when you may send it."""

    name: Name
    seat: Annotated[
        bool,
        Meta(
            description="Whether the bot plays until the player uses the seat again. Otherwise it plays this turn only."
        ),
    ] = False


class TransferHost(Message, frozen=True, tag="transfer_host"):
    """Make another member the host."""

    allowed_for: ClassVar[AllowedSender] = "host"
    name: Name


class Lock(Message, frozen=True, tag="lock"):
    """Lock or unlock the room. New people can't join a locked room."""

    allowed_for: ClassVar[AllowedSender] = "host"
    changes_settings: ClassVar[bool] = True
    locked: bool = True


class AllowChat(Message, frozen=True, tag="allow_chat"):
    """Turn the chat of the room on or off."""

    allowed_for: ClassVar[AllowedSender] = "host"
    changes_settings: ClassVar[bool] = True
    allowed: bool = True


class RotateCode(Message, frozen=True, tag="rotate_code"):
    """Give the room a new code and link. The old ones work only for members of the room."""

    allowed_for: ClassVar[AllowedSender] = "host"


class Rematch(Message, frozen=True, tag="rematch"):
    """Return to the waiting room with the same people, after the match."""

    allowed_for: ClassVar[AllowedSender] = "host"


class Stop(Message, frozen=True, tag="stop"):
    """End the match now."""

    allowed_for: ClassVar[AllowedSender] = "host"


class ResumeSeat(Message, frozen=True, tag="resume_seat"):
    """Take your seat back from the bot that plays it. Other commands do this too, except `seed_hash` and `seed`."""


class Ready(Message, frozen=True, tag="ready"):
    """Say in the waiting room whether you are ready. The host sees it and decides when to start."""

    ready: bool = True


class TakeSeatBack(Message, frozen=True, tag="take_seat_back"):
    """Take back your seat that the host gave to another browser (`you.seat_given`)."""

    allowed_for: ClassVar[AllowedSender] = "anybody"


class AskForLink(Message, frozen=True, tag="ask_for_link"):
    """Allow the host to give your seat to another browser again, after you took it back."""


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
    """Command that changes a member's avatar, and their chosen name (`name`; None: unchanged).

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
    lost: CancelledDeal | None = None
    """The deal that this node remembers, if its list was closed and the database lost the list or the cards."""
    known: int = 0
    """The number of losses that this node has counted, more than `rewinds` if the log went back to an older history."""


@dataclass(frozen=True, slots=True)
class StandstillNoticed:
    """Internal command to a room: this node (server process) stood still, so its clients could not act.

    Without effect if other nodes have appended entries meanwhile: then the room went on, and their decisions stay.
    """

    ms: int
    """The length of the standstill in milliseconds."""
    seq: int
    """The newest log entry that this node knew when it stood still."""


InternalCommand: TypeAlias = (
    PersonConnected
    | PersonDisconnected
    | TimerFired
    | BotAct
    | RoomLoaded
    | LiveNodesChanged
    | Rewind
    | StandstillNoticed
)

Command: TypeAlias = ClientCommand | InternalCommand


MESSAGES_BY_TAG: dict[str, type[Message]] = classes_by_tag(Message.__subclasses__())
"""All socket messages, by their names on the wire."""
