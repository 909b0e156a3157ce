"""Changes to a room that several events share: members who leave, seats and links that change hands."""

from collections.abc import Iterable
from dataclasses import replace

from app.rooms.model import faces
from app.rooms.model.member import Member
from app.rooms.model.state import MatchRun, Room


def find_player(room: Room, name: str) -> Member:
    """Return the member of this name, or the player who left the room during the match."""
    found = room.find_player(name)
    assert found is not None, "the handler has found this player"
    return found


def with_player(room: Room, changed: Member) -> Room:
    """Copy with this member replaced, or the player who left the room during the match."""
    run = room.run
    if changed.name in room.members or run is None:
        return room.with_member(changed)
    departed = tuple(changed if left.name == changed.name else left for left in run.departed)
    return room.replace(run=run.replace(departed=departed))


def without_departed(room: Room, name: str) -> Room:
    """Copy without the player of this name who left the match, because a member has the name now."""
    run = room.run
    if run is None or not run.departed:
        return room
    return room.replace(run=run.replace(departed=tuple(left for left in run.departed if left.name != name)))


def assign_seat(room: Room, member: Member, person: str) -> Room:
    """Copy the room with this member's seat, face and money account assigned to this person.

    Links to the seat, and links that the former holder made as host, stop working.
    """
    before = room.members[member.name].person
    room = without_links_of(room.replace(faces=faces.with_face_under_key(room, member.name, person)), member.name)
    room = room.with_member(replace(member.without_link(), person=person, program=False))
    if room.evening is not None:
        room = room.replace(evening=room.evening.with_account_moved(before, person, member.name))
    run = room.run
    if run is not None and member.name in run.names:
        room = room.replace(run=run.replace(names={**run.names, member.name: person}))
    return room


def without_links_of(room: Room, maker: str) -> Room:
    """Copy the room without the seat links that this member created as host.

    Called when the member leaves or is no longer host.
    """
    person = room.members[maker].person
    linked = [each for each in room.members.values() if each.link is not None and each.link_maker == person]
    if not linked:
        return room
    return room.replace(members={**room.members, **{each.name: each.without_link() for each in linked}})


def without_seat_offer(room: Room, giver: str) -> Room:
    """Copy without this player's offer of their seat. A spectator who had accepted it watches again."""
    member = room.members[giver]
    taker = None if member.offered_to is None else room.find_member(member.offered_to)
    if taker is not None and taker.chair == giver:
        room = room.with_member(replace(taker, role="spectator", chair=None))
    return room if member.offered_to is None else room.with_member(replace(member, offered_to=None))


def remove_member(room: Room, name: str) -> Room:
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


def remove_departing_members(room: Room, run: MatchRun, names: Iterable[str]) -> Room:
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
            members[name] = replace(member.without_stand_in(), role="spectator", going=None, offered_to=None)
    return room.replace(members=members, run=run)
