"""Cards that people know: a match that goes on from a moment of another one, and matches dealt another one's cards.

A variation has the chairs of the match that it comes from, with their names: whoever sits down in one is called so as
long as it lasts. Nothing waits for the next deal, since there is nothing to be kept from anybody: who comes may have a
chair at once, unless a person has it.
"""

from dataclasses import asdict
from datetime import datetime

from app import bots
from app.engine.base.messages import Sentence
from app.engine.match.hand import Deal
from app.rooms.errors import RoomError
from app.rooms.log.pending_events import Draft
from app.rooms.model import events
from app.rooms.model.commands import Visitor
from app.rooms.model.decision import Outcome, Verdict
from app.rooms.model.settings import RoomSettings
from app.rooms.model.shuffle_proof import PastDeal, not_shuffled
from app.rooms.model.state import Draw, KnownDeal, KnownDeals, Room
from app.rooms.people import names
from app.rooms.ports.addresses import Address
from app.rooms.recorded.positions import Position

WAITS_FOR_FRIENDS = 180
"""Seconds until a bot plays in a chair that nobody has come for."""


NO_SUCH_CHAIR = Sentence("room.no_such_chair", "Nobody called {name} sits at that table.")
HAND_IS_OVER_THERE = Sentence("room.hand_is_over_there", "The hand is over there: go on from an earlier move.")


def opening(
    room: str,
    address: Address,
    host: Visitor,
    chair: str,
    position: Position,
    friends: bool,
    now: datetime,
    draw: Draw,
) -> Outcome:
    """Decide the first entries of a room that goes on from a position, with its host in this chair.

    With `friends`, the other chairs wait for them a while; if not, bots have them until somebody comes.
    """
    match = position.before
    if chair not in match.seats:
        raise RoomError("no_such_name", NO_SUCH_CHAIR(name=chair[: names.LONGEST]))
    clock = {"away": WAITS_FOR_FRIENDS} if friends else {}
    asked = {"game": match.game.key, "options": match.options.to_json(), "clock": clock}
    draft = Draft.of(Room(settings=RoomSettings.make(asked, kept=True)), now, draw)
    draft.add(events.Opened(address.code, address.invite, draft.room.settings.to_json(), room))
    others = [name for name in match.seats if name != chair]
    for name in match.seats:
        if name == chair:
            draft.add(events.Joined(host.id, chair, "seated", present=False))
            called = None if host.name == chair else names.clean(host.name)
            draft.add(events.LooksChanged(chair, host.bird, host.colour, called))
            draft.add(events.HostChanged(chair))
        elif not friends:
            draft.add(events.BotCame(name, bots.DEFAULT_BOT, "seated"))
    draft.new_secret()
    actions = [dict(action) for action in position.actions]
    waiting = others if friends else []
    draft.add(events.Resumed(draw(16).hex(), asdict(position.origin), dict(position.deal), actions, waiting))
    if not draft.run.match.running:
        raise RoomError("not_now", HAND_IS_OVER_THERE())
    return draft.outcome(Verdict(True, draft.room.seq))


def give(draft: Draft, deals: KnownDeals) -> None:
    """Let the next match here be dealt these cards."""
    draft.add(events.DealsGiven(deals.match, list(deals.people), [asdict(hand) for hand in deals.hands]))


def is_variation(room: Room) -> bool:
    """Whether a match goes on here that began in the middle of another."""
    return room.in_match and room.run is not None and room.run.origin is not None and room.run.origin.how == "variation"


def has_free_chair(room: Room, name: str) -> bool:
    """Whether somebody who comes may sit down at once in the chair of this name."""
    member = room.members.get(name)
    return is_variation(room) and member is not None and member.person is None and room.has_place(name)


def chair_of(room: Room, name: str) -> str | None:
    """Find the free chair of somebody who comes under the name that it had in the other match."""
    return next((each for each in room.seated() if names.alike(each, name) and has_free_chair(room, each)), None)


def free_chairs(room: Room) -> list[str]:
    """List the chairs in which somebody may sit down at once."""
    return [name for name in room.seated() if has_free_chair(room, name)]


CHAIR_HAS_SOMEBODY = Sentence("room.chair_has_somebody", "Somebody plays {name}: choose another chair.")


def sit_down(room: Room, person: str, name: str, node: str) -> events.SatDown:
    """Give the entry that puts this person in a chair of a variation; `not_now` if somebody has it."""
    if not has_free_chair(room, name):
        raise RoomError("not_now", CHAIR_HAS_SOMEBODY(name=name[: names.LONGEST]))
    return events.SatDown(name, person, node)


def known_deal(room: Room) -> tuple[Deal, PastDeal] | None:
    """Give the next deal of a match that is dealt another one's cards; None: chance deals.

    It goes by seat. If more or fewer sit there than did then, or those deals are all played, chance deals.
    """
    run, deals = room.run, room.deals
    if run is None or run.origin is None or run.origin.how != "deals" or deals is None:
        return None
    match = run.match
    if match.dealt >= len(deals.hands) or len(deals.hands[match.dealt].cards) != len(match.seats):
        return None
    known: KnownDeal = deals.hands[match.dealt]
    cards = {match.seats[seat]: held for seat, held in known.cards}
    kept = {"dealer": match.seats[known.dealer], "cards": cards, "stock": known.stock, "seed": known.seed}
    return Deal.from_json(kept), not_shuffled("deals")


def who_knows(room: Room) -> list[str]:
    """List those here who played the match whose cards are dealt."""
    known = () if room.deals is None else room.deals.people
    return [member.name for member in room.members.values() if member.person in known and member.person is not None]
