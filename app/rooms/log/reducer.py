"""The reducer: applies one log event to a room and returns the next room and the game events for clients.

It makes no decisions and validates only actions, which the game may refuse. `pending_events.py` uses it too, so
each action is validated once. Values that follow from an event, such as deadlines, are computed here and not stored
in the event.
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
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.match.hand import Deal, standing_to_json
from app.engine.match.match import Match
from app.rooms.log import deadlines, event_texts, vote_reducer
from app.rooms.model import events as entries
from app.rooms.model import faces, requests
from app.rooms.model.member import FormerHolder, Member, Members
from app.rooms.model.settings import RoomSettings
from app.rooms.model.shuffle_proof import (
    MAX_CANCELLED,
    CancelledDeal,
    CancelReason,
    ClosedList,
    DealRandomness,
    known_cards_proof,
)
from app.rooms.model.state import (
    NO_CHANCE,
    NO_LOG,
    HandInShort,
    HandLog,
    KnownDeals,
    MatchRun,
    Origin,
    PrivateEvent,
    Room,
    to_milliseconds,
)
from app.rooms.money.session import session_after_correction, session_after_hand
from app.rooms.ports.facts import HighlightFact
from app.rooms.ports.storage import StoredEvent

MAX_ANSWERS_PER_PERSON = 64
"""Maximum number of command ids remembered per person. The newer half always remains."""
MAX_PERSONS_WITH_ANSWERS = 200
"""Persons whose command ids are remembered."""
HANDS_SHOWN = 12
"""Finished hands listed in an update."""
MISSED_TURNS = 2
"""After this number of missed turns in a row a bot plays the seat."""

ReducerResult = tuple[Room, tuple[GameEvent, ...]]

_LENT = attrgetter("lent")


def apply_event(
    room: Room, entry: entries.LogEvent, at: int, cmd: tuple[str, str] | None = None, *, stored: bool = False
) -> ReducerResult:
    """Apply one log event to a room; return the next room and the game events to show to clients.

    `at`: when the event happened, in milliseconds since 1970. `cmd`: the command (person, id) that it answers.
    `stored`: the event comes from a log, perhaps of an older version. Raises `RuleError` if the game refuses an action.
    """
    after, events = _reduce(room, entry, at, stored=stored)
    return _with_seq_and_clocks(room, after, entry, at, cmd), events


def apply_stored_event(room: Room, stored: StoredEvent) -> ReducerResult:
    """Apply the next entry of a stored log to a room; return the next room and its game events.

    If today's rules refuse an action in an old log, the hand ends without a result. Fails an assertion if an entry is
    skipped.
    """
    room, _, events = apply_and_decode_event(room, stored)
    return room, events


def apply_and_decode_event(
    room: Room, stored: StoredEvent
) -> tuple[Room, entries.LogEvent | None, tuple[GameEvent, ...]]:
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
            at_rest = _variation_before_hand(
                room, cast("entries.VariationStarted", entries.decode(stored.kind, stored.data))
            )
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
        run=vote_reducer.without_undo_and_hurry(run).replace(match=rested, hand=NO_LOG, ended=at),
        chance=NO_CHANCE,
        **_revealed_deal(room, run),
        turn=room.turn + 1,
    )


def _with_seq_and_clocks(
    room: Room, after: Room, entry: entries.LogEvent | None, at: int, cmd: tuple[str, str] | None
) -> Room:
    """Return the room `after` an event with the parts that every event changes, computed from the room before.

    These are the entry number, the remembered answers to commands, faces of new members, and deadlines.
    """
    answers = room.answers
    if cmd is not None:
        person, command = cmd
        kept = {**answers.get(person, {}), command: room.seq + 1}
        if len(kept) > MAX_ANSWERS_PER_PERSON:
            kept = dict(islice(kept.items(), MAX_ANSWERS_PER_PERSON // 2, None))
        answers = {who: each for who, each in answers.items() if who != person} | {person: kept}
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


def _reduce(room: Room, entry: entries.LogEvent, at: int, *, stored: bool) -> ReducerResult:
    match entry:
        case entries.ActionTaken():
            run = _current_run(room)
            return (
                _apply_action(room, run, entry, at, stored=stored)
                if run.match.is_hand_running
                else _apply_action_between_hands(room, run, entry)
            )
        case entries.HandDealt():
            return _apply_deal(room, _current_run(room), entry, at)
        case entries.MatchStopped():
            return _apply_match_stopped(room, _current_run(room))
        case entries.MemberConnected(name, node):
            member = room.members[name].connected_at(node)
            mine = member if member.going is not None else member.without_stand_in()
            return room.with_member(replace(mine.without_link(), missed=0)), (event_texts.RECONNECTED(name),)
        case entries.NodeConnected(name, node):
            return room.with_member(room.members[name].connected_at(node)), ()
        case entries.NodeDisconnected(name, node):
            member = room.members[name].disconnected_from(node, at)
            return room.with_member(member), () if member.is_connected else (event_texts.CONNECTION_LOST(name),)
        case entries.BotTookOver():
            return _apply_bot_took_over(room, entry)
        case entries.SeatLinkCreated(name, digest, until, maker, device):
            linked = replace(room.members[name], link=digest, link_until=until, link_maker=maker, link_device=device)
            return room.with_member(linked), (event_texts.SEAT_LINK_MADE(name, host=room.host),)
        case entries.SeatLinkAllowed(name):
            return room.with_member(replace(room.members[name], link_shut=False)), (
                event_texts.SEAT_LINK_ALLOWED(name),
            )
        case entries.SeatTransferred():
            return _apply_seat_transferred(room, entry, at)
        case entries.SeatRequested(name, person):
            asked = replace(_player(room, name), requested_by=person, requested_at=at)
            return _with_player(room, asked), (event_texts.SEAT_REQUESTED(name),)
        case entries.SeatRefused(name):
            return _with_player(room, _player(room, name).without_request()), (event_texts.SEAT_REFUSED(name),)
        case entries.SeatHoldersSeparated(name):
            return room.with_member(replace(room.members[name], joined=False)), (event_texts.COUNTED_SEPARATELY(name),)
        case entries.SeatReclaimed():
            return _apply_seat_reclaimed(room, entry)
        case entries.PersonJoined():
            return _apply_joined(room, entry, at)
        case entries.AvatarChanged(name, bird, colour, called):
            before = room.members[name]
            tells = called not in (None, before.called) and name in room.names
            looks = replace(before, bird=bird, colour=colour, called=called)
            return room.with_member(looks), (
                event_texts.CHOSEN_NAME_CHANGED(name, before=name, now=called),
            ) if tells else ()
        case entries.BotAdded(name, bot, role):
            return room.with_member(Member(name, None, role, bot)), (event_texts.BOT_ADDED(name, bot=bot),)
        case entries.BotKindChanged(name, bot):
            return room.with_member(replace(room.members[name], bot=bot)), (
                event_texts.BOT_LEVEL_CHANGED(name, bot=bot),
            )
        case entries.RoleChanged(name, role):
            member = replace(room.members[name], role=role, ready=False, chair=None, unseated=False)
            return room.with_member(member), (event_texts.ROLES[role](name),)
        case entries.BotSeatClaimed(name, bot):
            return room.with_member(replace(room.members[name], chair=bot)), (event_texts.BOT_SEAT_TAKEN(name, of=bot),)
        case entries.ReadyChanged(name, ready):
            member = replace(room.members[name], ready=ready)
            return room.with_member(member), ((event_texts.READY if ready else event_texts.NOT_READY)(name),)
        case entries.LeavingChanged(name, going):
            return _apply_leaving_changed(room, entry), (
                (event_texts.LEAVE_CANCELLED if going is None else event_texts.LEAVE_PLANNED)(name),
            )
        case entries.MemberLeft(name):
            return _remove_member(_without_links_made_by(room, name), name), (event_texts.LEFT_ROOM(name),)
        case entries.PersonDeleted(person):
            return _delete_person(room, person)
        case entries.NamesRewritten():
            return room, ()
        case entries.MemberRemoved(name, ban):
            room = _without_links_made_by(room, name)
            return _ban_member(room, name) if ban else _unseat_member(room, name)
        case entries.HostChanged(name, passed_on):
            if room.host is not None and not passed_on:
                room = _without_links_made_by(room, room.host)
            away = room.host if passed_on else None
            return room.replace(host=name, host_before=away), () if name is None else (
                event_texts.HOST_CHANGED(name, passed_on=passed_on),
            )
        case entries.SecretCommitted(secret):
            return room.replace(chance=DealRandomness(bytes.fromhex(secret))), ()
        case entries.SeedHashReceived(person, promised):
            hashes = {**room.chance.hashes, person: promised}
            giver = room.find_member(person)
            told = () if giver is None else (event_texts.SEED_PROMISED(giver.name),)
            return room.replace(chance=room.chance.replace(hashes=hashes)), told
        case entries.SeedListClosed(commitment, cut, hashes, givers, order, until):
            closed = ClosedList(commitment, cut, hashes, givers, msgspec.convert(order, DealOrder), until)
            return room.replace(chance=room.chance.replace(closed=closed, seeds={})), (
                event_texts.SEED_LIST_CLOSED(None),
            )
        case entries.SeedReceived(name, value):
            seeds = {**room.chance.seeds, name: value}
            return room.replace(chance=room.chance.replace(seeds=seeds)), (event_texts.SEED_RECEIVED(name),)
        case entries.DealCancelled(deal):
            return _apply_deal_cancelled(room, deal)
        case entries.SettingsChanged(changes):
            return _apply_settings(room, room.settings.with_stored_changes(changes))
        case entries.AllSettingsChanged(settings):
            return _apply_settings(room, RoomSettings.parse(settings, already_accepted=True))
        case entries.RoomCreated(code, invite, settings, room_id):
            return room.replace(
                id=room_id or code,
                code=code,
                invite=invite,
                settings=RoomSettings.parse(settings, already_accepted=True),
            ), ()
        case entries.RoomAddressChanged(code, invite):
            return room.replace(code=code, invite=invite), (event_texts.CODE_CHANGED(room.host),)
        case entries.MatchCreated():
            return _apply_match_created(room, entry)
        case entries.VolumeStarted():
            return _apply_volume_started(room, entry)
        case entries.VariationStarted():
            return _apply_variation_started(room, entry, at)
        case entries.VariationSeatTaken():
            return _apply_variation_seat_taken(room, entry)
        case entries.KnownDealsSet(match, people, hands):
            deals = msgspec.convert({"match": match, "people": people, "hands": hands}, KnownDeals)
            return room.replace(deals=deals), ()
        case entries.ReturnedToLobby():
            return _return_to_lobby(room)
        case entries.ConnectionsReset(nodes):
            still = {name: member.connected_only_at(nodes, at) for name, member in room.members.items()}
            return room.replace(members=still), ()
        case entries.AutomaticDealFailed():
            return room, ()
        case entries.Rewound(moves, known):
            return _apply_rewound(room, moves, known)
        case entries.ServerStoodStill(ms):
            return _apply_standstill(room, ms), ()
        case (
            entries.BotsHurried()
            | entries.VoteStarted()
            | entries.VoteApproved()
            | entries.VoteEnded()
            | entries.PauseStarted()
            | entries.PauseEnded()
            | entries.ActionUndone()
        ):
            # Skip these without a match, or without an action to undo, if today's rules have ended the hand before.
            return (room, ()) if room.run is None else vote_reducer.apply_vote_event(room, room.run, entry, at)


def _apply_standstill(room: Room, ms: int) -> Room:
    """Return the room after its server stood still for `ms` milliseconds: stored times of votes and deals are later.

    `deadlines.py` does the same with the clocks.
    """
    run = room.run
    if run is None:
        return room
    motion, ended = run.motion, run.ended
    if motion is not None and motion.until is not None:
        motion = replace(motion, until=motion.until + ms)
    return room.replace(run=run.replace(motion=motion, ended=None if ended is None else ended + ms))


def _apply_deal_cancelled(room: Room, deal: CancelledDeal) -> ReducerResult:
    """Return the room with this cancelled deal, and without its secret and seeds, which must not be used again."""
    reason: CancelReason = deal["reason"]
    said: dict[str, Any] = {"reason": reason, reason: True, "commitment": deal["commitment"]}
    chance = NO_CHANCE if deal["commitment"] == room.chance.commitment else room.chance
    cancelled = (*room.cancelled, deal)[-MAX_CANCELLED:]
    return room.replace(chance=chance, cancelled=cancelled), (event_texts.DEAL_CANCELLED(deal["by"], **said),)


def _apply_rewound(room: Room, moves: int, known: int) -> ReducerResult:
    """Return the room after the database lost its last entries, among them `moves` deals and actions.

    Drops what refers to lost events: votes on undo, the undo point and hurried bots. The number of losses never goes
    back, because pages ignore updates with a lower one: at least `known` were counted before.
    """
    run = room.run
    if run is not None:
        room = room.replace(run=vote_reducer.without_undo_and_hurry(run))
    room = room.replace(rewinds=max(room.rewinds, known) + 1, turn=room.turn + moves + 1)
    return room, (event_texts.REWOUND(None, count=moves),) if moves else ()


# People -------------------------------------------------------------------------------------------------------


def _apply_joined(room: Room, entry: entries.PersonJoined, at: int) -> ReducerResult:
    before = room.find_member(entry.person)
    if before is None:
        nodes = (entry.node,) if entry.present else ()
        came = Member(
            entry.name,
            entry.person,
            entry.role,
            nodes=nodes,
            program=entry.program,
            away_since=at,
            bird=entry.bird,
            colour=entry.colour,
        )
        said: dict[str, Any] = {"program": True} if entry.program else {}
        return _without_departed(room.with_member(came), entry.name), (
            event_texts.ENTERED(entry.name, role=entry.role, **said),
        )
    # The same person, perhaps under another name, in the same position.
    called = None if entry.name != before.name else before.called
    unseated = before.unseated and entry.role == "spectator"
    changed = replace(before, name=entry.name, role=entry.role, program=entry.program, called=called, unseated=unseated)
    members = {
        changed.name if name == before.name else name: changed if name == before.name else member
        for name, member in room.members.items()
    }
    host = entry.name if room.host == before.name else room.host
    seeds = {entry.name if name == before.name else name: seed for name, seed in room.chance.seeds.items()}
    evening = None if room.evening is None else room.evening.with_account_name(entry.person, entry.name)
    renamed = room.replace(members=members, host=host, chance=room.chance.replace(seeds=seeds), evening=evening)
    return _without_departed(renamed, entry.name), () if entry.name == before.name else (
        event_texts.RENAMED(entry.name, before=before.name),
    )


def _apply_leaving_changed(room: Room, entry: entries.LeavingChanged) -> Room:
    if entry.going == "gone":
        room = _without_links_made_by(room, entry.name)
    member = room.members[entry.name]
    stand_in = None if entry.going is None or member.bot else room.settings.stand_in
    return room.with_member(replace(member, going=entry.going, stand_in=stand_in, lent=None, missed=0))


def _apply_bot_took_over(room: Room, entry: entries.BotTookOver) -> ReducerResult:
    name, bot, lent = entry.name, entry.bot, entry.lent
    helped = room.with_member(replace(room.members[name], stand_in=bot, lent=lent))
    if lent is None:
        return helped, (event_texts.BOT_TOOK_OVER(name, bot=bot),)
    return helped, (event_texts.BOT_PLAYS[lent](name, bot=bot, asked_by=entry.by),)


def _apply_seat_transferred(room: Room, entry: entries.SeatTransferred, at: int) -> ReducerResult:
    before = _player(room, entry.name)
    room = _without_departed(room.with_member(before), entry.name)
    former = before.former_holders
    if before.person is not None:
        former = (*former, FormerHolder(before.person, entry.by, at))
    said: dict[str, Any] = {} if entry.by is None else {"host": entry.by}
    moved = replace(before.without_request(), former_holders=former, nodes=(), away_since=at, joined=bool(former))
    return _assign_seat(room, moved, entry.person), (event_texts.SEAT_MOVED(entry.name, **said),)


def _apply_seat_reclaimed(room: Room, entry: entries.SeatReclaimed) -> ReducerResult:
    """Return the seat to the person who had it before the host gave it to another browser.

    Persons who had the seat later lose their claim to it. Links to this seat stop working.
    """
    member = room.members[entry.name]
    former = [holder.person for holder in member.former_holders]
    kept = member.former_holders[: former.index(entry.person)]
    member = replace(member, former_holders=kept, nodes=(entry.node,), link_shut=True, joined=False)
    if not member.unseated:
        member = replace(member.without_stand_in(), going=None)
    return _assign_seat(room, member, entry.person), (event_texts.SEAT_TAKEN_BACK(entry.name),)


def _player(room: Room, name: str) -> Member:
    found = room.find_player(name)
    assert found is not None, "the handler has found this player"
    return found


def _with_player(room: Room, changed: Member) -> Room:
    """Copy with this member replaced, or the player who left the room during the match."""
    run = room.run
    if changed.name in room.members or run is None:
        return room.with_member(changed)
    departed = tuple(changed if left.name == changed.name else left for left in run.departed)
    return room.replace(run=run.replace(departed=departed))


def _without_departed(room: Room, name: str) -> Room:
    """Copy without the player of this name who left the match, because a member has the name now."""
    run = room.run
    if run is None or not run.departed:
        return room
    return room.replace(run=run.replace(departed=tuple(left for left in run.departed if left.name != name)))


def _assign_seat(room: Room, member: Member, person: str) -> Room:
    """Copy the room with this member's seat, face and money account assigned to this person.

    Links to the seat, and links that the former holder made as host, stop working.
    """
    before = room.members[member.name].person
    room = _without_links_made_by(room.replace(faces=faces.with_face_under_key(room, member.name, person)), member.name)
    room = room.with_member(replace(member.without_link(), person=person, program=False))
    if room.evening is not None:
        room = room.replace(evening=room.evening.with_account_moved(before, person, member.name))
    run = room.run
    if run is not None and member.name in run.names:
        room = room.replace(run=run.replace(names={**run.names, member.name: person}))
    return room


def _without_links_made_by(room: Room, maker: str) -> Room:
    """Copy the room without the seat links that this member created as host.

    Called when the member leaves or is no longer host.
    """
    person = room.members[maker].person
    linked = [each for each in room.members.values() if each.link is not None and each.link_maker == person]
    if not linked:
        return room
    return room.replace(members={**room.members, **{each.name: each.without_link() for each in linked}})


def _apply_settings(room: Room, settings: RoomSettings) -> ReducerResult:
    members = {
        name: member if member.stand_in is None else replace(member, stand_in=settings.stand_in)
        for name, member in room.members.items()
    }
    return room.replace(settings=settings, members=members), (settings.build_change_event(room.settings, room.host),)


def _ban_member(room: Room, name: str) -> ReducerResult:
    member, happened = room.members[name], (event_texts.REMOVED(name),)
    assert member.person is not None
    room = room.replace(banned=room.banned | {member.person})
    if not room.has_match_seat(name):
        return _without_departed(_remove_member(room, name), name), happened
    return room.with_member(_hand_seat_to_bot(member, room.settings.stand_in)), happened


def _delete_person(room: Room, person: str) -> ReducerResult:
    answers = {who: kept for who, kept in room.answers.items() if who != person}
    hashes = {who: promised for who, promised in room.chance.hashes.items() if who != person}
    room = room.replace(answers=answers, banned=room.banned - {person}, chance=room.chance.replace(hashes=hashes))
    room = room.replace(members=_members_without_claims(room.members, person), faces=faces.without_person(room, person))
    if room.run is not None:
        left = {left.name: left for left in room.run.departed if left.person != person}
        departed = tuple(_members_without_claims(left, person).values())
        room = room.replace(run=room.run.replace(departed=departed))
    member = room.find_member(person)
    if member is None:
        return room, ()
    room = _without_links_made_by(room, member.name)
    name, happened = member.name, (event_texts.LEFT_ROOM(member.name),)
    if not room.has_match_seat(name):
        return _without_departed(_remove_member(room, name), name), happened
    return room.with_member(
        _hand_seat_to_bot(replace(member, bird=None, colour=None, called=None), room.settings.stand_in)
    ), happened


def _hand_seat_to_bot(member: Member, bot: StandIn) -> Member:
    """Copy a member without their person: a bot of this kind plays the seat until the rules release it.

    Used when a person is banned or deleted during a match.
    """
    member = replace(member, person=None, nodes=(), stand_in=bot, lent=None, missed=0, going="gone")
    return member.without_link()


def _members_without_claims(members: Members, person: str) -> Members:
    """Copy these members without a deleted person's claims to seats they had before, and without their seat request."""
    return {
        name: replace(
            member.without_request() if member.requested_by == person else member,
            former_holders=tuple(former for former in member.former_holders if former.person != person),
        )
        if member.former_holders or member.requested_by == person
        else member
        for name, member in members.items()
    }


def _unseat_member(room: Room, name: str) -> ReducerResult:
    member, happened = room.members[name], (event_texts.UNSEATED(name),)
    if not room.has_match_seat(name):
        left = replace(member.without_link(), role="spectator", ready=False, unseated=True)
        return room.with_member(left), happened
    left = replace(member.without_link(), stand_in=room.settings.stand_in, lent=None, missed=0, going="spectator")
    return room.with_member(replace(left, unseated=True)), happened


def _remove_member(room: Room, name: str) -> Room:
    """Copy the room without this member, who left, was banned or was deleted.

    They may return to this match under their name, and so may earlier holders of the seat.
    """
    member = room.members[name]
    members = {each: other for each, other in room.members.items() if each != name}
    return room.replace(members=members, run=None if room.run is None else _with_departed(room.run, member))


def _with_departed(run: MatchRun, member: Member) -> MatchRun:
    """Copy the match so that people who have or had this member's seat may return under its name.

    A player whom the host removed can't ask for that from another browser.
    """
    if member.name not in run.names:
        return run
    former = tuple(holder.person for holder in member.former_holders)
    if former:
        run = run.replace(former={**run.former, member.name: former})
    if member.person is None or member.unseated:
        return run
    left = Member(
        member.name,
        member.person,
        "waiting",
        link_shut=member.link_shut,
        former_holders=member.former_holders,
        requested_by=member.requested_by,
        requested_at=member.requested_at,
    )
    return run.replace(departed=(*run.departed, left))


# The match ----------------------------------------------------------------------------------------------------


def _apply_match_created(room: Room, entry: entries.MatchCreated) -> ReducerResult:
    ranks = tuple(entry.ranks)
    match = Match.start(room.settings.game, room.settings.options, tuple(entry.seats), ranks)
    names = {name: room.members[name].person for name in entry.seats}
    origin = None if room.deals is None else Origin(room.deals.match, "deals")
    return room.replace(run=MatchRun(match, entry.match_id, names, ranks, origin=origin)), (
        event_texts.MATCH_STARTED(),
    )


def _apply_variation_started(room: Room, entry: entries.VariationStarted, at: int) -> ReducerResult:
    """Start a variation: set up its match, then apply the original hand's deal and actions up to its position."""
    room = _variation_before_hand(room, entry)
    steps: list[entries.HandDealt | entries.ActionTaken] = [
        entries.HandDealt(Deal.from_json(entry.deal), known_cards_proof("variation"))
    ]
    steps += [entries.ActionTaken(made["by"], parse_action(made)) for made in entry.actions]
    for step in steps:
        room, _ = _reduce(room, step, at, stored=True)
    return room, (event_texts.VARIATION_STARTED(room.host),)


def _variation_before_hand(room: Room, entry: entries.VariationStarted) -> Room:
    """Return the room with a variation's match before its first hand is dealt, and with its free seats as members."""
    origin = msgspec.convert(entry.origin, Origin)
    assert origin.before is not None
    match = Match.from_json(origin.before, GAMES).replace(entered=())
    waiting = {name: Member(name, None, "seated") for name in entry.open}
    members = {**room.members, **waiting}
    names = {name: members[name].person for name in match.seats}
    return room.replace(members=members, run=MatchRun(match, entry.match_id, names, before=match.dealt, origin=origin))


def _apply_variation_seat_taken(room: Room, entry: entries.VariationSeatTaken) -> ReducerResult:
    """Give a variation's seat to a person at once. They use the seat's name until the match is over.

    If they were in the room under another name, that member is replaced, and stays host if they were.
    """
    before = room.find_member(entry.person)
    came = replace(room.members[entry.name], person=entry.person, bot=None, nodes=(entry.node,))
    came = replace(came.without_stand_in().without_link(), going=None, former_holders=(), link_shut=False)
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
    seated = room.replace(members=members, host=host, run=run.replace(names={**run.names, entry.name: entry.person}))
    return seated, (event_texts.VARIATION_SEAT_TAKEN(entry.name, before=None if before is None else before.name),)


def _apply_volume_started(room: Room, entry: entries.VolumeStarted) -> ReducerResult:
    run = room.run
    assert run is not None, "in the waiting room no match goes on"
    first = run.first or run.match_id
    volume = run.replace(match_id=entry.match_id, first=first, before=run.match.dealt, between=(), moments=())
    return room.replace(run=volume), ()


def _current_run(room: Room) -> MatchRun:
    assert room.run is not None, "cards are dealt and played in a match only"
    return room.run


def _apply_deal(room: Room, run: MatchRun, entry: entries.HandDealt, at: int) -> ReducerResult:
    step = run.match.begin_hand(entry.deal)
    public, moments, whispers = _split_game_events(step.events, 0)
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
    asked = requests.request_all_awaited(step.match, room.turn + 1)
    run = run.replace(match=step.match, hand=log, between=(), moments=(), hurried=False, undo=None, requests=asked)
    told = tuple(event_texts.SEED_LEFT_OUT(name) for name in room.chance.missing_seed_givers)
    return _room_after_step(room, members, run, at), (*told, *step.events)


def _apply_action(room: Room, run: MatchRun, entry: entries.ActionTaken, at: int, *, stored: bool) -> ReducerResult:
    step = run.match.apply_action(entry.by, entry.action, stored=stored)
    log = run.hand
    actions = (*log.actions, (entry.by, entry.action))
    public, moments, whispers = _split_game_events(step.events, len(actions), len(log.events))
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
    member = _member_after_action(before, entry.auto, room.settings.stand_in)
    if entry.auto == "clock":
        events = (event_texts.TIMED_OUT(entry.by), *events)
        if member.stand_in is not None:
            events = (*events, event_texts.BOT_TOOK_OVER(entry.by, bot=member.stand_in))
    members = room.members if member is before else {**room.members, entry.by: member}
    members = _return_lent_turns(members, run.match, step.match, entry.by)
    undo = vote_reducer.build_undo_point(room, run, entry, step) if entry.auto is None else None
    asked = requests.requests_after_action(run.requests, run.match, step.match, entry.by, entry.action, room.turn + 1)
    run = vote_reducer.without_undo_vote(run).replace(match=step.match, hand=log, undo=undo, requests=asked)
    return _room_after_step(room, members, run, at), events


def _member_after_action(member: Member, auto: entries.ActedFor | None, bot: StandIn) -> Member:
    """Return the member after their action, made by themselves (`auto` None), by a bot, or by the clock.

    The clock counts a missed turn; after two, a bot takes over. If nothing changes, returns the same object.
    """
    if auto == "clock":
        missed = member.missed + 1
        stand_in = bot if missed >= MISSED_TURNS else member.stand_in
        return replace(member, missed=missed, stand_in=stand_in, acted_for=True)
    missed = 0 if auto is None else member.missed
    acted_for = auto is not None
    if missed == member.missed and acted_for == member.acted_for:
        return member
    return replace(member, missed=missed, acted_for=acted_for)


def _return_lent_turns(members: Members, before: Match, match: Match, by: str) -> Members:
    """Return the members after an action by `by`; bots that were asked to play one turn only stop when it is over.

    In tricks a turn is one action; otherwise it ends with the phase, or when the player is not awaited any more.
    """
    if "turn" not in map(_LENT, members.values()):
        return members
    returned = [
        name
        for name, member in members.items()
        if member.lent == "turn"
        and (
            not match.is_hand_running
            or match.phase != before.phase
            or name not in match.to_act
            or (name == by and match.phase == "play")
        )
    ]
    return {**members, **{name: members[name].without_stand_in() for name in returned}}


def _room_after_step(room: Room, members: Members, run: MatchRun, at: int) -> Room:
    """Return the room after a deal or an action of the game. If it ended the hand, also does what follows.

    Then the points are added to the session, the proof is revealed and, at the end of the match, leaving members go.
    """
    match, turn = run.match, room.turn + 1
    if match.is_hand_running:
        return room.replace(members=members, turn=turn, run=run)
    run = vote_reducer.without_undo_and_hurry(run)
    log = structs.replace(run.hand, whispers=())
    run = run.replace(hand=log, hands=(*run.hands, _last_hand_summary(match))[-HANDS_SHOWN:], ended=at)
    evening = room.evening
    if run.origin is None:
        evening = session_after_hand(room.evening, match, run.first or run.match_id, run.names, at)
    room = room.replace(
        members=members, turn=turn, run=run, evening=evening, **_revealed_deal(room, run)
    ).with_hierarchy_of(run)
    return _remove_departing_members(room, run, room.members) if match.over else room


def _apply_action_between_hands(room: Room, run: MatchRun, entry: entries.ActionTaken) -> ReducerResult:
    name, action = entry.by, entry.action
    step = run.match.apply_between_hands(name, action)
    before, match = run.match, step.match
    _, moments, _ = _split_game_events(step.events, None)
    run = run.replace(match=match, between=(*run.between, (name, action)), moments=run.moments + moments)
    room = room.replace(turn=room.turn + 1)
    if isinstance(action, Cut):
        room = room.replace(chance=room.chance.replace(cut=action.at))
    if isinstance(action, JoinMatch):
        newcomer = replace(room.members[name], role="seated", going=None, chair=None)
        room = room.with_member(newcomer)
        run = run.replace(names={**run.names, name: newcomer.person})
    if match.last is not before.last and run.hands:
        # The action has changed the result of the last hand.
        run = run.replace(hands=(*run.hands[:-1], _last_hand_summary(match)))
        if run.origin is None:
            room = room.replace(evening=session_after_correction(room.evening, before, match, run.names))
    return _remove_departing_members(
        room.with_hierarchy_of(run), run, (gone for gone in before.seats if gone not in match.seats)
    ), step.events


def _last_hand_summary(match: Match) -> HandInShort:
    """Return the number, places and points of the match's last hand, as shown in the list of hands."""
    assert match.last is not None
    return {
        "number": match.dealt,
        "standing": standing_to_json(match.last.standing),
        "ledger": dict(match.last.ledger),
    }


def _revealed_deal(room: Room, run: MatchRun) -> dict[str, Any]:
    """Return the room's fields that reveal a finished hand: the proof of its shuffle and the cards as dealt.

    The proof also reveals the deals that were cancelled before.
    """
    cancelled = room.cancelled_outside(run.hand)
    if run.hand.dealt is None:
        return {"proven": None, "dealt": None, "cancelled": cancelled}
    cards = run.hand.dealt.deal.to_json()
    shown = {"cards": cards["cards"], "stock": cards["stock"]}
    return {"proven": run.hand.dealt.fair, "dealt": shown, "cancelled": cancelled}


def _remove_departing_members(room: Room, run: MatchRun, names: Iterable[str]) -> Room:
    """Copy the room after these names lost their seats in the match: those who are leaving, and all bots, are removed.

    Others become spectators. At the end of the match, members who are not leaving stay as they are.
    """
    members = dict(room.members)
    over = run.match.over or run.stopped
    for name in tuple(names):
        member = members.get(name)
        if member is None or (over and member.going is None):
            continue
        if member.going == "gone" or member.bot is not None:
            run = _with_departed(run, member)
            del members[name]
        else:
            members[name] = replace(member.without_stand_in(), role="spectator", going=None)
    return room.replace(members=members, run=run)


def _apply_match_stopped(room: Room, run: MatchRun) -> ReducerResult:
    # An unfinished hand does not count, but its secret is revealed all the same.
    shown = room.replace(**_revealed_deal(room, run)) if run.match.is_hand_running else room
    stopped = vote_reducer.without_undo_and_hurry(run).replace(
        match=run.match.replace(hand=None), rest=None, stopped=True
    )
    return _remove_departing_members(shown, stopped, room.members), (event_texts.MATCH_STOPPED(room.host),)


def _return_to_lobby(room: Room) -> ReducerResult:
    members = {
        name: replace(member.without_stand_in(), ready=False, chair=None) if member.person is not None else member
        for name, member in room.members.items()
        if member.person is not None or member.bot is not None
    }
    # The record of the match has the cancelled deals that no hand followed.
    lobby = room.replace(members=members, run=None, deals=None, cancelled=())
    return lobby, (event_texts.RETURNED_TO_LOBBY(room.host),)


def _split_game_events(
    events: Iterable[GameEvent], n: int | None, before: int = 0
) -> tuple[list[dict[str, Any]], tuple[HighlightFact, ...], tuple[PrivateEvent, ...]]:
    """Split the game events of an action into public ones as JSON, highlights for the history, and private ones.

    `n`: the number of the action in the hand, None between hands. `before`: the number of public events so far.
    """
    public: list[dict[str, Any]] = []
    moments: list[HighlightFact] = []
    whispers: list[PrivateEvent] = []
    for event in events:
        told = event.to_json()
        if event.to is not None:
            whispers.append(PrivateEvent(before + len(public), event.to, told))
            continue
        told["n"] = n
        public.append(told)
        if event.highlighted:
            moments.append(HighlightFact(n, event.name, event.by, event.cause, dict(event.data)))
    return public, tuple(moments), tuple(whispers)
