"""Rooms as pages and API meet them: opening one, finding one by its code, saying in short what it is."""

import asyncio
import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from app.engine.errors import RuleError
from app.engine.game import Game
from app.engine.games import GAMES
from app.engine.words import Sentence, both
from app.rooms import keeping, lending, names, pictures
from app.rooms.commands import MakeLink, TakeSeat
from app.rooms.commands import Person as Host
from app.rooms.errors import RoomError
from app.rooms.room import Room, milliseconds
from app.rooms.runner import Runner
from app.web import errors
from app.web.address import Scope, client_key
from app.web.people import Person
from app.web.site import Site

CODE_LENGTH = 12
"""No code is longer: what is, is not worth asking the database."""
PEEKED_AT = 200
"""Entries folded for a line in a list."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A new room, and the token of its host if they are new too."""

    code: str
    invite: str
    person: Person
    token: str | None


async def newcomer(site: Site, scope: Scope, name: str | None = None) -> tuple[Person, str]:
    """A new person, and the token for their browser; not too many from one address."""
    wait = site.newcomers.wait(client_key(scope))
    if wait:
        raise errors.too_fast(wait)
    return await site.people.create(name)


async def open_room(site: Site, scope: Scope, person: Person | None, name: str, settings: dict[str, Any]) -> Opened:
    """Open a room; whoever opens it is its host, under this name."""
    name = names.clean(name)
    token = None
    if person is None:
        person, token = await newcomer(site, scope, name)
    else:
        await site.people.rename(person, name)
    code, invite = await site.registry.create(Host(person.id, name), settings)
    await site.people.visit(person, code)
    return Opened(code, invite, person, token)


async def find(site: Site, scope: Scope, code: str, person: Person | None) -> Runner:
    """The room with this code, or a refusal. Guesses are counted."""
    client = client_key(scope)
    wait = await must_wait(site, client, person, code)
    if wait:
        raise errors.too_fast(wait)
    runner = await find_room(site, code)
    if runner is None:
        site.guesses.wait(client)
        raise errors.not_found(site.said("error.no_room"))
    return runner


async def must_wait(site: Site, client: str, person: Person | None, code: str) -> float:
    """How long this address may guess no more codes. Who has been in a room does not guess, whoever else does."""
    wait = site.guesses.wait(client, take=False)
    room = _tidy(code)
    if wait and person is not None and room is not None and await site.people.visited(person, room):
        return 0
    return wait


async def find_room(site: Site, code: str) -> Runner | None:
    """The room with this code, which may be anything."""
    room = _tidy(code)
    return None if room is None else await site.registry.find(room)


def _tidy(code: str) -> str | None:
    """What may be a code, as codes are written."""
    code = code.strip().upper()
    return code if code.isascii() and code.isalnum() and len(code) <= CODE_LENGTH else None


async def invited(site: Site, scope: Scope, invite: str) -> str:
    """The code of the room that an invitation opens, or a refusal. Nobody can guess one: those who have one come in."""
    code = await site.registry.by_invite(invite) if invite.isascii() and invite.isprintable() else None
    if code is None:
        wait = site.guesses.wait(client_key(scope))
        raise errors.too_fast(wait) if wait else errors.not_found(site.said("error.no_invite"))
    return code


async def peek(site: Site, code: str) -> Room | None:
    """A room as it is, without waking it; one that sleeps in the middle of a very long hand, as it was earlier."""
    awake = next((runner for runner in site.registry.awake() if runner.code == code), None)
    if awake is not None:
        return awake.room
    loaded = await site.store.log.load(code, at_most=PEEKED_AT)
    return None if loaded is None else await asyncio.to_thread(keeping.from_log, loaded)


async def link_to_seat(site: Site, scope: Scope, code: str, host: Person, name: str) -> tuple[Runner, str]:
    """The room, and the token of a new link to the seat of somebody who is away; or a refusal."""
    runner = await find(site, scope, code, host)
    token = secrets.token_urlsafe(32)
    await _ask(runner, MakeLink(host.id, secrets.token_hex(16), name, digest(token)))
    return runner, token


async def take_seat(runner: Runner, person: Person, token: str) -> None:
    """The seat of such a link is this person's from now on; or a refusal."""
    await _ask(runner, TakeSeat(person.id, secrets.token_hex(16), digest(token)))


async def _ask(runner: Runner, command: MakeLink | TakeSeat) -> None:
    answer = await runner.handle(command)
    if not answer.ok:
        raise RoomError(answer.code or "unavailable", answer.message or "")


def linked(runner: Runner, token: str) -> str | None:
    """Whose seat a link gives, if it still does. Looking uses nothing up."""
    member = lending.linked(runner.room, digest(token), milliseconds(datetime.now(UTC)))
    return None if member is None else member.name


def digest(token: str) -> str:
    """What a room's log keeps of a link: tokens are long and random, so there is nothing to guess."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def summary(room: Room) -> dict[str, Any]:
    """What a room is about, in short."""
    shown = pictures.room(room)
    keys = ("code", "phase", "game", "preset", "options", "differences", "clock", "host", "people", "min", "max")
    return {key: shown[key] for key in keys}


NO_GAME_CALLED = Sentence("web.no_game_called", "There is no game “{key}”; there are: {names}.")


def game_called(key: str) -> Game:
    """The game with this key; `bad_option` if there is none."""
    game = GAMES.get(key)
    if game is None:
        raise RuleError("bad_option", NO_GAME_CALLED(key=key[:30], names=both(GAMES)))
    return game
