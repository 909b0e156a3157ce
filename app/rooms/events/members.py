"""Events of members: people and bots who join, take a role, change their looks, leave, or are removed."""

from dataclasses import replace
from typing import Any

from app.rooms.events import event_texts
from app.rooms.events.changes import remove_member, without_departed, without_links_of
from app.rooms.events.log_event import Change, LogEvent
from app.rooms.model import faces
from app.rooms.model.member import LeavingAs, Member, Members, Role
from app.rooms.model.state import MOST_PEOPLE, Room


class PersonJoined(LogEvent, frozen=True, tag="joined"):
    """Log event: a person joined the room; or a member changed their name, role or program flag."""

    person: str
    name: str
    role: Role
    present: bool = True
    program: bool = False
    """As declared by the client."""
    node: str = ""
    bird: str | None = None
    """Saved by the person, or chosen on joining; the same for `colour`. Only for a new member."""
    colour: str | None = None

    def apply(self, room: Room, at: int) -> Change:
        before = room.find_member(self.person)
        room, texts = self._add(room, at) if before is None else self._rename(room, before)
        return without_departed(room, self.name), texts

    def _add(self, room: Room, at: int) -> Change:
        came = Member(
            self.name,
            self.person,
            self.role,
            nodes=(self.node,) if self.present else (),
            program=self.program,
            away_since=at,
            bird=self.bird,
            colour=self.colour,
        )
        said: dict[str, Any] = {"program": True} if self.program else {}
        return room.with_member(came), (event_texts.ENTERED(self.name, role=self.role, **said),)

    def _rename(self, room: Room, before: Member) -> Change:
        """Change the same person, perhaps under another name, in the same position."""
        called = None if self.name != before.name else before.called
        unseated = before.unseated and self.role == "spectator"
        changed = replace(before, name=self.name, role=self.role, program=self.program, called=called)
        changed = replace(changed, unseated=unseated)
        members = {
            changed.name if name == before.name else name: changed if name == before.name else member
            for name, member in room.members.items()
        }
        host = self.name if room.host == before.name else room.host
        seeds = {self.name if name == before.name else name: seed for name, seed in room.chance.seeds.items()}
        evening = None if room.evening is None else room.evening.with_account_name(self.person, self.name)
        room = room.replace(members=members, host=host, chance=room.chance.replace(seeds=seeds), evening=evening)
        return room, () if self.name == before.name else (event_texts.RENAMED(self.name, before=before.name),)


class AvatarChanged(LogEvent, frozen=True, tag="looks_changed"):
    """Log event: a member changed their avatar or chosen name.

    They keep `name` until no match uses it any more.
    """

    name: str
    bird: str | None
    colour: str | None
    called: str | None = None

    def apply(self, room: Room, at: int) -> Change:
        name, called, before = self.name, self.called, room.members[self.name]
        room = room.with_member(replace(before, bird=self.bird, colour=self.colour, called=called))
        if called in (None, before.called) or name not in room.names:
            return room, ()
        return room, (event_texts.CHOSEN_NAME_CHANGED(name, before=name, now=called),)


class BotAdded(LogEvent, frozen=True, tag="bot_came"):
    """Log event: a bot of kind `bot` became a member of the room under this name."""

    name: str
    bot: str
    role: Role

    def apply(self, room: Room, at: int) -> Change:
        member = Member(self.name, None, self.role, self.bot)
        return room.with_member(member), (event_texts.BOT_ADDED(self.name, bot=self.bot),)


class BotKindChanged(LogEvent, frozen=True, tag="bot_set"):
    """Log event: a bot plays at another level from now on."""

    name: str
    bot: str

    def apply(self, room: Room, at: int) -> Change:
        member = replace(room.members[self.name], bot=self.bot)
        return room.with_member(member), (event_texts.BOT_LEVEL_CHANGED(self.name, bot=self.bot),)


class RoleChanged(LogEvent, frozen=True, tag="role_changed"):
    """Log event: a member outside of a match seat sat down, waits for a seat, or became a spectator."""

    name: str
    role: Role

    def apply(self, room: Room, at: int) -> Change:
        member = replace(room.members[self.name], role=self.role, ready=False, chair=None, unseated=False)
        return room.with_member(member), (event_texts.ROLES[self.role](self.name),)


class BotSeatClaimed(LogEvent, frozen=True, tag="chair_taken"):
    """Log event: a waiting member takes the seat of this bot with the next deal, if they are connected then."""

    name: str
    bot: str

    def apply(self, room: Room, at: int) -> Change:
        member = replace(room.members[self.name], chair=self.bot)
        return room.with_member(member), (event_texts.BOT_SEAT_TAKEN(self.name, of=self.bot),)


class ReadyChanged(LogEvent, frozen=True, tag="ready_set"):
    """Log event: a member in the waiting room said that they are ready to start, or no longer are."""

    name: str
    ready: bool

    def apply(self, room: Room, at: int) -> Change:
        member = replace(room.members[self.name], ready=self.ready)
        text = event_texts.READY if self.ready else event_texts.NOT_READY
        return room.with_member(member), (text(self.name),)


class LeavingChanged(LogEvent, frozen=True, tag="going_set"):
    """Log event: a member with a seat in the match leaves it before the next deal (None: they stay after all)."""

    name: str
    going: LeavingAs | None = None

    def apply(self, room: Room, at: int) -> Change:
        if self.going == "gone":
            room = without_links_of(room, self.name)
        member = room.members[self.name]
        stand_in = None if self.going is None or member.bot else room.settings.stand_in
        member = replace(member, going=self.going, stand_in=stand_in, lent=None, missed=0)
        text = event_texts.LEAVE_CANCELLED if self.going is None else event_texts.LEAVE_PLANNED
        return room.with_member(member), (text(self.name),)


class MemberLeft(LogEvent, frozen=True, tag="gone"):
    """Log event: a member, person or bot, without a seat in a running match left the room."""

    name: str

    def apply(self, room: Room, at: int) -> Change:
        return remove_member(without_links_of(room, self.name), self.name), (event_texts.LEFT_ROOM(self.name),)


class PersonDeleted(LogEvent, frozen=True, tag="forgotten"):
    """Log event: a person is removed from the room, because their data is deleted.

    In a match, a bot plays their seat until the rules release it. Their name is replaced in stored data later.
    """

    person: str

    def apply(self, room: Room, at: int) -> Change:
        person = self.person
        answers = {who: of_person for who, of_person in room.answers.items() if who != person}
        hashes = {who: promised for who, promised in room.chance.hashes.items() if who != person}
        dismissed = {who: seq for who, seq in room.dismissed.items() if who != person}
        room = room.replace(answers=answers, banned=room.banned - {person}, chance=room.chance.replace(hashes=hashes))
        room = room.replace(dismissed=dismissed)
        room = room.replace(
            members=_members_without_claims(room.members, person), faces=faces.without_person(room, person)
        )
        if room.run is not None:
            left = {left.name: left for left in room.run.departed if left.person != person}
            departed = tuple(_members_without_claims(left, person).values())
            room = room.replace(run=room.run.replace(departed=departed))
        member = room.find_member(person)
        if member is None:
            return room, ()
        room = without_links_of(room, member.name)
        member = replace(room.members[member.name], bird=None, colour=None, called=None)
        return _without_person(room, member), (event_texts.LEFT_ROOM(member.name),)


class MemberRemoved(LogEvent, frozen=True, tag="removed"):
    """Log event: the host took a person's seat, and with `ban` also banned them from the room.

    In a match, a bot plays the seat until the rules release it.
    """

    name: str
    ban: bool = True
    """Whether they are banned from the room. If not, they become spectators and may take a seat again."""

    def apply(self, room: Room, at: int) -> Change:
        room = without_links_of(room, self.name)
        member = room.members[self.name]
        if self.ban:
            assert member.person is not None
            room = room.replace(banned=room.banned | {member.person})
            return _without_person(room, member), (event_texts.REMOVED(self.name),)
        left = replace(member.without_link(), unseated=True)
        if room.has_match_seat(self.name):
            left = replace(left, stand_in=room.settings.stand_in, lent=None, missed=0, going="spectator")
        else:
            left = replace(left, role="spectator", ready=False)
        return room.with_member(left), (event_texts.UNSEATED(self.name),)


class SpectatorRemoved(LogEvent, frozen=True, tag="spectator_removed"):
    """Log event: the host asked a spectator to leave, and with `ban` banned the person from the room."""

    person: str
    ban: bool = False

    def apply(self, room: Room, at: int) -> Change:
        if self.ban:
            return room.replace(banned=room.banned | {self.person}), ()
        others = {who: seq for who, seq in room.dismissed.items() if who != self.person}
        latest = dict(list(others.items())[1 - MOST_PEOPLE :])
        return room.replace(dismissed={**latest, self.person: room.seq + 1}), ()


class HostChanged(LogEvent, frozen=True, tag="host_changed"):
    """Log event: another member became host (None: nobody can be host)."""

    name: str | None = None
    passed_on: bool = False
    """Whether this happened automatically, because the host was gone."""

    def apply(self, room: Room, at: int) -> Change:
        name, passed_on = self.name, self.passed_on
        if room.host is not None and not passed_on:
            room = without_links_of(room, room.host)
        room = room.replace(host=name, host_before=room.host if passed_on else None)
        return room, () if name is None else (event_texts.HOST_CHANGED(name, passed_on=passed_on),)


def _without_person(room: Room, member: Member) -> Room:
    """Copy the room without this member's person, who was banned or deleted.

    If they have a seat in the match, a bot plays it until the rules release it.
    """
    if not room.has_match_seat(member.name):
        return without_departed(remove_member(room, member.name), member.name)
    bot = replace(member, person=None, nodes=(), stand_in=room.settings.stand_in, lent=None, missed=0, going="gone")
    return room.with_member(bot.without_link())


def _members_without_claims(members: Members, person: str) -> Members:
    """Copy these members without a deleted person's claims to seats they had before, and without their seat request."""
    return {
        name: replace(
            member.without_request() if member.requested_by == person else member,
            former_holders=tuple(former for former in member.former_holders if former.person != person),
            offered_to=None if member.offered_to == person else member.offered_to,
        )
        if member.former_holders or person in (member.requested_by, member.offered_to)
        else member
        for name, member in members.items()
    }
