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
from app.rooms.views import name_fields as names
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
    return create_model("Room", __base__=ClosedModel, __doc__="All that everybody may know of the room.", **own)


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
    about = f"{game.name}: all that everybody may know of the match.\n\n{notes}".strip()
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
        f"{model.__name__}Changes", __base__=ClosedModel, __doc__=f"Changed keys of {model.__name__}.", **own
    )


if TYPE_CHECKING:
    Room = ClosedModel
    Table = ClosedModel
    Yours = ClosedModel
    RoomChanges = ClosedModel
    TableChanges = ClosedModel
    YouChanges = ClosedModel
    Moving = ClosedModel
    NameFields = ClosedModel
    ActionPreview = ClosedModel
else:
    ActionPreview = typed_models.model_of(views.ActionPreview)
    Room = _build_room_model()
    TABLES = [_build_table_model(game) for game in GAMES.values()]
    Table = TypeAliasType("Table", Annotated[reduce(or_, TABLES), Field(discriminator="game")])
    Yours = _build_you_model()
    RoomChanges, YouChanges = _build_changes_model(Room), _build_changes_model(Yours)
    TableChanges = TypeAliasType("TableChanges", reduce(or_, map(_build_changes_model, TABLES)))
    Moving = typed_models.model_of(Movement)
    NameFields = typed_models.model_of(names.NameFields)


class ActionForm(ClosedModel):
    """How a page offers an action of a game."""

    main: bool = Field(description="Whether this is the most important action whenever it is legal.")
    placed: bool = Field(
        description="Whether the control has a fixed place on the page. Otherwise it is a button in the bar."
    )
    control: Control = Field(
        description="The control that offers the action. button: a button. beside: a button, if no cards are selected."
        " cards: one of the listed choices of cards. gifts: cards for each receiver. free_cards: any of your cards,"
        " and the rank that you claim. rank: a rank, and a button for each of `fields`. number: a number, for the first"
        " of `fields`. each: a button for each listed action, named by the first of `fields`. text: a text to one or"
        " more players."
    )
    fields: list[str] = Field(description="The fields of the action.")
    passes: bool = Field(
        False,
        description="Whether the action is a pass. A page may send it for a player who turned on automatic passing.",
    )
    least: int | None = Field(
        None, description="The lowest number, or the minimum length of a text. `you.action_limits` overrides it."
    )
    most: int | None = Field(
        None, description="The highest number, or the maximum length of a text. `you.action_limits` overrides it."
    )


Played: TypeAlias = Annotated[dict[str, Any], typed_models.reference_to("Action")]

Happened: TypeAlias = Annotated[dict[str, Any], typed_models.reference_to("Event")]


class Changes(ClosedModel):
    """Changed keys. They replace the keys of the same name; all other keys stay unchanged."""

    room: RoomChanges | None = Field(None, description="Changed keys of the room.")
    table: TableChanges | None = Field(
        None, description="Changed keys of the table. `players` contains only changed players."
    )
    you: YouChanges | None = Field(None, description="Changed keys of your view.")


class Update(ClosedModel):
    """The state after a change. The first update of a connection is complete; later ones contain the changes."""

    t: Literal["update"]
    seq: int = Field(description="The number of the newest entry in the log of the room.")
    server_time: int = Field(description="The server's clock, in epoch milliseconds.")
    room: Room | None = Field(None, description="The complete room. In the first update only.")
    table: Table | None = Field(
        None, description="The complete table, in the first update and when its keys or players change; or null."
    )
    you: Yours | None = Field(None, description="Your complete view, in the first update and when its keys change.")
    changed: Changes | None = Field(None, description="All other changes since the last update.")
    events: list[Happened] = Field(
        description="Events since the last update, those for you alone at the end; empty in the first update."
    )
    protocol: int | None = Field(None, description="The version of the protocol. In the first update only.")
    actions: dict[str, ActionForm] | None = Field(
        None, description="How to offer each action, by its `do`. In the first update only."
    )
    event_prominence: dict[str, Prominence] | None = Field(
        None,
        description="How prominent events are, by their `e`. In the first update only. move: cards are played; still:"
        " no cards are played; quiet: expected; end: something is decided; great: celebrated.",
    )
    event_animations: dict[str, Moving] | None = Field(
        None, description="Animations of events, by their `e`. In the first update only."
    )
    name_fields: NameFields | None = Field(
        None, description="Which fields contain names, for pages that show chosen names. In the first update only."
    )
    hand_history: list[Happened] | None = Field(
        None, description="The events of the running hand so far, for the log. In the first update only."
    )


class Answer(ClosedModel):
    """The answer to the message with this id."""

    t: Literal["answer"]
    id: str | None
    ok: bool
    seq: int | None = Field(None, description="The number of the entry that the message became in the log of the room.")
    code: str | None = Field(None, description="The error code.")
    message: str | None = Field(None, description="The error in English.")
    key: str | None = Field(None, description="The key of the error text in the message catalogue.")
    values: dict[str, Any] | None = Field(None, description="Values of the placeholders in that text.")
    rule: str | None = Field(None, description="The id of the rule that was broken: see /rules/{game}#{rule}.")
    rule_name: str | None = Field(None, description="The name of this rule.")
    plays: list[Played] | None = Field(
        None,
        description="For `preview_cards`: all legal plays of these cards. If there are none on your turn, `code` "
        "and the other fields of an error say why.",
    )
    previews: list[ActionPreview] | None = Field(None, description="For `preview_actions`: legal plays and effects.")
    next: int | None = Field(None, description="For `preview_actions`: `first` of the next request, if there are more.")


GoodbyeReason: TypeAlias = Literal[
    "restart",
    "trouble",
    "damaged",
    "too_fast",
    "too_many",
    "bad_messages",
    "old_page",
    "no_room",
    "no_session",
    "removed",
    "asked_to_leave",
]


class Notice(ClosedModel):
    """A notice for everybody. It is valid until the next notice or the end of the connection."""

    t: Literal["notice"]
    message: str | None = Field(None, description="The text in English; missing: the notice has ended.")
    key: str | None = Field(None, description="The key of the text in the message catalogue.")
    values: dict[str, Any] | None = Field(None, description="Values of the placeholders in that text.")


class Reacted(ClosedModel):
    """A reaction of a member, sent to all connections. It is not part of the state."""

    t: Literal["reaction"]
    by: str = Field(description="The name of the member who reacts.")
    reaction: Reaction


class ChatLine(ClosedModel):
    """A chat message: `text` or `quick`."""

    id: int = Field(description="A number that grows within a room.")
    by: str = Field(description="The name of the sender, or the name used last if the sender has left.")
    at: int = Field(description="When it was sent, in epoch milliseconds.")
    text: str | None = Field(None, description="The message in the sender's own words.")
    quick: chat.QuickMessage | None = Field(None, description="A standard message, shown in the reader's language.")


class Chat(ClosedModel):
    """Chat messages. They are not part of the state."""

    t: Literal["chat"]
    lines: list[ChatLine] = Field(description="The messages, oldest first.")
    replaces_all: bool = Field(
        description="True: these messages replace all earlier ones, as after each connect. False: they follow them."
    )


class Goodbye(ClosedModel):
    """The last message before the server closes the socket. Without `retry_ms`, don't reconnect."""

    t: Literal["goodbye"]
    reason: GoodbyeReason
    retry_ms: int | None = Field(None, description="Reconnect after this many milliseconds.")
    message: str | None = Field(None, description="With `restart`: what the server does meanwhile, in English.")
    key: str | None = Field(None, description="The key of that text in the message catalogue.")
    values: dict[str, Any] | None = Field(None, description="Values of the placeholders in that text.")
    version: str | None = Field(
        None,
        description="Only with `old_page`: the version of the server’s pages. A page reloads once for each version.",
    )


CLOSE_CODES: dict[str, int] = {
    "restart": 1012,
    "trouble": 1013,
    "damaged": 4500,
    "too_fast": 1008,
    "too_many": 1008,
    "bad_messages": 1008,
    "old_page": 4426,
    "no_session": 4401,
    "removed": 4403,
    "asked_to_leave": 4405,
    "no_room": 4404,
}
"""WebSocket close code by reason of the goodbye."""

CLOSE_CODE_FOR_BINARY = 1003
"""WebSocket close code, without a goodbye, for a binary message."""

ServerMessage: TypeAlias = Annotated[Update | Answer | Notice | Reacted | Chat | Goodbye, Field(discriminator="t")]


def encode_message(message: ClosedModel) -> str:
    """Encode a message as JSON, without fields whose value is None."""
    return message.model_dump_json(exclude_none=True, by_alias=True)
