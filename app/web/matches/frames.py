"""Recorded matches for pages: lists, one match with its hands, and the replay of a hand (`hand_frames.py`)."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from app.engine.games import GAMES
from app.rooms.model import faces
from app.rooms.model.state import Room, to_milliseconds
from app.rooms.people.avatars import PlayerFace
from app.store.history.match_history import HandDetail, HandLine, MatchLine
from app.store.history.match_stories import MatchForStandings
from app.web.context.sessions import Person
from app.web.context.site import AppContext
from app.web.http import errors
from app.web.i18n.catalogues import Texts
from app.web.matches import hand_frames
from app.web.services import room_access

MAX_CACHED_MATCHES = 400
"""Limit for cached match states, from which a replay can continue."""


async def load_match_with_hands(site: AppContext, match_id: str, person: Person | None = None) -> dict[str, Any]:
    """Return a match, played or imported, with its hands in short, as JSON; raise 404 if it is unknown.

    `person`: the visitor; decides which names and rooms are visible.
    """
    who = None if person is None else person.id
    found = await site.store.history.find_match(match_id, person_id=who)
    if found is None:
        found = await site.store.imported_matches.find_match(match_id, person_id=who)
    if found is None:
        raise _match_not_found(site)
    return {"match": match_view(found.match), "hands": await asyncio.to_thread(_hand_views, found.hands)}


async def load_record(site: AppContext, match_id: str) -> dict[str, Any]:
    """Return the record of a match, played or imported; raise 404 if it is unknown."""
    found = await site.store.history.load_record(match_id) or await site.store.imported_matches.load_record(match_id)
    if found is None:
        raise _match_not_found(site)
    return found


async def load_hand_frames(site: AppContext, match_id: str, number: int, seat: str | None = None) -> dict[str, Any]:
    """Return the frames (steps) of a finished hand as JSON, with all cards or as the player `seat` saw it.

    Raises 404 for an unknown hand, or a seat that did not play it.
    """
    found = await _find_hand(site, match_id, number)
    hand_frames.check_seat(seat, found.record)
    replayed = await _replay(site, match_id, found, seat)
    steps = replayed["frames"][1:]
    seconds = await site.store.history.seconds_of_actions(found)
    # Of a very long hand, the frames are those of the first actions and of the last one.
    for step, took in zip(steps, [*seconds[: len(steps) - 1], *seconds[-1:]], strict=False):
        step["seconds"] = took
    return {
        "match": match_id,
        **hand_frames.hand_metadata(number, found.record, found.result, seat),
        **hand_frames.faces_to_json(await _player_faces(site, found)),
        **replayed,
    }


async def _replay(site: AppContext, match_id: str, found: HandDetail, seat: str | None) -> dict[str, Any]:
    """Return the frames of a hand, and whether today's rules refuse one of its actions (`corrected`)."""
    number = found.number
    since = await site.store.history.find_replayable_record(
        match_id, number
    ) or await site.store.imported_matches.find_replayable_record(match_id, number)
    if since is not None:
        first, some = since
        replayed, _ = await asyncio.to_thread(
            hand_frames.replay_hand, some, found.events, found.result, number - first, seat, None, 0
        )
        return replayed
    record = await load_record(site, match_id)
    # This match has no saved hand starts yet (backfill_hand_starts.py), so earlier hands are replayed, too. Viewers
    # often open the same or the next hand, so states are cached and the replay starts from the nearest one.
    first = max((n for of, n in site.match_cache if of == match_id and n <= number), default=0)
    start = site.match_cache.get((match_id, first))
    # A long match takes a hundred milliseconds, so it runs outside the event loop.
    replayed, places = await asyncio.to_thread(
        hand_frames.replay_hand, record, found.events, found.result, number, seat, start, first
    )
    for at, place in places.items():
        site.match_cache.pop((match_id, at), None)
        site.match_cache[match_id, at] = place
    while len(site.match_cache) > MAX_CACHED_MATCHES:
        del site.match_cache[next(iter(site.match_cache))]
    return replayed


async def load_faces(site: AppContext, match_id: str, number: int) -> dict[str, PlayerFace]:
    """Return the faces of a match's players by name; raise 404 for an unknown hand `number`."""
    return await _player_faces(site, await _find_hand(site, match_id, number))


async def load_match_with_faces(site: AppContext, match_id: str) -> tuple[MatchForStandings, Mapping[str, PlayerFace]]:
    """Return a match, played or imported, and the faces of its players; raise 404 if it is unknown.

    Without a finished hand, nobody has a face.
    """
    whole = await site.store.match_stories.load_standings(match_id)
    if whole is None:
        whole = await site.store.imported_matches.load_standings(match_id)
    if whole is None:
        raise _match_not_found(site)
    return whole, await load_faces(site, match_id, whole.hands[-1].number) if whole.hands else {}


async def load_room_of_match(site: AppContext, match_id: str, number: int) -> Room | None:
    """Return the room in which a hand of a match was played; None for an imported match or an unknown hand."""
    found = await site.store.history.find_hand(match_id, number)
    return None if found is None or found.room is None else await room_access.load_room_readonly(site, found.room)


async def _find_hand(site: AppContext, match_id: str, number: int) -> HandDetail:
    found = await site.store.history.find_hand(match_id, number) or await site.store.imported_matches.find_hand(
        match_id, number
    )
    if found is None:
        raise _match_not_found(site)
    return found


async def _player_faces(site: AppContext, found: HandDetail) -> dict[str, PlayerFace]:
    """Return the faces that the room gave to a match's players; those whom it does not know get one in order.

    An imported match has no room.
    """
    room = None if found.room is None else await room_access.load_room_readonly(site, found.room)
    known = dict[str, PlayerFace]()
    if room is not None:
        given = {name: faces.face_of_player(room, person, name) for name, person in found.persons.items()}
        known = {name: face for name, face in given.items() if face is not None}
    return faces.with_missing_faces((*found.persons, *found.record["cards"]), known)


def with_bots(texts: Texts, line: MatchLine) -> Texts:
    """Return texts that show the bots in a match by their names in this language."""
    return texts.with_bots((player.name, player.bot) for player in line.players)


def match_view(line: MatchLine) -> dict[str, Any]:
    """Return a match without its hands as JSON, for lists and for the head of its page."""
    game = GAMES.get(line.game)
    return {
        "id": line.id,
        "room": line.room,
        "game": line.game,
        "game_name": line.game if game is None else game.name,
        "options": line.options,
        "started": to_milliseconds(line.started_at),
        "ended": None if line.ended_at is None else to_milliseconds(line.ended_at),
        "hands": line.hands,
        "with_bots": line.with_bots,
        "players": [asdict(player) for player in line.players],
        "winners": list(line.winners),
        "origin": line.origin,
        "imported": None
        if (came := line.imported) is None
        else {"by": came.by, "at": to_milliseconds(came.at), "yours": came.yours},
    }


def _hand_views(lines: Iterable[HandLine]) -> list[dict[str, Any]]:
    return [{**_slots_as_dict(line), "ended_at": to_milliseconds(line.ended_at)} for line in lines]


def _slots_as_dict(line: HandLine) -> dict[str, Any]:
    """Return the fields of a hand as a dict. `asdict` would also copy every reason of every hand."""
    return {name: getattr(line, name) for name in HandLine.__slots__}


def _match_not_found(site: AppContext) -> errors.HttpError:
    return errors.not_found_error(site.message("error.no_match"))
