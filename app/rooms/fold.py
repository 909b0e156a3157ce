"""The fold: a room and one entry of its log make the next room, and tell what happened.

It decides nothing and refuses nothing but an action that the game refuses (`draft.py` folds as it goes, so that an
action is judged once). What follows from an entry alone, such as deadlines, is worked out here and is in no entry.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

from app.bots import DEFAULT_BOT
from app.engine.actions import Cut, Join
from app.engine.errors import RuleError
from app.engine.events import Event, told
from app.engine.hands import places_json
from app.engine.match import Match

from . import clocks, entries
from .fairness import Chance, PastDeal
from .member import Member, Members
from .ports import StoredEntry
from .room import NO_CHANCE, HandLine, HandLog, Room, Run, milliseconds
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


def fold(room: Room, entry: entries.Entry, at: int, cmd: tuple[str, str] | None = None) -> Folded:
    """Make the room after an entry that happened `at` (milliseconds), and tell what happened.

    `cmd` is the command (person, id) that the entry answers. `RuleError` if the game refuses the action.
    """
    after, events = _folded(room, entry, at)
    return _counted(room, after, entry, at, cmd), events


def fold_stored(room: Room, stored: StoredEntry) -> Folded:
    """Fold the next entry of a log, which may be older than the rules: a room outlives their amendment.

    An action that is no longer legal ends the hand, which counts for nothing; the next one is dealt with a new secret.
    """
    assert stored.seq == room.seq + 1, f"entry {stored.seq} after {room.seq}"
    at = milliseconds(stored.at)
    cmd = cast("tuple[str, str] | None", tuple(stored.data["cmd"]) if "cmd" in stored.data else None)
    try:
        return fold(room, entries.decode(stored.kind, stored.data), at, cmd)
    except RuleError:
        if stored.kind != "acted":
            raise
        return _counted(room, _given_up(room, at), None, at, cmd), ()


def _given_up(room: Room, at: int) -> Room:
    run = room.run
    if run is None or not run.match.running:
        return room  # the hand was given up before
    rested = replace(run.match, hand=None, happened=())
    return room.but(
        run=run.but(match=rested, hand=HandLog(), ended=at),
        chance=NO_CHANCE,
        proven=_proof(run),
        turn=room.turn + 1,
    )


def _counted(room: Room, after: Room, entry: entries.Entry | None, at: int, cmd: tuple[str, str] | None) -> Room:
    """Add what every entry changes: its number, the answer to its command, and the clocks."""
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


def _folded(room: Room, entry: entries.Entry, at: int) -> Folded:
    match entry:
        case entries.Acted() | entries.Dealt() | entries.Stopped():
            assert room.run is not None, "cards are dealt and played in a match only"
            return _in_match(room, room.run, entry, at)
        case entries.CameBack(name):
            member = room.members[name]
            mine = member if member.going is not None else member.played_by_themselves()
            return room.with_member(replace(mine, present=True, missed=0, link=None)), (told("came_back", name),)
        case entries.WentAway(name):
            return room.with_member(replace(room.members[name], present=False)), (told("went_away", name),)
        case entries.StoodIn():
            return _stood_in(room, entry)
        case entries.LinkMade(name, digest, until):
            linked = replace(room.members[name], link=digest, link_until=until)
            return room.with_member(linked), (told("link_made", name, host=room.host),)
        case entries.SeatMoved():
            return _seat_moved(room, entry)
        case entries.Joined():
            return _joined(room, entry)
        case entries.BotCame(name, bot, role):
            return room.with_member(Member(name, None, role, bot)), (told("bot_came", name, bot=bot),)
        case entries.RoleChanged(name, role):
            return room.with_member(replace(room.members[name], role=role, ready=False, chair=None)), (
                told(role, name),
            )
        case entries.ChairTaken(name, bot):
            return room.with_member(replace(room.members[name], chair=bot)), (told("chair_taken", name, of=bot),)
        case entries.ReadySet(name, ready):
            member = replace(room.members[name], ready=ready)
            return room.with_member(member), (told("ready" if ready else "not_ready", name),)
        case entries.GoingSet(name, going):
            return _going(room, entry), (told("stays" if going is None else "going", name),)
        case entries.Gone(name):
            return room.but(members=_but(room, name)), (told("went", name),)
        case entries.Removed(name, ban):
            return _kept_out(room, name) if ban else _unseated(room, name)
        case entries.HostChanged(name, passed_on):
            return room.but(host=name), () if name is None else (told("host", name, passed_on=passed_on),)
        case entries.Committed(secret):
            return room.but(chance=Chance(bytes.fromhex(secret))), ()
        case entries.Seeded(name, value):
            seeds = {**room.chance.seeds, name: value}
            return room.but(chance=replace(room.chance, seeds=seeds)), (told("seeded", name),)
        case entries.Configured(settings):
            return _configured(room, RoomSettings.make(settings))
        case entries.Opened(code, invite, settings):
            return room.but(code=code, invite=invite, settings=RoomSettings.make(settings)), ()
        case entries.Started():
            return _started(room, entry)
        case entries.Rematched():
            return _rematched(room)
        case entries.Woke():
            gone = {name: replace(m, present=False) if m.person else m for name, m in room.members.items()}
            return room.but(members=gone), ()
        case entries.Held():
            return room, ()


# People -------------------------------------------------------------------------------------------------------


def _joined(room: Room, entry: entries.Joined) -> Folded:
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


def _going(room: Room, entry: entries.GoingSet) -> Room:
    member = room.members[entry.name]
    stand_in = None if entry.going is None or member.bot else DEFAULT_BOT
    return room.with_member(replace(member, going=entry.going, stand_in=stand_in, lent=None, missed=0))


def _stood_in(room: Room, entry: entries.StoodIn) -> Folded:
    name, bot, lent = entry.name, entry.bot, entry.lent
    helped = room.with_member(replace(room.members[name], stand_in=bot, lent=lent))
    if lent is None:
        return helped, (told("stood_in", name, bot=bot),)
    return helped, (told(f"lent_{lent}", name, bot=bot, asked_by=entry.by),)


def _seat_moved(room: Room, entry: entries.SeatMoved) -> Folded:
    name = entry.name
    member = replace(room.members[name], person=entry.person, present=False, link=None, program=False)
    moved = room.with_member(member)
    run = moved.run
    if run is not None and name in run.names:
        moved = moved.but(run=run.but(names={**run.names, name: entry.person}))
    return moved, (told("seat_moved", name),)


def _configured(room: Room, settings: RoomSettings) -> Folded:
    name = "configured"
    if settings.locked != room.settings.locked:
        name = "locked" if settings.locked else "unlocked"
    return room.but(settings=settings), (told(name, room.host),)


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


def _started(room: Room, entry: entries.Started) -> Folded:
    match = Match.start(room.settings.game, room.settings.options, tuple(entry.seats))
    names = {name: room.members[name].person for name in entry.seats}
    return room.but(run=Run(match, entry.match_id, names)), (told("match_started"),)


def _in_match(room: Room, run: Run, entry: entries.Acted | entries.Dealt | entries.Stopped, at: int) -> Folded:
    match entry:
        case entries.Acted():
            return _acted(room, run, entry, at) if run.match.running else _between(room, run, entry)
        case entries.Dealt():
            return _dealt(room, run, entry, at)
        case entries.Stopped():
            return _stopped(room, run)


def _dealt(room: Room, run: Run, entry: entries.Dealt, at: int) -> Folded:
    step = run.match.begin(entry.deal)
    log = HandLog(entry, run.between, events=_public(step.events, 0))
    members = {name: replace(member, acted_for=False) for name, member in room.members.items()}
    room = room.but(members=members, turn=room.turn + 1)
    # A hand may be over as soon as it is dealt.
    return _after_step(room, run.but(match=step.match, hand=log, between=()), at), step.events


def _acted(room: Room, run: Run, entry: entries.Acted, at: int) -> Folded:
    step = run.match.act(entry.by, entry.action)
    log = run.hand
    actions = (*log.actions, (entry.by, entry.action))
    log = HandLog(log.dealt, log.between, actions, log.events + _public(step.events, len(actions)))
    events = step.events
    member = replace(room.members[entry.by], acted_for=entry.auto is not None)
    if entry.auto == "clock":
        missed = member.missed + 1
        stand_in = DEFAULT_BOT if missed >= MISSED_TURNS else member.stand_in
        member = replace(member, missed=missed, stand_in=stand_in)
        events = (told("timed_out", entry.by), *events)
        if stand_in is not None:
            events = (*events, told("stood_in", entry.by, bot=stand_in))
    elif entry.auto is None and member.missed:
        member = replace(member, missed=0)
    members = _turns_returned({**room.members, entry.by: member}, run.match, step.match, entry.by)
    room = room.but(members=members, turn=room.turn + 1)
    return _after_step(room, run.but(match=step.match, hand=log), at), events


def _turns_returned(members: dict[str, Member], before: Match, match: Match, by: str) -> Members:
    """Let who lent a turn that is over play again: in tricks it is one action, else all that they were awaited for."""
    for name, member in members.items():
        if member.lent == "turn":
            over = not match.running or match.phase != before.phase or name not in match.to_act
            if over or (name == by and match.phase == "play"):
                members[name] = member.played_by_themselves()
    return members


def _after_step(room: Room, run: Run, at: int) -> Room:
    """The room with its match after a deal or an action, which may have been the hand's last, and the match's."""
    match = run.match
    if match.running:
        return room.but(run=run)
    run = run.but(hands=(*run.hands, _in_short(match))[-HANDS_SHOWN:], ended=at)
    room = room.but(run=run, proven=_proof(run))
    return _departed(room, run, room.members) if match.over else room


def _between(room: Room, run: Run, entry: entries.Acted) -> Folded:
    name, action = entry.by, entry.action
    step = run.match.between(name, action)
    before, match = run.match, step.match
    run = run.but(match=match, between=(*run.between, (name, action)))
    room = room.but(turn=room.turn + 1)
    if isinstance(action, Cut):
        room = room.but(chance=replace(room.chance, cut=action.at))
    if isinstance(action, Join):
        newcomer = replace(room.members[name], role="seated", going=None, chair=None)
        room = room.with_member(newcomer)
        run = run.but(names={**run.names, name: newcomer.person})
    if match.last is not before.last and run.hands:
        # What was done changed how the last hand ended.
        run = run.but(hands=(*run.hands[:-1], _in_short(match)))
    return _departed(room, run, (gone for gone in before.seats if gone not in match.seats)), step.events


def _in_short(match: Match) -> HandLine:
    """The last hand as a line."""
    assert match.last is not None
    return {
        "number": match.dealt,
        "standing": places_json(match.last.standing),
        "ledger": dict(match.last.ledger),
    }


def _proof(run: Run) -> PastDeal | None:
    """The proof of the hand that was dealt."""
    return None if run.hand.dealt is None else run.hand.dealt.fair


def _departed(room: Room, run: Run, names: Iterable[str]) -> Room:
    """The room without those of these who were going (or whom the game let go): they are gone, or watch."""
    members = dict(room.members)
    over = run.match.over or run.stopped
    for name in tuple(names):
        member = members.get(name)
        if member is None or (over and member.going is None):
            continue
        if member.going == "gone" or member.bot is not None:
            del members[name]
        else:
            members[name] = replace(member.played_by_themselves(), role="watcher", going=None, unseated=False)
    return room.but(members=members, run=run)


def _stopped(room: Room, run: Run) -> Folded:
    # An unfinished hand counts for nothing; its secret is shown all the same.
    proven = _proof(run) if run.match.running else room.proven
    stopped = run.but(match=replace(run.match, hand=None), stopped=True)
    return _departed(room.but(proven=proven), stopped, room.members), (told("match_stopped", room.host),)


def _rematched(room: Room) -> Folded:
    members = {
        name: replace(member.played_by_themselves(), ready=False, chair=None) if member.person is not None else member
        for name, member in room.members.items()
    }
    return room.but(members=members, run=None), (told("rematch", room.host),)


def _public(events: Iterable[Event], n: int) -> tuple[dict[str, Any], ...]:
    return tuple({**event.to_json(), "n": n} for event in events if event.to is None)
