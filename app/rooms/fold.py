"""The fold: a room and one entry of its log make the next room, and tell what happened.

It decides nothing and refuses nothing but an action that the game refuses (`draft.py` folds as it goes, so that an
action is judged once). What follows from an entry alone, such as deadlines, is worked out here and is in no entry.
"""

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any, cast

from app.bots import DEFAULT_BOT
from app.engine.actions import Cut, Join, parse_action
from app.engine.errors import RuleError
from app.engine.events import Event, told
from app.engine.hands import Deal, places_json
from app.engine.match import Match, Step

from . import clocks
from .entries import (
    Acted,
    BotCame,
    CameBack,
    ChairTaken,
    Committed,
    Configured,
    Dealt,
    Entry,
    GoingSet,
    Gone,
    Held,
    HostChanged,
    Joined,
    LinkMade,
    Opened,
    ReadySet,
    Rematched,
    Removed,
    RoleChanged,
    SeatMoved,
    Seeded,
    Started,
    StoodIn,
    Stopped,
    WentAway,
    Woke,
    decode,
)
from .fairness import Chance
from .member import Member, Members
from .ports import StoredEntry
from .room import NO_CHANCE, HandLog, Room, milliseconds
from .settings import RoomSettings

ANSWERS_KEPT = 64
"""Command ids remembered for each person."""
PERSONS_ANSWERED = 200
"""Persons whose command ids are remembered."""
HANDS_SHOWN = 12
"""Finished hands listed in an update."""
MISSED_TURNS = 2
"""After so many missed turns a bot plays the seat."""

Folded = tuple[Room, tuple[Event, ...]]


def fold(room: Room, entry: Entry, at: int, cmd: tuple[str, str] | None = None) -> Folded:
    """The room after an entry that happened `at` (milliseconds), and what happened."""
    after, events = _folded(room, entry, at)
    return _counted(room, after, entry, at, cmd), events


def fold_stored(room: Room, stored: StoredEntry) -> Folded:
    """The same for the next entry of a log, which may be older than the rules: a room outlives their amendment.

    An action that is no longer legal ends the hand, which counts for nothing; the next one is dealt with a new secret.
    """
    assert stored.seq == room.seq + 1, f"entry {stored.seq} after {room.seq}"
    entry, at = decode(stored.kind, stored.data), milliseconds(stored.at)
    cmd = cast("tuple[str, str] | None", tuple(stored.data["cmd"]) if "cmd" in stored.data else None)
    try:
        return fold(room, entry, at, cmd)
    except RuleError:
        if not isinstance(entry, Acted):
            raise
        return _counted(room, _given_up(room, at), entry, at, cmd), ()


def _given_up(room: Room, at: int) -> Room:
    match = room.match
    if match is None or not match.running:
        return room  # the hand was given up before
    return room.but(
        match=replace(match, hand=None, happened=()),
        hand=HandLog(),
        chance=NO_CHANCE,
        ended=at,
        proven=room.hand.deal["fair"],
        turn=room.turn + 1,
    )


def _counted(room: Room, after: Room, entry: Entry, at: int, cmd: tuple[str, str] | None) -> Room:
    """What every entry changes: its number, the answer to its command, and the clocks."""
    answers = room.answers
    if cmd is not None:
        person, command = cmd
        kept = {**answers.get(person, {}), command: room.seq + 1}
        if len(kept) > ANSWERS_KEPT:
            del kept[next(iter(kept))]
        answers = {**answers, person: kept}
        if len(answers) > PERSONS_ANSWERED:
            del answers[next(iter(answers))]
    return after.but(
        seq=room.seq + 1,
        since=room.since + 1,
        answers=answers,
        clocks=clocks.after(room, after, entry, at),
    )


def _folded(room: Room, entry: Entry, at: int) -> Folded:
    match entry:
        case Acted():
            return _acted(room, entry, at)
        case Dealt():
            return _dealt(room, entry, at)
        case CameBack(name):
            member = room.members[name]
            mine = member if member.going is not None else member.played_by_themselves()
            return room.with_member(replace(mine, present=True, missed=0, link=None)), (told("came_back", name),)
        case WentAway(name):
            return room.with_member(replace(room.members[name], present=False)), (told("went_away", name),)
        case StoodIn():
            return _stood_in(room, entry)
        case LinkMade(name, digest, until):
            linked = replace(room.members[name], link=digest, link_until=until)
            return room.with_member(linked), (told("link_made", name, host=room.host),)
        case SeatMoved():
            return _seat_moved(room, entry)
        case Joined():
            return _joined(room, entry)
        case BotCame(name, bot, role):
            return room.with_member(Member(name, None, role, bot)), (told("bot_came", name, bot=bot),)
        case RoleChanged(name, role):
            return room.with_member(replace(room.members[name], role=role, ready=False, chair=None)), (
                told(role, name),
            )
        case ChairTaken(name, bot):
            return room.with_member(replace(room.members[name], chair=bot)), (told("chair_taken", name, of=bot),)
        case ReadySet(name, ready):
            member = replace(room.members[name], ready=ready)
            return room.with_member(member), (told("ready" if ready else "not_ready", name),)
        case GoingSet(name, going):
            return _going(room, entry), (told("stays" if going is None else "going", name),)
        case Gone(name):
            return room.but(members=_but(room, name)), (told("went", name),)
        case Removed(name, ban):
            return _kept_out(room, name) if ban else _unseated(room, name)
        case HostChanged(name, passed_on):
            return room.but(host=name), () if name is None else (told("host", name, passed_on=passed_on),)
        case Committed(secret):
            return room.but(chance=Chance(bytes.fromhex(secret))), ()
        case Seeded(name, value):
            seeds = {**room.chance.seeds, name: value}
            return room.but(chance=replace(room.chance, seeds=seeds)), (told("seeded", name),)
        case Configured(settings):
            return room.but(settings=RoomSettings.make(settings)), (told("configured", room.host),)
        case Opened(code, invite, settings):
            return room.but(code=code, invite=invite, settings=RoomSettings.make(settings)), ()
        case Started():
            return _started(room, entry)
        case Stopped():
            return _stopped(room)
        case Rematched():
            return _rematched(room)
        case Woke():
            gone = {name: replace(m, present=False) if m.person else m for name, m in room.members.items()}
            return room.but(members=gone), ()
        case Held():
            return room, ()


# People -------------------------------------------------------------------------------------------------------


def _joined(room: Room, entry: Joined) -> Folded:
    before = room.member_of(entry.person)
    if before is None:
        came = Member(entry.name, entry.person, entry.role, present=entry.present, program=entry.program)
        said = {"program": True} if entry.program else {}
        return room.with_member(came), (told("came", entry.name, role=entry.role, **said),)
    # The same person, perhaps under another name, in the same place of the list.
    changed = replace(before, name=entry.name, role=entry.role, program=entry.program)
    members = {
        changed.name if name == before.name else name: changed if name == before.name else member
        for name, member in room.members.items()
    }
    host = entry.name if room.host == before.name else room.host
    seeds = {entry.name if name == before.name else name: seed for name, seed in room.chance.seeds.items()}
    renamed = room.but(members=members, host=host, chance=replace(room.chance, seeds=seeds))
    return renamed, () if entry.name == before.name else (told("renamed", entry.name, before=before.name),)


def _going(room: Room, entry: GoingSet) -> Room:
    member = room.members[entry.name]
    stand_in = None if entry.going is None or member.bot else DEFAULT_BOT
    return room.with_member(replace(member, going=entry.going, stand_in=stand_in, lent=None, missed=0))


def _stood_in(room: Room, entry: StoodIn) -> Folded:
    name, bot, lent = entry.name, entry.bot, entry.lent
    helped = room.with_member(replace(room.members[name], stand_in=bot, lent=lent))
    if lent is None:
        return helped, (told("stood_in", name, bot=bot),)
    return helped, (told(f"lent_{lent}", name, bot=bot, asked_by=entry.by),)


def _seat_moved(room: Room, entry: SeatMoved) -> Folded:
    name = entry.name
    member = replace(room.members[name], person=entry.person, present=False, link=None, program=False)
    moved = room.with_member(member)
    if name in room.names:
        moved = moved.but(names={**room.names, name: entry.person})
    return moved, (told("seat_moved", name),)


def _kept_out(room: Room, name: str) -> Folded:
    member, happened = room.members[name], (told("removed", name),)
    assert member.person is not None
    room = room.but(banned=room.banned | {member.person})
    if not room.has_place(name):
        return room.but(members=_but(room, name)), happened
    left = replace(
        member, person=None, present=False, stand_in=DEFAULT_BOT, lent=None, missed=0, going="gone", link=None
    )
    return room.with_member(left), happened


def _unseated(room: Room, name: str) -> Folded:
    member, happened = room.members[name], (told("unseated", name),)
    if not room.has_place(name):
        return room.with_member(replace(member, role="watcher", ready=False)), happened
    left = replace(member, stand_in=DEFAULT_BOT, lent=None, missed=0, going="watcher", unseated=True)
    return room.with_member(left), happened


def _but(room: Room, name: str) -> dict[str, Member]:
    return {each: member for each, member in room.members.items() if each != name}


# The match ----------------------------------------------------------------------------------------------------


def _started(room: Room, entry: Started) -> Folded:
    match = Match.start(room.settings.game, room.settings.options, tuple(entry.seats))
    started = room.but(
        match=match,
        match_id=entry.match_id,
        stopped=False,
        names={name: room.members[name].person for name in entry.seats},
        hand=HandLog(),
        between=(),
        hands=(),
        ended=None,
    )
    return started, (told("match_started"),)


def _dealt(room: Room, entry: Dealt, at: int) -> Folded:
    assert room.match is not None
    step = room.match.begin(deal_of(entry))
    log = HandLog(
        deal=asdict(entry),
        between=room.between,
        events=_public(step.events, 0),
    )
    room = room.but(match=step.match, hand=log, between=(), turn=room.turn + 1, members=_nobody_acted_for(room.members))
    # A hand may be over as soon as it is dealt.
    return _after_step(room, step, at), step.events


def deal_of(entry: Dealt) -> Deal:
    """The engine's deal."""
    return Deal.from_json(asdict(entry))


def _acted(room: Room, entry: Acted, at: int) -> Folded:
    match = room.match
    assert match is not None
    action = parse_action(entry.action)
    made = {"by": entry.by, **entry.action}
    if not match.running:
        return _between(room, match.between(entry.by, action), entry, made, at)
    step = match.act(entry.by, action)
    log = room.hand
    public = _public(step.events, len(log.actions) + 1)
    log = HandLog(log.deal, log.between, (*log.actions, made), log.events + public)
    room = room.but(match=step.match, hand=log, turn=room.turn + 1)
    events = step.events
    member = room.members[entry.by]
    if entry.auto == "clock":
        missed = member.missed + 1
        stand_in = DEFAULT_BOT if missed >= MISSED_TURNS else member.stand_in
        room = room.with_member(replace(member, missed=missed, stand_in=stand_in))
        events = (told("timed_out", entry.by), *events)
        if stand_in is not None:
            events = (*events, told("stood_in", entry.by, bot=stand_in))
    elif entry.auto is None and member.missed:
        room = room.with_member(replace(member, missed=0))
    room = room.with_member(replace(room.members[entry.by], acted_for=entry.auto is not None))
    return _after_step(_turns_returned(room, match, entry.by), step, at), events


def _nobody_acted_for(members: Members) -> Members:
    return {name: replace(member, acted_for=False) for name, member in members.items()}


def _turns_returned(room: Room, before: Match, by: str) -> Room:
    """Who lent a turn that is over plays again: in tricks it is one action, else all that they were awaited for."""
    match = room.match
    assert match is not None
    for name, member in room.members.items():
        over = not match.running or match.phase != before.phase or name not in match.to_act
        if member.lent == "turn" and (over or (name == by and match.phase == "play")):
            room = room.with_member(member.played_by_themselves())
    return room


def _after_step(room: Room, step: Step, at: int) -> Room:
    match = step.match
    if match.running:
        return room
    assert match.last is not None
    summary = {
        "number": match.dealt,
        "standing": places_json(match.last.standing),
        "ledger": dict(match.last.ledger),
    }
    room = room.but(
        hands=(*room.hands, summary)[-HANDS_SHOWN:],
        ended=at,
        proven=room.hand.deal["fair"],
    )
    return _departed(room, room.members) if match.over else room


def _between(room: Room, step: Step, entry: Acted, made: dict[str, Any], at: int) -> Folded:
    before, match = room.match, step.match
    assert before is not None
    room = room.but(match=match, between=(*room.between, made), turn=room.turn + 1)
    action = parse_action(entry.action)
    if isinstance(action, Cut):
        room = room.but(chance=replace(room.chance, cut=action.at))
    if isinstance(action, Join):
        newcomer = replace(room.members[entry.by], role="seated", going=None, chair=None)
        room = room.with_member(newcomer).but(names={**room.names, entry.by: newcomer.person})
    room = _departed(room, (name for name in before.seats if name not in match.seats))
    if match.last is not before.last and match.last is not None and room.hands:
        # Who went changed how the last hand ended (ACE-09).
        last = {
            **room.hands[-1],
            "standing": places_json(match.last.standing),
            "ledger": dict(match.last.ledger),
        }
        room = room.but(hands=(*room.hands[:-1], last))
    return room, step.events


def _departed(room: Room, names: Iterable[str]) -> Room:
    """Those of these who were going (or whom the game let go) are gone, or watch."""
    members = dict(room.members)
    over = room.match is not None and (room.match.over or room.stopped)
    for name in tuple(names):
        member = members.get(name)
        if member is None or (over and member.going is None):
            continue
        if member.going == "gone" or member.bot is not None:
            del members[name]
        else:
            members[name] = replace(member.played_by_themselves(), role="watcher", going=None, unseated=False)
    return room.but(members=members)


def _stopped(room: Room) -> Folded:
    assert room.match is not None
    # An unfinished hand counts for nothing; its secret is shown all the same.
    proven = room.hand.deal["fair"] if room.match.running else room.proven
    room = room.but(match=replace(room.match, hand=None), stopped=True, proven=proven)
    return _departed(room, room.members), (told("match_stopped", room.host),)


def _rematched(room: Room) -> Folded:
    members = {
        name: replace(member.played_by_themselves(), ready=False, chair=None) if member.person is not None else member
        for name, member in room.members.items()
    }
    room = room.but(
        members=members,
        match=None,
        match_id=None,
        stopped=False,
        names={},
        hand=HandLog(),
        between=(),
        hands=(),
        ended=None,
    )
    return room, (told("rematch", room.host),)


def _public(events: Iterable[Event], n: int) -> tuple[dict[str, Any], ...]:
    return tuple({**event.to_json(), "n": n} for event in events if event.to is None)
