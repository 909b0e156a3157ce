"""Commands that bring back what the database has lost: the loss is recorded, then members, bots and deal return.

`before` is the room as remembered here, `room` the room as stored.
"""

from collections.abc import Collection, Iterator

from app.rooms.model import commands as ask
from app.rooms.model.state import RandomBytes, Room


def command_to_record_loss(before: Room, room: Room) -> ask.Rewind | None:
    """Return the command that records the loss in the log, or None if another node has done so."""
    if room.rewinds > before.rewinds:
        return None
    same_deal = room.phase == "playing" and room.chance.closed == before.chance.closed
    lost = None if same_deal or before.chance.closed is None else before.cancelled_deal("lost_entries")
    return ask.Rewind(room.rewinds, max(0, before.turn - room.turn), lost, before.rewinds)


def host_here(room: Room, here: Collection[str]) -> str | None:
    """Return the id of the room's host if they are connected here (`here`: the ids of all people who are)."""
    host = room.members.get(room.host or "")
    return host.person if host is not None and host.person in here else None


def commands_to_restore_members(
    before: Room, room: Room, here: Collection[str], random_bytes: RandomBytes
) -> Iterator[ask.Command]:
    """Yield commands for members connected here who are no longer in the room, and for bots if the host is here."""
    for member in before.members.values():
        person = member.person
        if person in here and room.find_member(person) is None and person not in room.banned:
            assert person is not None
            yield ask.Join(person, _command_id(random_bytes), member.name, member.program, member.bird, member.colour)
    host = host_here(room, here)
    if host is None:
        return
    for member in before.members.values():
        if member.bot is not None and member.name not in room.members:
            yield ask.AddBot(host, _command_id(random_bytes), member.bot, member.name)


def is_member_missing(before: Room, room: Room) -> bool:
    """Return whether a person who was connected to the room is not a member again yet."""
    return any(
        member.is_connected_person and room.find_member(member.person) is None for member in before.members.values()
    )


def command_to_redeal(room: Room, host: str, random_bytes: RandomBytes) -> ask.Command:
    """Return the command with which this host asks again for a deal that the database lost."""
    command = ask.DealNext if room.phase == "between_hands" else ask.Start
    return command(host, _command_id(random_bytes), room.chance.commitment)


def _command_id(random_bytes: RandomBytes) -> str:
    return f"again-{random_bytes(8).hex()}"
