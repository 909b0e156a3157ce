"""A lesson as a room would show it: what the learner's page is told, move by move, all of it made ahead.

The record's hands are folded by the fold of rooms, and pictures are taken of that room: so the learner sits at the
table that everybody sits at, and what they may do there the engine says.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from app import bots
from app.engine.cards.action_codec import parse_action
from app.engine.match.hand import Deal
from app.engine.match.lesson import Lesson
from app.rooms.log.reducer import fold
from app.rooms.model import events as entries
from app.rooms.model.settings import RoomSettings
from app.rooms.model.shuffle_proof import not_shuffled
from app.rooms.model.state import Room
from app.rooms.views import room_view
from app.rooms.views.delta import Updates

LEARNER = "learner"
"""The person who sits in the learner's seat."""
NO_HURRY = {"turn": None, "pause": None, "away": 86_400, "patience": 86_400}


@dataclass(frozen=True, slots=True)
class Seen:
    """A moment of a lesson as its learner sees it."""

    hand: int
    move: int
    """So many actions of the hand were made."""
    frame: bytes
    """What their page is told, after it was told all those before."""
    own: Mapping[str, Any]
    """What only the learner is told, all of it."""
    following: Mapping[str, Any] | None
    """The action that comes next, as the record has it; None where the hand is over."""


def seen(lesson: Lesson) -> Iterator[Seen]:
    """Play a lesson's record, moment by moment; `RuleError` if the rules refuse any of it."""
    record, learner = lesson.record, lesson.learner
    room, updates = Room(settings=RoomSettings.make(_settings(record))), Updates()
    for entry in _opening(room.settings, record, learner):
        room, _ = fold(room, entry, 0, None)
    for number, hand in enumerate(record["hands"]):
        dealt = entries.Dealt(Deal.from_json(hand), not_shuffled("deals"))
        moves = [entries.Acted(move["by"], parse_action(dict(move))) for move in hand["actions"]]
        told: list[entries.Entry] = [dealt, *moves]
        for move, entry in enumerate(told):
            room, events = fold(room, entry, 0, None)
            updates.happened(events)
            updates.take(room, 0, 0)
            frame = updates.told(LEARNER, updates.number - 1).text
            following = hand["actions"][move : move + 1]
            yield Seen(number, move, frame, room_view.seat(room, learner), following[0] if following else None)


def _settings(record: Mapping[str, Any]) -> dict[str, Any]:
    return {"game": record["game"], "options": record.get("options", {}), "clock": NO_HURRY, "ranks": "never"}


def _opening(settings: RoomSettings, record: Mapping[str, Any], learner: str) -> Iterator[entries.Entry]:
    """The entries before the first deal."""
    yield entries.Opened("", "", settings.to_json())
    for name in record["players"]:
        if name == learner:
            yield entries.Joined(LEARNER, name, "seated")
        else:
            yield entries.BotCame(name, bots.DEFAULT_BOT, "seated")
    yield entries.HostChanged(learner)
    yield entries.Started("", record["players"], record["hands"][0].get("ranks", []))
