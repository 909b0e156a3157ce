"""The reducer: applies one log event to a room and returns the next room and the game events for clients.

It makes no decisions and validates only actions, which the game may refuse. `pending_events.py` uses it too, so
each action is validated once. Values that follow from an event, such as deadlines, are computed here and not stored
in the event.
"""

from collections.abc import Mapping
from itertools import islice
from typing import cast

from app.engine.base.errors import RuleError
from app.engine.display.events import GameEvent
from app.rooms import events as entries
from app.rooms.events.hand import revealed_deal
from app.rooms.events.log_event import Change, LogEvent
from app.rooms.events.votes import without_undo_and_hurry
from app.rooms.log import deadlines
from app.rooms.model import faces
from app.rooms.model.state import NO_CHANCE, NO_LOG, Room, to_milliseconds
from app.rooms.ports.storage import StoredEvent

MAX_ANSWERS_PER_PERSON = 64
"""Maximum number of command ids remembered per person. The newer half always remains."""
MAX_PERSONS_WITH_ANSWERS = 200
"""Persons whose command ids are remembered."""


def apply_event(
    room: Room, entry: LogEvent, at: int, cmd: tuple[str, str] | None = None, *, stored: bool = False
) -> Change:
    """Apply one log event to a room; return the next room and the game events to show to clients.

    `at`: when the event happened, in milliseconds since 1970. `cmd`: the command (person, id) that it answers.
    `stored`: the event comes from a log, perhaps of an older version. Raises `RuleError` if the game refuses an action.
    """
    after, events = entry.apply_stored(room, at) if stored else entry.apply(room, at)
    return _with_seq_and_clocks(room, after, entry, at, cmd), events


def apply_stored_event(room: Room, stored: StoredEvent) -> Change:
    """Apply the next entry of a stored log to a room; return the next room and its game events.

    If today's rules refuse an action in an old log, the hand ends without a result. Fails an assertion if an entry is
    skipped.
    """
    room, _, events = apply_and_decode_event(room, stored)
    return room, events


def apply_and_decode_event(room: Room, stored: StoredEvent) -> tuple[Room, LogEvent | None, tuple[GameEvent, ...]]:
    """Apply the next entry of a stored log to a room; return the next room, the decoded event and its game events.

    If today's rules refuse an old action, None replaces the event, and the hand ends without a result.
    """
    assert stored.seq == room.seq + 1, f"entry {stored.seq} after {room.seq}"
    at = to_milliseconds(stored.at)
    cmd = cast("tuple[str, str] | None", tuple(stored.data["cmd"]) if "cmd" in stored.data else None)
    try:
        entry = entries.decode(stored.kind, stored.data)
        after, events = apply_event(room, entry, at, cmd, stored=True)
    except RuleError:
        if stored.kind == "resumed":
            variation = cast("entries.VariationStarted", entries.decode(stored.kind, stored.data))
            at_rest = variation.room_before_hand(room)
            return _with_seq_and_clocks(room, at_rest, None, at, cmd), None, ()
        if stored.kind not in ("acted", "dealt"):
            raise
        return _with_seq_and_clocks(room, _abandon_hand(room, at), None, at, cmd), None, ()
    return after, entry, events


def _abandon_hand(room: Room, at: int) -> Room:
    run = room.run
    if run is None or not run.match.is_hand_running:
        # The hand was ended before, or its deal is no longer possible. Revealed seeds must not be used again.
        return room.replace(chance=NO_CHANCE) if room.is_waiting_for_seeds else room
    rested = run.match.replace(hand=None, happened=())
    return room.replace(
        run=without_undo_and_hurry(run).replace(match=rested, hand=NO_LOG, ended=at),
        chance=NO_CHANCE,
        **revealed_deal(room, run),
        turn=room.turn + 1,
    )


def _with_seq_and_clocks(room: Room, after: Room, entry: LogEvent | None, at: int, cmd: tuple[str, str] | None) -> Room:
    """Return the room `after` an event with the parts that every event changes, computed from the room before.

    These are the entry number, the remembered answers to commands, faces of new members, and deadlines.
    """
    answers = room.answers
    if cmd is not None:
        person, command = cmd
        of_person = {**answers.get(person, {}), command: room.seq + 1}
        if len(of_person) > MAX_ANSWERS_PER_PERSON:
            of_person = dict(islice(of_person.items(), MAX_ANSWERS_PER_PERSON // 2, None))
        answers = {who: each for who, each in answers.items() if who != person} | {person: of_person}
        if len(answers) > MAX_PERSONS_WITH_ANSWERS:
            del answers[_person_to_forget(after, answers)]
    return after.replace(
        faces=after.faces if after.members is room.members else faces.assign_faces(room, after),
        seq=room.seq + 1,
        since=room.since + 1,
        answers=answers,
        clocks=deadlines.next_clocks(room, after, entry, at),
    )


def _person_to_forget(room: Room, answers: Mapping[str, Mapping[str, int]]) -> str:
    """Choose the person whose remembered command answers are dropped when there are too many.

    The least recent person who is not a member; if all are members, the least recent of all.
    """
    strangers = (person for person in answers if room.find_member(person) is None)
    return next(strangers, next(iter(answers)))
