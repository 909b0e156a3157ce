"""Every message of `/ws/{code}`, both directions, told apart by `t`. Nothing else goes over the wire.

What comes from clients is read by these models: closed types, no extra fields, strict values. What goes to them is
encoded once per change by the room; here it is described, and the tests hold every real frame against the description.
`python -m app schema` makes `docs/protocol.schema.json` and `static/js/protocol.d.ts` from this file.

>>> message = parse('{"t": "act", "id": "k1", "action": {"do": "play", "cards": "7c 7d"}}')
>>> message.t, message.action
('act', {'do': 'play', 'cards': '7c 7d'})
>>> parse('{"t": "dance", "id": "k2"}')
Traceback (most recent call last):
    ...
app.web.protocol.BadMessage: There is no message “dance”.
"""

import json
import re
from math import isfinite
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from app.engine.actions import FORMS
from app.engine.cards import MOST_CARDS
from app.rooms import commands
from app.rooms.updates import VERSION

DEEPEST = 8
"""Levels of lists and objects in what a client sends."""
_UNCLEAN = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters, and halves of surrogate pairs."""


class BadMessage(Exception):
    """What came is not one of our messages. `message_id` is its id, if that could be read."""

    def __init__(self, sentence: str, message_id: str | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.message_id = message_id


def _clean(value: Any, depth: int = 0) -> Any:
    """Refuse what no store and no screen should meet: control characters, and things nested without end."""
    if depth > DEEPEST:
        raise ValueError("nested too deeply")
    match value:
        case str():
            if _UNCLEAN.search(value):
                raise ValueError("control characters are not allowed")
        case list():
            for each in value:
                _clean(each, depth + 1)
        case dict():
            for key, each in value.items():
                _clean(key, depth + 1)
                _clean(each, depth + 1)
        case float() if not isfinite(value):
            raise ValueError("numbers are finite")
        case _:
            pass
    return value


ACTION = {"x-type": "Action"}
ACTIONS: dict[str, Any] = {"x-items": "Action"}
"""Marks for `schema()`: what the engine reads stands there once, made from the engine's own list."""

_is_clean = AfterValidator(_clean)
Id: TypeAlias = Annotated[str, Field(min_length=1, max_length=commands.LONGEST_ID), _is_clean]
Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=64), _is_clean]
Word: TypeAlias = Annotated[str, Field(min_length=1, max_length=40), _is_clean]
Json: TypeAlias = Annotated[dict[str, Any], _is_clean]
Seconds: TypeAlias = Annotated[float, Field(ge=0, le=86_400)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


# From the client


class _Asked(_Model):
    id: Id = Field(description="Chosen by the client. The same id again gets the same answer, and acts once.")


class Join(_Asked):
    """Take part under this name."""

    t: Literal["join"]
    name: Name
    program: bool = Field(False, description="Whether one is a program, which everybody is then shown.")


class Watch(_Asked):
    """Stand up and watch."""

    t: Literal["watch"]


class TakeChair(_Asked):
    """Have the chair of a bot: in the waiting room now, in a match from the next deal on."""

    t: Literal["take_chair"]
    name: Name


class Leave(_Asked):
    """Go away."""

    t: Literal["leave"]


class Configure(_Asked):
    """Change the room's settings (host; the rules only while no match runs); what is left out stays as it is."""

    t: Literal["configure"]
    game: Word | None = None
    options: Json | None = Field(None, description="A preset and the switches that differ from it.")
    clock: Json | None = Field(None, description="turn, pause: seconds or null; away, patience: seconds.")
    bots_delay: Seconds | None = Field(None, description="Seconds a bot seems to think.")


class Start(_Asked):
    """Begin the match (host)."""

    t: Literal["start"]


class Act(_Asked):
    """An action of the game."""

    t: Literal["act"]
    action: Annotated[dict[str, Any], _is_clean, Field(json_schema_extra=ACTION)]


class Next(_Asked):
    """Deal the next hand now."""

    t: Literal["next"]


class Seed(_Asked):
    """Add some chance of one's own to the next shuffle."""

    t: Literal["seed"]
    value: Annotated[str, Field(pattern=r"^[0-9a-fA-F]{1,64}$")]


class AddBot(_Asked):
    """Seat a bot (host)."""

    t: Literal["add_bot"]
    kind: Word = "greedy"
    name: Name | None = None


class RemoveBot(_Asked):
    """Take a bot away (host)."""

    t: Literal["remove_bot"]
    name: Name


class Remove(_Asked):
    """Take a person's seat (host): they may watch, and take one again."""

    t: Literal["remove"]
    name: Name
    ban: bool = Field(False, description="Keep them out of the room, too.")


class LetBotPlay(_Asked):
    """Let a bot play for somebody who is awaited too long (host; where it is the host who is, anybody who plays)."""

    t: Literal["let_bot_play"]
    name: Name
    seat: bool = Field(False, description="Not this turn only, but their seat until they touch it.")


class HandOver(_Asked):
    """Make somebody else the host (host)."""

    t: Literal["hand_over"]
    name: Name


class Rematch(_Asked):
    """Back to the waiting room with the same people, once the match is over (host)."""

    t: Literal["rematch"]


class Stop(_Asked):
    """End the match here (host)."""

    t: Literal["stop"]


class Back(_Asked):
    """Take one's seat back from the bot that plays it. (Any other message but `seed` does that too.)"""

    t: Literal["back"]


class Ready(_Asked):
    """Say in the waiting room whether you are ready to begin."""

    t: Literal["ready"]
    ready: bool = True


class Look(_Asked):
    """How could these cards of mine be played now? For seats whose `legal` is too long to list (`more`)."""

    t: Literal["look"]
    cards: Annotated[str, Field(max_length=200), _is_clean] = Field(description="Such as “7c 7d”.")


class Ping(_Asked):
    """Are you there?"""

    t: Literal["ping"]


ClientMessage: TypeAlias = Annotated[
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
    | Look
    | Ping,
    Field(discriminator="t"),
]

_client: TypeAdapter[Any] = TypeAdapter(ClientMessage)


def parse(text: str) -> Any:
    """The message that this text is; `BadMessage` with a sentence otherwise."""
    try:
        return _client.validate_json(text)
    except ValidationError as error:
        raise _explained(error, text) from None


def command(message: Any, by: str) -> commands.Asked | None:
    """The room's command for this message; None for those that ask and change nothing."""
    kind = commands.WIRE.get(message.t)
    if kind is None:
        return None
    fields = {
        name: value
        for name in type(message).model_fields
        if name != "t" and (value := getattr(message, name)) is not None
    }
    made: commands.Asked = kind(by=by, **fields)
    return made


def _explained(error: ValidationError, text: str) -> BadMessage:
    first = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"][1:])[:60]
    if first["type"] == "json_invalid":
        return BadMessage("A message is one JSON object.")
    try:
        asked = json.loads(text)
    except ValueError:
        asked = None
    known = asked.get("id") if isinstance(asked, dict) else None
    if not isinstance(known, str) or not 0 < len(known) <= commands.LONGEST_ID:
        known = None
    match first["type"]:
        case "union_tag_invalid":
            return BadMessage(f"There is no message “{str(asked['t'])[:30]}”.", known)
        case _ if not where:
            return BadMessage("A message is an object with “t”.", known)
        case "extra_forbidden":
            return BadMessage(f"“{where}” does not belong in this message.", known)
        case "missing":
            return BadMessage(f"“{where}” is missing.", known)
        case _:
            return BadMessage(f"“{where}”: {first['msg'].removeprefix('Value error, ')}.", known)


# To the client


class Person(_Model):
    """Somebody in the room."""

    name: str
    role: Literal["seated", "watcher", "waiting"] = Field(description="waiting: joins at the next hand.")
    present: bool = Field(description="Whether a socket of theirs is open.")
    bot: str | None = Field(description="The kind of a bot that sits here.")
    playing_for: str | None = Field(description="The kind of a bot that plays this seat while its person is away.")
    missed: int = Field(description="Turns missed in a row.")
    going: Literal["gone", "watcher"] | None = Field(description="What becomes of them before the next deal.")
    program: bool = Field(description="Whether this person says that they are a program.")
    ready: bool = Field(description="In the waiting room: whether they said that they are ready. Bots always are.")
    chair: str | None = Field(description="The bot whose chair they have from the next deal on.")
    unseated: bool = Field(description="Whether the host took the seat that they are about to leave.")


class Chairs(_Model):
    """Who can get a chair."""

    free: int = Field(description="How many more could play the next hand.")
    bots: list[str] = Field(description="Bots whose chairs may be taken (`take_chair`).")
    coming: list[str] = Field(description="Those who wait and play from the next deal on.")


class Clock(_Model):
    """Seconds, or null for no hurry."""

    turn: float | None = Field(description="For each turn.")
    pause: float | None = Field(description="From the end of a hand to the next deal.")
    away: float = Field(description="Until a bot plays for somebody who is gone.")
    patience: float = Field(description="Until a bot may be let play for somebody who is here and does not act.")


class HandLine(_Model):
    """One finished hand of this match."""

    number: int
    standing: list[str | list[str]]
    ledger: dict[str, int]


class PastDeal(_Model):
    """What proves the last deal."""

    commitment: str
    secret: str
    seeds: dict[str, str]
    cut: int | None
    pack: str


class Fair(_Model):
    """The shuffle that comes (or runs): a promise now, the proof afterwards."""

    commitment: str
    seeds: dict[str, str]
    cut: int | None
    previous: PastDeal | None


class Room(_Model):
    """All that everybody may know of the room, whole."""

    code: str
    invite: str
    phase: Literal["lobby", "playing", "pause", "finished"]
    game: str
    preset: str
    options: dict[str, Any]
    differences: dict[str, Any]
    clock: Clock
    bots_delay: float
    stopped: bool = Field(description="Whether the match was ended before its rules said so.")
    host: str | None
    people: list[Person]
    watchers: int
    chairs: Chairs
    min: int
    max: int
    can_start: bool
    why_not: str | None
    match_id: str | None
    hands: list[HandLine]
    deadlines: dict[str, int] = Field(description="Epoch milliseconds, by name.")
    away: dict[str, int] = Field(description="When a bot plays for them, by name.")
    waits: dict[str, int] = Field(description="Since when they have been waited for, by name.")
    host_at: int | None = Field(description="When the powers of a host who is away pass on.")
    next_at: int | None = Field(description="When the next hand is dealt by itself.")
    next_open_at: int | None = Field(description="From when on anybody may ask for the next hand.")
    fair: Fair


class TablePlayer(_Model):
    """One seat."""

    model_config = ConfigDict(extra="allow")

    cards: int
    title: str | None
    place: int | None
    total: int


class TrickPlay(_Model):
    """One play of a trick."""

    model_config = ConfigDict(extra="allow", populate_by_name=True)

    by: str
    cards: str
    kind: str
    as_: str | None = Field(None, alias="as")
    call: str | None = None


class Trick(_Model):
    """What lies on the table."""

    model_config = ConfigDict(extra="allow")

    plays: list[TrickPlay]
    passed: list[str]
    barred: list[str]


class Gift(_Model):
    """What one player owes another in an exchange."""

    model_config = ConfigDict(extra="allow", populate_by_name=True)

    from_: str = Field(alias="from")
    to: str
    count: int
    which: Literal["best", "any", "worst"]
    chosen: bool
    done: bool


class Exchange(_Model):
    """Every gift of the exchange that runs."""

    model_config = ConfigDict(extra="allow")

    gifts: list[Gift]


class Table(_Model):
    """All that everybody may know of the match, whole. Games add their own keys."""

    model_config = ConfigDict(extra="allow")

    game: str
    number: int
    phase: Literal["between", "deal", "exchange", "play", "over"]
    seats: list[str]
    dealer: str | None
    to_act: list[str]
    players: dict[str, TablePlayer]
    standing: list[str | list[str]]
    last: dict[str, Any] | None
    over: bool
    winners: list[str]
    decree_waits: list[str]
    trick: Trick | None = None
    last_trick: list[TrickPlay] | None = None
    turn: str | None = None
    direction: Literal[1, -1] | None = None
    inverted: bool | None = None
    exchange: Exchange | None = None


class Owed(_Model):
    """A gift that this seat still has to choose."""

    model_config = ConfigDict(extra="allow")

    to: str
    count: int
    which: Literal["best", "any", "worst"]


class You(_Model):
    """What only this seat may know; a watcher's is almost empty. Games add their own keys."""

    model_config = ConfigDict(extra="allow")

    person: bool
    name: str | None
    role: str | None
    host: bool
    cards: str | None = None
    legal: list[dict[str, Any]] | None = Field(None, json_schema_extra=ACTIONS)
    more: bool | None = None
    owes: list[Owed] | None = None
    decree: bool | None = None
    subjects: list[str] | None = None
    deadline: int | None = None
    helps: dict[str, int] | None = Field(None, description="For whom one may let a bot play, and from when on.")
    events: list[dict[str, Any]] = []


class Update(_Model):
    """The room, the table and your seat after a change: always whole, never a difference."""

    t: Literal["update"]
    seq: int
    now: int = Field(description="The server's clock, epoch milliseconds.")
    room: Room
    table: Table | None
    events: list[dict[str, Any]] = Field(description="What happened since the update before; empty in the first.")
    protocol: int | None = Field(None, description="In the first only: the version of this protocol.")
    earlier: list[dict[str, Any]] | None = Field(
        None, description="In the first only: what happened in this hand so far, for the log."
    )
    you: You


class Answer(_Model):
    """The answer to one message, found by its id."""

    t: Literal["answer"]
    id: str | None
    ok: bool
    seq: int | None = None
    code: str | None = None
    message: str | None = None
    rule: str | None = Field(None, description="The id of the rule that refuses: its row is at /rules/{game}#{rule}.")
    rule_name: str | None = Field(None, description="What this rule is called.")
    plays: list[dict[str, Any]] | None = Field(None, json_schema_extra=ACTIONS)


GoodbyeReason: TypeAlias = Literal[
    "restart", "trouble", "too_fast", "too_many", "bad_messages", "no_room", "no_session", "removed"
]


class Goodbye(_Model):
    """The last frame before the server closes the socket. Without `retry_ms`, coming back would change nothing."""

    t: Literal["goodbye"]
    reason: GoodbyeReason
    retry_ms: int | None = Field(None, description="Come back after so many milliseconds.")


CLOSE_CODES: dict[str, int] = {
    "restart": 1012,
    "trouble": 1013,
    "too_fast": 1008,
    "too_many": 1008,
    "bad_messages": 1008,
    "no_session": 4401,
    "removed": 4403,
    "no_room": 4404,
}
"""What the socket is closed with after a goodbye."""

NOT_TEXT = 1003
"""What it is closed with, without a goodbye, when bytes come."""


ServerMessage: TypeAlias = Annotated[Update | Answer | Goodbye, Field(discriminator="t")]

_server: TypeAdapter[Any] = TypeAdapter(ServerMessage)


def parse_frame(text: str | bytes) -> Any:
    """A frame of the server, as tests and the bench's bots read it."""
    return _server.validate_json(text)


def encode(message: _Model) -> str:
    """A frame of ours; what is not there is left out."""
    return message.model_dump_json(exclude_none=True, by_alias=True)


# Schema


def schema() -> dict[str, Any]:
    """Both directions as one JSON schema."""
    client = _client.json_schema(ref_template="#/$defs/{model}")
    server = _server.json_schema(ref_template="#/$defs/{model}")
    parts = {**client.pop("$defs"), **server.pop("$defs"), "ClientMessage": client, "ServerMessage": server}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Pecking Order: messages of /ws/{code}",
        "version": VERSION,
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "$defs": dict(sorted({**_marked(parts), "Action": _action_schema()}.items())),
    }


def _marked(part: Any) -> Any:
    """The same with our marks made references."""
    if isinstance(part, list):
        return [_marked(each) for each in part]
    if not isinstance(part, dict):
        return part
    if "x-type" in part:
        return {"$ref": f"#/$defs/{part['x-type']}"}
    kept = {key: _marked(value) for key, value in part.items() if key != "x-items" and not _is_title(key, value)}
    if "x-items" in part:
        listed = {"type": "array", "items": {"$ref": f"#/$defs/{part['x-items']}"}}
        return {"anyOf": [listed, {"type": "null"}], "default": None}
    return kept


def _is_title(key: str, value: Any) -> bool:
    """Pydantic's titles repeat the names; a field called `title` has an object here."""
    return key == "title" and isinstance(value, str)


def _action_schema() -> dict[str, Any]:
    """The engine reads actions; here only which there are, and which particulars each may have."""
    cards = {"type": "string", "description": "Such as “7c 7d”."}
    kinds: dict[str, Any] = {
        "cards": cards,
        "at": {"type": "integer", "minimum": 0, "maximum": MOST_CARDS},
        "to": {"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": cards}]},
    }
    return {
        "title": "Action",
        "description": "An action of a game. `by` stands only in records.",
        "anyOf": [
            {
                "type": "object",
                "properties": {
                    "do": {"const": name, "type": "string"},
                    **{field: kinds.get(field, {"type": "string"}) for field in sorted(form.fields)},
                    "by": {"type": "string"},
                },
                "required": ["do"],
                "additionalProperties": False,
            }
            for name, form in FORMS.items()
        ],
    }
