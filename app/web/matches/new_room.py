"""Open rooms from recorded matches: continue from a position, replay the deals, compare the results."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.engine.match.hand import places_in_standing
from app.rooms.model.commands import Visitor
from app.rooms.people import names
from app.rooms.recorded import positions
from app.store.history.match_history import MatchLine, StoredHandResult
from app.store.history.match_stories import HANDS_OF_A_PAGE
from app.web.client_address import Scope
from app.web.context.sessions import Person
from app.web.context.site import AppContext
from app.web.http import errors
from app.web.i18n.catalogues import Texts
from app.web.matches import frames, story
from app.web.services.room_access import OpenedRoom, log_byte_counter, register_person


async def open_room_from_position(
    site: AppContext,
    scope: Scope,
    person: Person | None,
    match_id: str,
    hand: int,
    move: int,
    seat: str,
    *,
    friends: bool,
) -> OpenedRoom:
    """Open a room that continues a recorded match from a position, with the person as host in the seat `seat`.

    The position is after `move` actions of the hand `hand`. A visitor who is not known (None) becomes a new person.
    With `friends`, the other seats wait a while for people; otherwise bots play them at once. Raises an error for an
    unknown match, move or seat, or if the hand is over at the position. `scope` is the HTTP request's scope.
    """
    first, record = await site.store.history.find_replayable_record(match_id, hand) or (
        0,
        await _load_record(site, match_id),
    )
    position = await asyncio.to_thread(positions.load_position, record, match_id, hand, move, first)
    host, token = (person, None) if person is not None else await register_person(site, scope, names.clean_name(seat))
    visitor = Visitor(host.id, host.name or seat, host.bird, host.colour)
    count_bytes = log_byte_counter(site, scope)
    room = await site.registry.create_from_position(visitor, seat, position, friends=friends, count_bytes=count_bytes)
    return OpenedRoom(room.id, room.code, room.invite, host, token)


async def open_room_with_same_deals(
    site: AppContext, scope: Scope, person: Person | None, match_id: str, name: str
) -> OpenedRoom:
    """Open a room whose first match is dealt the cards of this match, with the person as host under `name`.

    The room has the game and options of this match. A visitor who is not known (None) becomes a new person. Raises an
    error for a bad name, an unknown match, a match without stored deals, or too many new rooms.
    """
    name = names.clean_new_name(name)
    record = await _load_record(site, match_id)
    deals = await asyncio.to_thread(positions.load_known_deals, record, match_id)
    deals = replace(deals, people=await site.store.history.player_ids(match_id))
    host, token = (person, None) if person is not None else await register_person(site, scope, name)
    settings = {"game": record["game"], "options": record["options"]}
    visitor = Visitor(host.id, name, host.bird, host.colour)
    room = await site.registry.create(visitor, settings, deals, count_bytes=log_byte_counter(site, scope))
    return OpenedRoom(room.id, room.code, room.invite, host, token)


async def compare_hands(site: AppContext, match: MatchLine, first: int, texts: Texts) -> list[dict[str, Any]]:
    """Return the results of this match and of the match whose deals it repeats, by hand and seat.

    For one page, from hand `first` on, with the names for display in this language. Raises 404 if this match does not
    repeat another match's deals.
    """
    match_id = match.id
    origin = await site.store.history.find_origin(match_id)
    if origin is None or origin["how"] != "deals":
        raise errors.not_found_error(site.message("error.no_match"))
    last = first + HANDS_OF_A_PAGE - 1
    results = await site.store.history.hand_results(match_id, first, last)
    theirs = await site.store.history.hand_results(origin["match"], first, last)
    there = (await story.load_story_page(site, origin["match"], None, 0, 0)).match
    then_texts, now_texts = frames.with_bots(texts, there), frames.with_bots(texts, match)
    return [
        {
            "number": number,
            "seats": list(map(_compare_seat, _seat_results(theirs[number], then_texts), _seat_results(now, now_texts))),
        }
        for number, now in results.items()
        if number in theirs
    ]


def _compare_seat(first: Mapping[str, Any], again: Mapping[str, Any]) -> dict[str, Any]:
    """Return a seat's results in one hand, in a match (`first`) and in the match that repeats its deals (`again`).

    `more` is the points of `again` minus those of `first`; None if either result has no points.
    """
    is_counted = first["points"] is not None and again["points"] is not None
    return {"first": first, "again": again, "more": again["points"] - first["points"] if is_counted else None}


async def _load_record(site: AppContext, match_id: str) -> dict[str, Any]:
    found = await site.store.history.load_record(match_id)
    if found is None:
        raise errors.not_found_error(site.message("error.no_match"))
    return found


def _seat_results(hand: StoredHandResult, texts: Texts) -> list[dict[str, Any]]:
    """Return shown name, place and points of each seat in a hand; `points` is None in games without points."""
    place, points = places_in_standing(hand.standing), hand.points if any(hand.points.values()) else {}
    return [
        {"name": texts.shown_name(name), "place": place.get(name), "points": points.get(name)} for name in hand.seats
    ]
