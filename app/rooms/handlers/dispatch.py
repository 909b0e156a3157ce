"""What comes of a command: which entries it makes, which facts, what whoever asked is told.

This is where commands are told apart; what they lead to is in `membership.py`, `match.py`, `stand_ins.py` and
`next_deal.py`. A refused command leaves no trace.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from msgspec import UNSET

from app import bots
from app.engine.base.errors import RuleError
from app.engine.base.messages import Sentence
from app.rooms.bots import delay
from app.rooms.errors import RoomError
from app.rooms.handlers import dealing, match, membership, too_late, votes
from app.rooms.log.pending_events import Draft
from app.rooms.model import commands as ask
from app.rooms.model import events
from app.rooms.model.decision import Outcome, Verdict
from app.rooms.model.member import Member
from app.rooms.model.settings import RoomSettings
from app.rooms.model.state import Draw, KnownDeals, Room
from app.rooms.people import names
from app.rooms.ports.addresses import Address
from app.rooms.recorded import variations
from app.rooms.seats import next_deal, stand_ins

BY_THEMSELVES = frozenset((ask.SeedHash, ask.Seed, ask.Introduce, ask.BeForgotten))
"""What pages ask by themselves: that is no sign of anybody."""
WHILE_DEALING = frozenset((ask.Seed, ask.BeForgotten))
"""The commands that a room accepts between closing the list of a deal and dealing."""
FOR_ANYBODY = frozenset((ask.Join, ask.BeForgotten, ask.TakeSeat, ask.TakeSeatBack, ask.AskForSeat))
"""What nobody needs a name here for."""


def decide(
    room: Room,
    command: ask.Command,
    now: datetime,
    draw: Draw,
    node: str = "",
    there_are: Collection[str] = bots.BOTS,
) -> Outcome:
    """Decide what comes of a command, at this node, which has bots of these kinds. Nothing has changed before the
    outcome's record is in the log."""
    draft = Draft.of(room, now, draw, node, there_are)
    match command:
        case ask.Asked():
            return _asked(draft, command)
        case ask.Present(by):
            membership.present(draft, by)
        case ask.Absent(by):
            member = room.member_of(by)
            if member is not None and node in member.nodes:
                draft.add(events.WentAway(member.name, node))
        case ask.TimerFired(until=until):
            draft = _timer(draft, min(until, draft.ms))
        case ask.BotAct():
            match.bot_act(draft, command)
        case ask.Woken(living):
            others = living - {node}
            if not room.nodes <= others:
                draft.add(events.Woke(tuple(sorted(room.nodes & others))))
        case ask.Rewind():
            if draft.room.rewinds == command.rewinds:
                _rewind(draft, command.moves)
        case ask.Living(nodes):
            membership.left_by(draft, room.nodes - nodes)
    _consequences(draft)
    return draft.outcome(Verdict(True, draft.room.seq))


def opening(
    room: str,
    address: Address,
    host: ask.Visitor,
    settings: RoomSettings,
    kinds: Sequence[str],
    now: datetime,
    draw: Draw,
    deals: KnownDeals | None = None,
    *,
    starts: bool = False,
    there_are: Collection[str] = bots.BOTS,
) -> Outcome:
    """Decide the first entries of a new room with this id, with the host and bots of these kinds seated; its first
    match is dealt the `deals` of another one, if they are given. With `starts`, that match begins at once. `there_are`:
    the kinds of bots that can be had."""
    draft = Draft.of(Room(settings=settings), now, draw, bots=there_are)
    draft.add(events.Opened(address.code, address.invite, settings.to_json(), room))
    name = names.clean(host.name)
    draft.add(events.Joined(host.id, name, "seated", present=False))
    if host.bird is not None or host.colour is not None:
        draft.add(events.LooksChanged(name, host.bird, host.colour))
    draft.add(events.HostChanged(name))
    for kind in kinds:
        membership.add_bot(draft, kind, None)
    draft.new_secret()
    if deals is not None:
        variations.give(draft, deals)
    if starts:
        dealing.start(draft)
    return draft.outcome(Verdict(True, draft.room.seq))


def _asked(draft: Draft, command: ask.Asked) -> Outcome:
    room = draft.room
    answered = room.answers.get(command.by)
    known = None if answered is None else answered.get(command.id)
    if known is not None:
        return Outcome(Verdict(True, known), None, room)
    member = room.member_of(command.by)
    if member is not None:
        try:
            too_late.check(room, command, member)
        except RoomError as error:
            return Outcome(Verdict(False, None, error.code, error.sentence), None, room)
    if room.is_dealing and type(command) not in WHILE_DEALING:
        return Outcome(Verdict(False, None, "not_now", IS_DEALING()), None, room)
    touching = None if type(command) in BY_THEMSELVES else member
    if touching is not None and touching.stand_in is not None and touching.going is None:
        draft.add(events.CameBack(touching.name, draft.node))
    trial = draft.fork((command.by, command.id))
    try:
        _obey(trial, command, member)
        seq = trial.settle()
        _consequences(trial)
    except RuleError as error:
        name = None if error.rule is None else room.settings.game.declared.rows[error.rule]
        return draft.outcome(Verdict(False, None, error.code, error.sentence, error.rule, name))
    except RoomError as error:
        return draft.outcome(Verdict(False, None, error.code, error.sentence))
    return trial.outcome(Verdict(True, seq))


NOT_PASSED_ON = Sentence("room.not_passed_on", "Your powers as host were not passed on to anybody.")
COUNTED_APART = Sentence("room.counted_apart", "{name} is counted as one person already.")
IS_DEALING = Sentence("room.is_dealing", "The cards are being dealt. Try again in a second.")
ONLY_THE_HOST = Sentence("room.only_the_host", "Only the host may do that: it is {host}.")
READY_IN_THE_WAITING_ROOM = Sentence(
    "room.ready_in_the_waiting_room",
    "Who sits in the waiting room says whether they are ready.",
)
JOIN_FIRST = Sentence("room.join_first", "Join under a name first.")


def _obey(draft: Draft, command: ask.Asked, member: Member | None) -> None:
    if command.who == "host" and member is not None and draft.room.host != member.name:
        raise RoomError("not_host", ONLY_THE_HOST(host=draft.room.host or ""))
    if type(command) in FOR_ANYBODY:
        _let_in(draft, command, member)
        return
    if member is None:
        raise RoomError("not_a_member", JOIN_FIRST())
    match command:
        case ask.Act(action=action):
            match.act(draft, member, action)
        case ask.Next():
            dealing.requested(draft, member)
        case ask.Propose(matter=matter):
            votes.propose(draft, member, matter)
        case ask.Consent(yes=yes):
            votes.consent(draft, member, yes=yes)
        case ask.GoOn():
            votes.go_on(draft, member)
        case ask.Hurry():
            if (hurried := delay.hurry_on(draft.room, member)) is not None:
                draft.add(hurried)
        case ask.SeedHash():
            dealing.promise(draft, member, command)
        case ask.Seed(value=value):
            dealing.reveal(draft, member, value)
        case ask.Watch():
            membership.watch(draft, member)
        case ask.TakeChair():
            *before, answer = next_deal.take(draft.room, member, command, draft.node)
            for entry in before:
                draft.add(entry, answers=False)
            draft.add(answer)
        case ask.Introduce():
            membership.introduce(draft, command, member)
        case ask.Leave():
            membership.leave(draft, member)
        case ask.Back():
            pass
        case ask.HostAgain():
            if draft.room.host_before != member.name:
                raise RoomError("not_now", NOT_PASSED_ON())
            draft.add(events.HostChanged(member.name))
        case ask.AskForLink():
            draft.add(events.LinkAsked(member.name))
        case ask.LetBotPlay():
            draft.add(stand_ins.let_bot_play(draft.room, member, command, draft.ms))
        case ask.Ready(ready=ready):
            if draft.room.phase != "lobby" or member.role == "watcher":
                raise RoomError("not_now", READY_IN_THE_WAITING_ROOM())
            if ready != member.ready:
                draft.add(events.ReadySet(member.name, ready))
        case _:
            _obey_host(draft, command)


def _let_in(draft: Draft, command: ask.Asked, member: Member | None) -> None:
    match command:
        case ask.Join():
            membership.join(draft, command, member)
        case ask.TakeSeat():
            membership.take_seat(draft, command, member)
        case ask.AskForSeat():
            draft.add(membership.ask_for_seat(draft.room, command, member, draft.ms))
        case ask.TakeSeatBack():
            membership.take_seat_back(draft, command, member)
        case ask.BeForgotten(by=by):
            if draft.room.is_dealing:
                dealing.call_off(draft)
            draft.add(events.Forgotten(by), answers=False)
        case _:
            raise AssertionError(command)


REMATCH_WHEN_OVER = Sentence("room.rematch_when_over", "There can be a rematch when this match is over.")
HOST_IS_A_PERSON = Sentence("room.host_is_a_person", "The host is a person who is here.")


def _obey_host(draft: Draft, command: ask.Asked) -> None:
    room = draft.room
    match command:
        case ask.Configure():
            _configure(draft, command)
        case ask.Lock(locked=locked):
            if locked != room.settings.locked:
                draft.add(events.Configured(room.settings.but(locked=locked).to_json()))
        case ask.AllowChat(allowed=allowed):
            if allowed != room.settings.chat:
                draft.add(events.Configured(room.settings.but(chat=allowed).to_json()))
        case ask.Start():
            dealing.start(draft)
        case ask.AddBot(kind=kind, name=name):
            membership.add_bot(draft, kind, name)
        case ask.SetBot(name=name, kind=kind):
            membership.set_bot(draft, name, kind)
        case ask.RemoveBot(name=name):
            membership.bot_named(room, name)
            membership.send_bot_away(draft, name)
        case ask.Remove(name=name, ban=ban):
            membership.remove(draft, name, ban=ban)
        case ask.AnswerSeatRequest():
            membership.answer_seat_request(draft, command)
        case ask.CountApart(name=name):
            if not membership.named(room, name).joined:
                raise RoomError("not_now", COUNTED_APART(name=name))
            draft.add(events.PlayersParted(name))
        case ask.Reseat(name=name):
            membership.reseat(draft, name)
        case ask.MakeLink():
            draft.add(stand_ins.make_link(room, command, draft.ms))
        case ask.Renew():
            membership.renew(draft)
        case ask.HandOver(name=name):
            heir = membership.named(room, name)
            if heir.person is None or heir.going is not None:
                raise RoomError("no_such_name", HOST_IS_A_PERSON())
            if name != room.host:
                draft.add(events.HostChanged(name))
        case ask.Rematch():
            if room.phase != "finished":
                raise RoomError("not_now", REMATCH_WHEN_OVER())
            draft.add(events.Rematched())
        case ask.Stop():
            if not room.in_match:
                raise RoomError("not_now", match.NO_MATCH())
            match.stop(draft)
        case _:
            raise AssertionError(command)


RULES_GO_WITH_DEALS = Sentence(
    "room.rules_go_with_deals", "These deals are played by the rules that they were made for."
)
RULES_STAY = Sentence("room.rules_stay", "The rules and the stake stay as they are until this match is over.")


def _configure(draft: Draft, command: ask.Configure) -> None:
    room = draft.room
    rules = command.game is not None or command.options is not None or command.stake is not UNSET
    if room.in_match and rules:
        raise RoomError("not_now", RULES_STAY())
    if room.deals is not None and (command.game is not None or command.options is not None):
        raise RoomError("not_now", RULES_GO_WITH_DEALS())
    settings = room.settings.changed(
        command.game,
        command.options,
        command.clock,
        command.bots_delay,
        command.ranks,
        command.stake,
        command.pace,
        command.take_back,
        command.stand_in,
    )
    if settings == room.settings:
        return
    draft.add(events.Configured(settings.to_json()))
    if settings.rules != room.settings.rules:
        _ask_again_who_is_ready(draft)


def _ask_again_who_is_ready(draft: Draft) -> None:
    """Take back that people are ready: they said so for other rules."""
    for member in tuple(draft.room.members.values()):
        if member.ready:
            draft.add(events.ReadySet(member.name, False))


def _timer(draft: Draft, until: int) -> Draft:
    """Do everything that is due by then. Each deadline is looked at as the room is after the one before.

    What has become due since then has a time of its own at which it is called, perhaps put off (`Alarms`).
    """
    while (first := draft.room.clocks.first) is not None and first <= until:
        room = draft.room
        clocks = room.clocks
        if room.is_dealing:
            dealing.finish(draft)
            continue
        if clocks.motion is not None and clocks.motion <= until:
            votes.time_is_up(draft)
            continue
        late = next((name for name, at in clocks.turns.items() if at <= until), None)
        if late is not None:
            match.act_for(draft, late, "clock")
            continue
        absent = next((name for name, at in clocks.away.items() if at <= until), None)
        if absent is not None:
            draft.add(events.StoodIn(absent, draft.room.settings.stand_in))
            continue
        if clocks.host is not None and clocks.host <= until:
            draft.add(events.HostChanged(membership.heir(room), passed_on=True))
            continue
        draft = _dealt_or_held(draft)
    return draft


def _dealt_or_held(draft: Draft) -> Draft:
    trial = draft.fork()
    try:
        dealing.next_hand(trial)
    except (RuleError, RoomError):
        draft.add(events.Held())
        return draft
    return trial


def _rewind(draft: Draft, moves: int) -> None:
    """Note that the last entries were lost. The next deal gets a new secret: people may have seen its cards already."""
    draft.add(events.Rewound(moves))
    if draft.room.phase != "playing":
        draft.new_secret()


def _consequences(draft: Draft) -> None:
    """See to what follows in any room by itself: seats that are free, a match that nobody plays, a host who is gone."""
    room, start = draft.room, draft.start
    if room.is_dealing:
        return  # who sits where is fixed until the cards are dealt
    if room is start or _only_played_on(start, room):
        return
    if room.run is None:
        membership.take_new_names(draft)
        membership.fill_seats(draft)
    elif not (room.run.is_over or any(member.stays for member in room.members.values())):
        match.stop(draft)
    votes.decide(draft)
    if draft.room.is_dealing:
        return
    if not draft.room.chance.secret and draft.room.phase == "pause":
        # The hand before was given up (reducer.py): its secret has served.
        draft.new_secret()
    room = draft.room
    host = room.members.get(room.host) if room.host is not None else None
    if host is None or not host.stays:
        heir = membership.heir(room)
        if heir != room.host:
            draft.add(events.HostChanged(heir, passed_on=True))


def _only_played_on(start: Room, room: Room) -> bool:
    """Whether a hand runs, nothing is asked of the table, and who is here and who the host is has not changed."""
    run = room.run
    if run is None or room.members is not start.members or room.host != start.host:
        return False
    return run.motion is None and run.match.running
