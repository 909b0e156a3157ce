"""The result of a command, as data that the room actor carries out.

`handle_command` returns one `Decision`: the events to append to the log first, the reply, and the next state of the
room. `timer_requests` (deadlines.py) returns the timers that the room needs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from msgspec import Struct

from app.engine.base.messages import TranslatableMessage
from app.engine.display.events import GameEvent
from app.rooms.model.state import Room
from app.rooms.ports.facts import Fact
from app.rooms.ports.storage import NewEvent


class CommandReply(Struct, frozen=True):
    """A room's reply to a command: accepted at log entry `seq`, or refused with a code and a message for people."""

    ok: bool
    seq: int | None = None
    code: str | None = None
    message: TranslatableMessage | None = None
    rule: str | None = None
    """The id of the option of the game that refuses the command, if there is one."""
    rule_name: str | None = None
    log_bytes: int = 0
    """The bytes that the command has added to the room's log and history, roughly. The room actor fills them in."""


class AppendRequest(Struct, frozen=True):
    """All that must be stored before a room's decision takes effect: its log events, facts, and perhaps a snapshot."""

    new_events: Sequence[NewEvent]
    facts: Sequence[Fact] = ()
    snapshot: Mapping[str, Any] | None = None
    """The room before these events, to be stored as a snapshot; None: none is due."""


class Decision(Struct, frozen=True):
    """What a room decides about one command: the reply, what to store first, and the room afterwards."""

    reply: CommandReply
    append_request: AppendRequest | None
    """None: nothing changed."""
    room: Room
    """The state after the events are stored."""
    game_events: tuple[GameEvent, ...] = ()
    """The game events to show to clients."""


@dataclass(frozen=True, slots=True)
class ScheduleDeadline:
    """A room's request for a timer: send it `TimerFired` at this time (milliseconds since 1970)."""

    at: int


@dataclass(frozen=True, slots=True)
class AskBot:
    """A room's request: let the bot of this seat choose its action after about `delay` seconds, and send `BotAct`.

    `bot`: the kind of bot.
    """

    name: str
    bot: str
    delay: float


@dataclass(frozen=True, slots=True)
class AskBotToBreakIn:
    """A room's request: ask the bot of this seat, after about `delay` seconds, whether it acts out of turn.

    If so, it sends `BotAct`. A bot is asked if it may break in as far as all players can know. Its hidden cards don't
    matter, so being asked reveals nothing.
    """

    name: str
    bot: str
    delay: float
    play: int
    """The play to break in on, as the number of actions in the hand so far. A bot is asked once for each play."""


BotRequest: TypeAlias = AskBot | AskBotToBreakIn
TimerRequest: TypeAlias = ScheduleDeadline | BotRequest
