"""Snapshots: a room as JSON between two hands, and rooms opened from the newest snapshot and what came after it.

A field is kept under its own name, by its type, so that a new one need not be named here. Only what is more than data
(a game's options, a match, a secret, actions) has its own way. A field that an older snapshot lacks has its default.
A renamed field keeps its key with `field(name="its old name")`; tests/rooms/stored_names.txt lists all keys.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final, get_type_hints

import msgspec

from app.engine.base.errors import RuleError
from app.engine.base.frozen import Value
from app.engine.cards.action_codec import parse_action
from app.engine.games import GAMES
from app.engine.match.match import Match
from app.rooms.log.reducer import fold_stored
from app.rooms.model import colours
from app.rooms.model.events import Dealt, decode, encode, stored_fields
from app.rooms.model.member import Member
from app.rooms.model.settings import RoomSettings
from app.rooms.model.shuffle_proof import Chance, ClosedList
from app.rooms.model.state import NO_LOG, HandLog, Made, Room, Run, made_json
from app.rooms.ports.facts import Memorable
from app.rooms.ports.storage import Loaded

FORMAT: Final = 3
"""The version of the code that makes snapshots. Raise it when the fold or the form of a snapshot changes: snapshots
with another number are ignored, and rooms are rebuilt from their logs. `tests/rooms/log/test_snapshots.py` says
when."""


def is_current(saved: Mapping[str, Any]) -> bool:
    """Tell whether this version of the code made a snapshot. Those of before 2026-11-26 have no number."""
    return saved.get("format") == FORMAT


def from_log(loaded: Loaded) -> Room:
    """Open a room as its log tells it."""
    room = Room()
    if loaded.snapshot is not None:
        seq, state = loaded.snapshot
        room = load(state, seq)
    for entry in loaded.entries:
        room, _ = fold_stored(room, entry)
    return room


def can_save(room: Room) -> bool:
    """Whether `save` keeps all there is: not while a hand is on the table."""
    return room.match is None or room.match.hand is None


def save(room: Room) -> dict[str, Any]:
    """Give the room as JSON, when no hand is running; the keys are the fields of `Room`, and `format`."""
    return {
        "format": FORMAT,
        **_plain(room, ROOM_PARTS),
        "settings": room.settings.to_json(),
        "members": msgspec.to_builtins(list(room.members.values())),
        "answers": {person: dict(answered) for person, answered in room.answers.items()},
        "banned": sorted(room.banned),
        "run": None if room.run is None else _saved_run(room.run, whole=can_save(room)),
        "chance": _saved_chance(room.chance),
    }


def load(saved: Mapping[str, Any], seq: int) -> Room:
    """Make the room of what `save` gave, after entry `seq`."""
    kept = _as_now(saved)
    members = msgspec.convert(kept["members"], list[Member])
    room = Room(
        **_typed(kept, ROOM_PARTS),
        seq=seq,
        settings=RoomSettings.make(kept["settings"], kept=True),
        members={member.name: member for member in members},
        answers=kept["answers"],
        run=None if kept["run"] is None else _loaded_run(kept["run"]),
        chance=_loaded_chance(kept["chance"]),
    )
    room = room.but(hues=colours.complete(room))  # older snapshots lack them
    return room if room.run is None or "ranks" in kept else room.ranked(room.run)


def _saved_chance(chance: Chance) -> dict[str, Any]:
    closed = chance.closed
    return {
        "secret": chance.secret.hex(),
        "seeds": dict(chance.seeds),
        "cut": chance.cut,
        "promised": [[person, promised] for person, promised in chance.hashes.items()],
        "closed": None if closed is None else {**closed.shown, "until": closed.until},
    }


def _loaded_chance(kept: Mapping[str, Any]) -> Chance:
    closed = kept.get("closed")
    return Chance(
        bytes.fromhex(kept["secret"]),
        kept["seeds"],
        kept["cut"],
        dict(kept.get("promised", ())),
        None if closed is None else msgspec.convert(closed, ClosedList),
    )


def _saved_run(run: Run, *, whole: bool) -> dict[str, Any]:
    return {
        **_plain(run, RUN_PARTS),
        "match": run.match.save(),
        "hand": saved_hand(run.hand) if whole else None,  # the next deal follows at once
        "between": made_json(run.between),
    }


def saved_hand(log: HandLog) -> dict[str, Any]:
    """Return a hand as a snapshot keeps it."""
    return {
        "deal": None if log.dealt is None else encode(log.dealt)[1],
        "between": made_json(log.between),
        "actions": made_json(log.actions),
        "events": list(log.events),
        "moments": msgspec.to_builtins(log.moments),
        "hierarchy": list(log.hierarchy),
        "titles": dict(log.titles),
    }


def _loaded_run(kept: Mapping[str, Any]) -> Run:
    run = Run(**_typed(kept, RUN_PARTS), match=Match.load(kept["match"], GAMES))
    with suppress(RuleError):  # rules are amended: what the engine can't read any more was told the history already
        run = run.but(hand=_loaded_hand(kept["hand"]), between=_made(kept["between"]))
    return run


def _loaded_hand(kept: Mapping[str, Any] | None) -> HandLog:
    if kept is None:
        return NO_LOG
    dealt = decode("dealt", kept["deal"]) if kept["deal"] else None
    assert dealt is None or isinstance(dealt, Dealt)
    return HandLog(
        dealt,
        _made(kept["between"]),
        _made(kept["actions"]),
        tuple(kept["events"]),
        msgspec.convert(kept.get("moments", ()), tuple[Memorable, ...]),
        tuple(kept.get("hierarchy", ())),
        kept.get("titles", {}),
    )


def _made(kept: Iterable[Mapping[str, Any]]) -> tuple[Made, ...]:
    return tuple((each["by"], parse_action(each)) for each in kept)


def _as_now(saved: Mapping[str, Any]) -> Mapping[str, Any]:
    """A snapshot in the form of today. Once a room had no id but its first code, the fields of a match stood among
    those of the room, the answers to a person's commands were pairs, and nobody knew at which node people were."""
    members = [{"nodes": [""] if member.get("present") else [], **member} for member in saved["members"]]
    saved = {"id": saved["code"], **saved, "members": members}
    if "run" in saved:
        return saved
    run = {
        key: saved[key] for key in ("match", "hand", *(key for key, _ in RUN_PARTS.values()), "between") if key in saved
    }
    answers = {person: dict(kept) for person, kept in saved["answers"].items()}
    return {**saved, "run": None if saved["match"] is None else run, "answers": answers}


# By the types of the fields -------------------------------------------------------------------------------------


def _types(of: type[Value], *but: str) -> dict[str, tuple[str, Any]]:
    """The key and the type of each of a value's parts by name, without these."""
    hints, keys = get_type_hints(of), stored_fields(of)
    return {name: (keys[name], hints[name]) for name in of.parts() if name not in but}


ROOM_PARTS: Final = _types(Room, "seq", "settings", "members", "answers", "run", "chance")
RUN_PARTS: Final = _types(Run, "match", "hand", "between")


def _plain(value: object, types: Mapping[str, tuple[str, Any]]) -> dict[str, Any]:
    parts = {key: getattr(value, name) for name, (key, _) in types.items()}
    plain: dict[str, Any] = msgspec.to_builtins(parts, enc_hook=str)
    return plain


def _typed(kept: Mapping[str, Any], types: Mapping[str, tuple[str, Any]]) -> dict[str, Any]:
    return {name: msgspec.convert(kept[key], of) for name, (key, of) in types.items() if key in kept}
