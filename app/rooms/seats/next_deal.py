"""Seats of the next deal, and taking the seat of a bot.

If all seats are taken, a visitor may take the seat of a bot: at once in the waiting room, and with the next deal in
a match. The running hand is finished by its players, so points are not mixed and hidden cards stay hidden. A bot
gives up its seat only if the visitor is connected at the deal.
"""

from collections.abc import Iterator
from typing import Annotated, TypedDict

from app.engine.base.messages import MessageTemplate
from app.rooms.errors import RoomError
from app.rooms.events import BotSeatClaimed, LogEvent, MemberLeft, RoleChanged
from app.rooms.model.commands import TakeBotSeat
from app.rooms.model.member import Member
from app.rooms.model.state import Room
from app.rooms.recorded import variations


class SeatPlan(TypedDict):
    """Free seats, and the people who get one with the next deal."""

    free: Annotated[int, "Number of people who could still join the next hand."]
    bots: Annotated[list[str], "Bots whose seats can be taken (`take_bot_seat`)."]
    joining: Annotated[list[str], "Waiting members who play from the next deal on."]


def seat_plan_view(room: Room) -> SeatPlan:
    """Return, for the room's public view, the number of free seats, takeable bots' seats, and joining members."""
    return {"free": count_free_seats(room), "bots": takeable_bots(room), "joining": members_joining_next_deal(room)}


def count_free_seats(room: Room) -> int:
    """Return the number of further people who could play the next hand, as JSON shows to visitors."""
    return max(0, room.settings.player_range[1] - room.count_next_players())


def takeable_bots(room: Room) -> list[str]:
    """Return the names of seats that a visitor can take now or with the next deal.

    These are seats of bots that nobody has claimed, or the free seats of a variation.
    """
    if variations.is_variation(room):
        return variations.free_seats(room)
    seated, up = map(room.members.__getitem__, room.seated_names()), room.seats_given_up()
    return [member.name for member in seated if member.bot and member.going is None and member.name not in up]


def members_joining_next_deal(room: Room) -> list[str]:
    """Return the names of waiting members who get a seat with the next deal, as far as seats are free.

    Empty outside a match.
    """
    if not room.in_match:
        return []
    return list(
        room.members_joining_next_deal()[: max(0, room.settings.player_range[1] - room.count_staying_players())]
    )


HAS_NO_CHAIR = MessageTemplate("room.has_no_chair", "{name} has no seat that can be taken.")
CHAIR_IS_TAKEN = MessageTemplate("room.chair_is_taken", "{other} is already taking the seat of {name}.")
HAS_A_CHAIR = MessageTemplate("room.has_a_chair", "You already have a seat.")
NO_BOTS_CHAIR = MessageTemplate(
    "room.no_bots_chair",
    "No bot of that name is here. You can only take the seat of a bot.",
)


def take_bot_seat(room: Room, member: Member, command: TakeBotSeat, node: str) -> Iterator[LogEvent]:
    """Yield the events that give this member a bot's seat: now in the waiting room, in a match with the next deal.

    In a variation any free seat, at once. The last event answers the command. Raises `RoomError` if the seat can't be
    taken.
    """
    bot = room.members.get(command.name)
    if variations.is_variation(room) and member.role != "seated":
        assert member.person is not None
        yield variations.take_free_seat(room, member.person, command.name, node)
        return
    if bot is None or bot.bot is None:
        raise RoomError("no_such_name", NO_BOTS_CHAIR())
    if member.role == "seated":
        raise RoomError("not_now", HAS_A_CHAIR())
    other = room.seats_given_up().get(bot.name)
    if other is not None and other != member.name:
        raise RoomError("not_now", CHAIR_IS_TAKEN(other=other, name=bot.name))
    if bot.name not in room.seated_names() or bot.going is not None:
        raise RoomError("not_now", HAS_NO_CHAIR(name=bot.name))
    if member.role == "spectator":
        yield RoleChanged(member.name, "waiting")
    yield BotSeatClaimed(member.name, bot.name) if room.in_match else MemberLeft(bot.name)
