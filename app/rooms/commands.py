"""What may be asked of a room: frozen dataclasses, one closed union.

Every command carries `by`, the id of the person who asks, and `id`, chosen by the client: the same id of the same
person is handled once, and the second time gets the first answer. The wire name of a command is `WIRE[type]`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

LONGEST_ID = 64
"""Characters in a command's id."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, as the site knows them, and the name they want in a room."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Join:
    """Take part under this name; a seat now or, while a hand is played, from the next deal on."""

    by: str
    id: str
    name: str
    program: bool = False
    """Whether whoever asks says that they are a program; everybody sees it."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Stand up and watch: now if no hand is played, else when it is over."""

    by: str
    id: str


@dataclass(frozen=True, slots=True)
class TakeChair:
    """Have the chair of a bot: in the waiting room now, in a match from the next deal on."""

    by: str
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Go away; a seat in a running hand is played by a bot until its end."""

    by: str
    id: str


@dataclass(frozen=True, slots=True)
class Configure:
    """Change the room's settings (host; the rules only while no match runs); what is None stays as it is."""

    by: str
    id: str
    game: str | None = None
    options: Mapping[str, Any] | None = None
    """A preset and switches, as `Declared.resolve` takes them."""
    clock: Mapping[str, Any] | None = None
    """`turn`: seconds for each turn or null; `pause`: seconds until the next deal or null; `away`: seconds until a bot
    plays for somebody who is gone; `patience`: seconds until one may be let play for somebody who is here."""
    bots_delay: float | None = None
    """Seconds a bot seems to think."""


@dataclass(frozen=True, slots=True)
class Start:
    """Begin the match with those who are seated (host)."""

    by: str
    id: str


@dataclass(frozen=True, slots=True)
class Act:
    """An action of the game, in its JSON form: `{"do": "play", "cards": "7c 7d"}`."""

    by: str
    id: str
    action: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Next:
    """Deal the next hand now."""

    by: str
    id: str


@dataclass(frozen=True, slots=True)
class Seed:
    """Add some chance of one's own to the next shuffle: up to 64 hex digits."""

    by: str
    id: str
    value: str


@dataclass(frozen=True, slots=True)
class AddBot:
    """Seat a bot (host)."""

    by: str
    id: str
    kind: str = "greedy"
    name: str | None = None


@dataclass(frozen=True, slots=True)
class RemoveBot:
    """Take a bot away (host): now, or when the hand is over."""

    by: str
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Take a person's seat (host): they may watch, and take one again."""

    by: str
    id: str
    name: str
    ban: bool = False
    """Keep them out of the room, too."""


@dataclass(frozen=True, slots=True)
class LetBotPlay:
    """Let a bot play for somebody who is awaited too long: the host, and others where it is the host who is."""

    by: str
    id: str
    name: str
    seat: bool = False
    """Not this turn only, but their seat until they touch it."""


@dataclass(frozen=True, slots=True)
class HandOver:
    """Make somebody else the host (host)."""

    by: str
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Rematch:
    """Back to the waiting room with the same people, once the match is over (host)."""

    by: str
    id: str


@dataclass(frozen=True, slots=True)
class Stop:
    """End the match here (host)."""

    by: str
    id: str


@dataclass(frozen=True, slots=True)
class Back:
    """Take one's seat back from the bot that plays it. (Any other command but `Seed` does that too.)"""

    by: str
    id: str


@dataclass(frozen=True, slots=True)
class Ready:
    """Say in the waiting room whether one is ready to begin; the host sees it, and starts when they like."""

    by: str
    id: str
    ready: bool = True


@dataclass(frozen=True, slots=True)
class MakeLink:
    """A link to the seat of somebody who is away and has lost their device (host). Asked over HTTP."""

    by: str
    id: str
    name: str
    digest: str
    """SHA-256 of what stands in the link."""


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """The seat that a link gives. Asked over HTTP."""

    by: str
    id: str
    digest: str


# What the room's own machinery asks; never from a client.


@dataclass(frozen=True, slots=True)
class Present:
    """A person's first socket is open."""

    by: str


@dataclass(frozen=True, slots=True)
class Absent:
    """A person's last socket is gone."""

    by: str


@dataclass(frozen=True, slots=True)
class TimerFired:
    """Some deadline may have come; the room looks which."""


@dataclass(frozen=True, slots=True)
class BotAct:
    """What a bot chose for the seat it plays; `turn` is the one it was asked in."""

    name: str
    turn: int
    action: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Woken:
    """The room was opened after a sleep or a restart: clocks start anew, and nobody is here yet."""


Asked: TypeAlias = (
    Join
    | Watch
    | TakeChair
    | Leave
    | Configure
    | Start
    | Act
    | Next
    | Seed
    | AddBot
    | RemoveBot
    | Remove
    | HandOver
    | Rematch
    | Stop
    | Back
    | Ready
    | LetBotPlay
    | MakeLink
    | TakeSeat
)
"""What a client may ask."""

Internal: TypeAlias = Present | Absent | TimerFired | BotAct | Woken

Command: TypeAlias = Asked | Internal

WIRE: dict[str, type[Any]] = {
    "join": Join,
    "watch": Watch,
    "take_chair": TakeChair,
    "leave": Leave,
    "configure": Configure,
    "start": Start,
    "act": Act,
    "next": Next,
    "seed": Seed,
    "add_bot": AddBot,
    "remove_bot": RemoveBot,
    "remove": Remove,
    "hand_over": HandOver,
    "rematch": Rematch,
    "stop": Stop,
    "back": Back,
    "ready": Ready,
    "let_bot_play": LetBotPlay,
}
"""Every command of sockets by its name on the wire; the fields are those of the dataclass without `by`."""
