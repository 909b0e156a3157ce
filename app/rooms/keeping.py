"""Snapshots: a room as JSON between two hands, and rooms opened from the newest snapshot and what came after it."""

from collections.abc import Mapping
from typing import Any

from app.engine.games import GAMES
from app.engine.match import Match

from . import member as members_
from .fairness import Chance
from .fold import fold_stored
from .ports import Loaded
from .room import Clocks, HandLog, Room
from .settings import RoomSettings


def from_log(loaded: Loaded) -> Room:
    """The room as its log tells it."""
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
    """This room as JSON, when no hand is running."""
    return {
        "settings": room.settings.to_json(),
        "code": room.code,
        "invite": room.invite,
        "members": members_.save(room.members),
        "host": room.host,
        "banned": sorted(room.banned),
        "match": None if room.match is None else room.match.save(),
        "match_id": room.match_id,
        "stopped": room.stopped,
        "names": dict(room.names),
        "hand": {
            "deal": room.hand.deal,
            "between": room.hand.between,
            "actions": room.hand.actions,
            "events": room.hand.events,
        }
        if can_save(room)
        else None,  # the next deal follows at once
        "between": room.between,
        "hands": room.hands,
        "chance": {"secret": room.chance.secret.hex(), "seeds": dict(room.chance.seeds), "cut": room.chance.cut},
        "proven": room.proven,
        "turn": room.turn,
        "ended": room.ended,
        "clocks": {
            "turns": dict(room.clocks.turns),
            "away": dict(room.clocks.away),
            "host": room.clocks.host,
            "deal": room.clocks.deal,
            "waits": dict(room.clocks.waits),
        },
        "answers": {person: list(kept.items()) for person, kept in room.answers.items()},
    }


def load(saved: Mapping[str, Any], seq: int) -> Room:
    """The room from what `save` gave, after entry `seq`."""
    hand, chance = saved["hand"], saved["chance"]
    return Room(
        settings=RoomSettings.make(saved["settings"]),
        code=saved["code"],
        invite=saved["invite"],
        seq=seq,
        members=members_.load(saved["members"]),
        host=saved["host"],
        banned=frozenset(saved["banned"]),
        match=None if saved["match"] is None else Match.load(saved["match"], GAMES),
        match_id=saved["match_id"],
        stopped=saved["stopped"],
        names=saved["names"],
        hand=HandLog()
        if hand is None
        else HandLog(hand["deal"], tuple(hand["between"]), tuple(hand["actions"]), tuple(hand["events"])),
        between=tuple(saved["between"]),
        hands=tuple(saved["hands"]),
        chance=Chance(bytes.fromhex(chance["secret"]), chance["seeds"], chance["cut"]),
        proven=saved["proven"],
        turn=saved["turn"],
        ended=saved["ended"],
        clocks=Clocks(**saved["clocks"]),
        answers={person: {kept[0]: kept[1] for kept in answers} for person, answers in saved["answers"].items()},
    )
