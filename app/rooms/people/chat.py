"""The chat of a room: the last messages, kept in memory only and not in the log.

>>> chat = ChatHistory()
>>> chat.add_message("p1", "Ana", 1000, "hello", None).id, chat.add_message("p2", "Bob", 1001, None, "thanks").id
(1, 2)
>>> chat.delete_messages_of("p1"), [line.by for line in chat.messages]
(True, ['Bob'])
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from app.engine.base.messages import MessageTemplate
from app.rooms.errors import RoomError
from app.rooms.people import names
from app.text_limits import TooLong, check_length

MAX_MESSAGE_LENGTH = 200
"""Maximum characters in a message."""
MAX_MESSAGES = 30
"""Messages that people who come later can read."""

QuickMessage: TypeAlias = Literal[
    "well_played", "thanks", "good_luck", "wait_for_me", "here_again", "take_your_time", "one_more", "good_night"
]
"""Ready-made messages, which everybody reads in their own language."""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A chat message of a room, with either `text` or `quick`, one of the ready-made messages."""

    id: int
    """Counts up within a room, separately at each node."""
    person: str
    by: str
    """The sender's name at that time."""
    at: int
    """Milliseconds since 1970."""
    text: str | None
    quick: QuickMessage | None

    @property
    def sent_at(self) -> datetime:
        """The time when the message was sent, as an aware UTC datetime."""
        return datetime.fromtimestamp(self.at / 1000, UTC)


NOTHING_SAID = MessageTemplate(
    "room.nothing_said", "This message is empty. Write something, or choose a quick message."
)
SAID_TOO_MUCH = MessageTemplate("room.said_too_much", "This message is too long. Use at most {most} characters.")
CHAT_IS_OFF = MessageTemplate("room.chat_is_off", "The host has turned chat off.")


def clean_message(text: str) -> str:
    """Return a chat message as it is shown: one line without invisible characters.

    Raises `RoomError` `bad_text` if it is empty or longer than 200 characters.
    """
    try:
        seen = names.visible_text(check_length(text))
    except TooLong:
        raise RoomError("bad_text", SAID_TOO_MUCH(most=MAX_MESSAGE_LENGTH)) from None
    if not seen:
        raise RoomError("bad_text", NOTHING_SAID())
    if len(seen) > MAX_MESSAGE_LENGTH:
        raise RoomError("bad_text", SAID_TOO_MUCH(most=MAX_MESSAGE_LENGTH))
    return seen


class ChatHistory:
    """The last 30 chat messages of one room, in the memory of this process."""

    def __init__(self) -> None:
        self._lines: deque[ChatMessage] = deque(maxlen=MAX_MESSAGES)
        self._count = 0

    @property
    def messages(self) -> Sequence[ChatMessage]:
        """The room's chat messages that a new client can read, oldest first."""
        return tuple(self._lines)

    def add_message(
        self, person: str, name: str, at: int, text: str | None, quick: QuickMessage | None
    ) -> ChatMessage | None:
        """Add a message to the room's chat and return it; or return None for a duplicate of a message in it.

        `text` must be clean (`clean_message`); either it or `quick` is given. The oldest message is dropped from a
        full chat.

        >>> chat = ChatHistory()
        >>> chat.add_message("p1", "Ana", 1000, "hello", None).id, chat.add_message("p1", "Ana", 1000, "hello", None)
        (1, None)
        """
        if any((line.person, line.at, line.text, line.quick) == (person, at, text, quick) for line in self._lines):
            return None
        self._count += 1
        self._lines.append(ChatMessage(self._count, person, name, at, text, quick))
        return self._lines[-1]

    def load_earlier_messages(self, before: Sequence[ChatMessage]) -> None:
        """Insert stored messages, from before this process loaded the room, before those here; drop duplicates."""
        since = self.messages
        self._lines.clear()
        for line in (*before, *since):
            self.add_message(line.person, line.by, line.at, line.text, line.quick)

    def delete_messages_of(self, person: str) -> bool:
        """Delete this person's messages from the room's chat in memory, and return whether there were any."""
        others = [line for line in self._lines if line.person != person]
        found = len(others) < len(self._lines)
        self._lines = deque(others, maxlen=MAX_MESSAGES)
        return found

    def rewrite_texts(self, rewrite: Callable[[str], str]) -> bool:
        """Change the texts of all messages with this function, and return whether any text has changed."""
        changed = [line if line.text is None else replace(line, text=rewrite(line.text)) for line in self._lines]
        found = changed != list(self._lines)
        self._lines = deque(changed, maxlen=MAX_MESSAGES)
        return found

    def delete_all(self) -> bool:
        """Delete all messages from the room's chat in memory, and return whether there were any."""
        found = bool(self._lines)
        self._lines.clear()
        return found
