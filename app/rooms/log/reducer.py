"""The fold: a room and one entry of its log make the next room, and tell what happened.

It decides nothing and refuses nothing but an action that the game refuses (`pending_events.py` folds as it goes, so
that an action is judged once). What follows from an entry alone, such as deadlines, is worked out here and is in no
entry.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from operator import attrgetter
from typing import Any, cast

import msgspec
from msgspec import structs

from app.bots import StandIn
from app.engine.base.errors import RuleError
from app.engine.cards.action_codec import parse_action
from app.engine.cards.actions import Cut, JoinMatch
from app.engine.cards.deal_order import DealOrder
from app.engine.display.events import Event
from app.engine.games import GAMES
from app.engine.match.hand import Deal, places_json
from app.engine.match.match import Match
from app.rooms.log import deadlines, event_texts, vote_reducer
from app.rooms.model import colours, requests
from app.rooms.model import events as entries
from app.rooms.model.member import FormerHolder, Member, Members
from app.rooms.model.settings import RoomSettings
from app.rooms.model.shuffle_proof import Chance, ClosedList, not_shuffled
from app.rooms.model.state import (
    NO_CHANCE,
    NO_LOG,
    HandInShort,
    HandLog,
    KnownDeals,
    Origin,
    Room,
    Run,
    Whisper,
    milliseconds,
)
from app.rooms.money.session import after_hand, told_anew
from app.rooms.ports.facts import Memorable
from app.rooms.ports.storage import StoredEntry

ANSWERS_KEPT = 64
"""Command ids remembered for each person: so many at most, and the last half of them always."""
PERSONS_ANSWERED = 200
"""Persons whose command ids are remembered."""
HANDS_SHOWN = 12
"""Finished hands listed in an update."""
MISSED_TURNS = 2
"""After so many missed turns a bot plays the seat."""

Folded = tuple[Room, tuple[Event, ...]]

_LENT = attrgetter("lent")


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
    room, _, events = fold_as_written(room, stored)
    return room, events


def fold_as_written(room: Room, stored: StoredEntry) -> tuple[Room, entries.Entry | None, tuple[Event, ...]]:
    """Fold the next entry of a log and give it, too; None for one that the rules no longer allow."""
    assert stored.seq == room.seq + 1, f"entry {stored.seq} after {room.seq}"
    at = milliseconds(stored.at)
    cmd = cast("tuple[str, str] | None", tuple(stored.data["cmd"]) if "cmd" in stored.data else None)
    try:
        entry = entries.decode(stored.kind, stored.data)
        after, events = fold(room, entry, at, cmd)
    except RuleError:
        if stored.kind == "resumed":
            at_rest = _at_rest(room, cast("entries.Resumed", entries.decode(stored.kind, stored.data)))
            return _counted(room, at_rest, None, at, cmd), None, ()
        if stored.kind not in ("acted", "dealt"):
            raise
        return _counted(room, _given_up(room, at), None, at, cmd), None, ()
    return after, entry, events


def _given_up(room: Room, at: int) -> Room:
    run = room.run
    if run is None or not run.match.running:
        # The hand was given up before, or its cards would be dealt otherwise now. Seeds that were shown count no more.
        return room.but(chance=NO_CHANCE) if room.is_dealing else room
    rested = run.match.but(hand=None, happened=())
    return room.but(
        run=vote_reducer.at_rest(run).but(match=rested, hand=NO_LOG, ended=at),
        chance=NO_CHANCE,
        **_proof(run),
        turn=room.turn + 1,
    )


def _counted(room: Room, after: Room, entry: entries.Entry | None, at: int, cmd: tuple[str, str] | None) -> Room:
    """Add what every entry changes: its number, the answer to its command, and the clocks."""
    answers = room.answers
    if cmd is not None:
        person, command = cmd
        kept = {**answers.get(person, {}), command: room.seq + 1}
        if len(kept) > ANSWERS_KEPT:
            kept = dict(islice(kept.items(), ANSWERS_KEPT // 2, None))
        answers = {who: each for who, each in answers.items() if who != person} | {person: kept}
        if len(answers) > PERSONS_ANSWERED:
            del answers[_least_needed(after, answers)]
    return after.but(
        hues=after.hues if after.members is room.members else colours.complete(after),
        seq=room.seq + 1,
        since=room.since + 1,
        answers=answers,
        clocks=deadlines.after(room, after, entry, at),
    )


def _least_needed(room: Room, answers: Mapping[str, Mapping[str, int]]) -> str:
    """Find whose answers to forget: of the people without a name in the room, or else of all, who acted longest ago."""
    strangers = (person for person in answers if room.member_of(person) is None)
    return next(strangers, next(iter(answers)))


def _folded(room: Room, entry: entries.Entry, at: int) -> Folded:
    match entry:
        case entries.Acted():
            run = _run(room)
            return _acted(room, run, entry, at) if run.match.running else _between(room, run, entry)
        case entries.Dealt():
            return _dealt(room, _run(room), entry, at)
        case entries.Stopped():
            return _stopped(room, _run(room))
        case entries.CameBack(name, node):
            member = room.members[name].at(node)
            mine = member if member.going is not None else member.played_by_themselves()
            return room.with_member(replace(mine.without_link(), missed=0)), (event_texts.CAME_BACK(name),)
        case entries.AlsoAt(name, node):
            return room.with_member(room.members[name].at(node)), ()
        case entries.WentAway(name, node):
            member = room.members[name].gone_from(node, at)
            return room.with_member(member), () if member.present else (event_texts.WENT_AWAY(name),)
        case entries.StoodIn():
            return _stood_in(room, entry)
        case entries.LinkMade(name, digest, until, maker, device):
            linked = replace(room.members[name], link=digest, link_until=until, link_maker=maker, link_device=device)
            return room.with_member(linked), (event_texts.LINK_MADE(name, host=room.host),)
        case entries.LinkAsked(name):
            return room.with_member(replace(room.members[name], link_shut=False)), (event_texts.LINK_ASKED(name),)
        case entries.SeatMoved():
            return _seat_moved(room, entry, at)
        case entries.SeatRequested(name, person):
            asked = replace(room.members[name], requested_by=person, requested_at=at)
            return room.with_member(asked), (event_texts.SEAT_REQUESTED(name),)
        case entries.SeatRefused(name):
            return room.with_member(room.members[name].without_request()), (event_texts.SEAT_REFUSED(name),)
        case entries.PlayersParted(name):
            return room.with_member(replace(room.members[name], joined=False)), (event_texts.PLAYERS_PARTED(name),)
        case entries.SeatTakenBack():
            return _seat_taken_back(room, entry)
        case entries.Joined():
            return _joined(room, entry, at)
        case entries.LooksChanged(name, bird, colour, called):
            before = room.members[name]
            tells = called not in (None, before.called) and name in room.names
            looks = replace(before, bird=bird, colour=colour, called=called)
            return room.with_member(looks), (event_texts.NAMED(name, before=name, now=called),) if tells else ()
        case entries.BotCame(name, bot, role):
            return room.with_member(Member(name, None, role, bot)), (event_texts.BOT_CAME(name, bot=bot),)
        case entries.BotSet(name, bot):
            return room.with_member(replace(room.members[name], bot=bot)), (event_texts.BOT_SET(name, bot=bot),)
        case entries.RoleChanged(name, role):
            member = replace(room.members[name], role=role, ready=False, chair=None, unseated=False)
            return room.with_member(member), (event_texts.ROLES[role](name),)
        case entries.ChairTaken(name, bot):
            return room.with_member(replace(room.members[name], chair=bot)), (event_texts.CHAIR_TAKEN(name, of=bot),)
        case entries.ReadySet(name, ready):
            member = replace(room.members[name], ready=ready)
            return room.with_member(member), ((event_texts.READY if ready else event_texts.NOT_READY)(name),)
        case entries.GoingSet(name, going):
            return _going(room, entry), ((event_texts.STAYS if going is None else event_texts.GOING)(name),)
        case entries.Gone(name):
            return _without(_without_links_of(room, name), name), (event_texts.WENT(name),)
        case entries.Forgotten(person):
            return _forgotten(room, person)
        case entries.Rewritten():
            return room, ()
        case entries.Removed(name, ban):
            room = _without_links_of(room, name)
            return _kept_out(room, name) if ban else _unseated(room, name)
        case entries.HostChanged(name, passed_on):
            if room.host is not None and not passed_on:
                room = _without_links_of(room, room.host)
            away = room.host if passed_on else None
            return room.but(host=name, host_before=away), () if name is None else (
                event_texts.HOST(name, passed_on=passed_on),
            )
        case entries.Committed(secret):
            return room.but(chance=Chance(bytes.fromhex(secret))), ()
        case entries.SeedPromised(person, promised):
            hashes = {**room.chance.hashes, person: promised}
            giver = room.member_of(person)
            told = () if giver is None else (event_texts.SEED_PROMISED(giver.name),)
            return room.but(chance=room.chance.but(hashes=hashes)), told
        case entries.ListClosed(commitment, cut, hashes, givers, order, until):
            closed = ClosedList(commitment, cut, hashes, givers, msgspec.convert(order, DealOrder), until)
            return room.but(chance=room.chance.but(closed=closed, seeds={})), (event_texts.DEALING(None),)
        case entries.Seeded(name, value):
            seeds = {**room.chance.seeds, name: value}
            return room.but(chance=room.chance.but(seeds=seeds)), (event_texts.SEEDED(name),)
        case entries.Configured(settings):
            return _configured(room, RoomSettings.make(settings, kept=True))
        case entries.Opened(code, invite, settings, room_id):
            return room.but(
                id=room_id or code, code=code, invite=invite, settings=RoomSettings.make(settings, kept=True)
            ), ()
        case entries.Recoded(code, invite):
            return room.but(code=code, invite=invite), (event_texts.RECODED(room.host),)
        case entries.Started():
            return _started(room, entry)
        case entries.Continued():
            return _continued(room, entry)
        case entries.Resumed():
            return _resumed(room, entry, at)
        case entries.SatDown():
            return _sat_down(room, entry)
        case entries.DealsGiven(match, people, hands):
            deals = msgspec.convert({"match": match, "people": people, "hands": hands}, KnownDeals)
            return room.but(deals=deals), ()
        case entries.Rematched():
            return _rematched(room)
        case entries.Woke(nodes):
            still = {name: member.only_at(nodes, at) for name, member in room.members.items()}
            return room.but(members=still), ()
        case entries.Held():
            return room, ()
        case entries.Rewound(moves):
            return _rewound(room, moves)
        case (
            entries.Hurried()
            | entries.Proposed()
            | entries.Agreed()
            | entries.Dropped()
            | entries.Rested()
            | entries.WentOn()
            | entries.TakenBack()
        ):
            # Without a match, and without what is to be taken back, rules of today have cost the hand.
            return (room, ()) if room.run is None else vote_reducer.folded(room, room.run, entry, at)


def _rewound(room: Room, moves: int) -> Folded:
    """Go on after the last entries were lost: what was asked of the table is over, and seeds of a deal are void."""
    run = room.run
    if run is not None:
        room = room.but(run=vote_reducer.at_rest(run))
    room = room.but(rewinds=room.rewinds + 1, turn=room.turn + moves + 1)
    return room, (event_texts.REWOUND(None, count=moves),) if moves else ()


# People -------------------------------------------------------------------------------------------------------


def _joined(room: Room, entry: entries.Joined, at: int) -> Folded:
    before = room.member_of(entry.person)
    if before is None:
        nodes = (entry.node,) if entry.present else ()
        came = Member(entry.name, entry.person, entry.role, nodes=nodes, program=entry.program, away_since=at)
        said: dict[str, Any] = {"program": True} if entry.program else {}
        return room.with_member(came), (event_texts.CAME(entry.name, role=entry.role, **said),)
    # The same person, perhaps under another name, in the same place of the list.
    called = None if entry.name != before.name else before.called
    unseated = before.unseated and entry.role == "watcher"
    changed = replace(before, name=entry.name, role=entry.role, program=entry.program, called=called, unseated=unseated)
    members = {
        changed.name if name == before.name else name: changed if name == before.name else member
        for name, member in room.members.items()
    }
    host = entry.name if room.host == before.name else room.host
    seeds = {entry.name if name == before.name else name: seed for name, seed in room.chance.seeds.items()}
    evening = None if room.evening is None else room.evening.renamed(entry.person, entry.name)
    renamed = room.but(members=members, host=host, chance=room.chance.but(seeds=seeds), evening=evening)
    return renamed, () if entry.name == before.name else (event_texts.RENAMED(entry.name, before=before.name),)


def _going(room: Room, entry: entries.GoingSet) -> Room:
    if entry.going == "gone":
        room = _without_links_of(room, entry.name)
    member = room.members[entry.name]
    stand_in = None if entry.going is None or member.bot else room.settings.stand_in
    return room.with_member(replace(member, going=entry.going, stand_in=stand_in, lent=None, missed=0))


def _stood_in(room: Room, entry: entries.StoodIn) -> Folded:
    name, bot, lent = entry.name, entry.bot, entry.lent
    helped = room.with_member(replace(room.members[name], stand_in=bot, lent=lent))
    if lent is None:
        return helped, (event_texts.STOOD_IN(name, bot=bot),)
    return helped, (event_texts.LENT[lent](name, bot=bot, asked_by=entry.by),)


def _seat_moved(room: Room, entry: entries.SeatMoved, at: int) -> Folded:
    before = room.members[entry.name]
    former = before.former_holders
    if before.person is not None:
        former = (*former, FormerHolder(before.person, entry.by, at))
    said: dict[str, Any] = {} if entry.by is None else {"host": entry.by}
    moved = replace(before.without_request(), former_holders=former, nodes=(), away_since=at, joined=bool(former))
    return _held_by(room, moved, entry.person), (event_texts.SEAT_MOVED(entry.name, **said),)


def _seat_taken_back(room: Room, entry: entries.SeatTakenBack) -> Folded:
    """Give the seat to a former holder. The persons who had it after them lose their claim to it."""
    member = room.members[entry.name]
    former = [holder.person for holder in member.former_holders]
    kept = member.former_holders[: former.index(entry.person)]
    member = replace(member, former_holders=kept, nodes=(entry.node,), link_shut=True, joined=False)
    if not member.unseated:
        member = replace(member.played_by_themselves(), going=None)
    return _held_by(room, member, entry.person), (event_texts.SEAT_TAKEN_BACK(entry.name),)


def _held_by(room: Room, member: Member, person: str) -> Room:
    """Give the room with this member's seat, and all that belongs to it, held by this person."""
    before = room.members[member.name].person
    room = _without_links_of(room.but(hues=colours.moved(room, member.name, person)), member.name)
    room = room.with_member(replace(member.without_link(), person=person, program=False))
    if room.evening is not None:
        room = room.but(evening=room.evening.moved(before, person, member.name))
    run = room.run
    if run is not None and member.name in run.names:
        room = room.but(run=run.but(names={**run.names, member.name: person}))
    return room


def _without_links_of(room: Room, maker: str) -> Room:
    """Give the room without the links to seats that this member has made as host."""
    person = room.members[maker].person
    linked = [each for each in room.members.values() if each.link is not None and each.link_maker == person]
    if not linked:
        return room
    return room.but(members={**room.members, **{each.name: each.without_link() for each in linked}})


def _configured(room: Room, settings: RoomSettings) -> Folded:
    members = {
        name: member if member.stand_in is None else replace(member, stand_in=settings.stand_in)
        for name, member in room.members.items()
    }
    return room.but(settings=settings, members=members), (settings.change(room.settings, room.host),)


def _kept_out(room: Room, name: str) -> Folded:
    member, happened = room.members[name], (event_texts.REMOVED(name),)
    assert member.person is not None
    room = room.but(banned=room.banned | {member.person})
    if not room.has_place(name):
        return _without(room, name), happened
    return room.with_member(_left_to_a_bot(member, room.settings.stand_in)), happened


def _forgotten(room: Room, person: str) -> Folded:
    answers = {who: kept for who, kept in room.answers.items() if who != person}
    hashes = {who: promised for who, promised in room.chance.hashes.items() if who != person}
    room = room.but(answers=answers, banned=room.banned - {person}, chance=room.chance.but(hashes=hashes))
    room = room.but(members=_without_claims_of(room, person), hues=colours.without(room, person))
    member = room.member_of(person)
    if member is None:
        return room, ()
    room = _without_links_of(room, member.name)
    name, happened = member.name, (event_texts.WENT(member.name),)
    if not room.has_place(name):
        return _without(room, name), happened
    return room.with_member(
        _left_to_a_bot(replace(member, bird=None, colour=None, called=None), room.settings.stand_in)
    ), happened


def _left_to_a_bot(member: Member, bot: StandIn) -> Member:
    """Give the place of somebody who is gone for good, as long as the rules keep it."""
    member = replace(member, person=None, nodes=(), stand_in=bot, lent=None, missed=0, going="gone")
    return member.without_link()


def _without_claims_of(room: Room, person: str) -> Members:
    """Give the members without what says that this person had one of their seats."""
    return {
        name: replace(
            member.without_request() if member.requested_by == person else member,
            former_holders=tuple(former for former in member.former_holders if former.person != person),
        )
        if member.former_holders or member.requested_by == person
        else member
        for name, member in room.members.items()
    }


def _unseated(room: Room, name: str) -> Folded:
    member, happened = room.members[name], (event_texts.UNSEATED(name),)
    if not room.has_place(name):
        left = replace(member.without_link(), role="watcher", ready=False, unseated=True)
        return room.with_member(left), happened
    left = replace(member.without_link(), stand_in=room.settings.stand_in, lent=None, missed=0, going="watcher")
    return room.with_member(replace(left, unseated=True)), happened


def _without(room: Room, name: str) -> Room:
    """Give the room without this member. Former holders of the seat may come back under its name in this match."""
    member = room.members[name]
    members = {each: other for each, other in room.members.items() if each != name}
    return room.but(members=members, run=None if room.run is None else _with_claims(room.run, member))


def _with_claims(run: Run, member: Member) -> Run:
    """Give the match in which the former holders of this seat may come back under its name."""
    former = tuple(holder.person for holder in member.former_holders)
    return run.but(former={**run.former, member.name: former}) if former and member.name in run.names else run


# The match ----------------------------------------------------------------------------------------------------


def _started(room: Room, entry: entries.Started) -> Folded:
    ranks = tuple(entry.ranks)
    match = Match.start(room.settings.game, room.settings.options, tuple(entry.seats), ranks)
    names = {name: room.members[name].person for name in entry.seats}
    origin = None if room.deals is None else Origin(room.deals.match, "deals")
    return room.but(run=Run(match, entry.match_id, names, ranks, origin=origin)), (event_texts.MATCH_STARTED(),)


def _resumed(room: Room, entry: entries.Resumed, at: int) -> Folded:
    """Play the hand up to where it goes on, as any hand is played."""
    room = _at_rest(room, entry)
    steps: list[entries.Dealt | entries.Acted] = [entries.Dealt(Deal.from_json(entry.deal), not_shuffled("variation"))]
    steps += [entries.Acted(made["by"], parse_action(made)) for made in entry.actions]
    for step in steps:
        room, _ = _folded(room, step, at)
    return room, (event_texts.RESUMED(room.host),)


def _at_rest(room: Room, entry: entries.Resumed) -> Room:
    """The room with the match of a variation before its first hand, and with the chairs that wait for somebody."""
    origin = msgspec.convert(entry.origin, Origin)
    assert origin.before is not None
    match = Match.load(origin.before, GAMES).but(entered=())
    waiting = {name: Member(name, None, "seated") for name in entry.open}
    members = {**room.members, **waiting}
    names = {name: members[name].person for name in match.seats}
    return room.but(members=members, run=Run(match, entry.match_id, names, before=match.dealt, origin=origin))


def _sat_down(room: Room, entry: entries.SatDown) -> Folded:
    """Give a chair to a person, who has its name in this match; afterwards they have their own again."""
    before = room.member_of(entry.person)
    came = replace(room.members[entry.name], person=entry.person, bot=None, nodes=(entry.node,))
    came = replace(came.played_by_themselves().without_link(), going=None, former_holders=(), link_shut=False)
    if before is not None:
        came = replace(came, bird=before.bird, colour=before.colour, program=before.program, called=before.name)
    members = {
        name: came if name == entry.name else member
        for name, member in room.members.items()
        if before is None or name != before.name
    }
    host = entry.name if before is not None and room.host == before.name else room.host
    run = room.run
    assert run is not None, "chairs of a variation are those of its match"
    seated = room.but(members=members, host=host, run=run.but(names={**run.names, entry.name: entry.person}))
    return seated, (event_texts.SAT_DOWN(entry.name, before=None if before is None else before.name),)


def _continued(room: Room, entry: entries.Continued) -> Folded:
    run = room.run
    assert run is not None, "in the waiting room no match goes on"
    first = run.first or run.match_id
    volume = run.but(match_id=entry.match_id, first=first, before=run.match.dealt, between=(), moments=())
    return room.but(run=volume), ()


def _run(room: Room) -> Run:
    assert room.run is not None, "cards are dealt and played in a match only"
    return room.run


def _dealt(room: Room, run: Run, entry: entries.Dealt, at: int) -> Folded:
    step = run.match.begin(entry.deal)
    public, moments, whispers = _told(step.events, 0)
    log = HandLog(
        entry,
        run.between,
        events=tuple(public),
        moments=run.moments + moments,
        hierarchy=run.match.hierarchy,
        titles=dict(run.match.game.titles(run.match)),
        whispers=whispers,
    )
    played_for = {name: replace(member, acted_for=False) for name, member in room.members.items() if member.acted_for}
    members = {**room.members, **played_for} if played_for else room.members
    # A hand may be over as soon as it is dealt.
    asked = requests.of_new_hand(step.match, room.turn + 1)
    run = run.but(match=step.match, hand=log, between=(), moments=(), hurried=False, undo=None, requests=asked)
    told = tuple(event_texts.SEED_LEFT_OUT(name) for name in room.chance.missing)
    return _after_step(room, members, run, at), (*told, *step.events)


def _acted(room: Room, run: Run, entry: entries.Acted, at: int) -> Folded:
    step = run.match.act(entry.by, entry.action)
    log = run.hand
    actions = (*log.actions, (entry.by, entry.action))
    public, moments, whispers = _told(step.events, len(actions), len(log.events))
    log = HandLog(
        log.dealt,
        log.between,
        actions,
        (*log.events, *public),
        log.moments + moments,
        log.hierarchy,
        log.titles,
        log.whispers + whispers,
    )
    events, before = step.events, room.members[entry.by]
    member = _after_action(before, entry.auto, room.settings.stand_in)
    if entry.auto == "clock":
        events = (event_texts.TIMED_OUT(entry.by), *events)
        if member.stand_in is not None:
            events = (*events, event_texts.STOOD_IN(entry.by, bot=member.stand_in))
    members = room.members if member is before else {**room.members, entry.by: member}
    members = _turns_returned(members, run.match, step.match, entry.by)
    undo = vote_reducer.undo(room, run, entry, step) if entry.auto is None else None
    asked = requests.after_action(run.requests, run.match, step.match, entry.by, entry.action, room.turn + 1)
    run = vote_reducer.overtaken(run).but(match=step.match, hand=log, undo=undo, requests=asked)
    return _after_step(room, members, run, at), events


def _after_action(member: Member, auto: entries.Auto | None, bot: StandIn) -> Member:
    """The member whose action was made; the very same if that says nothing new of them."""
    if auto == "clock":
        missed = member.missed + 1
        stand_in = bot if missed >= MISSED_TURNS else member.stand_in
        return replace(member, missed=missed, stand_in=stand_in, acted_for=True)
    missed = 0 if auto is None else member.missed
    acted_for = auto is not None
    if missed == member.missed and acted_for == member.acted_for:
        return member
    return replace(member, missed=missed, acted_for=acted_for)


def _turns_returned(members: Members, before: Match, match: Match, by: str) -> Members:
    """Let who lent a turn that is over play again: in tricks it is one action, else all that they were awaited for."""
    if "turn" not in map(_LENT, members.values()):
        return members
    returned = [
        name
        for name, member in members.items()
        if member.lent == "turn"
        and (
            not match.running
            or match.phase != before.phase
            or name not in match.to_act
            or (name == by and match.phase == "play")
        )
    ]
    return {**members, **{name: members[name].played_by_themselves() for name in returned}}


def _after_step(room: Room, members: Members, run: Run, at: int) -> Room:
    """The room with its match after a deal or an action, which may have been the hand's last, and the match's."""
    match, turn = run.match, room.turn + 1
    if match.running:
        return room.but(members=members, turn=turn, run=run)
    run = vote_reducer.at_rest(run)
    log = structs.replace(run.hand, whispers=())
    run = run.but(hand=log, hands=(*run.hands, _in_short(match))[-HANDS_SHOWN:], ended=at)
    evening = room.evening
    if run.origin is None:
        evening = after_hand(room.evening, match, run.first or run.match_id, run.names, at)
    room = room.but(members=members, turn=turn, run=run, evening=evening, **_proof(run)).ranked(run)
    return _departed(room, run, room.members) if match.over else room


def _between(room: Room, run: Run, entry: entries.Acted) -> Folded:
    name, action = entry.by, entry.action
    step = run.match.between(name, action)
    before, match = run.match, step.match
    _, moments, _ = _told(step.events, None)
    run = run.but(match=match, between=(*run.between, (name, action)), moments=run.moments + moments)
    room = room.but(turn=room.turn + 1)
    if isinstance(action, Cut):
        room = room.but(chance=room.chance.but(cut=action.at))
    if isinstance(action, JoinMatch):
        newcomer = replace(room.members[name], role="seated", going=None, chair=None)
        room = room.with_member(newcomer)
        run = run.but(names={**run.names, name: newcomer.person})
    if match.last is not before.last and run.hands:
        # What was done changed how the last hand ended.
        run = run.but(hands=(*run.hands[:-1], _in_short(match)))
        if run.origin is None:
            room = room.but(evening=told_anew(room.evening, before, match, run.names))
    return _departed(room.ranked(run), run, (gone for gone in before.seats if gone not in match.seats)), step.events


def _in_short(match: Match) -> HandInShort:
    """The last hand as a line."""
    assert match.last is not None
    return {
        "number": match.dealt,
        "standing": places_json(match.last.standing),
        "ledger": dict(match.last.ledger),
    }


def _proof(run: Run) -> dict[str, Any]:
    """Return what the room shows of the deal of a hand that is over: its proof, and its cards."""
    if run.hand.dealt is None:
        return {"proven": None, "dealt": None}
    cards = run.hand.dealt.deal.to_json()
    return {"proven": run.hand.dealt.fair, "dealt": {"cards": cards["cards"], "stock": cards["stock"]}}


def _departed(room: Room, run: Run, names: Iterable[str]) -> Room:
    """The room without those of these who were going (or whom the game let go): they are gone, or watch."""
    members = dict(room.members)
    over = run.match.over or run.stopped
    for name in tuple(names):
        member = members.get(name)
        if member is None or (over and member.going is None):
            continue
        if member.going == "gone" or member.bot is not None:
            run = _with_claims(run, member)
            del members[name]
        else:
            members[name] = replace(member.played_by_themselves(), role="watcher", going=None)
    return room.but(members=members, run=run)


def _stopped(room: Room, run: Run) -> Folded:
    # An unfinished hand counts for nothing; its secret is shown all the same.
    shown = room.but(**_proof(run)) if run.match.running else room
    stopped = vote_reducer.at_rest(run).but(match=run.match.but(hand=None), rest=None, stopped=True)
    return _departed(shown, stopped, room.members), (event_texts.MATCH_STOPPED(room.host),)


def _rematched(room: Room) -> Folded:
    members = {
        name: replace(member.played_by_themselves(), ready=False, chair=None) if member.person is not None else member
        for name, member in room.members.items()
        if member.person is not None or member.bot is not None
    }
    return room.but(members=members, run=None, deals=None), (event_texts.REMATCH(room.host),)


def _told(
    events: Iterable[Event], n: int | None, before: int = 0
) -> tuple[list[dict[str, Any]], tuple[Memorable, ...], tuple[Whisper, ...]]:
    """What of these events of the hand's `n`th action everybody is told, as JSON; what of that people will speak of
    later; and what only some are told, of most actions nothing. `before`: how many public events came before."""
    public: list[dict[str, Any]] = []
    moments: list[Memorable] = []
    whispers: list[Whisper] = []
    for event in events:
        told = event.to_json()
        if event.to is not None:
            whispers.append(Whisper(before + len(public), event.to, told))
            continue
        told["n"] = n
        public.append(told)
        if event.moment:
            moments.append(Memorable(n, event.name, event.by, event.cause, dict(event.data)))
    return public, tuple(moments), tuple(whispers)
