"""What comes of a command: which entries it makes, which facts, what whoever asked is told.

A `Draft` collects entries and folds each at once, so the next decision sees what the last one led to, and an action is
judged exactly once. Nothing is real before the runner has the record in the log; a refused command leaves no trace.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, cast

from app import bots
from app.engine.actions import AskLeave, Join, Leave, action_json, parse_action
from app.engine.errors import RuleError
from app.engine.events import Event

from . import chairs, fairness, keeping, lending, names, pictures
from . import commands as ask
from . import entries as log
from .clocks import NEXT_FOR_ALL, TALK
from .errors import RoomError
from .fairness import SECRET_BYTES
from .fold import fold
from .member import Member
from .outcomes import Answer, Outcome, Record
from .ports import Fact, HandEnded, MatchEnded, MatchStarted, NewEntry, PlayerCame
from .room import MOST_HANDS, MOST_PEOPLE, Draw, Room, milliseconds
from .settings import RoomSettings

SNAPSHOT_AFTER = 200
"""Entries without a deal, after which the room is kept whole again."""
MOST_TALK = 500
"""Actions in a hand that may be repeated without end: saying, offering, decreeing and the like."""
MOST_BETWEEN = 200
"""Actions between two hands."""
MOST_DECREES = 10
"""Decrees that wait for the answer of one person."""


TOO_LATE = frozenset({"not_your_turn", "not_in_this_phase", "not_your_cards"})
"""How the game refuses what is right, but comes after somebody else has done it."""


class Draft:
    """Entries on their way, and the room as it will be."""

    def __init__(self, room: Room, now: datetime, draw: Draw) -> None:
        self.start = room
        self.room = room
        # Whole milliseconds, so that any store gives back the very same.
        self.at = now.replace(microsecond=now.microsecond // 1000 * 1000)
        self.ms = milliseconds(self.at)
        self.draw = draw
        self.entries: list[NewEntry] = []
        self.facts: list[Fact] = []
        self.events: list[Event] = []
        self.cmd: tuple[str, str] | None = None
        """Goes with the next entry."""
        self.answered: int | None = None
        """The seq of the entry that the command's id went with."""
        self.dealing = False

    def add(self, entry: log.Entry) -> None:
        """One more entry; `RuleError` if the game refuses an action, and then it is not added."""
        room, events = fold(self.room, entry, self.ms, self.cmd)
        self.entries.append(NewEntry(*log.encode(entry, self.cmd), self.at))
        if self.cmd is not None:
            self.answered, self.cmd = room.seq, None
        self.room = room
        self.events += events

    def mark(self) -> tuple[Any, ...]:
        """A place to come back to."""
        return (self.room, len(self.entries), len(self.facts), len(self.events))

    def back_to(self, mark: tuple[Any, ...]) -> None:
        """Forget what was added since."""
        self.room, entries, facts, events = mark
        del self.entries[entries:], self.facts[facts:], self.events[events:]
        self.cmd = self.answered = None
        self.dealing = False

    def outcome(self, answer: Answer) -> Outcome:
        """All of it."""
        if not self.entries:
            return Outcome(answer, None, self.room)
        start = self.start
        due = self.dealing or (start.since >= SNAPSHOT_AFTER and keeping.can_save(start))
        snapshot = keeping.save(start) if due and start.seq else None
        record = Record(tuple(self.entries), tuple(self.facts), snapshot)
        room = self.room if snapshot is None else self.room.but(since=len(self.entries))
        return Outcome(answer, record, room, tuple(self.events))


def decide(room: Room, command: ask.Command, now: datetime, draw: Draw) -> Outcome:
    """What comes of a command. Nothing has changed before its record is in the log."""
    draft = Draft(room, now, draw)
    match command:
        case ask.Present(by):
            _present(draft, by)
        case ask.Absent(by):
            member = room.member_of(by)
            if member is not None and member.present:
                draft.add(log.WentAway(member.name))
        case ask.TimerFired():
            _timer(draft)
        case ask.BotAct():
            _bot_act(draft, command)
        case ask.Woken():
            if room.anybody_here:
                draft.add(log.Woke())
        case _:
            return _asked(draft, command)
    _consequences(draft)
    return draft.outcome(Answer(True, draft.room.seq))


def opening(
    code: str, invite: str, host: ask.Person, settings: RoomSettings, kinds: Sequence[str], now: datetime, draw: Draw
) -> Outcome:
    """A new room: its first entries, with the host and so many bots seated."""
    draft = Draft(Room(settings=settings), now, draw)
    draft.add(log.Opened(code, invite, settings.to_json()))
    name = names.clean(host.name)
    draft.add(log.Joined(host.id, name, "seated", present=False))
    draft.add(log.HostChanged(name))
    for kind in kinds:
        _add_bot(draft, kind, None)
    draft.add(log.Committed(draw(SECRET_BYTES).hex()))
    return draft.outcome(Answer(True, draft.room.seq))


# What clients ask ---------------------------------------------------------------------------------------------


def _asked(draft: Draft, command: ask.Asked) -> Outcome:
    room = draft.room
    answered = room.answers.get(command.by)
    known = None if answered is None else answered.get(command.id)
    if known is not None:
        return Outcome(Answer(True, known), None, room)
    member = room.member_of(command.by)
    # Pages add their chance by themselves: that is no sign of anybody.
    touching = None if isinstance(command, ask.Seed) else member
    if touching is not None and touching.stand_in is not None and touching.going is None:
        draft.add(log.CameBack(touching.name))
    mark = draft.mark()
    draft.cmd = (command.by, command.id)
    try:
        _obey(draft, command, member)
        _consequences(draft)
        answer = Answer(True, draft.answered or draft.room.seq)
    except RuleError as error:
        draft.back_to(mark)
        name = None if error.rule is None else draft.room.settings.game.declared.rows[error.rule]
        answer = Answer(False, None, error.code, error.sentence, error.rule, name)
    except RoomError as error:
        draft.back_to(mark)
        answer = Answer(False, None, error.code, error.sentence)
    return draft.outcome(answer)


def _obey(draft: Draft, command: ask.Asked, member: Member | None) -> None:
    if isinstance(command, ask.Join):
        _join(draft, command, member)
        return
    if isinstance(command, ask.TakeSeat):
        _take_seat(draft, command, member)
        return
    if member is None:
        raise RoomError("not_a_member", "Join under a name first.")
    match command:
        case ask.Act(action=action):
            _act_in_time(draft, member, action)
        case ask.Next():
            _next(draft, member)
        case ask.Seed(value=value):
            _seed(draft, member, value)
        case ask.Watch():
            _watch(draft, member)
        case ask.TakeChair():
            *before, answer = chairs.take(draft.room, member, command)
            for entry in before:
                _add_unanswered(draft, entry)
            draft.add(answer)
        case ask.Leave():
            _leave(draft, member)
        case ask.Back():
            pass
        case ask.LetBotPlay():
            draft.add(lending.let_bot_play(draft.room, member, command, draft.ms))
        case ask.Ready(ready=ready):
            if draft.room.phase != "lobby" or member.role == "watcher":
                raise RoomError("not_now", "Who sits in the waiting room says whether they are ready.")
            if ready != member.ready:
                draft.add(log.ReadySet(member.name, ready))
        case _:
            if draft.room.host != member.name:
                raise RoomError("not_host", f"Only the host may do that: it is {draft.room.host}.")
            _obey_host(draft, command)


def _obey_host(draft: Draft, command: ask.Asked) -> None:
    room = draft.room
    match command:
        case ask.Configure():
            _configure(draft, command)
        case ask.Start():
            _start(draft)
        case ask.AddBot(kind=kind, name=name):
            _add_bot(draft, kind, name)
        case ask.RemoveBot(name=name):
            if _named(room, name).bot is None:
                raise RoomError("no_such_name", f"{name} is no bot.")
            _send_bot_away(draft, name)
        case ask.Remove(name=name, ban=ban):
            _remove(draft, name, ban=ban)
        case ask.MakeLink():
            draft.add(lending.make_link(room, command, draft.ms))
        case ask.HandOver(name=name):
            heir = _named(room, name)
            if heir.person is None or heir.going is not None:
                raise RoomError("no_such_name", "The host is a person who is here.")
            if name != room.host:
                draft.add(log.HostChanged(name))
        case ask.Rematch():
            if room.phase != "finished":
                raise RoomError("not_now", "There can be a rematch when this match is over.")
            draft.add(log.Rematched())
        case ask.Stop():
            if not room.in_match:
                raise RoomError("not_now", "No match is running.")
            _stop(draft)
        case _:
            raise AssertionError(command)


def _join(draft: Draft, command: ask.Join, member: Member | None) -> None:
    room = draft.room
    if command.by in room.banned:
        raise RoomError("removed", "The host keeps you out of this room.")
    name = names.clean(command.name)
    if member is not None:
        _rejoin(draft, member, name, command.program)
        return
    name = _name_of_before(room, command.by, name)
    _check_name(room, name, command.by)
    if len(room.members) >= MOST_PEOPLE:
        _make_place(draft)
    draft.add(log.Joined(command.by, name, _first_role(draft.room), program=command.program))


def _take_seat(draft: Draft, command: ask.TakeSeat, member: Member | None) -> None:
    """The seat of a link; who has only watched here under another name gives that name up."""
    if command.by in draft.room.banned:
        raise RoomError("removed", "The host keeps you out of this room.")
    if member is not None and member.link == command.digest:
        return  # it was their own all along
    moved = lending.take_seat(draft.room, command, draft.ms)
    if member is not None:
        _add_unanswered(draft, log.Gone(member.name))
    draft.add(moved)


def _rejoin(draft: Draft, member: Member, name: str, program: bool) -> None:
    """Somebody who has a name already wants a seat (again), or another name, or says what they are."""
    room = draft.room
    role = _first_role(room) if member.role == "watcher" else member.role
    if name != member.name:
        if room.in_match and (room.has_place(member.name) or member.name in room.names):
            raise RoomError("not_now", f"You are {member.name} until this match is over.")
        _check_name(room, name, member.person, but=member.name)
        assert member.person is not None
        draft.add(log.Joined(member.person, name, role, program=program))
        return
    if member.unseated:
        raise RoomError("not_now", "The host has taken your seat: with the next deal you can ask for another.")
    if program != member.program:
        assert member.person is not None
        draft.add(log.Joined(member.person, name, member.role, program=program))
    if member.going is not None:
        draft.add(log.GoingSet(name, None))
    elif role != member.role:
        draft.add(log.RoleChanged(name, role))


def _first_role(room: Room) -> log.Role:
    if room.phase == "lobby" and len(room.seated()) < room.settings.players[1]:
        return "seated"
    return "waiting"


def _check_name(room: Room, name: str, person: str | None, but: str | None = None) -> None:
    """`name_taken` if somebody has it here, or had it in this match."""
    if any(names.alike(other, name) for other in room.members if other != but):
        raise RoomError("name_taken", f"Somebody here is called {name} already: take another name.")
    if room.in_match and any(names.alike(other, name) and of != person for other, of in room.names.items()):
        raise RoomError("name_taken", f"Somebody called {name} has points in this match: take another name.")


def _name_of_before(room: Room, person: str, wanted: str) -> str:
    """Under which name somebody comes (again): who had a place in this match keeps its name and its points."""
    had = [name for name, of in room.names.items() if of == person] if room.in_match else []
    if not had:
        return wanted
    same = next((name for name in had if names.alike(name, wanted)), None)
    if same is None:
        raise RoomError("not_now", f"You are {had[-1]} in this match: come back as {had[-1]}, or when it is over.")
    return same


def _make_place(draft: Draft) -> None:
    """In a full room the first watcher who is gone makes place."""
    absent = (m.name for m in draft.room.members.values() if m.role == "watcher" and not m.present)
    name = next(absent, None)
    if name is None:
        raise RoomError("room_full", f"There are {MOST_PEOPLE} people here already: you can watch without a name.")
    _add_unanswered(draft, log.Gone(name))


def _add_unanswered(draft: Draft, entry: log.Entry) -> None:
    """An entry that prepares another: the command's id belongs to the one that answers it."""
    cmd, draft.cmd = draft.cmd, None
    draft.add(entry)
    draft.cmd = cmd


def _watch(draft: Draft, member: Member) -> None:
    room = draft.room
    if room.has_place(member.name):
        _check_may_leave(room, member)
        if member.going != "watcher":
            draft.add(log.GoingSet(member.name, "watcher"))
    elif member.role != "watcher":
        draft.add(log.RoleChanged(member.name, "watcher"))


def _leave(draft: Draft, member: Member) -> None:
    room = draft.room
    if room.has_place(member.name):
        _check_may_leave(room, member)
        if member.going != "gone":
            draft.add(log.GoingSet(member.name, "gone"))
    else:
        draft.add(log.Gone(member.name))


def _check_may_leave(room: Room, member: Member) -> None:
    """Between hands the rules may say no (`needs_dispensation`). In a hand nobody knows yet what they will say."""
    if room.phase == "pause":
        assert room.match is not None
        room.match.between(member.name, Leave())


def _configure(draft: Draft, command: ask.Configure) -> None:
    room = draft.room
    if room.in_match and (command.game is not None or command.options is not None):
        raise RoomError("not_now", "The rules stay as they are until this match is over.")
    settings = room.settings.changed(command.game, command.options, command.clock, command.bots_delay)
    if settings != room.settings:
        draft.add(log.Configured(settings.to_json()))


def _seed(draft: Draft, member: Member, value: str) -> None:
    seed, known = fairness.check_seed(value), draft.room.chance.seeds.get(member.name)
    if known == seed:
        return
    if draft.room.phase == "playing":
        raise RoomError("not_now", "The cards are dealt: your seed can count for the next hand.")
    if known is not None:
        raise RoomError("not_now", "Your seed for the next deal is in already.")
    draft.add(log.Seeded(member.name, seed))


# Bots and people, by the host ---------------------------------------------------------------------------------


def _named(room: Room, name: str) -> Member:
    member = room.members.get(name)
    if member is None:
        raise RoomError("no_such_name", f"Nobody called {name[: names.LONGEST]} is here.")
    return member


def _add_bot(draft: Draft, kind: str, name: str | None) -> None:
    room = draft.room
    if kind not in bots.BOTS:
        raise RoomError("bad_setting", f"There is no such bot; there are: {', '.join(bots.BOTS)}.")
    if len(room.members) >= MOST_PEOPLE or room.players_next() >= room.settings.players[1]:
        raise RoomError("room_full", f"No more than {room.settings.players[1]} can play.")
    if name is None:
        name = names.for_bot((*room.members, *room.names))
    else:
        name = names.clean(name)
        _check_name(room, name, None)
        if name in room.names:
            raise RoomError("name_taken", f"Somebody called {name} has points in this match: take another name.")
    draft.add(log.BotCame(name, kind, "seated" if room.phase == "lobby" else "waiting"))


def _remove(draft: Draft, name: str, *, ban: bool) -> None:
    """Out of the seat, or out of the room."""
    member, room = _named(draft.room, name), draft.room
    if name == room.host:
        raise RoomError("not_now", "You can leave, but not remove yourself.")
    if member.person is None:
        _send_bot_away(draft, name)
        return
    if not ban and (member.role == "watcher" or member.going is not None):
        raise RoomError("not_now", f"{name} has no seat to be taken from, or is leaving it: you can keep them out.")
    draft.add(log.Removed(name, ban))


def _send_bot_away(draft: Draft, name: str) -> None:
    room = draft.room
    if room.has_place(name):
        draft.add(log.GoingSet(name, "gone"))
    else:
        draft.add(log.Gone(name))


# The match ----------------------------------------------------------------------------------------------------


def _start(draft: Draft) -> None:
    room = draft.room
    if room.in_match:
        raise RoomError("not_now", "The match has begun already.")
    if room.phase == "finished":
        draft.add(log.Rematched())
        _fill_seats(draft)
        room = draft.room
    seats = room.seated()
    room.settings.game.check_players(room.settings.options, len(seats))
    match_id = draft.draw(16).hex()
    draft.add(log.Started(match_id, list(seats)))
    room = draft.room
    draft.facts.append(
        MatchStarted(
            match_id,
            room.code,
            room.settings.game.key,
            room.settings.options.to_json(),
            tuple((room.members[name].person, name) for name in seats),
            draft.at,
        )
    )
    _deal(draft)


def _next(draft: Draft, member: Member) -> None:
    room = draft.room
    if room.phase != "pause":
        raise RoomError("not_now", "The next hand is dealt when this one is over and the match goes on.")
    host = room.members.get(room.host) if room.host is not None else None
    if member.name != room.host and host is not None and host.present:
        if member.role != "seated":
            raise RoomError("not_host", "Those who play say when the next hand is dealt.")
        if room.ended is not None and draft.ms < room.ended + NEXT_FOR_ALL:
            raise RoomError("not_now", f"{room.host} may ask for the next deal now, and everybody in a moment.")
    _deal(draft)


def _deal(draft: Draft) -> None:
    """Let people go and come as the rules say, then deal. `bad_player_count` if too few or too many are left."""
    making_place, comers = draft.room.making_place(), draft.room.comers()
    for name in draft.room.seated():
        member = draft.room.members[name]
        if member.going is not None or name in making_place:
            with suppress(RuleError):  # the rules keep them: a bot plays on in their place
                _act_between(draft, name, {"do": "leave"})
    most = draft.room.settings.players[1]
    for name in comers:
        match = draft.room.match
        assert match is not None
        if len(match.seats) >= most:
            break
        with suppress(RuleError):  # the rules keep them waiting
            _act_between(draft, name, {"do": "join"})
            assert draft.room.match_id is not None
            draft.facts.append(PlayerCame(draft.room.match_id, draft.room.members[name].person, name, draft.at))
    match = draft.room.match
    assert match is not None
    if match.dealt >= MOST_HANDS:
        raise RoomError("not_now", draft.room.why_not() or "")
    match.game.check_players(match.options, len(match.seats), begun=match.dealt > 0)
    pack, chance = match.deck(), draft.room.chance
    deal = match.deal(chance.deck(pack), chance.seed())
    draft.dealing = True
    _add_in_match(draft, log.Dealt(**deal.to_json(), fair=chance.revealed(pack)))


def _act_in_time(draft: Draft, member: Member, action: Mapping[str, Any]) -> None:
    """An action; who was played for in the meantime is told so, and not only that it is somebody else's turn."""
    try:
        _act(draft, member, action)
    except RuleError as error:
        if not member.acted_for or error.code not in TOO_LATE:
            raise
        raise RuleError(error.code, f"Your turn was played for you before this came. {error.sentence}") from None


def _act(draft: Draft, member: Member, action: Mapping[str, Any]) -> None:
    room = draft.room
    parsed = parse_action(dict(action))
    if room.match is None or not room.in_match:
        raise RuleError("not_in_this_phase", "No match is running.")
    if member.going is not None:
        why = (
            "The host has taken your seat."
            if member.unseated
            else "You have given up your seat: join to take it again."
        )
        raise RoomError("not_now", why)
    if isinstance(parsed, Join | Leave):
        raise RuleError("bad_action", "Coming and going are commands to the room, not actions.")
    made = action_json(parsed)
    _check_talk(room, made)
    if room.match.running:
        _add_in_match(draft, log.Acted(member.name, made))
        return
    _act_between(draft, member.name, made)
    if isinstance(parsed, AskLeave):
        _answer_for_bot(draft)


def _check_talk(room: Room, made: Mapping[str, Any]) -> None:
    """`not_now` for more talk than anybody hears: all of it is kept, and some of it is in every picture to come."""
    match = room.match
    assert match is not None
    if not match.running:
        too_much = len(room.between) >= MOST_BETWEEN
    else:
        too_much = made["do"] in TALK and sum(each["do"] in TALK for each in room.hand.actions) >= MOST_TALK
    if too_much:
        raise RoomError("not_now", "That was said and done often enough: play on.")
    waiting = Counter(name for name, _ in match.unanswered)
    if made["do"] == "decree" and max(waiting.values(), default=0) >= MOST_DECREES:
        raise RoomError("not_now", "So many decrees wait for an answer that nobody could remember another one.")


def _answer_for_bot(draft: Draft) -> None:
    """A bot at the top lets anybody go who asks."""
    match = draft.room.match
    top = match.hierarchy[0] if match is not None and match.hierarchy else None
    if top is not None and top in draft.room.members and draft.room.members[top].player is not None:
        with suppress(RuleError):
            _act_between(draft, top, {"do": "dispense"})


def _act_between(draft: Draft, by: str, action: dict[str, Any]) -> None:
    before = draft.room.match
    assert before is not None
    draft.add(log.Acted(by, action))
    match = draft.room.match
    assert match is not None
    if match.last is not before.last and draft.room.hand.deal:
        # Who went changed how the last hand ended (ACE-09): tell the history again.
        draft.facts.append(_hand_ended(draft, again=True))


def _add_in_match(draft: Draft, entry: log.Acted | log.Dealt) -> None:
    """A deal or an action; when the hand is over with it, what follows from that."""
    draft.add(entry)
    room = draft.room
    match = room.match
    assert match is not None
    if match.running:
        return
    draft.facts.append(_hand_ended(draft))
    if match.over:
        assert room.match_id is not None
        draft.facts.append(MatchEnded(room.match_id, dict(match.totals), match.winners(), draft.at))
    draft.add(log.Committed(draft.draw(SECRET_BYTES).hex()))


def _hand_ended(draft: Draft, *, again: bool = False) -> HandEnded:
    room = draft.room
    match, hand = room.match, room.hand
    assert match is not None
    assert match.last is not None
    assert room.match_id is not None
    record = {**hand.deal, "actions": list(hand.actions)}
    if hand.between:
        record["between"] = list(hand.between)
    events, result = [dict(event) for event in hand.events], match.last.to_json()
    return HandEnded(room.match_id, match.dealt - 1, record, events, result, dict(match.totals), draft.at, again)


def _stop(draft: Draft) -> None:
    room = draft.room
    match = room.match
    assert match is not None
    assert room.match_id is not None
    between = room.hand.between if match.running else room.between
    was_running = match.running
    draft.add(log.Stopped())
    draft.facts.append(
        MatchEnded(room.match_id, dict(match.totals), (), draft.at, [dict(action) for action in between])
    )
    if was_running:
        draft.add(log.Committed(draft.draw(SECRET_BYTES).hex()))


# What the room's own machinery asks ----------------------------------------------------------------------------


def _present(draft: Draft, person: str) -> None:
    member = draft.room.member_of(person)
    if member is None:
        return
    # A line that flickers is nobody's touch: a seat that was lent while they were here stays lent.
    helped = member.going is None and member.lent is None and (member.stand_in is not None or member.missed)
    if not member.present or helped:
        draft.add(log.CameBack(member.name))


def _timer(draft: Draft) -> None:
    """Everything that is due. Each deadline is looked at as the room is after the one before."""
    while (first := draft.room.clocks.first) is not None and first <= draft.ms:
        room, now = draft.room, draft.ms
        clocks = room.clocks
        late = next((name for name, at in clocks.turns.items() if at <= now), None)
        if late is not None:
            _act_for(draft, late, "clock")
            continue
        absent = next((name for name, at in clocks.away.items() if at <= now), None)
        if absent is not None:
            draft.add(log.StoodIn(absent, bots.DEFAULT_BOT))
            continue
        if clocks.host is not None and clocks.host <= now:
            draft.add(log.HostChanged(_heir(room), passed_on=True))
            continue
        mark = draft.mark()
        try:
            _deal(draft)
        except (RuleError, RoomError):
            draft.back_to(mark)
            draft.add(log.Held())


def _bot_act(draft: Draft, command: ask.BotAct) -> None:
    """A bot's choice, if it is still that bot's turn and the same moment."""
    room = draft.room
    match, member = room.match, room.members.get(command.name)
    if match is None or member is None or member.player is None or not room.anybody_here:
        return
    if room.turn != command.turn or command.name not in match.to_act:
        return
    try:
        made = action_json(parse_action(dict(command.action)))
        _add_in_match(draft, log.Acted(command.name, made, "bot"))
    except RuleError:
        _act_for(draft, command.name, "bot")


def _act_for(draft: Draft, name: str, auto: str) -> None:
    """The least harmful thing that may be done in this seat."""
    why: RuleError | None = None
    for action in bots.harmless(pictures.for_bot(draft.room, name)):
        try:
            made = action_json(parse_action(action))
            _add_in_match(draft, log.Acted(name, made, cast("Any", auto)))
        except RuleError as error:
            why = error
            continue
        return
    raise AssertionError(f"{name} is to act and nothing is accepted: {why}")


# What follows -------------------------------------------------------------------------------------------------


def _consequences(draft: Draft) -> None:
    """What the room sees to by itself after any command."""
    room = draft.room
    if room is draft.start:
        return
    draft.cmd = None
    if room.phase == "lobby":
        _fill_seats(draft)
    if room.in_match and not any(member.stays for member in room.members.values()):
        _stop(draft)
    if room.phase == "pause" and not room.chance.secret:
        # The hand before was given up (fold.py): its secret has served.
        draft.add(log.Committed(draft.draw(SECRET_BYTES).hex()))
    room = draft.room
    host = room.members.get(room.host) if room.host is not None else None
    if host is None or not host.stays:
        heir = _heir(room)
        if heir != room.host:
            draft.add(log.HostChanged(heir, passed_on=True))


def _fill_seats(draft: Draft) -> None:
    """In the waiting room those who wait sit down as soon as there is a seat."""
    for name in draft.room.comers():
        if len(draft.room.seated()) >= draft.room.settings.players[1]:
            return
        draft.add(log.RoleChanged(name, "seated"))


def _heir(room: Room) -> str | None:
    """Who has the host's powers when the host is gone: of those who are here, the first of those who play."""
    people = [member for member in room.members.values() if member.stays and member.name != room.host]
    best = min(people, key=lambda member: (not member.present, member.role != "seated"), default=None)
    return None if best is None else best.name
