"""Build the updates that a lesson sends to the learner's page, move by move, before the lesson starts.

The lesson's record is replayed with the reducer and the views of rooms. So the learner sees the usual table, with
the legal actions that the engine allows.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from app import bots
from app.engine.cards.action_codec import parse_action
from app.engine.match.hand import Deal
from app.engine.match.lesson import Lesson
from app.rooms import events as entries
from app.rooms.log.reducer import apply_event
from app.rooms.model.settings import RoomSettings
from app.rooms.model.shuffle_proof import known_cards_proof
from app.rooms.model.state import Room
from app.rooms.views import room_view
from app.rooms.views.delta import UpdateBuilder

LEARNER = "learner"
"""The id of the person in the learner's seat."""
NO_HURRY = {"turn": None, "pause": None, "away": 86_400, "patience": 86_400}


@dataclass(frozen=True, slots=True)
class LessonFrame:
    """One step of a lesson, a deal or an action, as the learner's page gets it."""

    hand: int
    move: int
    """The number of actions made in the hand."""
    frame: bytes
    """The encoded update from the previous step to this one."""
    own: Mapping[str, Any]
    """The learner's whole private view."""
    next_action: Mapping[str, Any] | None
    """The next action in the record; None at the end of the hand."""


def build_lesson_frames(lesson: Lesson) -> Iterator[LessonFrame]:
    """Replay a lesson's record as in a room, and yield for each step the update that the learner's page shows.

    Raises `RuleError` if the rules refuse the record.
    """
    record, learner = lesson.record, lesson.learner
    room, updates = Room(settings=RoomSettings.parse(_lesson_settings(record))), UpdateBuilder()
    for entry in _events_before_first_deal(room.settings, record, learner):
        room, _ = apply_event(room, entry, 0, None)
    for number, hand in enumerate(record["hands"]):
        dealt = entries.HandDealt(Deal.from_json(hand), known_cards_proof("deals"))
        moves = [entries.ActionTaken(move["by"], parse_action(dict(move))) for move in hand["actions"]]
        log_events: list[entries.LogEvent] = [dealt, *moves]
        for move, entry in enumerate(log_events):
            room, events = apply_event(room, entry, 0, None)
            updates.add_game_events(events)
            updates.update_view(room, 0)
            frame = updates.build_update_for(LEARNER, updates.version - 1).text
            following = hand["actions"][move : move + 1]
            yield LessonFrame(
                number, move, frame, room_view.build_seat(room, learner), following[0] if following else None
            )


def _lesson_settings(record: Mapping[str, Any]) -> dict[str, Any]:
    return {"game": record["game"], "options": record.get("options", {}), "clock": NO_HURRY, "carry_titles": "never"}


def _events_before_first_deal(
    settings: RoomSettings, record: Mapping[str, Any], learner: str
) -> Iterator[entries.LogEvent]:
    """Yield the log events that create a lesson's room and its match, with bots in all seats but the learner's."""
    yield entries.RoomCreated("", "", settings.to_json())
    for name in record["players"]:
        if name == learner:
            yield entries.PersonJoined(LEARNER, name, "seated")
        else:
            yield entries.BotAdded(name, bots.DEFAULT_STAND_IN, "seated")
    yield entries.HostChanged(learner)
    yield entries.MatchCreated("", record["players"], record["hands"][0].get("ranks", []))
