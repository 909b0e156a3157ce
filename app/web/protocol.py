"""Every message of `/ws/{code}`, both directions, told apart by `t`. Nothing else goes over the wire.

What comes from clients is a command of the room (`app/rooms/commands.py`): closed types, no extra fields, strict
values. What goes to them is encoded once per change by the room; here it is described, and the tests hold every real
frame against the description. `python -m app schema` makes `docs/protocol.schema.json` and `static/js/protocol.d.ts`.

>>> message = parse('{"t": "act", "id": "k1", "action": {"do": "play", "cards": "7c 7d"}}', by="p1")
>>> message.t, message.action
('act', {'do': 'play', 'cards': '7c 7d'})
>>> parse('{"t": "dance", "id": "k2"}', by="p1")
Traceback (most recent call last):
    ...
app.web.protocol.BadMessage: There is no message “dance”.
"""

import inspect
import re
from functools import reduce
from math import isfinite
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta
from pydantic import AfterValidator, BaseModel, Field, TypeAdapter, create_model
from pydantic_core import from_json
from typing_extensions import TypeAliasType

from app.engine import views
from app.engine.actions import FORMS
from app.engine.cards import MOST_CARDS
from app.engine.game import Game
from app.engine.games import GAMES
from app.rooms.commands import LONGEST_ID, WIRE, Message
from app.rooms.pictures import Changing, You
from app.rooms.settings import Settings
from app.rooms.updates import VERSION
from app.web import shapes
from app.web.shapes import Closed

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


_is_clean = AfterValidator(_clean)
Word: TypeAlias = Annotated[str, Field(min_length=1, max_length=40), _is_clean]
Json: TypeAlias = Annotated[dict[str, Any], _is_clean]
Seconds: TypeAlias = Annotated[float, Field(ge=0, le=86_400)]


# From the client: every `Message` of the room's commands, and two that ask and change nothing


class Look(Message, frozen=True):
    """How could these cards of mine be played now? For seats whose `legal` is too long to list (`more`)."""

    cards: Annotated[str, Meta(max_length=200, description="Such as “7c 7d”.")]


class Ping(Message, frozen=True):
    """Are you there?"""


MESSAGES: dict[str, type[Message]] = {**WIRE, "look": Look, "ping": Ping}
_client: Any = reduce(or_, MESSAGES.values())


def parse(text: str, by: str) -> Message:
    """The message that this text of somebody's is; `BadMessage` with a sentence otherwise."""
    try:
        asked = from_json(text)
    except ValueError:
        raise BadMessage("A message is one JSON object.") from None
    if not isinstance(asked, dict) or not isinstance(kind := asked.get("t"), str):
        raise BadMessage("A message is an object with “t”.", _id_of(asked))
    if kind not in MESSAGES:
        raise BadMessage(f"There is no message “{kind[:30]}”.", _id_of(asked))
    if "by" in asked:
        raise BadMessage("“by” does not belong in this message.", _id_of(asked))
    try:
        message: Message = msgspec.convert({**asked, "by": by}, MESSAGES[kind])
    except msgspec.ValidationError as error:
        raise BadMessage(_explained(str(error)), _id_of(asked)) from None
    for name, value in asked.items():
        try:
            _clean(value)
        except ValueError as error:
            raise BadMessage(f"“{name}”: {error}.", _id_of(asked)) from None
    return message


def _id_of(asked: object) -> str | None:
    """The id of what may be no message, for the answer to it."""
    known = asked.get("id") if isinstance(asked, dict) else None
    return known if isinstance(known, str) and 0 < len(known) <= LONGEST_ID else None


_WRONG = re.compile(
    r"Object missing required field `(?P<missing>.*?)`|Object contains unknown field `(?P<unknown>.*?)`"
    r"|Expected `(?P<kind>\w+)[^`]*`(?P<limit>.*?)(?:, got .*?)?",
    re.DOTALL,
)
_PLACE = re.compile(r"(?P<said>.*?)(?: - at `\$\.?(?P<where>.*)`)?", re.DOTALL)
_NOUNS = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "array": "list"}


def _explained(error: str) -> str:
    """What `msgspec` says, in a sentence for people.

    >>> _explained("Object contains unknown field `tick` - at `$.clock`")
    '“clock.tick” does not belong in this message.'
    >>> _explained("Expected `str` of length <= 64 - at `$.name`")
    '“name”: Input should be a valid string of length <= 64.'
    """
    place = _PLACE.fullmatch(error)
    assert place is not None
    said, where = place["said"], place["where"] or ""
    wrong = _WRONG.fullmatch(said)
    if wrong is None:
        return f"“{where[:60]}”: {said}."
    inner = wrong["missing"] or wrong["unknown"]
    if inner:
        where = f"{where}.{inner}" if where else inner
    if wrong["missing"]:
        return f"“{where[:60]}” is missing."
    if wrong["unknown"]:
        return f"“{where[:60]}” does not belong in this message."
    kind = wrong["kind"]
    return f"“{where[:60]}”: Input should be a valid {_NOUNS.get(kind, kind)}{wrong['limit']}."


# To the client


def _room() -> type[BaseModel]:
    """The settings and what changes, in one."""
    own = {name: field for shape in (Settings, Changing) for name, field in shapes.fields(shape, ()).items()}
    return create_model("Room", __base__=Closed, __doc__="All that everybody may know of the room, whole.", **own)


def _declared(answer: Any) -> Any:
    """The shape of what a game's method gives: it stands behind the arrow."""
    return inspect.signature(answer).return_annotation


def _table_of(game: Game) -> type[BaseModel]:
    """The table of one game. Its keys are those of a hand, which is not always there, and those that last."""
    own = shapes.fields(views.Table, optional=())
    own["game"] = (Literal[game.key], own["game"][1])
    for answer in (game.lasting, game.table):
        shape = _declared(answer)
        own |= shapes.fields(shape, optional=shape.__annotations__)
    name = f"{type(game).__name__}Table"
    _, _, notes = (inspect.getdoc(_declared(game.table)) or "").partition("\n\n")
    about = f"{game.name}: all that everybody may know of the match, whole.\n\n{notes}".strip()
    return create_model(name, __base__=Closed, __doc__=about, **own)


def _you() -> type[BaseModel]:
    """What seats of all games may know: no key means two things."""
    own = shapes.fields(views.Seat, optional=views.Seat.__annotations__)
    own |= shapes.fields(You, optional=You.__optional_keys__)
    for game in GAMES.values():
        shape = _declared(game.own)
        own |= shapes.fields(shape, optional=shape.__annotations__)
    return create_model("You", __base__=Closed, __doc__=You.__doc__, **own)


if TYPE_CHECKING:
    Room = Closed
    Table = Closed
    Yours = Closed
else:
    Room = _room()
    TABLES = [_table_of(game) for game in GAMES.values()]
    Table = TypeAliasType("Table", Annotated[reduce(or_, TABLES), Field(discriminator="game")])
    Yours = _you()


class ActionForm(Closed):
    """What an action is to whoever draws buttons."""

    main: bool = Field(description="Whether it is what people mostly come for, of what can be done beside it.")
    placed: bool = Field(description="Whether it needs more than a button: cards, a number, a name.")


class Update(Closed):
    """The room, the table and your seat after a change: always whole, never a difference."""

    t: Literal["update"]
    seq: int
    now: int = Field(description="The server's clock, epoch milliseconds.")
    room: Room
    table: Table | None
    events: list[dict[str, Any]] = Field(description="What happened since the update before; empty in the first.")
    protocol: int | None = Field(None, description="In the first only: the version of this protocol.")
    actions: dict[str, ActionForm] | None = Field(
        None, description="In the first only: what each action is, by its `do`."
    )
    earlier: list[dict[str, Any]] | None = Field(
        None, description="In the first only: what happened in this hand so far, for the log."
    )
    you: Yours


Played: TypeAlias = Annotated[dict[str, Any], shapes.marked("Action")]


class Answer(Closed):
    """The answer to one message, found by its id."""

    t: Literal["answer"]
    id: str | None
    ok: bool
    seq: int | None = None
    code: str | None = None
    message: str | None = Field(None, description="The refusal in English.")
    key: str | None = Field(None, description="Of its sentence in the catalogue, for another language.")
    values: dict[str, Any] | None = Field(None, description="What fills the places of that sentence.")
    rule: str | None = Field(None, description="The id of the rule that refuses: its row is at /rules/{game}#{rule}.")
    rule_name: str | None = Field(None, description="What this rule is called.")
    plays: list[Played] | None = None


GoodbyeReason: TypeAlias = Literal[
    "restart", "trouble", "too_fast", "too_many", "bad_messages", "no_room", "no_session", "removed"
]


class Goodbye(Closed):
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


def encode(message: Closed) -> str:
    """A frame of ours; what is not there is left out."""
    return message.model_dump_json(exclude_none=True, by_alias=True)


# Schema


def schema() -> dict[str, Any]:
    """Both directions as one JSON schema."""
    server = _server.json_schema(ref_template=_REF)
    parts = {**_asked_schemas(), **server.pop("$defs"), "ServerMessage": server}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Pecking Order: messages of /ws/{code}",
        "version": VERSION,
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "$defs": dict(sorted({**_marked(parts), "Action": _action_schema()}.items())),
    }


_REF = "#/$defs/{model}"


def _asked_schemas() -> dict[str, Any]:
    """What clients say, by name. Who says it (`by`) is no part of the message: the socket knows."""
    (whole,), parts = msgspec.json.schema_components([_client], ref_template=_REF.replace("model", "name"))
    for kind in MESSAGES.values():
        part = parts[kind.__name__]
        del part["properties"]["by"]
        part["required"].remove("by")
    return {**parts, "ClientMessage": whole}


def _marked(part: Any) -> Any:
    """The same with our marks made references."""
    if isinstance(part, list):
        return [_marked(each) for each in part]
    if not isinstance(part, dict):
        return part
    if "x-type" in part:
        return {"$ref": f"#/$defs/{part['x-type']}"}
    return {key: _marked(value) for key, value in part.items() if not _is_title(key, value)}


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
