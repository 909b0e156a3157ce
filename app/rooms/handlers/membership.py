"""Who has a name, a seat and the host's powers: what of it a command leads to."""

from collections.abc import Collection

from app.engine.base.messages import Sentence, both
from app.engine.cards.actions import LeaveMatch
from app.rooms.errors import RoomError
from app.rooms.handlers.room_codes import new_address
from app.rooms.log.pending_events import Draft
from app.rooms.model import commands as ask
from app.rooms.model import events
from app.rooms.model.member import Member
from app.rooms.model.state import MOST_PEOPLE, Room
from app.rooms.people import avatars, names
from app.rooms.ports.facts import Readdressed
from app.rooms.recorded import variations
from app.rooms.seats import stand_ins

KEPT_OUT = Sentence("room.kept_out", "The host keeps you out of this room.")


def join(draft: Draft, command: ask.Join, member: Member | None) -> None:
    """Let somebody in under a name, or back to their seat; `member` is who they are here already."""
    room = draft.room
    if command.by in room.banned:
        raise RoomError("removed", KEPT_OUT())
    with names.proposing_another(command.name, (*_names_here(room), *room.names)):
        _join_as(draft, command, names.clean(command.name), member)


def _join_as(draft: Draft, command: ask.Join, name: str, member: Member | None) -> None:
    room = draft.room
    if member is not None:
        _rejoin(draft, member, name, command.program)
        return
    if (why := room.shut_to(command.by)) is not None:
        raise RoomError("not_now", why)
    chair = variations.chair_of(room, name)
    if chair is not None:
        draft.add(variations.sit_down(room, command.by, chair, draft.node))
        return
    name = _name_of_before(room, command.by, name)
    _check_name(room, name, command.by)
    if len(room.members) >= MOST_PEOPLE:
        _make_place(draft)
    draft.add(events.Joined(command.by, name, _first_role(draft.room), program=command.program, node=draft.node))


def introduce(draft: Draft, command: ask.Introduce, member: Member) -> None:
    """Let somebody look as they have chosen, and have the name they have chosen: now, or once no match has the old for
    a key. Until then it is theirs alone, and pages show it.

    Where somebody else has that name they keep theirs: it is what this room knows them by.
    """
    avatars.check(command.bird, command.colour)
    called = member.called if command.name is None else names.clean(command.name)
    if called == member.name or (called is not None and _is_taken(draft.room, called, member)):
        called = None
    if (command.bird, command.colour, called) != (member.bird, member.colour, member.called):
        draft.add(events.LooksChanged(member.name, command.bird, command.colour, called))
    take_new_names(draft)


def take_new_names(draft: Draft) -> None:
    """Give those their new names whom no match holds to their old ones, also none that is over and still looked at."""
    for member in tuple(draft.room.members.values()):
        if member.called is None or member.person is None or member.name in draft.room.names:
            continue
        if _is_taken(draft.room, member.called, member):
            draft.add(events.LooksChanged(member.name, member.bird, member.colour))
        else:
            draft.add(events.Joined(member.person, member.called, member.role, member.present, member.program))


def _is_taken(room: Room, name: str, member: Member) -> bool:
    try:
        _check_name(room, name, member.person, but=member.name)
    except RoomError:
        return True
    return False


def take_seat(draft: Draft, command: ask.TakeSeat, member: Member | None) -> None:
    """Move the seat of a link to this browser. A spectator's name that this browser has here is given up."""
    if command.by in draft.room.banned:
        raise RoomError("removed", KEPT_OUT())
    if member is not None and member.link == command.digest:
        return  # it was their own all along
    moved = stand_ins.take_seat(draft.room, command, draft.ms)
    if member is not None:
        draft.add(events.Gone(member.name), answers=False)
    draft.add(moved)


def ask_for_seat(room: Room, command: ask.AskForSeat, member: Member | None, now: int) -> events.SeatRequested:
    """Ask the host for the seat of an absent player, for a visitor without a seat; or raise `RoomError`."""
    if command.by in room.banned:
        raise RoomError("removed", KEPT_OUT())
    if member is not None and room.has_place(member.name):
        raise RoomError("not_now", stand_ins.PLAYS_HERE_AS(name=member.name, other=command.name))
    return stand_ins.request_seat(room, command.by, names.clean(command.name), now)


def answer_seat_request(draft: Draft, command: ask.AnswerSeatRequest) -> None:
    """Give the seat of an absent player to the visitor who asks for it, or turn the visitor away."""
    member = named(draft.room, command.name)
    visitor = member.requested_by
    if visitor is None or member.present:
        raise RoomError("not_now", stand_ins.NO_REQUEST(name=command.name))
    if not command.yes:
        draft.add(events.SeatRefused(member.name))
        return
    stand_ins.check_may_give(draft.room, member.name, draft.ms)
    mine, host = draft.room.member_of(visitor), draft.room.member_of(command.by)
    if mine is not None:
        draft.add(events.Gone(mine.name), answers=False)
    draft.add(events.SeatMoved(member.name, visitor, None if host is None else host.name))


def take_seat_back(draft: Draft, command: ask.TakeSeatBack, member: Member | None) -> None:
    """Give a seat back to the person who had it before the host gave it to another browser.

    A spectator's name that this person has here by now is given up.
    """
    if command.by in draft.room.banned:
        raise RoomError("removed", KEPT_OUT())
    given, _ = stand_ins.seat_to_take_back(draft.room, command.by)
    if member is not None:
        draft.add(events.Gone(member.name), answers=False)
    draft.add(events.SeatTakenBack(given.name, command.by, draft.node))


NAME_UNTIL_OVER = Sentence("room.name_until_over", "You are {name} until this match is over.")
SEAT_WAS_TAKEN = Sentence(
    "room.seat_was_taken",
    "The host has taken your seat: with the next deal you can ask for another.",
)


def _rejoin(draft: Draft, member: Member, name: str, program: bool) -> None:
    """Give somebody who has a name already a seat (again), or another name, or note that they are a program."""
    room = draft.room
    role = _first_role(room) if member.role == "watcher" else member.role
    if name != member.name:
        if room.in_match and (room.has_place(member.name) or member.name in room.names):
            raise RoomError("not_now", NAME_UNTIL_OVER(name=member.name))
        _check_name(room, name, member.person, but=member.name)
        assert member.person is not None
        draft.add(events.Joined(member.person, name, role, program=program))
        return
    if member.unseated and member.role != "watcher":
        raise RoomError("not_now", SEAT_WAS_TAKEN())
    if program != member.program:
        assert member.person is not None
        draft.add(events.Joined(member.person, name, member.role, program=program))
    if member.going is not None:
        draft.add(events.GoingSet(name, None))
    elif role != member.role:
        draft.add(events.RoleChanged(name, role))


def _first_role(room: Room) -> events.Role:
    if room.phase == "lobby" and len(room.seated()) < room.settings.players[1]:
        return "seated"
    return "waiting"


NAME_HAS_POINTS = Sentence(
    "room.name_has_points",
    "Somebody called {name} has points in this match.",
)
NAME_IS_TAKEN = Sentence("room.name_is_taken", "Somebody here is called {name} already.")


def _check_name(room: Room, name: str, person: str | None, but: str | None = None) -> None:
    """Raise `name_taken` if somebody has this name here, is called so already, or had it in this match.

    Raise `bad_name` if nobody may take it. A person who comes back under the name that they had in this match may.
    """
    if any(names.alike(other, name) for other in _names_here(room, but)):
        raise RoomError("name_taken", NAME_IS_TAKEN(name=name))
    if room.in_match and any(names.alike(other, name) and not room.may_be(other, person) for other in room.names):
        raise RoomError("name_taken", NAME_HAS_POINTS(name=name))
    if not (room.in_match and name in room.names and room.may_be(name, person)):
        names.check_new(name)


def _names_here(room: Room, but: str | None = None) -> list[str]:
    """List the names by which people know the members, except this one."""
    others = [member for name, member in room.members.items() if name != but]
    return [name for member in others for name in (member.name, member.called) if name is not None]


COME_BACK_AS = Sentence("room.come_back_as", "You are {name} in this match: come back as {name}, or when it is over.")


def _name_of_before(room: Room, person: str, wanted: str) -> str:
    """Give the name somebody comes under (again): who had a place in this match keeps its name and its points."""
    had = (
        [name for name in room.names if room.may_be(name, person) and name not in room.members] if room.in_match else []
    )
    if not had:
        return wanted
    same = next((name for name in had if names.alike(name, wanted)), None)
    if same is None:
        raise RoomError("not_now", COME_BACK_AS(name=had[-1]))
    return same


TOO_MANY_PEOPLE = Sentence(
    "room.too_many_people",
    "There are {most} people here already: you can watch without a name.",
)


def _make_place(draft: Draft) -> None:
    """Let the first watcher who is gone make place in a full room; `room_full` if there is none."""
    absent = (m.name for m in draft.room.members.values() if m.role == "watcher" and not m.present)
    name = next(absent, None)
    if name is None:
        raise RoomError("room_full", TOO_MANY_PEOPLE(most=MOST_PEOPLE))
    draft.add(events.Gone(name), answers=False)


def watch(draft: Draft, member: Member) -> None:
    """Let somebody stand up: now, or before the next deal if they have a place in the match."""
    room = draft.room
    if room.has_place(member.name):
        _check_may_leave(room, member)
        if member.going != "watcher":
            draft.add(events.GoingSet(member.name, "watcher"))
    elif member.role != "watcher":
        draft.add(events.RoleChanged(member.name, "watcher"))


def leave(draft: Draft, member: Member) -> None:
    """Let somebody go: now, or before the next deal if they have a place in the match."""
    room = draft.room
    if room.has_place(member.name):
        _check_may_leave(room, member)
        if member.going != "gone":
            draft.add(events.GoingSet(member.name, "gone"))
    else:
        draft.add(events.Gone(member.name))


def _check_may_leave(room: Room, member: Member) -> None:
    """Ask the rules, which between hands may say no. In a hand they can't say yet."""
    if room.match is not None and room.phase == "pause":
        room.match.between(member.name, LeaveMatch())


NOBODY_CALLED = Sentence("room.nobody_called", "Nobody called {name} is here.")


def named(room: Room, name: str) -> Member:
    """Find the member of this name; `no_such_name`."""
    member = room.members.get(name)
    if member is None:
        raise RoomError("no_such_name", NOBODY_CALLED(name=name[: names.LONGEST]))
    return member


NO_MORE_CAN_PLAY = Sentence("room.no_more_can_play", "No more than {players} can play.")
IS_NO_BOT = Sentence("room.is_no_bot", "{name} is no bot.")
NO_SUCH_BOT = Sentence("room.no_such_bot", "There is no such bot; there are: {names}.")


def _check_kind(draft: Draft, kind: str) -> None:
    if kind not in draft.bots:
        raise RoomError("bad_setting", NO_SUCH_BOT(names=both(draft.bots)))


def bot_named(room: Room, name: str) -> Member:
    """Find the bot of this name; `no_such_name`."""
    member = named(room, name)
    if member.bot is None:
        raise RoomError("no_such_name", IS_NO_BOT(name=name))
    return member


def set_bot(draft: Draft, name: str, kind: str) -> None:
    """Have a bot play as this kind does from now on, in the middle of a hand, too."""
    _check_kind(draft, kind)
    if bot_named(draft.room, name).bot != kind:
        draft.add(events.BotSet(name, kind))


def add_bot(draft: Draft, kind: str, name: str | None) -> None:
    """Seat a bot of this kind, under this name or one of its level's."""
    room = draft.room
    _check_kind(draft, kind)
    if len(room.members) >= MOST_PEOPLE or room.players_next() >= room.settings.players[1]:
        raise RoomError("room_full", NO_MORE_CAN_PLAY(players=room.settings.players[1]))
    if name is None:
        name = names.for_bot(kind, (*_names_here(room), *room.names))
    else:
        with names.proposing_another(name, (*_names_here(room), *room.names)):
            name = names.clean(name)
            _check_name(room, name, None)
            if name in room.names:
                raise RoomError("name_taken", NAME_HAS_POINTS(name=name))
    draft.add(events.BotCame(name, kind, "seated" if room.phase == "lobby" else "waiting"))


NO_SEAT_TO_TAKE = Sentence(
    "room.no_seat_to_take",
    "{name} has no seat to be taken from, or is leaving it: you can keep them out.",
)
NOT_YOURSELF = Sentence("room.not_yourself", "You can leave, but not remove yourself.")


def remove(draft: Draft, name: str, *, ban: bool) -> None:
    """Take somebody's seat; with `ban`, keep them out of the room, too."""
    member, room = named(draft.room, name), draft.room
    if name == room.host:
        raise RoomError("not_now", NOT_YOURSELF())
    if member.person is None:
        send_bot_away(draft, name)
        return
    if not ban and (member.role == "watcher" or member.going is not None):
        raise RoomError("not_now", NO_SEAT_TO_TAKE(name=name))
    draft.add(events.Removed(name, ban))
    if ban:
        renew(draft)  # a link that they still have would let them in again, as somebody else


SEAT_WAS_NOT_TAKEN = Sentence("room.seat_was_not_taken", "Nobody has taken a seat from {name}.")


def reseat(draft: Draft, name: str) -> None:
    """Give a seat back to somebody from whom the host took it in the waiting room."""
    member = named(draft.room, name)
    if not member.unseated or member.role != "watcher":
        raise RoomError("not_now", SEAT_WAS_NOT_TAKEN(name=name))
    draft.add(events.RoleChanged(name, _first_role(draft.room)))


def renew(draft: Draft) -> None:
    """Give the room another address, which only those who have a name here learn."""
    address = new_address(draft.draw)
    draft.add(events.Recoded(address.code, address.invite))
    members = tuple(member.person for member in draft.room.members.values() if member.person is not None)
    draft.facts += (Readdressed(draft.room.id, address, members, draft.at),)


def send_bot_away(draft: Draft, name: str) -> None:
    """Let a bot go: now, or before the next deal if it has a place in the match."""
    room = draft.room
    if room.has_place(name):
        draft.add(events.GoingSet(name, "gone"))
    else:
        draft.add(events.Gone(name))


def present(draft: Draft, person: str) -> None:
    """Note that a person has a socket open at this node, and end what was done for them while they were gone."""
    member = draft.room.member_of(person)
    if member is None:
        return
    # A line that flickers is nobody's touch: a seat that was lent while they were here stays lent.
    helped = member.going is None and member.lent is None and (member.stand_in is not None or member.missed)
    if not member.present or helped:
        draft.add(events.CameBack(member.name, draft.node))
    elif draft.node not in member.nodes:
        draft.add(events.AlsoAt(member.name, draft.node))


def left_by(draft: Draft, nodes: Collection[str]) -> None:
    """Note of everybody that they have no socket at these nodes."""
    for member in draft.room.members.values():
        for node in member.nodes:
            if node in nodes:
                draft.add(events.WentAway(member.name, node))


def fill_seats(draft: Draft) -> None:
    """Let those who wait in the waiting room sit down, as far as there are seats."""
    for name in draft.room.comers():
        if len(draft.room.seated()) >= draft.room.settings.players[1]:
            return
        draft.add(events.RoleChanged(name, "seated"))


def heir(room: Room) -> str | None:
    """Find who has the host's powers when the host is gone: of those who are here, the first of those who play."""
    people = [member for member in room.members.values() if member.stays and member.name != room.host]
    best = min(people, key=lambda member: (not member.present, member.role != "seated"), default=None)
    return None if best is None else best.name
