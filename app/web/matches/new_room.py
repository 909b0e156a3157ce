"""From a match that is over to another table: going on from one of its moments, playing its deals again, comparing."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.engine.match.hand import placed
from app.rooms.model.commands import Visitor
from app.rooms.people import names
from app.rooms.recorded import positions
from app.store.history.match_history import HandOfSeats
from app.store.history.match_stories import HANDS_OF_A_PAGE
from app.web.client_address import Scope
from app.web.context.sessions import Person
from app.web.context.site import Site
from app.web.http import errors
from app.web.services.room_access import OpenedRoom, newcomer


async def go_on(
    site: Site, scope: Scope, person: Person | None, match_id: str, hand: int, move: int, chair: str, *, friends: bool
) -> OpenedRoom:
    """Open a room that goes on from a moment of a match, with who asks in this chair."""
    first, kept = await site.store.history.since(match_id, hand) or (0, await _record(site, match_id))
    position = await asyncio.to_thread(positions.position, kept, match_id, hand, move, first)
    host, token = (person, None) if person is not None else await newcomer(site, scope, names.clean(chair))
    visitor = Visitor(host.id, host.name or chair, host.bird, host.colour)
    room = await site.registry.resume(visitor, chair, position, friends=friends)
    return OpenedRoom(room.id, room.code, room.invite, host, token)


async def again(site: Site, scope: Scope, person: Person | None, match_id: str, name: str) -> OpenedRoom:
    """Open a room whose first match is dealt the cards of this one."""
    name = names.chosen(name)
    kept = await _record(site, match_id)
    deals = await asyncio.to_thread(positions.deals, kept, match_id)
    deals = replace(deals, people=await site.store.history.persons(match_id))
    host, token = (person, None) if person is not None else await newcomer(site, scope, name)
    settings = {"game": kept["game"], "options": kept["options"]}
    visitor = Visitor(host.id, name, host.bird, host.colour)
    room = await site.registry.create(visitor, settings, deals)
    return OpenedRoom(room.id, room.code, room.invite, host, token)


async def compared(site: Site, match_id: str, first: int) -> list[dict[str, Any]]:
    """Both matches of the same deals, hand by hand from this one on and seat by seat, as many as a page has; a refusal
    if this one has no other."""
    origin = await site.store.history.origin(match_id)
    if origin is None or origin["how"] != "deals":
        raise errors.not_found(site.said("error.no_match"))
    last = first + HANDS_OF_A_PAGE - 1
    mine = await site.store.history.results(match_id, first, last)
    theirs = await site.store.history.results(origin["match"], first, last)
    return [
        {"number": number, "seats": list(map(_beside, _seats(theirs[number]), _seats(now)))}
        for number, now in mine.items()
        if number in theirs
    ]


def _beside(first: Mapping[str, Any], again: Mapping[str, Any]) -> dict[str, Any]:
    """What a seat came to then and now, and how many points that makes more; None where there are none."""
    told = first["points"] is not None and again["points"] is not None
    return {"first": first, "again": again, "more": again["points"] - first["points"] if told else None}


async def _record(site: Site, match_id: str) -> dict[str, Any]:
    found = await site.store.history.record(match_id)
    if found is None:
        raise errors.not_found(site.said("error.no_match"))
    return found


def _seats(hand: HandOfSeats) -> list[dict[str, Any]]:
    """List the name, the place and the points of each seat; points are None if nobody got any in this hand."""
    place, points = placed(hand.standing), hand.points if any(hand.points.values()) else {}
    return [{"name": name, "place": place.get(name), "points": points.get(name)} for name in hand.seats]
