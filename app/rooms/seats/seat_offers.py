"""Giving a seat to a spectator: a player offers it to a spectator, who accepts or declines, and takes it at the deal.

Everybody is told. Points and history stay with each person, as when a newcomer takes a free seat.
"""

from collections.abc import Iterator

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate
from app.engine.cards.actions import JoinMatch, LeaveMatch
from app.rooms.errors import RoomError
from app.rooms.events import ActionTaken, LogEvent, SeatOfferAccepted, SeatOffered, SeatOfferEnded
from app.rooms.model.commands import AnswerSeatOffer, OfferSeat
from app.rooms.model.member import Member
from app.rooms.model.state import MatchRun, Room
from app.rooms.recorded import variations

NO_SEAT_TO_OFFER = MessageTemplate("room.no_seat_to_offer", "You have no seat in a match that you could give.")
OFFERS_ARE_OFF = MessageTemplate("room.offers_are_off", "The host has turned off giving seats to spectators.")
OFFER_TO_SPECTATORS = MessageTemplate(
    "room.offer_to_spectators", "You can give your seat to a spectator who is here, and has a name."
)
NO_OFFER_TO_WITHDRAW = MessageTemplate("room.no_offer_to_withdraw", "You offer your seat to nobody now.")
NO_SUCH_OFFER = MessageTemplate("room.no_such_offer", "{name} no longer offers you a seat.")


def offer_seat(room: Room, member: Member, command: OfferSeat) -> Iterator[LogEvent]:
    """Yield the events by which a player withdraws an offer of their seat, and offers it to a spectator.

    The last event answers the command. Raises `RoomError` if the player has no seat to give, or nobody of that name
    watches.
    """
    if command.name is None and member.offered_to is None:
        raise RoomError("not_now", NO_OFFER_TO_WITHDRAW())
    if command.name is None:
        yield SeatOfferEnded(member.name, "withdrawn")
        return
    if not room.has_match_seat(member.name) or member.going is not None or variations.is_variation(room):
        raise RoomError("not_now", NO_SEAT_TO_OFFER())
    if not room.settings.seat_offers:
        raise RoomError("not_now", OFFERS_ARE_OFF())
    other = room.members.get(command.name)
    if other is None or other.person is None or other.role != "spectator" or not other.is_connected:
        raise RoomError("no_such_name", OFFER_TO_SPECTATORS())
    if member.offered_to is not None:
        yield SeatOfferEnded(member.name, "withdrawn")
    yield SeatOffered(member.name, other.person)


def answer_seat_offer(room: Room, member: Member, command: AnswerSeatOffer) -> LogEvent:
    """Return the event by which a spectator takes the seat that a player offers them, or declines.

    Raises `RoomError` if this player does not offer them a seat.
    """
    giver = room.members.get(command.name)
    if giver is None or member.person is None or giver.offered_to != member.person or member.role != "spectator":
        raise RoomError("not_now", NO_SUCH_OFFER(name=command.name))
    if not command.yes:
        return SeatOfferEnded(giver.name, "declined")
    return SeatOfferAccepted(member.name, giver.name)


def seat_changes(room: Room, run: MatchRun) -> Iterator[LogEvent]:
    """Yield the events by which seats change hands before the next deal, as their players offered them.

    If a spectator is gone, or the rules allow no change, the player keeps the seat, and both are told.
    """
    match = run.match
    for giver in map(room.members.__getitem__, match.seats):
        if giver.offered_to is None or giver.going is not None:
            continue
        taker = room.find_member(giver.offered_to)
        if taker is not None and taker.chair != giver.name:
            continue  # not answered yet
        if taker is None or not taker.is_connected:
            yield SeatOfferEnded(giver.name, "gone")
            continue
        try:
            match = match.apply_between_hands(giver.name, LeaveMatch()).match
            match = match.apply_between_hands(taker.name, JoinMatch()).match
        except RuleError:
            match = run.match
            yield SeatOfferEnded(giver.name, "rules")
            continue
        yield ActionTaken(giver.name, LeaveMatch())
        yield ActionTaken(taker.name, JoinMatch())
