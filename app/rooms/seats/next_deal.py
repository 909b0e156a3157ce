"""Who gets a chair with the next deal, and bots whose chairs may be taken.

Whoever finds a table full may have the chair of a bot: in the waiting room at once, in a match with the next deal, by
leaving and joining as the game's rules have it. The hand that runs is played by those who were dealt it: its points
are theirs, and nobody sees cards that were meant for somebody else. A bot gets up only for whoever is there by then.
"""

from collections.abc import Iterator
from typing import Annotated, TypedDict

from app.engine.base.messages import Sentence
from app.rooms.errors import RoomError
from app.rooms.model.commands import TakeChair
from app.rooms.model.events import ChairTaken, Entry, Gone, RoleChanged
from app.rooms.model.member import Member
from app.rooms.model.state import Room
from app.rooms.recorded import variations


class Chairs(TypedDict):
    """Who can get a chair."""

    free: Annotated[int, "How many more could play the next hand."]
    bots: Annotated[list[str], "Bots whose chairs may be taken (`take_chair`)."]
    coming: Annotated[list[str], "Those who wait and play from the next deal on."]


def shown(room: Room) -> Chairs:
    """What everybody may know of the chairs."""
    return {"free": free(room), "bots": to_take(room), "coming": coming(room)}


def free(room: Room) -> int:
    """Count how many more could play the next hand."""
    return max(0, room.settings.players[1] - room.players_next())


def to_take(room: Room) -> list[str]:
    """List the bots whose chairs nobody has taken yet."""
    if variations.is_variation(room):
        return variations.free_chairs(room)
    seated, up = map(room.members.__getitem__, room.seated()), room.making_place()
    return [member.name for member in seated if member.bot and member.going is None and member.name not in up]


def coming(room: Room) -> list[str]:
    """List those who wait and get a chair with the next deal."""
    if not room.in_match:
        return []
    return list(room.comers()[: max(0, room.settings.players[1] - room.staying())])


HAS_NO_CHAIR = Sentence("room.has_no_chair", "{name} has no chair that could be taken.")
CHAIR_IS_TAKEN = Sentence("room.chair_is_taken", "{other} takes the chair of {name} already.")
HAS_A_CHAIR = Sentence("room.has_a_chair", "You have a chair already.")
NO_BOTS_CHAIR = Sentence(
    "room.no_bots_chair",
    "Only the chair of a bot can be taken, and no bot of that name is here.",
)


def take(room: Room, member: Member, command: TakeChair, node: str) -> Iterator[Entry]:
    """Give the entries that put this member on the chair of a bot; the last of them answers. Or raise `RoomError`."""
    bot = room.members.get(command.name)
    if variations.is_variation(room) and member.role != "seated":
        assert member.person is not None
        yield variations.sit_down(room, member.person, command.name, node)
        return
    if bot is None or bot.bot is None:
        raise RoomError("no_such_name", NO_BOTS_CHAIR())
    if member.role == "seated":
        raise RoomError("not_now", HAS_A_CHAIR())
    other = room.making_place().get(bot.name)
    if other is not None and other != member.name:
        raise RoomError("not_now", CHAIR_IS_TAKEN(other=other, name=bot.name))
    if bot.name not in room.seated() or bot.going is not None:
        raise RoomError("not_now", HAS_NO_CHAIR(name=bot.name))
    if member.role == "watcher":
        yield RoleChanged(member.name, "waiting")
    yield ChairTaken(member.name, bot.name) if room.in_match else Gone(bot.name)
