"""What a room asks of the world: data, which the runner carries out.

`decide` answers with one `Outcome`: what must be in the log before anybody is told, who is told what, and the room
as it then is. `wishes` (deadlines.py) says what the room waits for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from msgspec import Struct

from app.engine.base.messages import Said
from app.engine.display.events import Event
from app.rooms.model.state import Room
from app.rooms.ports.facts import Fact
from app.rooms.ports.storage import NewEntry


class Verdict(Struct, frozen=True):
    """What whoever asked is told: accepted at `seq`, or refused with a code and a sentence, by a rule of the game."""

    ok: bool
    seq: int | None = None
    code: str | None = None
    message: Said | None = None
    rule: str | None = None
    """The id of the rule that refuses, where one of the game's does."""
    rule_name: str | None = None


class Record(Struct, frozen=True):
    """What must be durable first."""

    entries: Sequence[NewEntry]
    facts: Sequence[Fact] = ()
    snapshot: Mapping[str, Any] | None = None
    """The room before these entries, where a hand begins with them."""


class Outcome(Struct, frozen=True):
    """What came of one command."""

    answer: Verdict
    record: Record | None
    """None: nothing changed."""
    room: Room
    """As it is once the record is in the log."""
    events: tuple[Event, ...] = ()
    """What happened, for the update."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Send `TimerFired` at this time (milliseconds since 1970)."""

    at: int


@dataclass(frozen=True, slots=True)
class AskBot:
    """Let this bot choose for this seat, after about so many seconds, and send `BotAct`."""

    name: str
    bot: str
    delay: float


@dataclass(frozen=True, slots=True)
class AskWhetherToBreakIn:
    """Ask this bot, whose turn it is not, after about so many seconds whether it breaks in; if so, send `BotAct`.

    Whoever may, for all that everybody can see, is asked, whatever they hold: nothing is told by who is.
    """

    name: str
    bot: str
    delay: float
    play: int
    """On which play of the hand: how many actions there had been with it. It is asked once for each."""


Thought: TypeAlias = AskBot | AskWhetherToBreakIn
Wish: TypeAlias = Schedule | Thought
