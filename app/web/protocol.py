"""Every message of `/ws/{code}`, both directions, told apart by `t`. Nothing else goes over the wire.

What comes from clients is a command of the room (`app/rooms/commands.py`): closed types, no extra fields, strict
values. What goes to them the room encodes (`app/rooms/updates.py`); here it is described, and the tests hold every real
frame against the description. `python -m app schema` prints it, as a schema, as types for the page or in words.

>>> message = parse('{"t": "act", "id": "k1", "action": {"do": "play", "cards": "7c 7d"}}', by="p1")
>>> message.t, message.action
('act', {'do': 'play', 'cards': '7c 7d'})
>>> parse('{"t": "dance", "id": "k2"}', by="p1")
Traceback (most recent call last):
    ...
app.web.malformed.BadMessage: There is no message “dance”.
"""

import inspect
from copy import copy
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta
from pydantic import AfterValidator, BaseModel, Field, TypeAdapter, create_model
from typing_extensions import TypeAliasType

from app.bounded import FREE_JSON, MOST_KEYS
from app.engine import views
from app.engine.actions import FORMS, Control
from app.engine.cards import MOST_CARDS
from app.engine.events import EventShown, Tone
from app.engine.game import AnyGame
from app.engine.games import GAMES
from app.engine.motions import Movement
from app.rooms import chat, named
from app.rooms.commands import LONGEST_ID, WIRE, Message, Who
from app.rooms.pictures import Changing, You
from app.rooms.reactions import Reaction
from app.rooms.settings import SettingsShown
from app.rooms.updates import VERSION
from app.web import shapes
from app.web.malformed import (
    DOES_NOT_BELONG,
    IS_WRONG,
    NO_SUCH_MESSAGE,
    OBJECT_WITH_T,
    ONE_JSON_OBJECT,
    BadMessage,
    cleaned,
    explained,
    is_clean,
)
from app.web.shapes import ClosedModel

_is_clean = AfterValidator(cleaned)
Word: TypeAlias = Annotated[str, Field(min_length=1, max_length=40), _is_clean]
Json: TypeAlias = Annotated[dict[str, Any], Field(max_length=MOST_KEYS, json_schema_extra=FREE_JSON), _is_clean]
Seconds: TypeAlias = Annotated[float, Field(ge=0, le=86_400)]


# From the client: every `Message` of the room's commands, and those that no log hears of


class Look(Message, frozen=True):
    """How could these cards of mine be played now? For seats whose `legal` is too long to list (`more`)."""

    cards: Annotated[str, Meta(max_length=200, description="Such as “7c 7d”.")]


class Prospects(Message, frozen=True):
    """What could I play now, and what would each play do?"""

    first: Annotated[int, Meta(ge=0, le=views.LEGAL_LIMIT, description="From which legal action on.")] = 0


class Ping(Message, frozen=True):
    """Are you there?"""

    who: ClassVar[Who] = "anybody"


class Sight(Message, frozen=True):
    """Say whether one’s page is in sight: whoever has none in sight may be called when it is their turn."""

    who: ClassVar[Who] = "anybody"
    visible: Annotated[bool, Meta(description="What is not said counts as true, on each connection anew.")]


class React(Message, frozen=True):
    """Show everybody something: it flies from one's seat, and is nothing of the game."""

    reaction: Reaction


class Write(Message, frozen=True):
    """Say something to everybody, in words of one's own or in those that all have: one of both."""

    text: Annotated[str, Meta(min_length=1, max_length=chat.LONGEST)] | None = None
    quick: chat.Quick | None = None


MESSAGES: dict[str, type[Message]] = {
    **WIRE,
    "look": Look,
    "prospects": Prospects,
    "ping": Ping,
    "sight": Sight,
    "react": React,
    "write": Write,
}
FOR_THE_ROOM = frozenset(WIRE.values())
"""Those that are commands of the room."""
_client: Any = reduce(or_, MESSAGES.values())
_read: Final = msgspec.json.Decoder().decode


def parse(text: str, by: str) -> Message:
    """The message that this text of somebody's is; `BadMessage` with a sentence otherwise."""
    try:
        asked = _read(text)
    except (ValueError, RecursionError):
        raise BadMessage(ONE_JSON_OBJECT()) from None
    if not isinstance(asked, dict) or not isinstance(kind := asked.get("t"), str):
        raise BadMessage(OBJECT_WITH_T(), _id_of(asked))
    if kind not in MESSAGES:
        raise BadMessage(NO_SUCH_MESSAGE(kind=kind[:30]), _id_of(asked))
    if "by" in asked:
        raise BadMessage(DOES_NOT_BELONG(where="by"), _id_of(asked))
    try:
        message: Message = msgspec.convert({**asked, "by": by}, MESSAGES[kind])
    except msgspec.ValidationError as error:
        raise BadMessage(explained(str(error)), _id_of(asked)) from None
    if is_clean(text):
        return message
    for name, value in asked.items():
        try:
            cleaned(value)
        except ValueError as error:
            raise BadMessage(IS_WRONG(where=name, reason=error.args[0]), _id_of(asked)) from None
    return message


def _id_of(asked: object) -> str | None:
    """The id of what may be no message, for the answer to it."""
    known = asked.get("id") if isinstance(asked, dict) else None
    return known if isinstance(known, str) and 0 < len(known) <= LONGEST_ID else None


# To the client


def _room() -> type[BaseModel]:
    """The settings and what changes, in one."""
    own = {name: field for shape in (SettingsShown, Changing) for name, field in shapes.fields(shape, ()).items()}
    return create_model("Room", __base__=ClosedModel, __doc__="All that everybody may know of the room, whole.", **own)


def _declared(answer: Any) -> Any:
    """The shape of what a game's method gives: it stands behind the arrow."""
    return inspect.signature(answer).return_annotation


def _table_of(game: AnyGame) -> type[BaseModel]:
    """The table of one game. Its keys are those of a hand, which is not always there, and those that last."""
    own = shapes.fields(views.Table, optional=())
    own["game"] = (Literal[game.key], own["game"][1])
    for answer in (game.lasting, game.table):
        shape = _declared(answer)
        own |= shapes.fields(shape, optional=shape.__annotations__)
    name = f"{type(game).__name__}Table"
    _, _, notes = (inspect.getdoc(_declared(game.table)) or "").partition("\n\n")
    about = f"{game.name}: all that everybody may know of the match, whole.\n\n{notes}".strip()
    return create_model(name, __base__=ClosedModel, __doc__=about, **own)


def _you() -> type[BaseModel]:
    """What seats of all games may know: no key means two things."""
    own = shapes.fields(views.Seat, optional=views.Seat.__annotations__)
    own |= shapes.fields(You, optional=You.__optional_keys__)
    for game in GAMES.values():
        shape = _declared(game.own)
        own |= shapes.fields(shape, optional=shape.__annotations__)
    return create_model("You", __base__=ClosedModel, __doc__=You.__doc__, **own)


def _changes(whole: type[BaseModel]) -> type[BaseModel]:
    """What may have changed of this: its keys, none of which need be there."""
    own: dict[str, Any] = {}
    for name, field in whole.model_fields.items():
        own[name] = field.annotation, copy(field)
        own[name][1].default = None
    return create_model(
        f"{whole.__name__}Changes", __base__=ClosedModel, __doc__=f"What has changed of {whole.__name__}.", **own
    )


if TYPE_CHECKING:
    Room = ClosedModel
    Table = ClosedModel
    Yours = ClosedModel
    RoomChanges = ClosedModel
    TableChanges = ClosedModel
    YouChanges = ClosedModel
    Moving = ClosedModel
    NamedKeys = ClosedModel
    Prospect = ClosedModel
else:
    Prospect = shapes.of(views.Prospect)
    Room = _room()
    TABLES = [_table_of(game) for game in GAMES.values()]
    Table = TypeAliasType("Table", Annotated[reduce(or_, TABLES), Field(discriminator="game")])
    Yours = _you()
    RoomChanges, YouChanges = _changes(Room), _changes(Yours)
    TableChanges = TypeAliasType("TableChanges", reduce(or_, map(_changes, TABLES)))
    Moving = shapes.of(Movement)
    NamedKeys = shapes.of(named.NamedKeys)


class ActionForm(ClosedModel):
    """What an action is to whoever draws what it is done with."""

    main: bool = Field(description="Whether it is what people mostly come for, of what can be done beside it.")
    placed: bool = Field(description="Whether its control is more than a button that may stand anywhere.")
    control: Control = Field(
        description="What somebody does it with. button: a button and nothing else; beside: one for whoever chooses no"
        " cards; cards: cards in one of the ways listed; gifts: cards for those to whom they are owed; free_cards: any"
        " of one’s cards, and a rank that they are said to be; rank: a rank, and a button for each of `fields`; number:"
        " a number, in the first of `fields`; each: a button for each that is listed, called by the first of `fields`;"
        " text: words to one player or to many."
    )
    fields: list[str] = Field(description="What may be said with it.")
    passes: bool = Field(
        False, description="Whether it lets what lies there stand: a page may do it for somebody who has said so."
    )
    least: int | None = Field(
        None, description="The lowest number, unless `you.particulars` has another; or the fewest characters."
    )
    most: int | None = Field(
        None, description="The highest number, unless `you.particulars` has another; or the most characters."
    )


Played: TypeAlias = Annotated[dict[str, Any], shapes.marked("Action")]
Happened: TypeAlias = Annotated[dict[str, Any], shapes.marked("Event")]


class Changes(ClosedModel):
    """What takes the place of the keys of the same name; all others stay as they were."""

    room: RoomChanges | None = None
    table: TableChanges | None = Field(None, description="Its `players` are those who have changed.")
    you: YouChanges | None = None


class Update(ClosedModel):
    """What a connection is told after a change: the first all of it, the others what it was not shown yet."""

    t: Literal["update"]
    seq: int
    now: int = Field(description="The server's clock, epoch milliseconds.")
    room: Room | None = Field(None, description="Where it is told whole: in the first.")
    table: Table | None = Field(
        None, description="Where it is told whole: in the first, and where it has other keys or players; or null."
    )
    you: Yours | None = Field(None, description="Where it is told whole: in the first, and where it has other keys.")
    changed: Changes | None = Field(None, description="What is different in the rest, if anything is.")
    events: list[Happened] = Field(
        description="What happened since the update before, last what only you may know; empty in the first."
    )
    protocol: int | None = Field(None, description="In the first only: the version of this protocol.")
    actions: dict[str, ActionForm] | None = Field(
        None, description="In the first only: what each action is, by its `do`."
    )
    tones: dict[str, Tone] | None = Field(
        None,
        description="In the first only: how loud events are, by their `e`. move: cards are played; still: none are;"
        " quiet: it goes without saying; end: something is decided.",
    )
    motions: dict[str, Moving] | None = Field(
        None, description="In the first only: what is seen to move as events happen, by their `e`, where anything is."
    )
    named: NamedKeys | None = Field(
        None, description="In the first only: where names stand in what is told, for a page that shows other ones."
    )
    earlier: list[Happened] | None = Field(
        None, description="In the first only: what happened in this hand so far, for the log."
    )


class Answer(ClosedModel):
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
    prospects: list[Prospect] | None = Field(None, description="What one may play, and what would come of it.")
    next: int | None = Field(None, description="From where to ask for more of them; none if these were the last.")


GoodbyeReason: TypeAlias = Literal[
    "restart", "trouble", "too_fast", "too_many", "bad_messages", "old_page", "no_room", "no_session", "removed"
]


class Notice(ClosedModel):
    """What everybody should read now. It stands until the next one, or the end of the connection."""

    t: Literal["notice"]
    message: str | None = Field(None, description="In English; without it there is nothing to read any more.")
    key: str | None = Field(None, description="Of its sentence in the catalogue, for another language.")
    values: dict[str, Any] | None = Field(None, description="What fills the places of that sentence.")


class Reacted(ClosedModel):
    """Somebody shows something to everybody at the table, and to all who watch. It is in no picture."""

    t: Literal["reaction"]
    by: str = Field(description="Who, by name.")
    reaction: Reaction


class ChatLine(ClosedModel):
    """Something that somebody has said: `text`, or `quick`."""

    id: int = Field(description="Counts up in a room, as long as this line is open.")
    by: str = Field(description="Who, by the name that they have here, or had when they said it.")
    at: int = Field(description="Epoch milliseconds.")
    text: str | None = Field(None, description="In their own words.")
    quick: chat.Quick | None = Field(None, description="In words that everybody has in their language.")


class Chat(ClosedModel):
    """What people say to each other. It is in no picture."""

    t: Literal["chat"]
    lines: list[ChatLine] = Field(description="Oldest first.")
    whole: bool = Field(
        description="True: these lines replace all earlier ones, as after each connect. False: they follow them."
    )


class Goodbye(ClosedModel):
    """The last frame before the server closes the socket. Without `retry_ms`, coming back would change nothing."""

    t: Literal["goodbye"]
    reason: GoodbyeReason
    retry_ms: int | None = Field(None, description="Come back after so many milliseconds.")
    version: str | None = Field(
        None,
        description="Only with `old_page`: the version of the server’s pages. A page reloads once for each version.",
    )


CLOSE_CODES: dict[str, int] = {
    "restart": 1012,
    "trouble": 1013,
    "too_fast": 1008,
    "too_many": 1008,
    "bad_messages": 1008,
    "old_page": 4426,
    "no_session": 4401,
    "removed": 4403,
    "no_room": 4404,
}
"""What the socket is closed with after a goodbye."""

NOT_TEXT = 1003
"""What it is closed with, without a goodbye, when bytes come."""


ServerMessage: TypeAlias = Annotated[Update | Answer | Notice | Reacted | Chat | Goodbye, Field(discriminator="t")]

_server: TypeAdapter[Any] = TypeAdapter(ServerMessage)


def encode(message: ClosedModel) -> str:
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
        "$defs": dict(sorted({**_marked(parts), "Action": _action_schema(), "Event": _event_schema()}.items())),
    }


_REF = "#/$defs/{model}"


def _asked_schemas() -> dict[str, Any]:
    """What clients say, by name. Who says it (`by`) is no part of the message: the socket knows."""
    (whole,), parts = msgspec.json.schema_components([_client], ref_template=_REF.replace("model", "name"))
    for kind in MESSAGES.values():
        part = parts[kind.__name__]
        del part["properties"]["by"]
        part["required"].remove("by")
        part["x-who"] = kind.who
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


def parts_of(shape: Any) -> dict[str, Any]:
    """Describe a declared shape and all that it is made of, by name."""
    part = shapes.of(shape).model_json_schema(ref_template=_REF)
    inner: dict[str, Any] = _marked({**part.pop("$defs", {}), shape.__name__: part})
    return inner


def _event_schema() -> dict[str, Any]:
    """What all events have; they are open, as each may tell more."""
    return {**parts_of(EventShown)["EventShown"], "additionalProperties": True}


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
