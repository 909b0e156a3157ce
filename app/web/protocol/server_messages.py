"""Messages that the server sends on `/ws/{code}`, as pydantic models.

The room encodes updates itself (`app/rooms/views/delta.py`). The models here describe them, and tests compare every
real frame with the models.
"""

import inspect
from copy import copy
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, Field, create_model
from typing_extensions import TypeAliasType

from app.engine.cards.action_codec import Control
from app.engine.display.animations import Movement
from app.engine.display.events import Prominence
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.game import AnyGame
from app.rooms.model.settings import SettingsView
from app.rooms.people import chat
from app.rooms.people.reactions import Reaction
from app.rooms.views import name_fields
from app.rooms.views.room_view import RoomViewWithoutSettings, You
from app.text_limits import FREE_JSON, MOST_KEYS
from app.web.protocol import typed_models
from app.web.protocol.message_errors import (
    check_json_limits,
)
from app.web.protocol.typed_models import ClosedModel

_check_json = AfterValidator(check_json_limits)

Word: TypeAlias = Annotated[str, Field(min_length=1, max_length=40), _check_json]

Json: TypeAlias = Annotated[dict[str, Any], Field(max_length=MOST_KEYS, json_schema_extra=FREE_JSON), _check_json]

Seconds: TypeAlias = Annotated[float, Field(ge=0, le=86_400)]


def _build_room_model() -> type[BaseModel]:
    """Build the model of a room: its settings and its state."""
    own = {
        name: field
        for shape in (SettingsView, RoomViewWithoutSettings)
        for name, field in typed_models.model_fields_of(shape, ()).items()
    }
    return create_model("Room", __base__=ClosedModel, __doc__="All that everybody may know of the room, whole.", **own)


def _return_type_of(method: Any) -> Any:
    """Return the annotated return type of a game's method."""
    return inspect.signature(method).return_annotation


def _build_table_model(game: AnyGame) -> type[BaseModel]:
    """Build the model of a game's table. Keys of the current hand are optional, keys of the match are required."""
    own = typed_models.model_fields_of(views.Table, optional=())
    own["game"] = (Literal[game.key], own["game"][1])
    for answer in (game.between_hands_view, game.table_view):
        shape = _return_type_of(answer)
        own |= typed_models.model_fields_of(shape, optional=shape.__annotations__)
    name = f"{type(game).__name__}Table"
    _, _, notes = (inspect.getdoc(_return_type_of(game.table_view)) or "").partition("\n\n")
    about = f"{game.name}: all that everybody may know of the match, whole.\n\n{notes}".strip()
    return create_model(name, __base__=ClosedModel, __doc__=about, **own)


def _build_you_model() -> type[BaseModel]:
    """Build the model of a seat's private view, for all games: a key has the same meaning in each game."""
    own = typed_models.model_fields_of(views.Seat, optional=views.Seat.__annotations__)
    own |= typed_models.model_fields_of(You, optional=You.__optional_keys__)
    for game in GAMES.values():
        shape = _return_type_of(game.private_view)
        own |= typed_models.model_fields_of(shape, optional=shape.__annotations__)
    return create_model("You", __base__=ClosedModel, __doc__=You.__doc__, **own)


def _build_changes_model(model: type[BaseModel]) -> type[BaseModel]:
    """Build a model with the same keys, all optional, for the changes of a model."""
    own: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        own[name] = field.annotation, copy(field)
        own[name][1].default = None
    return create_model(
        f"{model.__name__}Changes", __base__=ClosedModel, __doc__=f"What has changed of {model.__name__}.", **own
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
    Prospect = typed_models.model_of(views.Prospect)
    Room = _build_room_model()
    TABLES = [_build_table_model(game) for game in GAMES.values()]
    Table = TypeAliasType("Table", Annotated[reduce(or_, TABLES), Field(discriminator="game")])
    Yours = _build_you_model()
    RoomChanges, YouChanges = _build_changes_model(Room), _build_changes_model(Yours)
    TableChanges = TypeAliasType("TableChanges", reduce(or_, map(_build_changes_model, TABLES)))
    Moving = typed_models.model_of(Movement)
    NamedKeys = typed_models.model_of(name_fields.NamedKeys)


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


Played: TypeAlias = Annotated[dict[str, Any], typed_models.reference_to("Action")]

Happened: TypeAlias = Annotated[dict[str, Any], typed_models.reference_to("Event")]


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
    tones: dict[str, Prominence] | None = Field(
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
    quick: chat.QuickMessage | None = Field(None, description="In words that everybody has in their language.")


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
"""WebSocket close code by reason of the goodbye."""

CLOSE_CODE_FOR_BINARY = 1003
"""WebSocket close code, without a goodbye, for a binary message."""

ServerMessage: TypeAlias = Annotated[Update | Answer | Notice | Reacted | Chat | Goodbye, Field(discriminator="t")]


def encode_message(message: ClosedModel) -> str:
    """Encode a message as JSON, without the fields that are None."""
    return message.model_dump_json(exclude_none=True, by_alias=True)
