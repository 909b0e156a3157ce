"""Dispatch a command to its handler and return a decision: new log events, facts to store, and the reply.

The handlers are in the other modules of this package and in `stand_ins.py` and `next_deal.py`. A refused command
changes nothing.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import UNSET

from app import bots
from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate
from app.rooms import events
from app.rooms.bots import delay
from app.rooms.errors import RoomError
from app.rooms.handlers import dealing, match, membership, too_late, votes
from app.rooms.log.pending_events import NO_GUESTS, PendingEvents
from app.rooms.model import commands as ask
from app.rooms.model.decision import CommandReply, Decision
from app.rooms.model.member import Member
from app.rooms.model.settings import RoomSettings
from app.rooms.model.state import KnownDeals, RandomBytes, Room
from app.rooms.people import names
from app.rooms.ports.addresses import Address
from app.rooms.recorded import variations
from app.rooms.seats import next_deal, seat_offers, stand_ins

AUTOMATIC_COMMANDS = frozenset((ask.SeedHash, ask.Seed, ask.Introduce, ask.BeForgotten))
"""Commands that pages send automatically, so they don't count as a sign of the person's presence."""
ALLOWED_WHILE_DEALING = frozenset((ask.Seed, ask.BeForgotten, ask.Stop))
"""The commands that a room accepts between closing the list of a deal and dealing."""
PUBLIC_COMMANDS = frozenset((ask.Join, ask.BeForgotten, ask.TakeSeat, ask.TakeSeatBack, ask.AskForSeat))
"""Commands that visitors without a name in this room may send."""


def handle_command(
    room: Room,
    command: ask.Command,
    now: datetime,
    random_bytes: RandomBytes,
    node: str = "",
    available_bots: Collection[str] = bots.BOTS,
    guests: Mapping[int, str] = NO_GUESTS,
) -> Decision:
    """Decide what a command changes in a room; return log events, history facts and the reply as a `Decision`.

    Pure: the room changes only after the caller has stored the events. `node`: the server process where the command
    arrived. `available_bots`: the kinds of bots there. `guests`: the persons without a name who watch, by their
    numbers.
    """
    draft = PendingEvents.begin(room, now, random_bytes, node, available_bots, guests)
    match command:
        case ask.ClientCommand():
            return _handle_client_command(draft, command)
        case ask.PersonConnected(by):
            membership.record_connection(draft, by)
        case ask.PersonDisconnected(by):
            member = room.find_member(by)
            if member is not None and node in member.nodes:
                draft.add(events.NodeDisconnected(member.name, node))
        case ask.TimerFired(until=until):
            draft = _apply_due_deadlines(draft, min(until, draft.now_ms))
        case ask.BotAct():
            match.apply_bot_action(draft, command)
        case ask.RoomLoaded(living):
            others = living - {node}
            # A deal that waits for seeds starts its wait again, also if all connections were closed in good order.
            if not room.connected_nodes <= others or (room.is_waiting_for_seeds and not room.connected_nodes):
                draft.add(events.ConnectionsReset(tuple(sorted(room.connected_nodes & others))))
        case ask.Rewind():
            if draft.room.rewinds == command.rewinds:
                _record_lost_events(draft, command)
        case ask.StandstillNoticed(ms, seq):
            if room.seq == seq and room.clocks.are_running:
                draft.add(events.ServerStoodStill(ms))
        case ask.LiveNodesChanged(nodes):
            membership.record_lost_nodes(draft, room.connected_nodes - nodes)
    _apply_automatic_changes(draft)
    return draft.build_decision(CommandReply(True, draft.room.seq))


def build_new_room(
    room: str,
    address: Address,
    host: ask.Visitor,
    settings: RoomSettings,
    bot_kinds: Sequence[str],
    now: datetime,
    random_bytes: RandomBytes,
    deals: KnownDeals | None = None,
    *,
    start_match: bool = False,
    available_bots: Collection[str] = bots.BOTS,
) -> Decision:
    """Return the first events of a new room with id `room`: address, host, bots and a secret for shuffling.

    One bot for each of `bot_kinds`. `deals`: known cards of another match for the first match. With `start_match`,
    that match begins at once. `available_bots`: the kinds that can be chosen.
    """
    draft = PendingEvents.begin(Room(settings=settings), now, random_bytes, available_bots=available_bots)
    draft.add(events.RoomCreated(address.code, address.invite, settings.to_json(), room))
    name = names.clean_name(host.name)
    draft.add(events.PersonJoined(host.id, name, "seated", present=False, bird=host.bird, colour=host.colour))
    draft.add(events.HostChanged(name))
    for kind in bot_kinds:
        membership.add_bot(draft, kind, None)
    draft.add_new_secret()
    if deals is not None:
        variations.add_known_deals(draft, deals)
    if start_match:
        dealing.start_match(draft)
    return draft.build_decision(CommandReply(True, draft.room.seq))


def _handle_client_command(draft: PendingEvents, command: ask.ClientCommand) -> Decision:
    room = draft.room
    answered = room.answers.get(command.by)
    known = None if answered is None else answered.get(command.id)
    if known is not None:
        return Decision(CommandReply(True, known), None, room)
    member = room.find_member(command.by)
    if member is not None:
        try:
            too_late.refuse_stale_command(room, command, member)
        except RoomError as error:
            return Decision(CommandReply(False, None, error.code, error.sentence), None, room)
    if room.is_waiting_for_seeds and type(command) not in ALLOWED_WHILE_DEALING:
        return Decision(CommandReply(False, None, "not_now", IS_DEALING()), None, room)
    touching = None if type(command) in AUTOMATIC_COMMANDS else member
    if touching is not None and touching.stand_in is not None and touching.going is None:
        draft.add(events.MemberConnected(touching.name, draft.node))
    trial = draft.fork((command.by, command.id))
    try:
        _apply_member_command(trial, command, member)
        seq = trial.finish_answer()
        _apply_automatic_changes(trial)
    except RuleError as error:
        name = None if error.rule is None else room.settings.game.option_schema.names_by_id[error.rule]
        return draft.build_decision(CommandReply(False, None, error.code, error.sentence, error.rule, name))
    except RoomError as error:
        return draft.build_decision(CommandReply(False, None, error.code, error.sentence))
    return trial.build_decision(CommandReply(True, seq))


NOT_PASSED_ON = MessageTemplate("room.not_passed_on", "Nobody else has your powers as host.")
COUNTED_APART = MessageTemplate("room.counted_apart", "The stats do not count {name} as two people.")
IS_DEALING = MessageTemplate("room.is_dealing", "The cards are being dealt. Try again in a second.")
ONLY_THE_HOST = MessageTemplate("room.only_the_host", "Only the host {host} can do that.")
READY_IN_THE_WAITING_ROOM = MessageTemplate(
    "room.ready_in_the_waiting_room",
    "Only players in the waiting room can be ready.",
)
JOIN_FIRST = MessageTemplate("room.join_first", "Join with a name first.")


def _apply_member_command(draft: PendingEvents, command: ask.ClientCommand, member: Member | None) -> None:
    if command.allowed_for == "host" and member is not None and draft.room.host != member.name:
        raise RoomError("not_host", ONLY_THE_HOST(host=draft.room.host or ""))
    if type(command) in PUBLIC_COMMANDS:
        _apply_public_command(draft, command, member)
        return
    if member is None:
        raise RoomError("not_a_member", JOIN_FIRST())
    match command:
        case ask.Act(action=action):
            match.apply_action(draft, member, action)
        case ask.DealNext():
            dealing.deal_next_on_request(draft, member)
        case ask.Propose(subject=subject):
            votes.start_vote(draft, member, subject)
        case ask.CastVote(yes=yes):
            votes.cast_vote(draft, member, yes=yes)
        case ask.Resume():
            votes.end_pause(draft, member)
        case ask.FinishHand():
            if (hurried := delay.request_hurry(draft.room, member)) is not None:
                draft.add(hurried)
        case ask.SeedHash():
            dealing.record_seed_hash(draft, member, command)
        case ask.Seed(value=value):
            dealing.record_seed(draft, member, value)
        case ask.Watch():
            membership.become_spectator(draft, member)
        case ask.TakeBotSeat():
            _add_all(draft, next_deal.take_bot_seat(draft.room, member, command, draft.node))
        case ask.OfferSeat():
            _add_all(draft, seat_offers.offer_seat(draft.room, member, command))
        case ask.AnswerSeatOffer():
            draft.add(seat_offers.answer_seat_offer(draft.room, member, command))
        case ask.Introduce():
            membership.update_profile(draft, command, member)
        case ask.Leave():
            membership.leave_room(draft, member)
        case ask.ResumeSeat():
            pass
        case ask.TakeHostBack():
            if draft.room.host_before != member.name:
                raise RoomError("not_now", NOT_PASSED_ON())
            draft.add(events.HostChanged(member.name))
        case ask.AskForLink():
            draft.add(events.SeatLinkAllowed(member.name))
        case ask.LetBotPlay():
            draft.add(stand_ins.start_stand_in(draft.room, member, command, draft.now_ms))
        case ask.Ready(ready=ready):
            if draft.room.phase != "lobby" or member.role == "spectator":
                raise RoomError("not_now", READY_IN_THE_WAITING_ROOM())
            if ready != member.ready:
                draft.add(events.ReadyChanged(member.name, ready))
        case _:
            _apply_host_command(draft, command)


def _add_all(draft: PendingEvents, entries: Iterable[events.LogEvent]) -> None:
    """Add these events, of which the last answers the command."""
    *before, answer = entries
    for entry in before:
        draft.add(entry, answers_command=False)
    draft.add(answer)


def _apply_public_command(draft: PendingEvents, command: ask.ClientCommand, member: Member | None) -> None:
    match command:
        case ask.Join():
            membership.join(draft, command, member)
        case ask.TakeSeat():
            membership.take_linked_seat(draft, command, member)
        case ask.AskForSeat():
            draft.add(membership.request_seat(draft.room, command, member, draft.now_ms))
        case ask.TakeSeatBack():
            membership.reclaim_seat(draft, command, member)
        case ask.BeForgotten(by=by):
            if member is not None and draft.room.is_waiting_for_seeds:
                dealing.cancel_for_deletion(draft, member)
            draft.add(events.PersonDeleted(by), answers_command=False)
        case _:
            raise AssertionError(command)


REMATCH_WHEN_OVER = MessageTemplate("room.rematch_when_over", "You can start a rematch when this match is over.")
HOST_IS_A_PERSON = MessageTemplate("room.host_is_a_person", "The host must be a person who is here.")


def _apply_host_command(draft: PendingEvents, command: ask.ClientCommand) -> None:
    room = draft.room
    match command:
        case ask.Configure():
            _change_settings(draft, command)
        case ask.Lock(locked=locked):
            if locked != room.settings.locked:
                _add_settings(draft, room.settings.replace(locked=locked))
        case ask.AllowChat(allowed=allowed):
            if allowed != room.settings.chat:
                _add_settings(draft, room.settings.replace(chat=allowed))
        case ask.Start():
            dealing.start_match(draft)
        case ask.AddBot(kind=kind, name=name):
            membership.add_bot(draft, kind, name)
        case ask.SetBot(name=name, kind=kind):
            membership.set_bot_kind(draft, name, kind)
        case ask.RemoveBot(name=name):
            membership.find_bot(room, name)
            membership.remove_bot(draft, name)
        case ask.Remove(name=name, ban=ban):
            membership.remove_member(draft, name, ban=ban)
        case ask.RemoveSpectator():
            membership.remove_spectator(draft, command)
        case ask.AnswerSeatRequest():
            membership.answer_seat_request(draft, command)
        case ask.CountSeparately(name=name):
            if not membership.find_member(room, name).joined:
                raise RoomError("not_now", COUNTED_APART(name=name))
            draft.add(events.SeatHoldersSeparated(name))
        case ask.Reseat(name=name):
            membership.restore_seat(draft, name)
        case ask.MakeLink():
            draft.add(stand_ins.create_seat_link(room, command, draft.now_ms))
        case ask.RotateCode():
            membership.change_address(draft)
        case ask.TransferHost(name=name):
            heir = membership.find_member(room, name)
            if heir.person is None or heir.going is not None:
                raise RoomError("no_such_name", HOST_IS_A_PERSON())
            if name != room.host:
                draft.add(events.HostChanged(name))
        case ask.Rematch():
            if room.phase != "finished":
                raise RoomError("not_now", REMATCH_WHEN_OVER())
            draft.add(events.ReturnedToLobby())
        case ask.Stop():
            if not room.in_match:
                raise RoomError("not_now", match.NO_MATCH())
            if room.is_waiting_for_seeds:
                dealing.cancel_deal(draft, "match_ended")
            match.stop_match(draft)
        case _:
            raise AssertionError(command)


RULES_GO_WITH_DEALS = MessageTemplate("room.rules_go_with_deals", "These deals need the rules they were made for.")
RULES_STAY = MessageTemplate("room.rules_stay", "The rules and the stake can’t change during a match.")


def _change_settings(draft: PendingEvents, command: ask.Configure) -> None:
    room = draft.room
    rules = command.game is not None or command.options is not None or command.stake is not UNSET
    if room.in_match and rules:
        raise RoomError("not_now", RULES_STAY())
    if room.deals is not None and (command.game is not None or command.options is not None):
        raise RoomError("not_now", RULES_GO_WITH_DEALS())
    settings = room.settings.with_changes(
        command.game,
        command.options,
        command.clock,
        command.bots_delay,
        command.carry_titles,
        command.stake,
        command.pace,
        command.allow_undo,
        command.seat_offers,
        command.allow_spectators,
        command.stand_in,
    )
    if settings == room.settings:
        return
    _add_settings(draft, settings)
    if settings.match_rules != room.settings.match_rules:
        _reset_ready_flags(draft)


def _add_settings(draft: PendingEvents, settings: RoomSettings) -> None:
    """Add an event that changes the room's settings to these, with the changed settings only."""
    draft.add(events.SettingsChanged(settings.changes_since(draft.room.settings)))


def _reset_ready_flags(draft: PendingEvents) -> None:
    """Add events that mark every ready member as not ready, because the rules of the coming match have changed."""
    for member in tuple(draft.room.members.values()):
        if member.ready:
            draft.add(events.ReadyChanged(member.name, False))


def _apply_due_deadlines(draft: PendingEvents, until: int) -> PendingEvents:
    """Apply every deadline of the room up to `until` (milliseconds since 1970), one at a time; return the draft.

    Examples: a turn that timed out, a bot that takes over, an automatic deal. Called only when a timer fires, so an
    action that arrives before still counts.
    """
    while (first := draft.room.clocks.next_deadline) is not None and first <= until:
        room = draft.room
        clocks = room.clocks
        if room.is_waiting_for_seeds:
            dealing.finish_deal(draft)
            continue
        if clocks.motion is not None and clocks.motion <= until:
            votes.resolve_vote_at_deadline(draft)
            continue
        late = next((name for name, at in clocks.turns.items() if at <= until), None)
        if late is not None:
            match.play_safest_action(draft, late, "clock")
            continue
        absent = next((name for name, at in clocks.away.items() if at <= until), None)
        if absent is not None:
            draft.add(events.BotTookOver(absent, draft.room.settings.stand_in))
            continue
        if clocks.host is not None and clocks.host <= until:
            draft.add(events.HostChanged(membership.choose_next_host(room), passed_on=True))
            continue
        draft = _try_automatic_deal(draft)
    return draft


def _try_automatic_deal(draft: PendingEvents) -> PendingEvents:
    trial = draft.fork()
    try:
        dealing.deal_next_hand(trial)
    except (RuleError, RoomError):
        draft.add(events.AutomaticDealFailed())
        return draft
    return trial


def _record_lost_events(draft: PendingEvents, command: ask.Rewind) -> None:
    """Add an event that the database lost this room's last entries.

    A deal whose list was closed is cancelled, also if only this node remembers it. Between hands, also draw a new
    secret, because players may know the next cards already.
    """
    draft.add(events.Rewound(command.moves, command.known))
    room, lost = draft.room, command.lost
    if room.is_waiting_for_seeds and (lost is None or lost["commitment"] != room.chance.commitment):
        draft.add(events.DealCancelled(room.cancelled_deal("lost_entries")))
    if lost is not None:
        draft.add(events.DealCancelled(lost))
    if draft.room.phase != "playing":
        draft.add_new_secret()


def _apply_automatic_changes(draft: PendingEvents) -> None:
    """Add the events that follow from a command without a request by anybody, before its decision is complete.

    Seats waiting members, stops a match that all people have left, resolves a vote, and chooses a new host if the host
    is gone.
    """
    room, start = draft.room, draft.initial_room
    if room.is_waiting_for_seeds:
        return  # seats must not change until the cards are dealt
    if room is start or _only_cards_were_played(start, room):
        return
    if room.run is None:
        membership.apply_pending_renames(draft)
        membership.seat_waiting_members(draft)
    elif not (room.run.is_over or any(member.is_staying_person for member in room.members.values())):
        match.stop_match(draft)
    votes.resolve_vote(draft)
    if draft.room.is_waiting_for_seeds:
        return
    if not draft.room.chance.secret and draft.room.phase == "between_hands":
        # The previous hand was cancelled (reducer.py), so its secret was used.
        draft.add_new_secret()
    room = draft.room
    host = room.members.get(room.host) if room.host is not None else None
    if host is None or not host.is_staying_person:
        heir = membership.choose_next_host(room)
        if heir != room.host:
            draft.add(events.HostChanged(heir, passed_on=True))


def _only_cards_were_played(start: Room, room: Room) -> bool:
    """Return whether since `start` only cards were played: hand still running, no vote, same members and host.

    Then no automatic change can be due, and the check for them is skipped.
    """
    run = room.run
    if run is None or room.members is not start.members or room.host != start.host:
        return False
    return run.motion is None and run.match.is_hand_running
