"""Compare what the players of a room were told with the room's log.

- *lost*: an acknowledged command or a shown entry is missing in the log
- *doubled*: a command is in the log twice
- *phantom*: the log has an action that was not sent or was refused, or a view shows something not in the log

The functions are pure: they take log entries and transcripts and return mismatches.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

import msgspec

from app.engine.cards.action_codec import action_to_json, parse_action
from app.rooms.log.reducer import apply_stored_event
from app.rooms.model.state import Room
from app.rooms.ports.storage import StoredEvent
from app.rooms.views import room_view
from app.rooms.views.versioned_section import encode

MismatchKind: TypeAlias = Literal["lost", "doubled", "phantom"]
UNDECIDED: Final = ("too_fast", "unavailable")
"""Error codes after which a client sends the command again. The command may or may not be in the log."""


@dataclass(frozen=True, slots=True)
class LogMismatch:
    """A difference between what a player was told and the room's log, found by a crash test.

    `kind` is `lost` (told but not stored), `doubled` (stored twice) or `phantom` (stored or shown, but not asked for or
    otherwise). `description` tells people the details.
    """

    kind: MismatchKind
    description: str


@dataclass(slots=True)
class PlayerTranscript:
    """What a player of a crash test sent (commands by id), and the answers and views that the player got.

    `answers` and `shown_views` have only those since the last comparison with the log.
    """

    name: str
    commands: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    """All commands sent, by id."""
    answers: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Answers received since the last comparison with the log."""
    shown_views: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Full room views shown since the last comparison with the log."""


class LogChecker:
    """Replays the log of one room step by step, and compares it with what its players were told."""

    def __init__(self, players: Sequence[PlayerTranscript]) -> None:
        self.room = Room()
        self._players = players
        self._entry_seq_by_command: dict[str, int] = {}
        """The seq of the log entry of each command, by command id."""

    def find_mismatches(self, entries: Sequence[StoredEvent]) -> list[LogMismatch]:
        """Apply new log entries of the room, and return mismatches with the answers and views since the last call.

        The players' answers and views are cleared.
        """
        return [*self._check_entries(entries), *self._check_answers()]

    def _check_entries(self, entries: Sequence[StoredEvent]) -> Iterator[LogMismatch]:
        shown = defaultdict[int, list[tuple[str, dict[str, Any]]]](list)
        for player in self._players:
            for picture in player.shown_views:
                shown[picture["seq"]].append((player.name, picture))
            player.shown_views.clear()
        yield from self._check_views(shown.pop(self.room.seq, []))
        for entry in entries:
            self.room, _ = apply_stored_event(self.room, entry)
            yield from self._check_command(entry)
            yield from self._check_views(shown.pop(entry.seq, []))
        for seq, those in shown.items():
            for name, _ in those:
                yield LogMismatch("lost", f"{name} was shown the room at {seq}; the log ends at {self.room.seq}")

    def _check_command(self, entry: StoredEvent) -> Iterator[LogMismatch]:
        """Yield mismatches of a log entry with the command it came from: it must have been sent so, and appear once.

        Actions of the room itself, after a time-out, are not compared.
        """
        _, asked_as = entry.data.get("cmd", (None, None))
        asked = next((player.commands[asked_as] for player in self._players if asked_as in player.commands), None)
        if asked_as in self._entry_seq_by_command:
            yield LogMismatch(
                "doubled", f"command {asked_as} is in entries {self._entry_seq_by_command[asked_as]} and {entry.seq}"
            )
        if asked_as is not None:
            self._entry_seq_by_command[asked_as] = entry.seq
        if entry.kind != "acted" or entry.data["auto"] is not None:
            return
        if asked is None or action_to_json(parse_action(asked["action"])) != entry.data["action"]:
            yield LogMismatch("phantom", f"entry {entry.seq} says {entry.data}, and was asked for as {asked}")

    def _check_views(self, shown: Sequence[tuple[str, dict[str, Any]]]) -> Iterator[LogMismatch]:
        """Yield mismatches of views shown at the current log entry with the replayed room.

        The table and each player's own cards and choices are compared.
        """
        for name, picture in shown:
            if picture["table"] != _as_client_json(room_view.build_table(self.room)):
                yield LogMismatch("phantom", f"at {self.room.seq} {name} was shown another table than the log’s")
            yours = picture["you"]
            if yours["name"] is None:
                continue
            view = _as_client_json(room_view.build_own_match_view(self.room, self.room.members[name]))
            if any(yours.get(key) != value for key, value in view.items()):
                yield LogMismatch(
                    "phantom", f"at {self.room.seq} {name} was shown other cards or choices than the log’s"
                )

    def _check_answers(self) -> Iterator[LogMismatch]:
        for player in self._players:
            for answer in player.answers:
                yield from self._check_answer(player.name, answer)
            player.answers.clear()

    def _check_answer(self, name: str, answer: dict[str, Any]) -> Iterator[LogMismatch]:
        at = self._entry_seq_by_command.get(answer["id"])
        if not answer["ok"]:
            if at is not None and answer["code"] not in UNDECIDED:
                yield LogMismatch(
                    "phantom", f"{name} was refused {answer['id']} ({answer['code']}), and entry {at} has it"
                )
        elif at is None or not at <= answer["seq"] <= self.room.seq:
            yield LogMismatch("lost", f"{name} was answered {answer}; of that command the log has entry {at}")


def _as_client_json(value: object) -> Any:
    """Encode a value as the server does and decode it as a client does, so that it can be compared with a view."""
    return msgspec.json.decode(encode(value))
