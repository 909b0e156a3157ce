"""The base class of all log events: what an event does to a room, and its JSON form in the log."""

from typing import Any, Self, TypeAlias

import msgspec
from msgspec import Struct

from app.engine.display.events import GameEvent
from app.rooms.model import former_names
from app.rooms.model.state import Room
from app.rooms.model.tags import require_tag

Change: TypeAlias = tuple[Room, tuple[GameEvent, ...]]
"""The room after a log event, and the game events to show to clients."""


def stored_fields(of: type[Struct]) -> dict[str, str]:
    """Map the name of each field of a class to its key in stored JSON, for log events and snapshots.

    A field can keep its key after a rename, with `field(name="its old name")`.
    """
    return dict(zip(of.__struct_fields__, of.__struct_encode_fields__, strict=True))


class LogEvent(Struct, frozen=True, tag=require_tag("LogEvent")):
    """A fact in a room's log, and its effect on the room. Its tag is its kind, the name stored in the log.

    Never rename a kind: stored logs would be unreadable. An event decides nothing, because it has happened.
    """

    @property
    def kind(self) -> str:
        """The name of this kind of event in the log, such as "joined"."""
        return str(self.__struct_config__.tag)

    def apply(self, room: Room, at: int) -> Change:
        """Return the room after this event, and the game events to show to clients.

        `at`: when it happened, in milliseconds since 1970. Entry number, answers, new faces and deadlines follow in
        `reducer.py`. Raises `RuleError` if the game refuses an action.
        """
        raise NotImplementedError

    def apply_stored(self, room: Room, at: int) -> Change:
        """Do the same as `apply` with an event from a log, perhaps of an older version."""
        return self.apply(room, at)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON data with which a room's log stores this event."""
        return {key: getattr(self, name) for name, key in stored_fields(type(self)).items()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Rebuild an event of this class from its stored data; former names are replaced."""
        return msgspec.convert(former_names.update_entry(str(cls.__struct_config__.tag), data), cls)
