"""Messages that the server sends on `/ws/{code}`, as models.

The room encodes updates itself (`app/rooms/views/delta.py`). They are described here, and tests compare every real
frame with the description.
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
from app.engine.display.events import Tone
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.game import AnyGame
from app.rooms.model.settings import SettingsShown
from app.rooms.people import chat
from app.rooms.people.reactions import Reaction
from app.rooms.views import name_fields
from app.rooms.views.room_view import Changing, You
from app.text_limits import FREE_JSON, MOST_KEYS
from app.web.protocol import typed_models
from app.web.protocol.message_errors import (
    cleaned,
)
from app.web.protocol.typed_models import ClosedModel

_is_clean = AfterValidator(cleaned)

Word: TypeAlias = Annotated[str, Field(min_length=1, max_length=40), _is_clean]

Json: TypeAlias = Annotated[dict[str, Any], Field(max_length=MOST_KEYS, json_schema_extra=FREE_JSON), _is_clean]

Seconds: TypeAlias = Annotated[float, Field(ge=0, le=86_400)]


def _room() -> type[BaseModel]:
    """The settings and what changes, in one."""
    own = {name: field for shape in (SettingsShown, Changing) for name, field in typed_models.fields(shape, ()).items()}
    return create_model("Room", __base__=ClosedModel, __doc__="All that everybody may know of the room, whole.", **own)


def _declared(answer: Any) -> Any:
    """The shape of what a game's method gives: it stands behind the arrow."""
    return inspect.signature(answer).return_annotation


def _table_of(game: AnyGame) -> type[BaseModel]:
    """The table of one game. Its keys are those of a hand, which is not always there, and those that last."""
    own = typed_models.fields(views.Table, optional=())
    own["game"] = (Literal[game.key], own["game"][1])
    for answer in (game.lasting, game.table):
        shape = _declared(answer)
        own |= typed_models.fields(shape, optional=shape.__annotations__)
    name = f"{type(game).__name__}Table"
    _, _, notes = (inspect.getdoc(_declared(game.table)) or "").partition("\n\n")
    about = f"{game.name}: all that everybody may know of the match, whole.\n\n{notes}".strip()
    return create_model(name, __base__=ClosedModel, __doc__=about, **own)


def _you() -> type[BaseModel]:
    """What seats of all games may know: no key means two things."""
    own = typed_models.fields(views.Seat, optional=views.Seat.__annotations__)
    own |= typed_models.fields(You, optional=You.__optional_keys__)
    for game in GAMES.values():
        shape = _declared(game.own)
        own |= typed_models.fields(shape, optional=shape.__annotations__)
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
    Prospect = typed_models.of(views.Prospect)
    Room = _room()
    TABLES = [_table_of(game) for game in GAMES.values()]
    Table = TypeAliasType("Table", Annotated[reduce(or_, TABLES), Field(discriminator="game")])
    Yours = _you()
    RoomChanges, YouChanges = _changes(Room), _changes(Yours)
    TableChanges = TypeAliasType("TableChanges", reduce(or_, map(_changes, TABLES)))
    Moving = typed_models.of(Movement)
    NamedKeys = typed_models.of(name_fields.NamedKeys)


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


Played: TypeAlias = Annotated[dict[str, Any], typed_models.marked("Action")]

Happened: TypeAlias = Annotated[dict[str, Any], typed_models.marked("Event")]


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


def encode(message: ClosedModel) -> str:
    """A frame of ours; what is not there is left out."""
    return message.model_dump_json(exclude_none=True, by_alias=True)
