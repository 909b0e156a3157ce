"""Rooms for pages and API: open a room, find it by code or link, read and summarise it."""

import asyncio
import hashlib
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, join_with_and
from app.engine.games import GAMES
from app.engine.match.game import AnyGame
from app.rooms.errors import RoomError
from app.rooms.live.room_actor import RoomActor
from app.rooms.log import snapshots
from app.rooms.model.commands import Introduce, MakeLink, TakeSeat, Visitor
from app.rooms.model.state import Room
from app.rooms.people import names
from app.rooms.ports.addresses import AddressLookup
from app.rooms.ports.storage import LoadedLog, StorageUnavailable
from app.rooms.seats import stand_ins
from app.rooms.views import room_view
from app.web.client_address import Scope, client_key
from app.web.context import log_limits
from app.web.context.sessions import Person, SignedInDevice
from app.web.context.site import AppContext
from app.web.http import errors
from app.web.i18n.catalogues import Texts

CODE_LENGTH = 12
"""Longest code. A longer text is refused without asking the database."""
_LONGEST_TYPED = 40
"""Longest typed code, including spaces and dashes between the letters."""
_BETWEEN_LETTERS = re.compile(r"[\s\-\u2010-\u2015.]+")
MAX_REPLAYED_ENTRIES = 200
"""Log entries replayed at most to show a room in a list."""

INTRODUCED_AT_ONCE = 50
"""Recently visited rooms that get a changed profile before the request is answered; the others follow later."""
MAX_ROOMS_OF_PERSON = 10_000
"""Limit for the rooms listed for one person."""


@dataclass(frozen=True, slots=True)
class OpenedRoom:
    """A room that was just opened, with its host. `token` is for the host's cookie, None if they had one."""

    room: str
    """Its id."""
    code: str
    invite: str
    person: Person
    token: str | None


async def register_person(
    site: AppContext, scope: Scope, name: str | None = None, *, room: str | None = None
) -> tuple[Person, str]:
    """Create a person and return them with the token for their browser's cookie. 429 if this address made too many.

    If `room` is given, the visit to the room with this id is recorded, too.
    """
    wait = site.new_person_limiter.seconds_until_allowed(client_key(scope))
    if wait:
        raise errors.rate_limit_error(wait)
    language = site.templates.catalogues.requested_language(scope)
    return await site.people.create_person(scope, name, room=room, language=language)


def refuse_if_too_much_saved(site: AppContext, scope: Scope) -> None:
    """Raise 429 if this address has added too much to the logs of rooms."""
    wait = site.log_limits.seconds_until_allowed(client_key(scope))
    if wait:
        raise errors.rate_limit_error(wait, log_limits.TOO_MUCH_SAVED)


def count_room_opening(site: AppContext, scope: Scope) -> None:
    """Count a room that this address opens. Raises 429 if it has opened too many, or has added too much to logs."""
    refuse_if_too_much_saved(site, scope)
    wait = site.room_opening_limiter.seconds_until_allowed(client_key(scope))
    if wait:
        raise errors.rate_limit_error(wait)


def log_byte_counter(site: AppContext, scope: Scope) -> Callable[[int], None]:
    """Return a function that counts bytes which the client of this request has added to the log of a room."""
    return partial(site.log_limits.count_bytes, client_key(scope))


async def open_room(
    site: AppContext, scope: Scope, person: Person | None, name: str, settings: dict[str, Any]
) -> OpenedRoom:
    """Open a room with these settings and a host of this name: this person, renamed, or a new one if None.

    Raises `RuleError` or `RoomError` for an invalid name or settings.
    """
    name = names.clean_new_name(name)
    token = None
    if person is None:
        person, token = await register_person(site, scope, name)
    else:
        await site.people.rename(person, name)
    visitor = Visitor(person.id, name, person.bird, person.colour)
    room = await site.registry.create(visitor, settings, count_bytes=log_byte_counter(site, scope))
    return OpenedRoom(room.id, room.code, room.invite, person, token)


async def find_room_or_raise(site: AppContext, scope: Scope, code: str, person: Person | None) -> RoomActor:
    """Return the loaded room with this code, or raise 404 if this person may not see it or it does not exist.

    A wrong code counts as a guess by this address; too many raise 429.
    """
    client = client_key(scope)
    wait = await seconds_until_guess_allowed(site, client, person, code)
    if wait:
        raise errors.rate_limit_error(wait)
    actor = await find_room(site, code, person)
    if actor is None or _is_banned(actor.room, person):
        site.guess_limiter.seconds_until_allowed(client)
        raise errors.UnknownRoomCode(site.message("error.no_room"), code)
    return actor


async def find_visited_room_or_raise(site: AppContext, scope: Scope, code: str, person: Person | None) -> AddressLookup:
    """Return where a room code leads, for a person who visited the room; raise 404 for anybody else.

    The room is not loaded. A wrong code counts as a guess by this address; too many raise 429.
    """
    client = client_key(scope)
    wait = await seconds_until_guess_allowed(site, client, person, code)
    if wait:
        raise errors.rate_limit_error(wait)
    lead = await _find_address(site, code)
    if lead is None or person is None or not await site.people.has_visited(person, lead.room):
        site.guess_limiter.seconds_until_allowed(client)
        raise errors.UnknownRoomCode(site.message("error.no_room"), code)
    return lead


async def seconds_until_guess_allowed(site: AppContext, client: str, person: Person | None, code: str) -> float:
    """Return the seconds until this address may try room codes again; 0 if it may now. Counts nothing.

    Always 0 if the code is that of a room which the person has visited.
    """
    wait = site.guess_limiter.seconds_until_allowed(client, consume=False)
    if wait and person is not None:
        lead = await _find_address(site, code)
        if lead is not None and await site.people.has_visited(person, lead.room):
            return 0
    return wait


async def find_room(site: AppContext, code: str, person: Person | None) -> RoomActor | None:
    """Load and return the room with this code, or None if the code is wrong or this person may not use it.

    A former code works only for people who visited the room. The code may be any text.
    """
    lead = await _find_address(site, code)
    if lead is None or not await _may_use_address(site, lead, person):
        return None
    actor = await site.registry.get_or_load(lead.room)
    # While the room was loaded, its address may have changed, to keep strangers out.
    if actor is not None and lead.is_current and actor.code != _normalise_code(code):
        return actor if person is not None and await site.people.has_visited(person, lead.room) else None
    return actor


def _is_banned(room: Room, person: Person | None) -> bool:
    return person is not None and person.id in room.banned


async def _find_address(site: AppContext, code: str) -> AddressLookup | None:
    """Return which room a present or former code leads to, without loading the room; None for an unknown code.

    The code may be any text that somebody typed.
    """
    tidy = _normalise_code(code)
    return None if tidy is None else await site.registry.by_code(tidy)


async def _may_use_address(site: AppContext, lead: AddressLookup, person: Person | None) -> bool:
    """Return whether a person may enter a room by this code or invitation.

    Present ones are for everybody; former ones only for people whose visit is recorded.
    """
    return lead.is_current or (person is not None and await site.people.has_visited(person, lead.room))


async def find_address_for_member(site: AppContext, code: str, person: Person) -> AddressLookup | None:
    """Return which room a code leads to, if the person's visit to it is recorded, else None.

    Used for a filter that people type, so the code may be any text.
    """
    lead = await _find_address(site, code)
    return lead if lead is not None and await site.people.has_visited(person, lead.room) else None


def _normalise_code(code: str) -> str | None:
    """Return a typed room code in capitals without spaces, dashes and dots; None if it can't be a code.

    People type codes letter by letter, so separators are accepted.
    """
    if len(code) > _LONGEST_TYPED:
        return None
    code = _BETWEEN_LETTERS.sub("", code).upper()
    return code if code.isascii() and code.isalnum() and len(code) <= CODE_LENGTH else None


async def find_invited_room_or_raise(
    site: AppContext, scope: Scope, invite: str, person: Person | None
) -> AddressLookup:
    """Return which room an invitation leads to, without loading it. 404 if it is wrong, or the person is banned.

    Failures count as guesses by this address; too many raise 429. Valid invitations are never limited.
    """
    lead = await site.registry.by_invite(invite) if invite.isascii() and invite.isprintable() else None
    if lead is None or not await _may_use_address(site, lead, person) or await _is_banned_from(site, lead.room, person):
        wait = site.guess_limiter.seconds_until_allowed(client_key(scope))
        raise errors.rate_limit_error(wait) if wait else errors.not_found_error(site.message("error.no_invite"))
    return lead


async def load_invited_room_or_raise(site: AppContext, scope: Scope, invite: str, person: Person | None) -> RoomActor:
    """Return the loaded room that an invitation leads to. Raises errors as `find_invited_room_or_raise` does."""
    lead = await find_invited_room_or_raise(site, scope, invite, person)
    actor = await site.registry.get_or_load(lead.room)
    # While the room was loaded, its invitation may have changed, to keep strangers out.
    if actor is None or (lead.is_current and actor.room.invite != invite):
        raise errors.not_found_error(site.message("error.no_invite"))
    return actor


async def _is_banned_from(site: AppContext, room: str, person: Person | None) -> bool:
    state = None if person is None else await load_room_readonly(site, room)
    return state is not None and _is_banned(state, person)


async def load_room_readonly(site: AppContext, room: str) -> Room | None:
    """Return a room's state for reading, without keeping the room in memory; None if the room does not exist.

    After a very long hand, the state may be older. `room` is an id.
    """
    return (await load_rooms_readonly(site, (room,))).get(room)


async def texts_of_host(site: AppContext, room: Room | None, own: Texts) -> Texts:
    """Return the texts in the language of a room's host, for previews of links that people send to each other.

    `own`: the texts of the visitor, for a room without a host, or a host whose language the server lacks.
    """
    catalogues = site.templates.catalogues
    host = None if room is None or room.host is None else room.members[room.host].person
    if host is None or len(catalogues.all_languages) == 1:
        return own
    person = await site.store.people.find_by_id(host)
    return (person and catalogues.find_language(person.language)) or own


async def load_rooms_readonly(site: AppContext, rooms: Sequence[str]) -> dict[str, Room]:
    """Return the states of rooms for reading, by id, without keeping them in memory.

    Unknown ids are left out, and so are rooms whose stored data is damaged.

    After a very long hand, the state may be older: at most `MAX_REPLAYED_ENTRIES` log entries are replayed.
    """
    loaded = {actor.id: actor.room for actor in site.registry.loaded_rooms()}
    unloaded = [room for room in rooms if room not in loaded]
    known = loaded | (await _read_rooms(site, unloaded) if unloaded else {})
    return {room: known[room] for room in rooms if room in known}


async def _read_rooms(site: AppContext, rooms: Sequence[str]) -> dict[str, Room]:
    """Read rooms together, or one by one if one of them is damaged; damaged ones are logged and left out."""
    try:
        found = await site.store.log.load_all(rooms, at_most=MAX_REPLAYED_ENTRIES)
        return await asyncio.to_thread(_restore_rooms, found)
    except StorageUnavailable:
        raise
    except Exception as error:  # damaged data can cause any error
        if len(rooms) == 1:
            site.registry.report_damage(rooms[0], error)
            return {}
    one_by_one = [await _read_rooms(site, [room]) for room in rooms]
    return {room: state for found in one_by_one for room, state in found.items()}


def _restore_rooms(found: Mapping[str, LoadedLog]) -> dict[str, Room]:
    return {room: snapshots.load_room(loaded) for room, loaded in found.items()}


async def create_seat_link(
    site: AppContext, scope: Scope, code: str, host: SignedInDevice, name: str
) -> tuple[RoomActor, str]:
    """For the host, create a secret link to an absent player's seat; return the room and the link's token.

    Raises `RoomError` if the room refuses, 404 for a wrong code. Only the token's hash is stored.
    """
    actor = await find_room_or_raise(site, scope, code, host.person)
    token = secrets.token_urlsafe(32)
    command = MakeLink(host.person.id, secrets.token_hex(16), name, hash_token(token), host.device)
    await _run_command_or_raise(site, scope, actor, command)
    return actor, token


async def redeem_seat_link(site: AppContext, scope: Scope, actor: RoomActor, person: Person, token: str) -> None:
    """Give the seat that a secret link belongs to to this person. Raises `RoomError` if the room refuses."""
    await _run_command_or_raise(site, scope, actor, TakeSeat(person.id, secrets.token_hex(16), hash_token(token)))


async def update_profile_in_recent_rooms(
    site: AppContext, scope: Scope, person: Person, name: str | None
) -> list[dict[str, str]]:
    """Bring a person's changed profile into the rooms they visited last.

    `scope` is that of the request. `name` is given if the name changed. Returns code and name of the rooms where
    another member has that name, so that the person keeps the old one.
    """
    taken_in: list[dict[str, str]] = []
    for line in await site.store.history.rooms_of_person(person.id, limit=INTRODUCED_AT_ONCE):
        actor = await _update_profile_in_room(site, scope, line.id, person.id, renamed=name is not None)
        now = None if actor is None else actor.room.find_member(person.id)
        if actor is not None and now is not None and name not in (None, now.name, now.called):
            taken_in.append({"code": actor.code, "name": now.name})
    return taken_in


async def update_profile_in_other_rooms(
    site: AppContext, scope: Scope, person: Person, name: str | None, bird: str | None, colour: str | None
) -> None:
    """Bring a person's changed profile into all rooms but the latest, which `update_profile_in_recent_rooms` did.

    Runs in the background; it stops if the profile changes again or the person is deleted.
    """
    rooms = await site.store.history.rooms_of_person(person.id, limit=MAX_ROOMS_OF_PERSON)
    for line in rooms[INTRODUCED_AT_ONCE:]:
        now = await site.store.people.find_by_id(person.id)
        if now is None or (now.name, now.bird, now.colour) != (name or now.name, bird, colour):
            return
        await _update_profile_in_room(site, scope, line.id, person.id, renamed=name is not None)


async def _update_profile_in_room(
    site: AppContext, scope: Scope, room: str, person: str, *, renamed: bool
) -> RoomActor | None:
    """Bring a person's profile (bird, colour and, if `renamed`, the name) into one room, and return the room.

    Returns None, without loading the room, if they are not a member.
    """
    state = await load_room_readonly(site, room)
    if state is None or state.find_member(person) is None:
        return None
    actor = await site.registry.get_or_load(room)
    # Read the profile last: after two quick changes, the newer applies, whichever call comes first.
    now = await site.store.people.find_by_id(person)
    if actor is not None and now is not None:
        name = now.name if renamed else None
        reply = await actor.handle(Introduce(person, secrets.token_hex(16), now.bird, now.colour, name))
        site.log_limits.count_bytes(client_key(scope), reply.log_bytes)
    return actor


async def _run_command_or_raise(site: AppContext, scope: Scope, actor: RoomActor, command: MakeLink | TakeSeat) -> None:
    refuse_if_too_much_saved(site, scope)
    answer = await actor.handle(command)
    site.log_limits.count_bytes(client_key(scope), answer.log_bytes)
    if not answer.ok:
        assert answer.code is not None
        assert answer.message is not None
        raise RoomError(answer.code, answer.message)


async def find_player_by_seat_link(site: AppContext, actor: RoomActor, token: str) -> str | None:
    """Return the name of the player whose seat a secret link leads to, or None if the link is wrong or has ended.

    It ends when the device with which the host made it is signed out. Looking does not use the link up.
    """
    member = stand_ins.find_seat_by_link(actor.room, hash_token(token), actor.now)
    if member is None:
        return None
    maker, device = member.link_maker, member.link_device
    return member.name if device == "" or await site.store.people.has_device(maker, device) else None


def hash_token(token: str) -> str:
    """Return the hash of a secret link's token, which is stored in the room's log instead of the token.

    Tokens are long and random, so a plain hash is safe.
    """
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def room_summary(room: Room) -> dict[str, Any]:
    """Return a short summary of a room for the API, such as code, game, options, host, people and player limits."""
    shown = room_view.build_room(room)
    keys = ("code", "phase", "game", "preset", "options", "differences", "clock", "host", "people", "min", "max")
    return {key: shown[key] for key in keys}


NO_GAME_CALLED = MessageTemplate("web.no_game_called", "The game “{key}” does not exist. Games: {names}.")


def find_game_or_raise(key: str) -> AnyGame:
    """Return the game with this key, or raise `RuleError` (`bad_option`) with a sentence that lists all games."""
    game = GAMES.get(key)
    if game is None:
        raise RuleError("bad_option", NO_GAME_CALLED(key=key[:30], names=join_with_and(GAMES)))
    return game
