"""Matches with known cards: variations, which continue another match, and matches that repeat its deals.

A variation has the seats of the original match, with their names. A person who takes a seat uses its name until the
variation ends. The cards are known, so visitors may take a free seat at once without waiting for the next deal.
"""

from dataclasses import asdict
from datetime import datetime

from app import bots
from app.engine.base.messages import MessageTemplate
from app.engine.match.hand import Deal
from app.rooms import events
from app.rooms.errors import RoomError
from app.rooms.log.pending_events import PendingEvents
from app.rooms.model.commands import Visitor
from app.rooms.model.decision import CommandReply, Decision
from app.rooms.model.settings import RoomSettings
from app.rooms.model.shuffle_proof import PastDeal, known_cards_proof
from app.rooms.model.state import KnownDeal, KnownDeals, RandomBytes, Room
from app.rooms.people import names
from app.rooms.ports.addresses import Address
from app.rooms.recorded.positions import Position

WAITS_FOR_FRIENDS = 180
"""Seconds until a bot plays a free seat that waits for friends."""


NO_SUCH_CHAIR = MessageTemplate("room.no_such_chair", "Nobody called {name} sits at that table.")
HAND_IS_OVER_THERE = MessageTemplate(
    "room.hand_is_over_there", "The hand is over at that move. Choose an earlier move."
)


def build_variation_room(
    room: str,
    address: Address,
    host: Visitor,
    host_seat: str,
    position: Position,
    wait_for_friends: bool,
    now: datetime,
    draw: RandomBytes,
) -> Decision:
    """Return the first events of a new room that continues from a position, with its host in seat `host_seat`.

    With `wait_for_friends`, the other seats stay free for three minutes; otherwise bots play them until visitors come.
    Raises `RoomError` if the seat does not exist, or the hand is over at the position.
    """
    match = position.before
    if host_seat not in match.seats:
        raise RoomError("no_such_name", NO_SUCH_CHAIR(name=host_seat[: names.MAX_NAME_LENGTH]))
    clock = {"away": WAITS_FOR_FRIENDS} if wait_for_friends else {}
    settings = {"game": match.game.key, "options": match.options.to_json(), "clock": clock}
    draft = PendingEvents.begin(Room(settings=RoomSettings.parse(settings, already_accepted=True)), now, draw)
    draft.add(events.RoomCreated(address.code, address.invite, draft.room.settings.to_json(), room))
    others = [name for name in match.seats if name != host_seat]
    for name in match.seats:
        if name == host_seat:
            draft.add(events.PersonJoined(host.id, host_seat, "seated", present=False))
            called = None if host.name == host_seat else names.clean_name(host.name)
            draft.add(events.AvatarChanged(host_seat, host.bird, host.colour, called))
            draft.add(events.HostChanged(host_seat))
        elif not wait_for_friends:
            draft.add(events.BotAdded(name, bots.DEFAULT_STAND_IN, "seated"))
    draft.add_new_secret()
    actions = [dict(action) for action in position.actions]
    waiting = others if wait_for_friends else []
    draft.add(events.VariationStarted(draw(16).hex(), asdict(position.origin), dict(position.deal), actions, waiting))
    if not draft.run.match.is_hand_running:
        raise RoomError("not_now", HAND_IS_OVER_THERE())
    return draft.build_decision(CommandReply(True, draft.room.seq))


def add_known_deals(draft: PendingEvents, deals: KnownDeals) -> None:
    """Add the event by which the next match of the room is dealt with these cards of another match."""
    draft.add(events.KnownDealsSet(deals.match, list(deals.people), [asdict(hand) for hand in deals.hands]))


def is_variation(room: Room) -> bool:
    """Return whether the room's running match is a variation, which continues another match."""
    return room.in_match and room.run is not None and room.run.origin is not None and room.run.origin.how == "variation"


def has_free_seat(room: Room, name: str) -> bool:
    """Return whether a visitor may take the seat of this name at once, because no person has it.

    Only the seats of a running variation are free in this way.
    """
    member = room.members.get(name)
    return is_variation(room) and member is not None and member.person is None and room.has_match_seat(name)


def find_free_seat(room: Room, name: str) -> str | None:
    """Return the name of a variation's free seat that looks like `name`, or None.

    A person who joins under that name gets the seat.
    """
    return next(
        (each for each in room.seated_names() if names.look_alike(each, name) and has_free_seat(room, each)), None
    )


def free_seats(room: Room) -> list[str]:
    """Return the names of a variation's seats that no person has, so that visitors may take them at once."""
    return [name for name in room.seated_names() if has_free_seat(room, name)]


CHAIR_HAS_SOMEBODY = MessageTemplate("room.chair_has_somebody", "Someone already plays {name}. Choose another seat.")


def take_free_seat(room: Room, person: str, name: str, node: str) -> events.VariationSeatTaken:
    """Return the event that gives a variation's seat to this person, who is connected at `node`.

    Raises `RoomError` `not_now` if a person has the seat, or there is none with this name.
    """
    if not has_free_seat(room, name):
        raise RoomError("not_now", CHAIR_HAS_SOMEBODY(name=name[: names.MAX_NAME_LENGTH]))
    return events.VariationSeatTaken(name, person, node)


def next_known_deal(room: Room) -> tuple[Deal, PastDeal] | None:
    """Return the next deal of a match that repeats the cards of another one, with what replaces its proof.

    None if the deck is to be shuffled: in other matches, if the number of players differs, or after the last known
    deal. Cards are assigned by seat number.
    """
    run, deals = room.run, room.deals
    if run is None or run.origin is None or run.origin.how != "deals" or deals is None:
        return None
    match = run.match
    if match.dealt >= len(deals.hands) or len(deals.hands[match.dealt].cards) != len(match.seats):
        return None
    known: KnownDeal = deals.hands[match.dealt]
    cards = {match.seats[seat]: held for seat, held in known.cards}
    deal = {"dealer": match.seats[known.dealer], "cards": cards, "stock": known.stock, "seed": known.seed}
    return Deal.from_json(deal), known_cards_proof("deals")


def members_who_know_cards(room: Room) -> list[str]:
    """Return the names of members who played the match whose cards the room deals again.

    The page warns of them.
    """
    known = () if room.deals is None else room.deals.people
    return [member.name for member in room.members.values() if member.person in known and member.person is not None]
