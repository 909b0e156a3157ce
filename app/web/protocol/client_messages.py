"""Messages that clients send on `/ws/{code}`: commands of a room, and messages that no log records.

The types are strict and closed: no conversions, no extra fields (`app/rooms/model/commands.py`).

>>> message = parse_message('{"t": "act", "id": "k1", "action": {"do": "play", "cards": "7c 7d"}}', by="p1")
>>> message.t, message.action
('act', {'do': 'play', 'cards': '7c 7d'})
>>> parse_message('{"t": "dance", "id": "k2"}', by="p1")
Traceback (most recent call last):
    ...
app.web.protocol.message_errors.BadMessage: There is no message “dance”.
"""

from typing import Annotated, ClassVar, Final

import msgspec
from msgspec import Meta

from app.engine.match import views
from app.rooms.model.commands import LONGEST_ID, MESSAGES_BY_TAG, AllowedSender, Message, classes_by_tag
from app.rooms.people import chat
from app.rooms.people.reactions import Reaction
from app.web.protocol.message_errors import (
    DOES_NOT_BELONG,
    IS_WRONG,
    NO_SUCH_MESSAGE,
    OBJECT_WITH_T,
    ONE_JSON_OBJECT,
    BadMessage,
    check_json_limits,
    explain_validation_error,
    is_surely_within_limits,
)


class Look(Message, frozen=True, tag="look"):
    """How could these cards of mine be played now? For seats whose `legal` is too long to list (`more`)."""

    cards: Annotated[str, Meta(max_length=200, description="Such as “7c 7d”.")]


class Prospects(Message, frozen=True, tag="prospects"):
    """What could I play now, and what would each play do?"""

    first: Annotated[int, Meta(ge=0, le=views.LEGAL_LIMIT, description="From which legal action on.")] = 0


class Ping(Message, frozen=True, tag="ping"):
    """Are you there?"""

    allowed_for: ClassVar[AllowedSender] = "anybody"


class Sight(Message, frozen=True, tag="sight"):
    """Say whether one’s page is in sight: whoever has none in sight may be called when it is their turn."""

    allowed_for: ClassVar[AllowedSender] = "anybody"
    visible: Annotated[bool, Meta(description="What is not said counts as true, on each connection anew.")]


class React(Message, frozen=True, tag="react"):
    """Show everybody something: it flies from one's seat, and is nothing of the game."""

    reaction: Reaction


class Write(Message, frozen=True, tag="write"):
    """Say something to everybody, in words of one's own or in those that all have: one of both."""

    text: Annotated[str, Meta(min_length=1, max_length=chat.MAX_MESSAGE_LENGTH)] | None = None
    quick: chat.QuickMessage | None = None


MESSAGES: dict[str, type[Message]] = classes_by_tag(
    (*MESSAGES_BY_TAG.values(), Look, Prospects, Ping, Sight, React, Write)
)

FOR_THE_ROOM = frozenset(MESSAGES_BY_TAG.values())
"""The types that are commands of the room."""

_read: Final = msgspec.json.Decoder().decode


def parse_message(text: str, by: str) -> Message:
    """Parse a client's text into a message from the person `by`; `BadMessage` with a sentence if it is invalid."""
    try:
        asked = _read(text)
    except (ValueError, RecursionError):
        raise BadMessage(ONE_JSON_OBJECT()) from None
    if not isinstance(asked, dict) or not isinstance(kind := asked.get("t"), str):
        raise BadMessage(OBJECT_WITH_T(), _message_id_of(asked))
    if kind not in MESSAGES:
        raise BadMessage(NO_SUCH_MESSAGE(kind=kind[:30]), _message_id_of(asked))
    if "by" in asked:
        raise BadMessage(DOES_NOT_BELONG(where="by"), _message_id_of(asked))
    try:
        message: Message = msgspec.convert({**asked, "by": by}, MESSAGES[kind])
    except msgspec.ValidationError as error:
        raise BadMessage(explain_validation_error(str(error)), _message_id_of(asked)) from None
    if is_surely_within_limits(text):
        return message
    for name, value in asked.items():
        try:
            check_json_limits(value)
        except ValueError as error:
            raise BadMessage(IS_WRONG(where=name, reason=error.args[0]), _message_id_of(asked)) from None
    return message


def _message_id_of(asked: object) -> str | None:
    """Return the id of a possibly invalid message, for the answer to it."""
    known = asked.get("id") if isinstance(asked, dict) else None
    return known if isinstance(known, str) and 0 < len(known) <= LONGEST_ID else None
