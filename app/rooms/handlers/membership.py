"""Handlers for commands about names, seats, bots, the host and the room's address."""

from collections.abc import Collection

from app.engine.base.messages import MessageTemplate, join_with_and
from app.engine.cards.actions import LeaveMatch
from app.rooms import events
from app.rooms.errors import RoomError
from app.rooms.handlers.room_codes import new_address
from app.rooms.log.pending_events import PendingEvents
from app.rooms.model import commands as ask
from app.rooms.model.member import Member, Role
from app.rooms.model.state import MOST_PEOPLE, Room
from app.rooms.people import avatars, names
from app.rooms.ports.facts import AddressChanged
from app.rooms.recorded import variations
from app.rooms.seats import stand_ins

KEPT_OUT = MessageTemplate("room.kept_out", "The host has blocked you from this room.")


def join(draft: PendingEvents, command: ask.Join, member: Member | None) -> None:
    """Let a person join the room under a name, or return to their seat; `member` is their current member, or None.

    Raises `RoomError` if they are banned, the room is locked or full, or the name is bad or taken; then the message
    proposes a free name.
    """
    room = draft.room
    if command.by in room.banned:
        raise RoomError("removed", KEPT_OUT())
    with names.suggest_name_on_error(command.name, (*_member_names(room), *room.names)):
        _join_as(draft, command, names.clean_name(command.name), member)


def _join_as(draft: PendingEvents, command: ask.Join, name: str, member: Member | None) -> None:
    room = draft.room
    avatars.check_avatar(command.bird, command.colour)
    if member is not None:
        _rejoin(draft, member, name, command.program)
        return
    if (why := room.join_refusal(command.by)) is not None:
        raise RoomError("not_now", why)
    seat = variations.find_free_seat(room, name)
    if seat is not None:
        draft.add(variations.take_free_seat(room, command.by, seat, draft.node))
        return
    name = _previous_match_name(room, command.by, name)
    _check_name_is_free(room, name, command.by)
    if len(room.members) >= MOST_PEOPLE:
        _remove_absent_spectator(draft)
    draft.add(
        events.PersonJoined(
            command.by,
            name,
            _role_when_joining(draft.room),
            program=command.program,
            node=draft.node,
            bird=command.bird,
            colour=command.colour,
        )
    )


def update_profile(draft: PendingEvents, command: ask.Introduce, member: Member) -> None:
    """Change a member's bird, colour and chosen name, as saved and checked in their profile.

    The name in the room changes once no match uses the old one; until then pages only show the chosen name. A chosen
    name that another member has is ignored.
    """
    called = member.called if command.name is None else names.clean_name(command.name)
    if called == member.name or (called is not None and _is_name_taken(draft.room, called, member)):
        called = None
    if (command.bird, command.colour, called) != (member.bird, member.colour, member.called):
        draft.add(events.AvatarChanged(member.name, command.bird, command.colour, called))
    apply_pending_renames(draft)


def apply_pending_renames(draft: PendingEvents) -> None:
    """Rename members to the names they chose during a match, if no match needs the old names any more.

    A finished match that is still shown needs them. A chosen name that was taken meanwhile is dropped.
    """
    for member in tuple(draft.room.members.values()):
        if member.called is None or member.person is None or member.name in draft.room.names:
            continue
        if _is_name_taken(draft.room, member.called, member):
            draft.add(events.AvatarChanged(member.name, member.bird, member.colour))
        else:
            draft.add(
                events.PersonJoined(member.person, member.called, member.role, member.is_connected, member.program)
            )


def _is_name_taken(room: Room, name: str, member: Member) -> bool:
    try:
        _check_name_is_free(room, name, member.person, except_name=member.name)
    except RoomError:
        return True
    return False


def take_linked_seat(draft: PendingEvents, command: ask.TakeSeat, member: Member | None) -> None:
    """Give the seat of a seat link to the browser that opened the link; the link is used up.

    A member that this browser had in the room leaves. Raises `RoomError` for a banned person or an invalid link.
    """
    if command.by in draft.room.banned:
        raise RoomError("removed", KEPT_OUT())
    if member is not None and member.link == command.digest:
        return  # the link was created for this seat's own browser
    moved = stand_ins.take_linked_seat(draft.room, command, draft.now_ms)
    if member is not None:
        draft.add(events.MemberLeft(member.name), answers_command=False)
    _end_leaving(draft, moved.name)
    _add_transfer(draft, moved)


def _end_leaving(draft: PendingEvents, name: str) -> None:
    """Let a player whose seat another browser gets stay in the game, if they were leaving it."""
    member = draft.room.members.get(name)
    if member is not None and member.going is not None:
        draft.add(events.LeavingChanged(name, None), answers_command=False)


def _add_transfer(draft: PendingEvents, moved: events.SeatTransferred) -> None:
    """Give a seat to another browser.

    Stats count the old and the new holder as one player, unless the new holder has played in another seat.
    """
    run = draft.room.run
    beside = run is not None and any(
        person == moved.person and name != moved.name for name, person in run.names.items()
    )
    draft.add(moved)
    if beside and draft.room.members[moved.name].joined:
        draft.add(events.SeatHoldersSeparated(moved.name))


def request_seat(room: Room, command: ask.AskForSeat, member: Member | None, now: int) -> events.SeatRequested:
    """Return the event by which a visitor asks the host for the seat of an absent player (after a lost device).

    Raises `RoomError` if the visitor is banned or has a seat in the match, or if the seat can't be given.
    """
    if command.by in room.banned:
        raise RoomError("removed", KEPT_OUT())
    if member is not None and room.has_match_seat(member.name):
        raise RoomError("not_now", stand_ins.PLAYS_HERE_AS(name=member.name, other=command.name))
    return stand_ins.request_seat(room, command.by, names.clean_name(command.name), now)


def answer_seat_request(draft: PendingEvents, command: ask.AnswerSeatRequest) -> None:
    """Give an absent player's seat to the visitor who asks for it, or turn the visitor away, as the host answers.

    If given, a member that the visitor had before leaves. A player who left the match waits for a free seat.
    Raises `RoomError` if nobody asks, or the player is back.
    """
    room = draft.room
    member = room.find_player(command.name) or find_member(room, command.name)
    visitor = member.requested_by
    if visitor is None or member.is_connected:
        raise RoomError("not_now", stand_ins.NO_REQUEST(name=command.name))
    if not command.yes:
        draft.add(events.SeatRefused(member.name))
        return
    stand_ins.check_seat_can_be_given(member, draft.now_ms)
    requester, host = room.find_member(visitor), room.find_member(command.by)
    if requester is not None:
        draft.add(events.MemberLeft(requester.name), answers_command=False)
    elif member.name not in room.members and len(room.members) >= MOST_PEOPLE:
        _remove_absent_spectator(draft)
    _end_leaving(draft, member.name)
    _add_transfer(draft, events.SeatTransferred(member.name, visitor, None if host is None else host.name))


def reclaim_seat(draft: PendingEvents, command: ask.TakeSeatBack, member: Member | None) -> None:
    """Give a seat back to the person who had it before the host gave it to another browser.

    If this person is here under another name, that member leaves. Raises `RoomError` if they are banned or have no
    such seat.
    """
    if command.by in draft.room.banned:
        raise RoomError("removed", KEPT_OUT())
    given, _ = stand_ins.find_seat_to_reclaim(draft.room, command.by)
    if member is not None:
        draft.add(events.MemberLeft(member.name), answers_command=False)
    draft.add(events.SeatReclaimed(given.name, command.by, draft.node))


NAME_UNTIL_OVER = MessageTemplate("room.name_until_over", "You are {name} until this match is over.")
SEAT_WAS_TAKEN = MessageTemplate(
    "room.seat_was_taken",
    "The host has removed you from your seat. Ask for another after the next deal.",
)


def _rejoin(draft: PendingEvents, member: Member, name: str, program: bool) -> None:
    """Handle "join" by a person who is a member already: rename them, keep them from leaving, or reseat them.

    Also records whether the client is a program. Raises `RoomError` if a match holds them to their name, the name is
    taken, or the host took the seat.
    """
    room = draft.room
    role = _role_when_joining(room) if member.role == "spectator" else member.role
    if name != member.name:
        if room.in_match and (room.has_match_seat(member.name) or member.name in room.names):
            raise RoomError("not_now", NAME_UNTIL_OVER(name=member.name))
        _check_name_is_free(room, name, member.person, except_name=member.name)
        assert member.person is not None
        draft.add(events.PersonJoined(member.person, name, role, program=program))
        return
    if member.unseated and member.role != "spectator":
        raise RoomError("not_now", SEAT_WAS_TAKEN())
    if program != member.program:
        assert member.person is not None
        draft.add(events.PersonJoined(member.person, name, member.role, program=program))
    if member.going is not None:
        draft.add(events.LeavingChanged(name, None))
    elif role != member.role:
        draft.add(events.RoleChanged(name, role))


def _role_when_joining(room: Room) -> Role:
    if room.phase == "lobby" and len(room.seated_names()) < room.settings.player_range[1]:
        return "seated"
    return "waiting"


NAME_HAS_POINTS = MessageTemplate(
    "room.name_has_points",
    "{name} has points in this match. Join in the browser of {name}, or choose another name.",
)
NAME_IS_TAKEN = MessageTemplate("room.name_is_taken", "Someone here is already called {name}. Choose another name.")


def _check_name_is_free(room: Room, name: str, person: str | None, except_name: str | None = None) -> None:
    """Raise `RoomError` `name_taken` if a member has this name or one that looks alike.

    Also if the name has points in the running match and does not belong to `person`. Raises `bad_name` for a forbidden
    name. The member `except_name` is ignored.
    """
    if any(names.look_alike(other, name) for other in _member_names(room, except_name)):
        raise RoomError("name_taken", NAME_IS_TAKEN(name=name))
    if room.in_match and any(
        names.look_alike(other, name) and not room.may_use_name(other, person) for other in room.names
    ):
        raise RoomError("name_taken", NAME_HAS_POINTS(name=name))
    if not (room.in_match and name in room.names and room.may_use_name(name, person)):
        names.check_new_name(name)


def _member_names(room: Room, except_name: str | None = None) -> list[str]:
    """List the names and chosen names of all members except `except_name`: the names that are taken."""
    others = [member for name, member in room.members.items() if name != except_name]
    return [name for member in others for name in (member.name, member.called) if name is not None]


COME_BACK_AS = MessageTemplate(
    "room.come_back_as", "You are {name} in this match. Come back as {name}, or after the match."
)


def _previous_match_name(room: Room, person: str, requested: str) -> str:
    """Return the name under which a joining person enters: the one they had in the running match, else `requested`.

    Raises `RoomError` if they want another name although they have points in this match under the old one.
    """
    had = (
        [name for name in room.names if room.may_use_name(name, person) and name not in room.members]
        if room.in_match
        else []
    )
    if not had:
        return requested
    same = next((name for name in had if names.look_alike(name, requested)), None)
    if same is None:
        raise RoomError("not_now", COME_BACK_AS(name=had[-1]))
    return same


TOO_MANY_PEOPLE = MessageTemplate(
    "room.too_many_people",
    "This room is full: {most} people are here. You can watch without a name.",
)


def _remove_absent_spectator(draft: PendingEvents) -> None:
    """Make space in a full room: remove the first spectator who is not connected.

    Raises `RoomError` `room_full` if all spectators are connected.
    """
    absent = (m.name for m in draft.room.members.values() if m.role == "spectator" and not m.is_connected)
    name = next(absent, None)
    if name is None:
        raise RoomError("room_full", TOO_MANY_PEOPLE(most=MOST_PEOPLE))
    draft.add(events.MemberLeft(name), answers_command=False)


def become_spectator(draft: PendingEvents, member: Member) -> None:
    """Make a member a spectator: at once, or before the next deal if they have a seat in the match.

    No effect on a spectator. Raises an error if the rules forbid leaving now.
    """
    room = draft.room
    if room.has_match_seat(member.name):
        _check_rules_allow_leaving(room, member)
        if member.going != "spectator":
            draft.add(events.LeavingChanged(member.name, "spectator"))
    elif member.role != "spectator":
        draft.add(events.RoleChanged(member.name, "spectator"))


def leave_room(draft: PendingEvents, member: Member) -> None:
    """Remove a member who leaves the room: at once, or before the next deal if they have a seat in the match.

    Raises an error if the rules forbid leaving now.
    """
    room = draft.room
    if room.has_match_seat(member.name):
        _check_rules_allow_leaving(room, member)
        if member.going != "gone":
            draft.add(events.LeavingChanged(member.name, "gone"))
    else:
        draft.add(events.MemberLeft(member.name))


def _check_rules_allow_leaving(room: Room, member: Member) -> None:
    """Raise `RuleError` if the game's rules forbid this member to leave now.

    They can do so between hands only.
    """
    if room.match is not None and room.phase == "between_hands":
        room.match.apply_between_hands(member.name, LeaveMatch())


NOBODY_CALLED = MessageTemplate("room.nobody_called", "Nobody called {name} is here.")


def find_member(room: Room, name: str) -> Member:
    """Return the member of the room with this name. Raises `RoomError` `no_such_name` if there is none."""
    member = room.members.get(name)
    if member is None:
        raise RoomError("no_such_name", NOBODY_CALLED(name=name[: names.MAX_NAME_LENGTH]))
    return member


NO_MORE_CAN_PLAY = MessageTemplate("room.no_more_can_play", "At most {players} can play.")
IS_NO_BOT = MessageTemplate("room.is_no_bot", "{name} is not a bot.")
NO_SUCH_BOT = MessageTemplate("room.no_such_bot", "This bot does not exist. Bots: {names}.")


def _check_bot_kind(draft: PendingEvents, kind: str) -> None:
    if kind not in draft.available_bots:
        raise RoomError("bad_setting", NO_SUCH_BOT(names=join_with_and(draft.available_bots)))


def find_bot(room: Room, name: str) -> Member:
    """Return the bot member with this name. Raises `RoomError` `no_such_name` for no member, or a person."""
    member = find_member(room, name)
    if member.bot is None:
        raise RoomError("no_such_name", IS_NO_BOT(name=name))
    return member


def set_bot_kind(draft: PendingEvents, name: str, kind: str) -> None:
    """Let the host change the level of a bot (easy, medium, hard), effective at once, even during a hand.

    Raises `RoomError` for an unknown bot or a kind that is not available.
    """
    _check_bot_kind(draft, kind)
    if find_bot(draft.room, name).bot != kind:
        draft.add(events.BotKindChanged(name, kind))


def add_bot(draft: PendingEvents, kind: str, name: str | None) -> None:
    """Add a bot of this kind as a member, with this name or, if None, a free name of its kind.

    It gets a seat in the waiting room, or waits for the next deal. Raises `RoomError` for an unknown kind, a full
    room, or a bad or taken name.
    """
    room = draft.room
    _check_bot_kind(draft, kind)
    if len(room.members) >= MOST_PEOPLE or room.count_next_players() >= room.settings.player_range[1]:
        raise RoomError("room_full", NO_MORE_CAN_PLAY(players=room.settings.player_range[1]))
    if name is None:
        name = names.choose_bot_name(kind, (*_member_names(room), *room.names))
    else:
        with names.suggest_name_on_error(name, (*_member_names(room), *room.names)):
            name = names.clean_name(name)
            _check_name_is_free(room, name, None)
            if name in room.names:
                raise RoomError("name_taken", NAME_HAS_POINTS(name=name))
    draft.add(events.BotAdded(name, kind, "seated" if room.phase == "lobby" else "waiting"))


NO_SEAT_TO_TAKE = MessageTemplate(
    "room.no_seat_to_take",
    "{name} has no seat or is leaving. You can block {name} instead.",
)
NOT_YOURSELF = MessageTemplate("room.not_yourself", "You can’t remove yourself. Leave the room instead.")


def remove_member(draft: PendingEvents, name: str, *, ban: bool) -> None:
    """Let the host take a member's seat. With `ban`, also ban the person and replace the room's address.

    A bot is removed. Raises `RoomError` for the host's own name or, without `ban`, for a member who has no seat or is
    leaving.
    """
    member, room = find_member(draft.room, name), draft.room
    if name == room.host:
        raise RoomError("not_now", NOT_YOURSELF())
    if member.person is None:
        remove_bot(draft, name)
        return
    if not ban and (member.role == "spectator" or member.going is not None):
        raise RoomError("not_now", NO_SEAT_TO_TAKE(name=name))
    draft.add(events.MemberRemoved(name, ban))
    if ban:
        # An old link must not let them in under another name. A player may also watch with another browser.
        change_address(draft, guests_stay=member.role == "spectator")


NO_SUCH_SPECTATOR = MessageTemplate("room.no_such_spectator", "This spectator is not here.")


def remove_spectator(draft: PendingEvents, command: ask.RemoveSpectator) -> None:
    """Let the host ask a spectator to leave or, with `ban`, also ban the person and replace the room's address.

    The other spectators stay. Raises `RoomError` for the host's own name, other members, and guests who have left.
    """
    room, ban = draft.room, command.ban
    if command.name is None:
        person = None if command.number is None else draft.guests.get(command.number)
        if person is None or room.find_member(person) is not None:
            raise RoomError("no_such_name", NO_SUCH_SPECTATOR())
    else:
        member = find_member(room, command.name)
        person = member.person
        if person is None or member.role != "spectator":
            raise RoomError("no_such_name", NO_SUCH_SPECTATOR())
        if ban or member.name == room.host:
            remove_member(draft, member.name, ban=ban)
            return
    draft.add(events.SpectatorRemoved(person, ban))
    if ban:
        change_address(draft, guests_stay=True)


SEAT_WAS_NOT_TAKEN = MessageTemplate("room.seat_was_not_taken", "{name} was not removed from a seat.")


def restore_seat(draft: PendingEvents, name: str) -> None:
    """Give a member back the seat that the host took; if no seat is free now, the member waits for one.

    Raises `RoomError` if the host took no seat from this member, or they have one again.
    """
    member = find_member(draft.room, name)
    if not member.unseated or member.role != "spectator":
        raise RoomError("not_now", SEAT_WAS_NOT_TAKEN(name=name))
    draft.add(events.RoleChanged(name, _role_when_joining(draft.room)))


def change_address(draft: PendingEvents, *, guests_stay: bool = False) -> None:
    """Replace the room's code and invitation by new random ones.

    The old ones lead only members to the new address and, with `guests_stay`, the guests who are here and not banned.
    """
    address = new_address(draft.random_bytes)
    draft.add(events.RoomAddressChanged(address.code, address.invite, guests_stay))
    members = tuple(member.person for member in draft.room.members.values() if member.person is not None)
    if guests_stay:
        members += tuple({*draft.guests.values()} - draft.room.banned - {*members})
    draft.facts += (AddressChanged(draft.room.id, address, members, draft.at),)


def remove_bot(draft: PendingEvents, name: str) -> None:
    """Remove a bot from the room: at once, or before the next deal if it has a seat in the match."""
    room = draft.room
    if room.has_match_seat(name):
        draft.add(events.LeavingChanged(name, "gone"))
    else:
        draft.add(events.MemberLeft(name))


def record_connection(draft: PendingEvents, person: str) -> None:
    """Record that a member has a connection at this node (server process), and end a bot's play for them.

    A bot that other players asked to play while the person was connected continues. Ignored for people who are not
    members.
    """
    member = draft.room.find_member(person)
    if member is None:
        return
    # An unstable connection is not an action by the person: a seat lent to a bot while they were here stays lent.
    helped = member.going is None and member.lent is None and (member.stand_in is not None or member.missed)
    if not member.is_connected or helped:
        draft.add(events.MemberConnected(member.name, draft.node))
    elif draft.node not in member.nodes:
        draft.add(events.NodeConnected(member.name, draft.node))


def record_lost_nodes(draft: PendingEvents, nodes: Collection[str]) -> None:
    """Record that members' connections at these nodes (server processes) are gone, because the nodes stopped."""
    for member in draft.room.members.values():
        for node in member.nodes:
            if node in nodes:
                draft.add(events.NodeDisconnected(member.name, node))


def seat_waiting_members(draft: PendingEvents) -> None:
    """Give seats to members who wait for one, while no match is running and seats are free."""
    for name in draft.room.members_joining_next_deal():
        if len(draft.room.seated_names()) >= draft.room.settings.player_range[1]:
            return
        draft.add(events.RoleChanged(name, "seated"))


def choose_next_host(room: Room) -> str | None:
    """Return the name of the person who should become host, because the host is gone; None if nobody can.

    Prefers connected people, then seated ones. Never returns the present host, a bot, or a person who is leaving.
    """
    people = [member for member in room.members.values() if member.is_staying_person and member.name != room.host]
    best = min(people, key=lambda member: (not member.is_connected, member.role != "seated"), default=None)
    return None if best is None else best.name
