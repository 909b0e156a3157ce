"""What the players of a room were told, held against what its log says.

Nothing that was said may be missing in the log (*lost*), nothing may be in it twice (*doubled*), and nothing that was
never asked for or was refused may be in it, nor may a picture show what the log does not say (*phantom*). Pure: entries
and testimonies go in, mistakes come out.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

import msgspec

from app.engine.cards.action_codec import action_json, parse_action
from app.rooms.log.reducer import fold_stored
from app.rooms.model.state import Room
from app.rooms.ports.storage import StoredEntry
from app.rooms.views import room_view
from app.rooms.views.versioned_section import encode

Wrong: TypeAlias = Literal["lost", "doubled", "phantom"]
UNDECIDED: Final = ("too_fast", "unavailable")
"""Codes of answers after which a command is asked again: it may be in the log, or not."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that was told and is not so."""

    wrong: Wrong
    what: str


@dataclass(slots=True)
class Told:
    """What one player asked, and was told."""

    name: str
    asked: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    """Every command ever sent, by its id."""
    answers: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Since the log was last looked at."""
    shown: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Whole pictures, since then."""


class LogBesideTold:
    """One room as its log tells it, as far as it was read, beside what its players were told."""

    def __init__(self, players: Sequence[Told]) -> None:
        self.room = Room()
        self._players = players
        self._asked_in: dict[str, int] = {}
        """The seq of the entry that each command is in."""

    def compare(self, entries: Sequence[StoredEntry]) -> list[Mistake]:
        """Read on, and take the players' newest testimonies; they begin anew."""
        return [*self._read(entries), *self._look_at_answers()]

    def _read(self, entries: Sequence[StoredEntry]) -> Iterator[Mistake]:
        shown = defaultdict[int, list[tuple[str, dict[str, Any]]]](list)
        for player in self._players:
            for picture in player.shown:
                shown[picture["seq"]].append((player.name, picture))
            player.shown.clear()
        yield from self._look_at_pictures(shown.pop(self.room.seq, []))
        for entry in entries:
            self.room, _ = fold_stored(self.room, entry)
            yield from self._look_at_command(entry)
            yield from self._look_at_pictures(shown.pop(entry.seq, []))
        for seq, those in shown.items():
            for name, _ in those:
                yield Mistake("lost", f"{name} was shown the room at {seq}; the log ends at {self.room.seq}")

    def _look_at_command(self, entry: StoredEntry) -> Iterator[Mistake]:
        """See that an entry was asked for, once and so, or is the room's own doing."""
        _, asked_as = entry.data.get("cmd", (None, None))
        asked = next((player.asked[asked_as] for player in self._players if asked_as in player.asked), None)
        if asked_as in self._asked_in:
            yield Mistake("doubled", f"command {asked_as} is in entries {self._asked_in[asked_as]} and {entry.seq}")
        if asked_as is not None:
            self._asked_in[asked_as] = entry.seq
        if entry.kind != "acted" or entry.data["auto"] is not None:
            return
        if asked is None or action_json(parse_action(asked["action"])) != entry.data["action"]:
            yield Mistake("phantom", f"entry {entry.seq} says {entry.data}, and was asked for as {asked}")

    def _look_at_pictures(self, shown: Sequence[tuple[str, dict[str, Any]]]) -> Iterator[Mistake]:
        """See that what was shown at this moment is what the log makes of it: the table, and everybody's own cards."""
        for name, picture in shown:
            if picture["table"] != _plain(room_view.table(self.room)):
                yield Mistake("phantom", f"at {self.room.seq} {name} was shown another table than the log’s")
            yours = picture["you"]
            if yours["name"] is None:
                continue
            view = _plain(room_view.view(self.room, self.room.members[name]))
            if any(yours.get(key) != value for key, value in view.items()):
                yield Mistake("phantom", f"at {self.room.seq} {name} was shown other cards or choices than the log’s")

    def _look_at_answers(self) -> Iterator[Mistake]:
        for player in self._players:
            for answer in player.answers:
                yield from self._look_at_answer(player.name, answer)
            player.answers.clear()

    def _look_at_answer(self, name: str, answer: dict[str, Any]) -> Iterator[Mistake]:
        at = self._asked_in.get(answer["id"])
        if not answer["ok"]:
            if at is not None and answer["code"] not in UNDECIDED:
                yield Mistake("phantom", f"{name} was refused {answer['id']} ({answer['code']}), and entry {at} has it")
        elif at is None or not at <= answer["seq"] <= self.room.seq:
            yield Mistake("lost", f"{name} was answered {answer}; of that command the log has entry {at}")


def _plain(value: object) -> Any:
    """Give what a client makes of it."""
    return msgspec.json.decode(encode(value))
