"""Messages that clients send on `/ws/{code}`: the commands of a room, and those that no log hears of.

They are closed types with strict values and no extra fields (`app/rooms/model/commands.py`).

>>> message = parse('{"t": "act", "id": "k1", "action": {"do": "play", "cards": "7c 7d"}}', by="p1")
>>> message.t, message.action
('act', {'do': 'play', 'cards': '7c 7d'})
>>> parse('{"t": "dance", "id": "k2"}', by="p1")
Traceback (most recent call last):
    ...
app.web.protocol.message_errors.BadMessage: There is no message “dance”.
"""

from typing import Annotated, ClassVar, Final

import msgspec
from msgspec import Meta

from app.engine.match import views
from app.rooms.model.commands import LONGEST_ID, WIRE, Message, Who, by_tag
from app.rooms.people import chat
from app.rooms.people.reactions import Reaction
from app.web.protocol.message_errors import (
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


class Look(Message, frozen=True, tag="look"):
    """How could these cards of mine be played now? For seats whose `legal` is too long to list (`more`)."""

    cards: Annotated[str, Meta(max_length=200, description="Such as “7c 7d”.")]


class Prospects(Message, frozen=True, tag="prospects"):
    """What could I play now, and what would each play do?"""

    first: Annotated[int, Meta(ge=0, le=views.LEGAL_LIMIT, description="From which legal action on.")] = 0


class Ping(Message, frozen=True, tag="ping"):
    """Are you there?"""

    who: ClassVar[Who] = "anybody"


class Sight(Message, frozen=True, tag="sight"):
    """Say whether one’s page is in sight: whoever has none in sight may be called when it is their turn."""

    who: ClassVar[Who] = "anybody"
    visible: Annotated[bool, Meta(description="What is not said counts as true, on each connection anew.")]


class React(Message, frozen=True, tag="react"):
    """Show everybody something: it flies from one's seat, and is nothing of the game."""

    reaction: Reaction


class Write(Message, frozen=True, tag="write"):
    """Say something to everybody, in words of one's own or in those that all have: one of both."""

    text: Annotated[str, Meta(min_length=1, max_length=chat.LONGEST)] | None = None
    quick: chat.Quick | None = None


MESSAGES: dict[str, type[Message]] = by_tag((*WIRE.values(), Look, Prospects, Ping, Sight, React, Write))

FOR_THE_ROOM = frozenset(WIRE.values())
"""Those that are commands of the room."""

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
