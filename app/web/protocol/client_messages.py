"""Messages that clients send on `/ws/{code}`: commands of a room, and messages that no log records.

The types are strict and closed: no conversions, no extra fields (`app/rooms/model/commands.py`).

>>> message = parse_message('{"t": "act", "id": "k1", "action": {"do": "play", "cards": "7c 7d"}}', by="p1")
>>> message.t, message.action
('act', {'do': 'play', 'cards': '7c 7d'})
>>> parse_message('{"t": "dance", "id": "k2"}', by="p1")
Traceback (most recent call last):
    ...
app.web.protocol.message_errors.BadMessage: The message “dance” does not exist.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Final

import msgspec
from msgspec import Meta

from app.engine.base.messages import TranslatableMessage
from app.engine.match import views
from app.rooms.model.commands import LONGEST_ID, MESSAGES_BY_TAG, AllowedSender, Message
from app.rooms.model.tags import classes_by_tag
from app.rooms.people import chat
from app.rooms.people.reactions import Reaction
from app.web.protocol.former_names import error_for_former_name
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


class PreviewCards(Message, frozen=True, tag="preview_cards"):
    """Ask for all legal plays of exactly these cards. Use it if `you.more` is true."""

    cards: Annotated[str, Meta(max_length=200, description="The selected cards, such as “7c 7d”.")]


class PreviewActions(Message, frozen=True, tag="preview_actions"):
    """Ask which plays are legal now, and what each would do."""

    first: Annotated[int, Meta(ge=0, le=views.LEGAL_LIMIT, description="Index of the first legal action, from 0.")] = 0


class Ping(Message, frozen=True, tag="ping"):
    """Check the connection. The answer has `ok: true`."""

    allowed_for: ClassVar[AllowedSender] = "anybody"


class PageVisibility(Message, frozen=True, tag="page_visibility"):
    """Report whether the page is visible, and whether it only watches.

    A person without a visible page may get notifications.
    """

    allowed_for: ClassVar[AllowedSender] = "anybody"
    visible: Annotated[
        bool, Meta(description="Whether the page is visible. The server assumes true on each new connection.")
    ]
    watches: Annotated[
        bool, Meta(description="Whether a visitor only watches, so they are not counted in `room.joining`.")
    ] = False


class React(Message, frozen=True, tag="react"):
    """Show a reaction to everybody. It does not affect the game."""

    reaction: Reaction


class SendChat(Message, frozen=True, tag="send_chat"):
    """Send a chat message to everybody: either `text` or `quick`."""

    text: Annotated[
        Annotated[str, Meta(min_length=1, max_length=chat.MAX_MESSAGE_LENGTH)] | None,
        Meta(description="The message in your own words."),
    ] = None
    quick: Annotated[
        chat.QuickMessage | None, Meta(description="A standard message, which every page shows in its own language.")
    ] = None


MESSAGES: dict[str, type[Message]] = classes_by_tag(
    (*MESSAGES_BY_TAG.values(), PreviewCards, PreviewActions, Ping, PageVisibility, React, SendChat)
)

FOR_THE_ROOM = frozenset(MESSAGES_BY_TAG.values())
"""The types that are commands of the room."""

_read: Final = msgspec.json.Decoder().decode


def parse_message(text: str, by: str) -> Message:
    """Parse a client's text into a message from the person `by`; `BadMessage` with a sentence if it is invalid."""
    try:
        fields = _read(text)
    except (ValueError, RecursionError):
        raise BadMessage(ONE_JSON_OBJECT()) from None
    if not isinstance(fields, dict) or not isinstance(kind := fields.get("t"), str):
        raise BadMessage(OBJECT_WITH_T(), _message_id_of(fields))
    if kind not in MESSAGES:
        raise BadMessage(error_for_former_name(kind) or NO_SUCH_MESSAGE(kind=kind[:30]), _message_id_of(fields))
    if "by" in fields:
        raise BadMessage(DOES_NOT_BELONG(where="by"), _message_id_of(fields))
    try:
        message: Message = msgspec.convert({**fields, "by": by}, MESSAGES[kind])
    except msgspec.ValidationError as error:
        sentence = _error_for_former_field(kind, fields) or explain_validation_error(str(error))
        raise BadMessage(sentence, _message_id_of(fields)) from None
    if is_surely_within_limits(text):
        return message
    for name, value in fields.items():
        try:
            check_json_limits(value)
        except ValueError as error:
            raise BadMessage(IS_WRONG(where=name, reason=error.args[0]), _message_id_of(fields)) from None
    return message


def _error_for_former_field(kind: str, fields: Mapping[str, object]) -> TranslatableMessage | None:
    """Return the error for the first former name of a field or value in an invalid message; None if it has none."""
    for field, value in fields.items():
        error = error_for_former_name(f"{kind}.{field}")
        if error is None and isinstance(value, str):
            error = error_for_former_name(f"{kind}.{field}.{value}")
        if error is not None:
            return error
    return None


def _message_id_of(fields: object) -> str | None:
    """Return the id of a possibly invalid message, for the answer to it."""
    known = fields.get("id") if isinstance(fields, dict) else None
    return known if isinstance(known, str) and 0 < len(known) <= LONGEST_ID else None
