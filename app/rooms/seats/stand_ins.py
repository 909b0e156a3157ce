"""Nobody waits for one person: who may let a bot play for whom, and from when on; links to seats of who is away.

The bot plays a turn, or a seat until its owner touches it. Each function looks at the room as it is when the question
comes and gives the entry that answers it, or raises `RoomError`: whoever was first is in the log by then.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias, TypedDict

from app.engine.base.messages import Sentence
from app.rooms.errors import RoomError
from app.rooms.model.commands import LetBotPlay, MakeLink, TakeSeat
from app.rooms.model.events import LinkMade, SeatMoved, SeatRequested, StoodIn
from app.rooms.model.member import FormerHolder, Member
from app.rooms.model.state import Room
from app.rooms.people import names

AFTER_THE_HOST = 2
"""So many times as long as the host those wait who play, where the host does nothing."""
LINK_MS = 30 * 60_000
"""How long a link to a seat works."""

Helper: TypeAlias = Literal["host", "players"]
"""As what somebody may let a bot play for others."""


class Helps(TypedDict):
    """How long somebody must have been waited for before others may let a bot play for them."""

    host: Annotated[Mapping[str, int], "The host, in milliseconds by name; 0: whether they are waited for or not."]
    players: Annotated[Mapping[str, int], "Whoever else plays."]


NOT_WAITED_LONG = Sentence(
    "room.not_waited_long",
    "{name} has had {had} s; you may let a bot play from {needed} s on.",
)
NOBODY_WAITS_FOR = Sentence("room.nobody_waits_for", "Nobody waits for {name} now.")
BOT_PLAYS_ALREADY = Sentence("room.bot_plays_already", "A bot plays for {name} already.")
NOBODY_WAITS = Sentence("room.nobody_waits", "Nobody waits for anybody: no hand is being played.")
YOUR_OWN_SEAT = Sentence("room.your_own_seat", "It is your own seat: play, or leave it.")
NOT_YOURS_TO_ASK = Sentence(
    "room.not_yours_to_ask",
    "Only the host and those who play may let a bot play for somebody.",
)
NO_SEAT_FOR_A_BOT = Sentence("room.no_seat_for_a_bot", "Nobody of that name has a seat that a bot could play.")


def let_bot_play(room: Room, asker: Member, command: LetBotPlay, now: int) -> StoodIn:
    """Put a bot on this turn, or this seat, of somebody who keeps the table waiting; or raise `RoomError`."""
    member = room.members.get(command.name)
    if member is None or member.bot is not None or member.name not in room.seated():
        raise RoomError("no_such_name", NO_SEAT_FOR_A_BOT())
    if member.name == asker.name:
        raise RoomError("not_now", YOUR_OWN_SEAT())
    if room.phase != "playing":
        raise RoomError("not_now", NOBODY_WAITS())
    if member.player is not None and not (member.lent == "turn" and command.seat):
        raise RoomError("not_now", BOT_PLAYS_ALREADY(name=member.name))
    asks = helper(room, asker)
    if asks is None:
        raise RoomError("not_host", NOT_YOURS_TO_ASK())
    patience = _patience(room, asks, member)
    if patience:
        began = room.clocks.waits.get(member.name)
        if began is None:
            raise RoomError("not_now", NOBODY_WAITS_FOR(name=member.name))
        if now < began + patience:
            had, needed = (now - began) // 1000, patience / 1000
            raise RoomError("not_now", NOT_WAITED_LONG(name=member.name, had=had, needed=f"{needed:g}"))
    return StoodIn(member.name, room.settings.stand_in, "seat" if command.seat else "turn", asker.name)


def helps(room: Room) -> Helps:
    """Tell how long who plays must have been waited for before a bot may be asked to play for them."""
    if room.phase != "playing":
        return {"host": {}, "players": {}}
    people = [member for member in map(room.members.__getitem__, room.seated()) if member.player is None]
    return {
        "host": {} if room.host is None else {one.name: _patience(room, "host", one) for one in people},
        "players": {one.name: _patience(room, "players", one) for one in people},
    }


def helper(room: Room, asker: Member) -> Helper | None:
    """Tell as what this member may let a bot play for others; None: they may not."""
    if asker.name == room.host:
        return "host"
    return "players" if asker.going is None and asker.name in room.seated() else None


def _host_decides(room: Room, member: Member) -> bool:
    """Tell whether there is a host for this, who does not keep others waiting and has not left their own seat."""
    host = room.members.get(room.host) if room.host is not None else None
    return host is not None and host is not member and host.present and host.stand_in is None


def _patience(room: Room, asks: Helper, member: Member) -> int:
    """Tell how many milliseconds somebody must have been waited for; a host need not wait for somebody who is away.

    A host may be here and do nothing: the others have the same right, but only when it has been twice as long.
    """
    if not member.present and asks == "host":
        return 0
    if member.lent == "turn":
        return 0  # it had waited for long enough already
    patience = round(room.settings.patience * 1000)
    return AFTER_THE_HOST * patience if asks == "players" and _host_decides(room, member) else patience


LINK_FOR_WHO_IS_AWAY = Sentence(
    "room.link_for_who_is_away",
    "{name} is here: a new link is for somebody who is away.",
)
NOBODY_HERE_SO_CALLED = Sentence("room.nobody_here_so_called", "Nobody of that name is in this room.")
AWAY_TOO_SHORT = Sentence(
    "room.away_too_short",
    {
        "one": "{name} has just lost the connection. Try again in {count} second.",
        "other": "{name} has just lost the connection. Try again in {count} seconds.",
    },
)
SEAT_NOT_TO_GIVE = Sentence(
    "room.seat_not_to_give",
    "The seat of {name} can’t be given to another browser. A bot plays this hand to its end.",
)
REMOVED_NO_LINK = Sentence("room.removed_no_link", "{name} was removed, so there is no link to this seat.")
LINK_SHUT = Sentence(
    "room.link_shut",
    "{name} has taken this seat back once. A new link works only after {name} asks for one.",
)


def check_may_give(room: Room, name: str, now: int) -> Member:
    """Find the member whose seat the host may give to another browser now; or raise `RoomError`.

    The player must have been away for a minute without a break, so that a connection lost for a moment costs nobody
    their hidden cards. The seat of a player who leaves or was removed stays with the bot that plays it.
    """
    member = room.members.get(name)
    if member is None:
        raise RoomError("no_such_name", NOBODY_HERE_SO_CALLED())
    if member.going is not None:
        raise RoomError("not_now", SEAT_NOT_TO_GIVE(name=name))
    if member.person is None:
        raise RoomError("no_such_name", NOBODY_HERE_SO_CALLED())
    if member.unseated:
        raise RoomError("not_now", REMOVED_NO_LINK(name=name))
    if member.present:
        raise RoomError("not_now", LINK_FOR_WHO_IS_AWAY(name=name))
    if member.link_shut:
        raise RoomError("not_now", LINK_SHUT(name=name))
    assert member.link_from is not None, "nothing else speaks against it"
    if now < member.link_from:
        raise RoomError("not_now", AWAY_TOO_SHORT(name=name, count=-((now - member.link_from) // 1000)))
    return member


def make_link(room: Room, command: MakeLink, now: int) -> LinkMade:
    """Make a link to the seat of an absent player, in place of an older one; or raise `RoomError`."""
    member = check_may_give(room, command.name, now)
    return LinkMade(member.name, command.digest, now + LINK_MS, command.by, command.device)


def linked(room: Room, digest: str, now: int) -> Member | None:
    """Find whose seat this link gives, if it still does."""
    member = next((each for each in room.members.values() if each.link == digest), None)
    if member is None or member.link_until <= now:
        return None
    return None if member.link_from is None or now < member.link_from else member


PLAYS_HERE_AS = Sentence(
    "room.plays_here_as",
    "You play here as {name}: open this link in the browser that is to be {other}.",
)
LINK_IS_USED = Sentence(
    "room.link_is_used",
    "This link has been used, is too old, or its owner is back: ask the host for another.",
)


def take_seat(room: Room, command: TakeSeat, now: int) -> SeatMoved:
    """Give the seat of a link to the first browser that opens it; or raise `RoomError`."""
    member = linked(room, command.digest, now)
    if member is None:
        raise RoomError("bad_link", LINK_IS_USED())
    mine = room.member_of(command.by)
    if mine is not None and room.has_place(mine.name):
        raise RoomError("not_now", PLAYS_HERE_AS(name=mine.name, other=member.name))
    maker = room.member_of(member.link_maker)
    return SeatMoved(member.name, command.by, None if maker is None else maker.name)


NO_SEAT_TO_TAKE_BACK = Sentence("room.no_seat_to_take_back", "No seat of yours was given to another browser.")
PLAYS_ANOTHER_SEAT = Sentence(
    "room.plays_another_seat",
    "You play here as {name}. Leave that seat first, then take {other} back.",
)


REQUEST_MS = 5 * 60_000
"""For how long the request for a seat keeps others from asking for it."""
NO_SEAT_TO_ASK_FOR = Sentence("room.no_seat_to_ask_for", "{name} is here: there is no seat to come back to.")
SEAT_IS_ASKED_FOR = Sentence(
    "room.seat_is_asked_for", "Somebody asks for the seat of {name} already: wait for the host."
)
NOBODY_TO_LET_IN = Sentence(
    "room.nobody_to_let_in",
    "Nobody is here who could let you in. With your recovery link you are {name} again on this device.",
)
NO_REQUEST = Sentence("room.no_request", "Nobody asks for the seat of {name} any more.")


def request_seat(room: Room, person: str, name: str, now: int) -> SeatRequested:
    """Ask the host for the seat of a player who is away; or raise `RoomError`.

    One request for each seat is open at a time. Another visitor may ask after five minutes without an answer.
    """
    member = next((each for each in room.members.values() if names.alike(each.name, name)), None)
    if member is None or member.person is None or member.going == "gone":
        raise RoomError("no_such_name", NOBODY_HERE_SO_CALLED())
    if member.present:
        raise RoomError("not_now", NO_SEAT_TO_ASK_FOR(name=member.name))
    if member.unseated:
        raise RoomError("not_now", REMOVED_NO_LINK(name=member.name))
    if member.link_shut:
        raise RoomError("not_now", LINK_SHUT(name=member.name))
    if not room.anybody_here:
        raise RoomError("not_now", NOBODY_TO_LET_IN(name=member.name))
    if member.requested_by is not None and now < member.requested_at + REQUEST_MS:
        raise RoomError("not_now", SEAT_IS_ASKED_FOR(name=member.name))
    return SeatRequested(member.name, person)


def requested_seat(room: Room, person: str) -> str | None:
    """Find the name whose seat this visitor has asked for; None if they have not."""
    found = (member.name for member in room.members.values() if member.requested_by == person and not member.present)
    return next(found, None)


def given_away(room: Room, person: str | None) -> tuple[Member, FormerHolder] | None:
    """Find the seat that a host has given away from this person, and how; None if there is none."""
    found = (
        (member, former)
        for member in room.members.values()
        for former in member.former_holders
        if former.person == person and member.person != person
    )
    return next(found, None)


def seat_to_take_back(room: Room, person: str) -> tuple[Member, FormerHolder]:
    """Find the seat that this person may take back now, and how it was given away; or raise `RoomError`."""
    given = given_away(room, person)
    if given is None:
        raise RoomError("not_now", NO_SEAT_TO_TAKE_BACK())
    mine = room.member_of(person)
    if mine is not None and room.has_place(mine.name):
        raise RoomError("not_now", PLAYS_ANOTHER_SEAT(name=mine.name, other=given[0].name))
    return given
