"""What a site has of one person: all of it as a file, and how to let go of it for good."""

import json
import secrets
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import structlog

from app.rooms.errors import RoomError
from app.rooms.model.commands import BeForgotten
from app.store.deletion.person_deletion import Forgetting, unfinished
from app.store.history.match_list import Wanted
from app.web.context.sessions import Person
from app.web.context.site import Site
from app.web.services import room_access

logger = structlog.get_logger("web")

FORMAT = "pecking-order-person/1"
AT_ONCE = 50
"""Matches looked for in one go."""


async def finish_forgetting(site: Site) -> None:
    """Forget those whom a server that stopped was about to forget."""
    for person_id in await unfinished(site.store.database):
        try:
            await forget(site, person_id)
        except Exception:  # the others, and the server, must not suffer; it is tried again with the next start
            logger.exception("somebody could not be forgotten", person=person_id)


async def forget(site: Site, person_id: str) -> None:
    """Take somebody out of every room, of what is kept of it and of what is awake, in every process."""
    now = datetime.now(UTC)
    forgetting = Forgetting(site.store.database, person_id)
    await forgetting.begin(now)
    for room in await forgetting.rooms():
        await _leave(site, room, person_id)
    for room in await forgetting.everywhere():
        seq = await forgetting.rewrite(room, now)
        if seq is not None:
            site.registry.hint(room, seq)
            site.store.bus.publish(room, seq)
    await forgetting.finish(now)
    site.signed_out(person_id)


async def _leave(site: Site, room: str, person_id: str) -> None:
    """Let a bot have their place in a room, until the rules let it go."""
    runner = await site.registry.wake(room)
    if runner is None:
        return
    answer = await runner.handle(BeForgotten(person_id, secrets.token_hex(16)))
    if not answer.ok and answer.message is not None:
        raise RoomError(answer.code or "unavailable", answer.message)


async def data(site: Site, person: Person) -> AsyncIterator[str]:
    """Somebody's data as one JSON object, in pieces: matches come with their records, and there may be very many."""
    devices = [
        {"label": each.label, "made": _when(each.made_at), "seen": _when(each.seen_at)}
        for each in await site.people.devices(person)
    ]
    rooms = [
        {"code": each.code, "visited": _when(each.visited_at), "opened": _when(each.created_at)}
        for each in await site.store.history.rooms_of(person.id, limit=room_access.MOST_ROOMS)
    ]
    told = {
        "format": FORMAT,
        "person": {
            "id": person.id,
            "name": person.name,
            "bird": person.bird,
            "colour": person.colour,
            "known_since": _when(person.created_at),
        },
        "devices": devices,
        "calls": [
            {"since": _when(since), "endpoint": browser.endpoint, "language": browser.language}
            for since, browser in await site.store.subscriptions.of(person.id)
        ],
        "rooms": rooms,
        "house_rules": [
            {"game": each.game, "name": each.name, "options": each.options, "kept": _when(each.kept_at)}
            for each in await site.store.house_rules.of(person.id)
        ],
        "chat": [
            {"at": at, "text": text, "quick": quick} for at, text, quick in await site.store.chat_lines.of(person.id)
        ],
    }
    yield f'{_json(told)[:-1]},"matches":['
    between, before = "", None
    while True:
        page = await site.store.matches.search(Wanted(person.id), asked_by=person.id, limit=AT_ONCE, before=before)
        for line in page.matches:
            mine = next((player.name for player in line.players if player.you), None)
            record = await site.store.history.record(line.id)
            match = {"id": line.id, "started": _when(line.started_at), "name": mine, "record": record}
            yield f"{between}{_json(match)}"
            between = ","
        before = page.next
        if before is None:
            break
    yield '],"imported":['
    between = ""
    for line in await site.store.imports.of(person.id, limit=(await site.store.imports.stored(person.id)).matches):
        brought = {
            "id": line.id,
            "imported": _when(line.started_at),
            "record": await site.store.imports.record(line.id),
        }
        yield f"{between}{_json(brought)}"
        between = ","
    yield "]}"


def _when(at: datetime) -> str:
    return at.isoformat(timespec="seconds")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
