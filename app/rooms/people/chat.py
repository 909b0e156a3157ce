"""What people write to each other at a table: a few lines, beside the game, as long as the match goes on. In no log.

>>> chat = Utterances()
>>> chat.add("p1", "Ana", 1000, "hello", None).id, chat.add("p2", "Bob", 1001, None, "thanks").id
(1, 2)
>>> chat.forget("p1"), [line.by for line in chat.lines]
(True, ['Bob'])
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from app.engine.base.messages import Sentence
from app.rooms.errors import RoomError
from app.rooms.people import names
from app.text_limits import TooLong, bounded

LONGEST = 200
"""Characters in a line."""
KEPT = 30
"""Lines that whoever comes later can read."""

Quick: TypeAlias = Literal[
    "well_played", "thanks", "good_luck", "wait_for_me", "here_again", "take_your_time", "one_more", "good_night"
]
"""Words that need not be typed, and that everybody reads in their own language."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that somebody has said: either `text` or `quick`."""

    id: int
    """Counts up in a room, at each node by itself."""
    person: str
    by: str
    """The name they had when they said it."""
    at: int
    """Epoch milliseconds."""
    text: str | None
    quick: Quick | None

    @property
    def when(self) -> datetime:
        """When it was said: aware, UTC."""
        return datetime.fromtimestamp(self.at / 1000, UTC)


NOTHING_SAID = Sentence("room.nothing_said", "There is nothing to be read in that: write something, or choose words.")
SAID_TOO_MUCH = Sentence("room.said_too_much", "A line has at most {most} characters.")
CHAT_IS_OFF = Sentence("room.chat_is_off", "The host has turned the chat off in this room.")


def cleaned(text: str) -> str:
    """Return a text as it is shown: in one line, without invisible characters; raise `RoomError` if it is empty or too
    long."""
    try:
        seen = names.visible(bounded(text))
    except TooLong:
        raise RoomError("bad_text", SAID_TOO_MUCH(most=LONGEST)) from None
    if not seen:
        raise RoomError("bad_text", NOTHING_SAID())
    if len(seen) > LONGEST:
        raise RoomError("bad_text", SAID_TOO_MUCH(most=LONGEST))
    return seen


class Utterances:
    """The last lines of one room."""

    def __init__(self) -> None:
        self._lines: deque[Utterance] = deque(maxlen=KEPT)
        self._count = 0

    @property
    def lines(self) -> Sequence[Utterance]:
        """What whoever comes can read, oldest first."""
        return tuple(self._lines)

    def add(self, person: str, name: str, at: int, text: str | None, quick: Quick | None) -> Utterance | None:
        """Keep a line that somebody has just said; `text` is clean. None: it is there already.

        >>> chat = Utterances()
        >>> chat.add("p1", "Ana", 1000, "hello", None).id, chat.add("p1", "Ana", 1000, "hello", None)
        (1, None)
        """
        if any((line.person, line.at, line.text, line.quick) == (person, at, text, quick) for line in self._lines):
            return None
        self._count += 1
        self._lines.append(Utterance(self._count, person, name, at, text, quick))
        return self._lines[-1]

    def go_on_from(self, before: Sequence[Utterance]) -> None:
        """Have what was said before this process had the room; some of what was said since may be among it."""
        since = self.lines
        self._lines.clear()
        for line in (*before, *since):
            self.add(line.person, line.by, line.at, line.text, line.quick)

    def forget(self, person: str) -> bool:
        """Let go of what somebody has said; whether there was anything."""
        others = [line for line in self._lines if line.person != person]
        found = len(others) < len(self._lines)
        self._lines = deque(others, maxlen=KEPT)
        return found

    def clear(self) -> bool:
        """Let go of everything; whether there was anything."""
        found = bool(self._lines)
        self._lines.clear()
        return found
