"""Rooms as pages and API meet them: opening one, finding one by its code, saying in short what it is."""

import asyncio
import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.engine.base.errors import RuleError
from app.engine.base.messages import Sentence, both
from app.engine.games import GAMES
from app.engine.match.game import AnyGame
from app.rooms.errors import RoomError
from app.rooms.live.room_actor import Runner
from app.rooms.log import snapshots
from app.rooms.model.commands import Introduce, MakeLink, TakeSeat, Visitor
from app.rooms.model.state import Room
from app.rooms.people import names
from app.rooms.ports.addresses import Lead
from app.rooms.ports.storage import Loaded
from app.rooms.seats import stand_ins
from app.rooms.views import room_view
from app.web.client_address import Scope, client_key
from app.web.context.sessions import Known, Person
from app.web.context.site import Site
from app.web.http import errors

CODE_LENGTH = 12
"""No code is longer: what is, is not worth asking the database."""
_LONGEST_TYPED = 40
"""Characters of a code with everything that people put between its letters."""
_BETWEEN_LETTERS = re.compile(r"[\s\-\u2010-\u2015.]+")
PEEKED_AT = 200
"""Entries folded for a line in a list."""

INTRODUCED_AT_ONCE = 50
"""Rooms that are told of a new name or bird before who chose it hears of it, those visited last; the others follow."""
MOST_ROOMS = 10_000
"""Of one person."""


@dataclass(frozen=True, slots=True)
class OpenedRoom:
    """A new room, and the token of its host if they are new too."""

    room: str
    """Its id."""
    code: str
    invite: str
    person: Person
    token: str | None


async def newcomer(site: Site, scope: Scope, name: str | None = None, *, room: str | None = None) -> tuple[Person, str]:
    """A new person, who comes into this room, and the token for their browser; not too many from one address."""
    wait = site.newcomers.wait(client_key(scope))
    if wait:
        raise errors.too_fast(wait)
    return await site.people.create(scope, name, room=room)


async def open_room(site: Site, scope: Scope, person: Person | None, name: str, settings: dict[str, Any]) -> OpenedRoom:
    """Open a room; whoever opens it is its host, under this name."""
    name = names.chosen(name)
    token = None
    if person is None:
        person, token = await newcomer(site, scope, name)
    else:
        await site.people.rename(person, name)
    room = await site.registry.create(Visitor(person.id, name, person.bird, person.colour), settings)
    return OpenedRoom(room.id, room.code, room.invite, person, token)


async def find(site: Site, scope: Scope, code: str, person: Person | None) -> Runner:
    """The room that this code leads somebody to, or a refusal. Guesses are counted."""
    client = client_key(scope)
    wait = await must_wait(site, client, person, code)
    if wait:
        raise errors.too_fast(wait)
    runner = await find_room(site, code, person)
    if runner is None or _is_banned(runner.room, person):
        site.guesses.wait(client)
        raise errors.UnknownCode(site.said("error.no_room"), code)
    return runner


async def been_in(site: Site, scope: Scope, code: str, person: Person | None) -> Lead:
    """Where a code leads somebody who has been in its room; for anybody else it is as if there were none.

    Wakes nobody, and guesses are counted, as `find` does.
    """
    client = client_key(scope)
    wait = await must_wait(site, client, person, code)
    if wait:
        raise errors.too_fast(wait)
    lead = await _lead(site, code)
    if lead is None or person is None or not await site.people.visited(person, lead.room):
        site.guesses.wait(client)
        raise errors.UnknownCode(site.said("error.no_room"), code)
    return lead


async def must_wait(site: Site, client: str, person: Person | None, code: str) -> float:
    """How long this address may guess no more codes. Who has been in a room does not guess, whoever else does."""
    wait = site.guesses.wait(client, take=False)
    if wait and person is not None:
        lead = await _lead(site, code)
        if lead is not None and await site.people.visited(person, lead.room):
            return 0
    return wait


async def find_room(site: Site, code: str, person: Person | None) -> Runner | None:
    """The room that this code, which may be anything, leads somebody to."""
    lead = await _lead(site, code)
    if lead is None or not await _leads(site, lead, person):
        return None
    runner = await site.registry.wake(lead.room)
    # It may have got another address while it woke, to keep strangers out.
    if runner is not None and lead.current and runner.code != _tidy(code):
        return runner if person is not None and await site.people.visited(person, lead.room) else None
    return runner


def _is_banned(room: Room, person: Person | None) -> bool:
    return person is not None and person.id in room.banned


async def _lead(site: Site, code: str) -> Lead | None:
    """Where a code, which may be anything, leads or once led."""
    tidy = _tidy(code)
    return None if tidy is None else await site.registry.by_code(tidy)


async def _leads(site: Site, lead: Lead, person: Person | None) -> bool:
    """Whether an address leads this person to its room: one that the room has left, only those who stayed with it."""
    return lead.current or (person is not None and await site.people.visited(person, lead.room))


async def lead_of_member(site: Site, code: str, person: Person) -> Lead | None:
    """Where this code, which may be anything, leads somebody who has been there and stayed; to others, nowhere."""
    lead = await _lead(site, code)
    return lead if lead is not None and await site.people.visited(person, lead.room) else None


def _tidy(code: str) -> str | None:
    """Return a code as rooms know it, however it was typed, or None if it cannot be one.

    People type a code as the page shows it, letter by letter, so spaces and dashes between letters are left out.
    """
    if len(code) > _LONGEST_TYPED:
        return None
    code = _BETWEEN_LETTERS.sub("", code).upper()
    return code if code.isascii() and code.isalnum() and len(code) <= CODE_LENGTH else None


async def invited(site: Site, scope: Scope, invite: str, person: Person | None) -> Lead:
    """The room that an invitation opens, or a refusal. Nobody can guess one: those who have one come in."""
    lead = await site.registry.by_invite(invite) if invite.isascii() and invite.isprintable() else None
    if lead is None or not await _leads(site, lead, person) or await _is_banned_from(site, lead.room, person):
        wait = site.guesses.wait(client_key(scope))
        raise errors.too_fast(wait) if wait else errors.not_found(site.said("error.no_invite"))
    return lead


async def _is_banned_from(site: Site, room: str, person: Person | None) -> bool:
    state = None if person is None else await peek(site, room)
    return state is not None and _is_banned(state, person)


async def peek(site: Site, room: str) -> Room | None:
    """The room with this id as it is, without waking it; one that sleeps in the middle of a very long hand, as it was
    earlier."""
    return (await peek_all(site, (room,))).get(room)


async def peek_all(site: Site, rooms: Sequence[str]) -> dict[str, Room]:
    """The same of several rooms, by their ids: those that there are."""
    awake = {runner.id: runner.room for runner in site.registry.awake()}
    asleep = [room for room in rooms if room not in awake]
    found = await site.store.log.load_all(asleep, at_most=PEEKED_AT) if asleep else {}
    known = awake | (await asyncio.to_thread(_opened, found) if found else {})
    return {room: known[room] for room in rooms if room in known}


def _opened(found: Mapping[str, Loaded]) -> dict[str, Room]:
    return {room: snapshots.from_log(loaded) for room, loaded in found.items()}


async def link_to_seat(site: Site, scope: Scope, code: str, host: Known, name: str) -> tuple[Runner, str]:
    """Return the room and the token of a new link to the seat of an absent player; or raise a refusal."""
    runner = await find(site, scope, code, host.person)
    token = secrets.token_urlsafe(32)
    await _ask(runner, MakeLink(host.person.id, secrets.token_hex(16), name, digest(token), host.device))
    return runner, token


async def take_seat(runner: Runner, person: Person, token: str) -> None:
    """The seat of such a link is this person's from now on; or a refusal."""
    await _ask(runner, TakeSeat(person.id, secrets.token_hex(16), digest(token)))


async def introduce(site: Site, person: Person, name: str | None) -> list[dict[str, str]]:
    """Let somebody be seen as they are now in the rooms that they visited last, by name if they have chosen one; in
    which of them somebody else has that name, so that they keep theirs."""
    otherwise: list[dict[str, str]] = []
    for line in await site.store.history.rooms_of(person.id, limit=INTRODUCED_AT_ONCE):
        runner = await _introduce_in(site, line.id, person.id, renamed=name is not None)
        now = None if runner is None else runner.room.member_of(person.id)
        if runner is not None and now is not None and name not in (None, now.name, now.called):
            otherwise.append({"code": runner.code, "name": now.name})
    return otherwise


async def introduce_elsewhere(
    site: Site, person: Person, name: str | None, bird: str | None, colour: str | None
) -> None:
    """Let somebody be seen as they are now in all their other rooms, too; not any more once they choose anew."""
    told = await site.store.history.rooms_of(person.id, limit=MOST_ROOMS)
    for line in told[INTRODUCED_AT_ONCE:]:
        now = await site.store.people.get(person.id)
        if now is None or (now.name, now.bird, now.colour) != (name or now.name, bird, colour):
            return
        await _introduce_in(site, line.id, person.id, renamed=name is not None)


async def _introduce_in(site: Site, room: str, person: str, *, renamed: bool) -> Runner | None:
    """Let somebody be seen as they are in this room, if they are of it; wakes no other."""
    state = await peek(site, room)
    if state is None or state.member_of(person) is None:
        return None
    runner = await site.registry.wake(room)
    # Asked last: who chooses twice in one moment is seen as chosen last, whichever of the two has come here first.
    now = await site.store.people.get(person)
    if runner is not None and now is not None:
        name = now.name if renamed else None
        await runner.handle(Introduce(person, secrets.token_hex(16), now.bird, now.colour, name))
    return runner


async def _ask(runner: Runner, command: MakeLink | TakeSeat) -> None:
    answer = await runner.handle(command)
    if not answer.ok:
        assert answer.code is not None
        assert answer.message is not None
        raise RoomError(answer.code, answer.message)


async def linked(site: Site, runner: Runner, token: str) -> str | None:
    """Return the name of the player whose seat a link gives, or None if the link has ended.

    The link ends when the device that the host made it with is signed out. Looking uses nothing up.
    """
    member = stand_ins.linked(runner.room, digest(token), runner.now)
    if member is None:
        return None
    maker, device = member.link_maker, member.link_device
    return member.name if device == "" or await site.store.people.has_device(maker, device) else None


def digest(token: str) -> str:
    """What a room's log keeps of a link: tokens are long and random, so there is nothing to guess."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def summary(room: Room) -> dict[str, Any]:
    """What a room is about, in short: these keys of its picture."""
    shown = room_view.room(room)
    keys = ("code", "phase", "game", "preset", "options", "differences", "clock", "host", "people", "min", "max")
    return {key: shown[key] for key in keys}


NO_GAME_CALLED = Sentence("web.no_game_called", "There is no game “{key}”; there are: {names}.")


def game_called(key: str) -> AnyGame:
    """The game with this key; `bad_option` if there is none."""
    game = GAMES.get(key)
    if game is None:
        raise RuleError("bad_option", NO_GAME_CALLED(key=key[:30], names=both(GAMES)))
    return game
