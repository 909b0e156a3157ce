"""Rules for slow or absent players: letting a bot play for them, and giving their seat to another browser.

A bot plays one turn, or the seat until its owner acts. The functions check a request against the current state of
the room, and return the event that fulfils it. They raise `RoomError` if they refuse, for example because another
request came first.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias, TypedDict

from app.engine.base.messages import MessageTemplate
from app.rooms.errors import RoomError
from app.rooms.events import BotTookOver, SeatLinkCreated, SeatRequested, SeatTransferred
from app.rooms.model.commands import LetBotPlay, MakeLink, TakeSeat
from app.rooms.model.member import FormerHolder, Member
from app.rooms.model.state import Room
from app.rooms.people import names

PLAYERS_WAIT_FACTOR = 2
"""Other players must wait this many times longer than an active host."""
LINK_MS = 30 * 60_000
"""Milliseconds for which a link to a seat is valid."""

HelperRole: TypeAlias = Literal["host", "players"]
"""The role in which a member may let a bot play for others."""


class StandInWaits(TypedDict):
    """How long the game must wait for a player before others may let a bot play for that player."""

    host: Annotated[
        Mapping[str, int], "Waiting times for the host, in milliseconds by name of the late player; 0: at once."
    ]
    players: Annotated[
        Mapping[str, int], "Waiting times for other players, in milliseconds by name of the late player; 0: at once."
    ]


NOT_WAITED_LONG = MessageTemplate(
    "room.not_waited_long",
    "{name} has had {had} s. You can let a bot play after {needed} s.",
)
NOBODY_WAITS_FOR = MessageTemplate("room.nobody_waits_for", "Nobody is waiting for {name} now.")
BOT_PLAYS_ALREADY = MessageTemplate("room.bot_plays_already", "A bot already plays for {name}.")
NOBODY_WAITS = MessageTemplate("room.nobody_waits", "No hand is being played.")
YOUR_OWN_SEAT = MessageTemplate("room.your_own_seat", "This is your own seat. Play, or leave it.")
NOT_YOURS_TO_ASK = MessageTemplate(
    "room.not_yours_to_ask",
    "Only the host and the players can let a bot play.",
)
NO_SEAT_FOR_A_BOT = MessageTemplate("room.no_seat_for_a_bot", "Nobody of that name has a seat for a bot.")


def start_stand_in(room: Room, asker: Member, command: LetBotPlay, now: int) -> BotTookOver:
    """Return the event that lets a bot play for a player who is slow or away: this turn only, or their seat.

    Raises `RoomError` unless `asker` is the host or a player and has waited long enough. `now`: milliseconds since
    1970.
    """
    member = room.members.get(command.name)
    if member is None or member.bot is not None or member.name not in room.seated_names():
        raise RoomError("no_such_name", NO_SEAT_FOR_A_BOT())
    if member.name == asker.name:
        raise RoomError("not_now", YOUR_OWN_SEAT())
    if room.phase != "playing":
        raise RoomError("not_now", NOBODY_WAITS())
    if member.active_bot is not None and not (member.lent == "turn" and command.seat):
        raise RoomError("not_now", BOT_PLAYS_ALREADY(name=member.name))
    asks = helper_role_of(room, asker)
    if asks is None:
        raise RoomError("not_host", NOT_YOURS_TO_ASK())
    patience = _required_wait_ms(room, asks, member)
    if patience:
        began = room.clocks.waits.get(member.name)
        if began is None:
            raise RoomError("not_now", NOBODY_WAITS_FOR(name=member.name))
        if now < began + patience:
            had, needed = (now - began) // 1000, patience / 1000
            raise RoomError("not_now", NOT_WAITED_LONG(name=member.name, had=had, needed=f"{needed:g}"))
    return BotTookOver(member.name, room.settings.stand_in, "seat" if command.seat else "turn", asker.name)


def stand_in_wait_times(room: Room) -> StandInWaits:
    """Return after how many milliseconds of waiting the host, and the players, may let a bot play for each person.

    For the room's public view. Empty unless a hand is running.
    """
    if room.phase != "playing":
        return {"host": {}, "players": {}}
    people = [member for member in map(room.members.__getitem__, room.seated_names()) if member.active_bot is None]
    return {
        "host": {} if room.host is None else {one.name: _required_wait_ms(room, "host", one) for one in people},
        "players": {one.name: _required_wait_ms(room, "players", one) for one in people},
    }


def helper_role_of(room: Room, asker: Member) -> HelperRole | None:
    """Return the role in which this member may let a bot play for others, or end a pause: "host" or "players".

    None: they may not, because they have no seat or are leaving.
    """
    if asker.name == room.host:
        return "host"
    return "players" if asker.going is None and asker.name in room.seated_names() else None


def _has_active_host(room: Room, member: Member) -> bool:
    """Return whether there is a host other than `member` who is connected and plays their own seat.

    Then other players must wait longer before they may let a bot play for `member`.
    """
    host = room.members.get(room.host) if room.host is not None else None
    return host is not None and host is not member and host.is_connected and host.stand_in is None


def _required_wait_ms(room: Room, asks: HelperRole, member: Member) -> int:
    """Return the number of milliseconds others must wait for this member before they may let a bot play for them.

    `asks`: the role of the one who asks. A host need not wait for an absent member. Players wait twice as long as an
    active host. A connected member first has their whole turn and time reserve.
    """
    if not member.is_connected and asks == "host":
        return 0
    if member.lent == "turn":
        return 0  # the table has waited long enough before
    patience = round(room.settings.patience * 1000)
    if asks == "players" and _has_active_host(room, member):
        patience *= PLAYERS_WAIT_FACTOR
    run, turn = room.run, room.settings.turn
    if run is None or run.reserve is None or turn is None or not member.is_connected:
        return patience
    return max(patience, round(turn * 1000) + run.reserve.ms)


LINK_FOR_WHO_IS_AWAY = MessageTemplate(
    "room.link_for_who_is_away",
    "{name} is here. A new link is only for a player who is away.",
)
NOBODY_HERE_SO_CALLED = MessageTemplate("room.nobody_here_so_called", "Nobody of that name is in this room.")
AWAY_TOO_SHORT = MessageTemplate(
    "room.away_too_short",
    {
        "one": "{name} has just lost the connection. Try again in {count} second.",
        "other": "{name} has just lost the connection. Try again in {count} seconds.",
    },
)
REMOVED_NO_LINK = MessageTemplate("room.removed_no_link", "{name} was removed, so this seat has no link.")
LINK_SHUT = MessageTemplate(
    "room.link_shut",
    "{name} has taken this seat back once. A new link works only after {name} asks for one.",
)


def check_seat_can_be_given(member: Member | None, now: int) -> Member:
    """Return the member if the host may give their seat to another browser now; else raise `RoomError`.

    A player who did not leave must have been away for a minute without a break, so that a short loss of connection does
    not reveal their hidden cards. The seat of a player who was removed stays with its bot.
    """
    if member is None or member.person is None:
        raise RoomError("no_such_name", NOBODY_HERE_SO_CALLED())
    if member.unseated:
        raise RoomError("not_now", REMOVED_NO_LINK(name=member.name))
    if member.is_connected:
        raise RoomError("not_now", LINK_FOR_WHO_IS_AWAY(name=member.name))
    if member.link_shut:
        raise RoomError("not_now", LINK_SHUT(name=member.name))
    assert member.link_allowed_from is not None, "nothing else speaks against it"
    if now < member.link_allowed_from:
        raise RoomError("not_now", AWAY_TOO_SHORT(name=member.name, count=-((now - member.link_allowed_from) // 1000)))
    return member


def create_seat_link(room: Room, command: MakeLink, now: int) -> SeatLinkCreated:
    """Return the event for a new link that gives an absent player's seat to another browser, for 30 minutes.

    It replaces an earlier link. Raises `RoomError` if the host may not give this seat away now.
    """
    member = check_seat_can_be_given(room.members.get(command.name), now)
    return SeatLinkCreated(member.name, command.digest, now + LINK_MS, command.by, command.device)


def find_seat_by_link(room: Room, digest: str, now: int) -> Member | None:
    """Return the member whose seat a seat link gives; None if it is unknown or expired, or the player is back.

    `digest`: SHA-256 of the secret in the link. `now`: milliseconds since 1970.
    """
    member = next((each for each in room.members.values() if each.link == digest), None)
    if member is None or member.link_until <= now:
        return None
    return None if member.link_allowed_from is None or now < member.link_allowed_from else member


PLAYS_HERE_AS = MessageTemplate(
    "room.plays_here_as",
    "You play here as {name}. Open this link in the browser for {other}.",
)
LINK_IS_USED = MessageTemplate(
    "room.link_is_used",
    "This link was used already, has expired, or its player is back. Ask the host for a new one.",
)


def take_linked_seat(room: Room, command: TakeSeat, now: int) -> SeatTransferred:
    """Return the event that gives the seat of a seat link to the first browser that opens it.

    Raises `RoomError` if the link is not valid any more, or if the browser has another seat in the match.
    """
    member = find_seat_by_link(room, command.digest, now)
    if member is None:
        raise RoomError("bad_link", LINK_IS_USED())
    visitor = room.find_member(command.by)
    if visitor is not None and room.has_match_seat(visitor.name):
        raise RoomError("not_now", PLAYS_HERE_AS(name=visitor.name, other=member.name))
    maker = room.find_member(member.link_maker)
    return SeatTransferred(member.name, command.by, None if maker is None else maker.name)


NO_SEAT_TO_TAKE_BACK = MessageTemplate("room.no_seat_to_take_back", "None of your seats was given to another browser.")
PLAYS_ANOTHER_SEAT = MessageTemplate(
    "room.plays_another_seat",
    "You play here as {name}. Leave that seat first, then take {other} back.",
)


REQUEST_MS = 5 * 60_000
"""Milliseconds for which a request for a seat blocks other requests."""
NO_SEAT_TO_ASK_FOR = MessageTemplate(
    "room.no_seat_to_ask_for", "{name} is here. Close this room on the other device, then ask again."
)
SEAT_IS_ASKED_FOR = MessageTemplate(
    "room.seat_is_asked_for", "Someone already asks for the seat of {name}. Wait for the host."
)
NOBODY_TO_LET_IN = MessageTemplate(
    "room.nobody_to_let_in",
    "Nobody here can let you in. Use your recovery link to be {name} again on this device.",
)
NO_REQUEST = MessageTemplate("room.no_request", "The request for the seat of {name} has ended.")


def request_seat(room: Room, person: str, name: str, now: int) -> SeatRequested:
    """Return the event by which a visitor asks the host for the seat of the absent player `name`.

    A player who left the match may ask too: they get a free seat with their points. Raises `RoomError` if that is not
    possible, or somebody else asked in the last five minutes. `person`: the visitor's id.
    """
    member = next(
        (each for each in (*room.members.values(), *room.departed) if names.look_alike(each.name, name)), None
    )
    if member is None or member.person is None:
        raise RoomError("no_such_name", NOBODY_HERE_SO_CALLED())
    if member.is_connected:
        raise RoomError("not_now", NO_SEAT_TO_ASK_FOR(name=member.name))
    if member.unseated:
        raise RoomError("not_now", REMOVED_NO_LINK(name=member.name))
    if member.link_shut:
        raise RoomError("not_now", LINK_SHUT(name=member.name))
    if not room.has_connected_person:
        raise RoomError("not_now", NOBODY_TO_LET_IN(name=member.name))
    if member.requested_by is not None and now < member.requested_at + REQUEST_MS:
        raise RoomError("not_now", SEAT_IS_ASKED_FOR(name=member.name))
    return SeatRequested(member.name, person)


def requested_seat(room: Room, person: str) -> str | None:
    """Return the name of the absent player whose seat this visitor has requested from the host, or None."""
    found = (
        member.name
        for member in (*room.members.values(), *room.departed)
        if member.requested_by == person and not member.is_connected
    )
    return next(found, None)


def find_seat_given_away(room: Room, person: str | None) -> tuple[Member, FormerHolder] | None:
    """Return the seat that the host gave from this person to another browser, and when and by whom; or None."""
    found = (
        (member, former)
        for member in room.members.values()
        for former in member.former_holders
        if former.person == person and member.person != person
    )
    return next(found, None)


def find_seat_to_reclaim(room: Room, person: str) -> tuple[Member, FormerHolder]:
    """Return the seat that this person may take back, which the host gave to another browser, with the details.

    Raises `RoomError` if there is none, or if they have another seat in the match.
    """
    given = find_seat_given_away(room, person)
    if given is None:
        raise RoomError("not_now", NO_SEAT_TO_TAKE_BACK())
    own = room.find_member(person)
    if own is not None and room.has_match_seat(own.name):
        raise RoomError("not_now", PLAYS_ANOTHER_SEAT(name=own.name, other=given[0].name))
    return given
