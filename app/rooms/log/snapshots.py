"""Snapshots: a room as JSON between two hands. Rooms are loaded from a snapshot and later log entries.

Fields are stored by their type under their own name, so new fields need no code here. Only game options, matches,
secrets and actions are converted by hand. A field that an older snapshot lacks gets its default. A renamed field
keeps its key with `field(name="its old name")`; tests/rooms/stored_names.txt lists all keys.
A renamed value, such as a bot level, gets a line in app/rooms/model/former_names.py.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final, get_type_hints

import msgspec

from app.engine.base.errors import RuleError
from app.engine.base.frozen import FrozenState
from app.engine.cards.action_codec import parse_action
from app.engine.games import GAMES
from app.engine.match.match import Match
from app.rooms.events import HandDealt, stored_fields
from app.rooms.log.reducer import apply_stored_event
from app.rooms.model import faces, former_names
from app.rooms.model.member import Member
from app.rooms.model.settings import RoomSettings
from app.rooms.model.shuffle_proof import ClosedList, DealRandomness
from app.rooms.model.state import NO_LOG, ActionByName, HandLog, MatchRun, Room, actions_to_json
from app.rooms.ports.facts import HighlightFact
from app.rooms.ports.storage import LoadedLog, NewerLog

FORMAT: Final = 7
"""The format version of snapshots. Raise it when the reducer or the snapshot format changes.

Snapshots with another number are ignored, and rooms are rebuilt from their logs.
`tests/rooms/log/test_snapshots.py` tells when a change is needed.
"""


def is_current_format(saved: Mapping[str, Any]) -> bool:
    """Return whether a stored snapshot has today's format version; others are ignored and the whole log is read.

    Snapshots from before 2026-11-26 have no version.
    """
    return saved.get("format") == FORMAT


def is_newer_format(saved: Mapping[str, Any]) -> bool:
    """Return whether a newer version of the program wrote a snapshot."""
    found = saved.get("format")
    return isinstance(found, int) and found > FORMAT


def refuse_newer_format(saved: Mapping[str, Any]) -> None:
    """Raise `NewerLog` if a newer version of the program wrote a snapshot.

    The log itself may then mean something else than this version makes of it.
    """
    if is_newer_format(saved):
        known = f"and this version knows {FORMAT}. Upgrade this node"
        raise NewerLog(f"a newer version of the program wrote a snapshot of the format {saved['format']}, {known}")


def load_room(loaded: LoadedLog) -> Room:
    """Build a room's state from what was loaded: its snapshot, if any, and the log entries after it."""
    room = Room()
    if loaded.snapshot is not None:
        seq, state = loaded.snapshot
        room = room_from_json(state, seq)
    for entry in loaded.entries:
        room, _ = apply_stored_event(room, entry)
    return room


def can_save(room: Room) -> bool:
    """Return whether a snapshot can store the whole room. It can't while a hand is running."""
    return room.match is None or room.match.hand is None


def room_to_json(room: Room) -> dict[str, Any]:
    """Return the room as JSON for a snapshot.

    Only for rooms without a running hand, which would be left out. Keys: the fields of `Room`, and `format`.
    """
    return {
        "format": FORMAT,
        **_fields_to_json(room, ROOM_PARTS),
        "settings": room.settings.to_json(),
        "members": msgspec.to_builtins(list(room.members.values())),
        "answers": {person: dict(answered) for person, answered in room.answers.items()},
        "banned": sorted(room.banned),
        "run": None if room.run is None else _run_to_json(room.run, whole=can_save(room)),
        "chance": _chance_to_json(room.chance),
    }


def room_from_json(saved: Mapping[str, Any], seq: int) -> Room:
    """Rebuild a room from the JSON of a snapshot (`room_to_json`), which was made after log entry `seq`.

    Snapshots in older forms are converted.
    """
    current = _migrate_old_snapshot(former_names.update_snapshot(saved))
    members = msgspec.convert(current["members"], list[Member])
    room = Room(
        **_fields_from_json(current, ROOM_PARTS),
        seq=seq,
        settings=RoomSettings.parse(current["settings"], already_accepted=True),
        members={member.name: member for member in members},
        answers=current["answers"],
        run=None if current["run"] is None else _run_from_json(current["run"]),
        chance=_chance_from_json(current["chance"]),
    )
    if "faces" not in current:  # a snapshot from before rooms gave faces
        room = room.replace(faces=faces.first_faces(room))
    return room if room.run is None or "ranks" in current else room.with_hierarchy_of(room.run)


def _chance_to_json(chance: DealRandomness) -> dict[str, Any]:
    closed = chance.closed
    return {
        "secret": chance.secret.hex(),
        "seeds": dict(chance.seeds),
        "cut": chance.cut,
        "promised": [[person, promised] for person, promised in chance.hashes.items()],
        "closed": None if closed is None else {**closed.view, "until": closed.until},
    }


def _chance_from_json(saved: Mapping[str, Any]) -> DealRandomness:
    closed = saved.get("closed")
    return DealRandomness(
        bytes.fromhex(saved["secret"]),
        saved["seeds"],
        saved["cut"],
        dict(saved.get("promised", ())),
        None if closed is None else msgspec.convert(closed, ClosedList),
    )


def _run_to_json(run: MatchRun, *, whole: bool) -> dict[str, Any]:
    return {
        **_fields_to_json(run, RUN_PARTS),
        "match": run.match.to_json(),
        "hand": hand_to_json(run.hand) if whole else None,  # the next deal follows at once
        "between": actions_to_json(run.between),
    }


def hand_to_json(log: HandLog) -> dict[str, Any]:
    """Return the record of a hand (deal, actions, events, titles) as JSON for a snapshot."""
    return {
        "deal": None if log.dealt is None else log.dealt.to_json(),
        "between": actions_to_json(log.between),
        "actions": actions_to_json(log.actions),
        "events": list(log.events),
        "moments": msgspec.to_builtins(log.moments),
        "hierarchy": list(log.hierarchy),
        "titles": dict(log.titles),
    }


def _run_from_json(saved: Mapping[str, Any]) -> MatchRun:
    run = MatchRun(**_fields_from_json(saved, RUN_PARTS), match=Match.from_json(saved["match"], GAMES))
    with suppress(RuleError):  # unreadable under today's rules; the history has it
        run = run.replace(hand=_hand_from_json(saved["hand"]), between=_actions_from_json(saved["between"]))
    return run


def _hand_from_json(saved: Mapping[str, Any] | None) -> HandLog:
    if saved is None:
        return NO_LOG
    return HandLog(
        HandDealt.from_json(saved["deal"]) if saved["deal"] else None,
        _actions_from_json(saved["between"]),
        _actions_from_json(saved["actions"]),
        tuple(saved["events"]),
        msgspec.convert(saved.get("moments", ()), tuple[HighlightFact, ...]),
        tuple(saved.get("hierarchy", ())),
        saved.get("titles", {}),
    )


def _actions_from_json(saved: Iterable[Mapping[str, Any]]) -> tuple[ActionByName, ...]:
    return tuple((each["by"], parse_action(each)) for each in saved)


def _migrate_old_snapshot(saved: Mapping[str, Any]) -> Mapping[str, Any]:
    """Convert a snapshot from before the format version to the current form; newer ones pass unchanged in effect.

    Old rooms had no id other than their first code, and no nodes for connected people. They stored match fields among
    the room's fields, and answers to commands as pairs.
    """
    members = [{"nodes": [""] if member.get("present") else [], **member} for member in saved["members"]]
    saved = {"id": saved["code"], **saved, "members": members}
    if "run" in saved:
        return saved
    run = {
        key: saved[key] for key in ("match", "hand", *(key for key, _ in RUN_PARTS.values()), "between") if key in saved
    }
    answers = {person: dict(of_person) for person, of_person in saved["answers"].items()}
    return {**saved, "run": None if saved["match"] is None else run, "answers": answers}


# Conversion by field types --------------------------------------------------------------------------------------


def _field_types(value_class: type[FrozenState], *excluded: str) -> dict[str, tuple[str, Any]]:
    """Map each stored field of a state class to its JSON key and its type, for conversion to and from snapshots.

    Fields in `excluded` are left out, because they are converted by hand.
    """
    hints, keys = get_type_hints(value_class), stored_fields(value_class)
    return {name: (keys[name], hints[name]) for name in value_class.persistent_fields() if name not in excluded}


ROOM_PARTS: Final = _field_types(Room, "seq", "settings", "members", "answers", "run", "chance")
RUN_PARTS: Final = _field_types(MatchRun, "match", "hand", "between")


def _fields_to_json(value: object, types: Mapping[str, tuple[str, Any]]) -> dict[str, Any]:
    parts = {key: getattr(value, name) for name, (key, _) in types.items()}
    plain: dict[str, Any] = msgspec.to_builtins(parts, enc_hook=str)
    return plain


def _fields_from_json(saved: Mapping[str, Any], types: Mapping[str, tuple[str, Any]]) -> dict[str, Any]:
    return {name: msgspec.convert(saved[key], of) for name, (key, of) in types.items() if key in saved}
