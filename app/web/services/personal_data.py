"""Export all data of a person as a file, and delete a person."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any, Final

import structlog

from app import __version__
from app.engine.match.record import ROOM_FORMAT
from app.rooms.errors import RoomError
from app.rooms.live.registry import Registry
from app.rooms.model.commands import BeForgotten
from app.store.deletion.person_deletion import PersonDeletion, RewrittenRoom, unfinished_deletions
from app.store.store import Store
from app.web.context.sessions import Person
from app.web.context.site import AppContext
from app.web.services import room_access

logger = structlog.get_logger("web")

FORMAT = "pecking-order-person/1"
EMPTY_LOG_AGAIN: Final = 20.0
"""Seconds after which emptying SQLite's log is tried again, if a reader such as a backup prevented it."""


async def run_person_deletions(site: AppContext) -> None:
    """Finish deletions of people that were cut short when a server stopped. Then complete later ones, until cancelled.

    An error is logged and tried again with the next start. A deletion is complete when SQLite's log is empty: until
    then, the log holds the old texts.
    """
    for person_id in await unfinished_deletions(site.store.database):
        try:
            await delete_person(site, person_id)
        except Exception:  # the others, and the server, must not suffer; it is tried again with the next start
            logger.exception("deleting a person failed", person=person_id)
    site.must_empty_log.set()  # a server that was killed may have left a log
    while True:
        await site.must_empty_log.wait()
        site.must_empty_log.clear()
        if not await site.store.database.empty_sqlite_log():
            site.must_empty_log.set()
            await asyncio.sleep(EMPTY_LOG_AGAIN)


async def delete_person(site: AppContext, person_id: str) -> None:
    """Delete a person everywhere: from all rooms and their logs, their own data, and close their open sockets.

    Bots keep their seats. `RoomError` if a room refuses.
    """

    def on_rewritten(room: str, rewritten: RewrittenRoom) -> None:
        site.registry.on_hint(room, rewritten.seq)
        site.chat.replace_deleted_names(room, rewritten.said)

    await delete_person_from_store(site.store, site.registry, person_id, on_rewritten)
    if not await site.store.database.empty_sqlite_log():
        site.must_empty_log.set()
    site.close_signed_out_sockets(person_id)


async def delete_person_from_store(
    store: Store,
    registry: Registry,
    person_id: str,
    on_rewritten: Callable[[str, RewrittenRoom], None] = lambda room, rewritten: None,
) -> None:
    """Delete a person from all stored data. Other processes get hints. `on_rewritten` gets each changed room.

    `RoomError` if a room refuses.
    """
    now = datetime.now(UTC)
    forgetting = PersonDeletion(store.database, person_id)
    await forgetting.mark_as_deleted(now)
    for room in await forgetting.rooms_naming_person():
        await _give_seat_to_bot(registry, room, person_id)
    for room in await forgetting.rooms_to_rewrite():
        rewritten = await forgetting.rewrite_room(room, now)
        if rewritten is not None:
            store.bus.publish(room, rewritten.seq)
            on_rewritten(room, rewritten)
    await forgetting.delete_person_rows(now)


async def _give_seat_to_bot(registry: Registry, room: str, person_id: str) -> None:
    """Remove a deleted person from a room's members; a bot keeps their seat until the rules free it.

    Raises `RoomError` if the room refuses; an unknown room is skipped.
    """
    actor = await registry.get_or_load(room)
    if actor is None:
        return
    answer = await actor.handle(BeForgotten(person_id, secrets.token_hex(16)))
    if not answer.ok and answer.message is not None:
        raise RoomError(answer.code or "unavailable", answer.message)


async def export_matches(site: AppContext, person_id: str) -> AsyncIterator[str]:
    """Yield a JSON object with all matches of a person, in pieces, in the form of a room's file."""
    head = {"format": ROOM_FORMAT, "program": __version__, "exported": _iso_timestamp(datetime.now(UTC))}
    yield f'{_encode_json(head)[:-1]},"matches":['
    async for piece in site.store.match_export.stream_records(person_id):
        yield piece
    yield "]}"


async def export_person_data(store: Store, person: Person) -> AsyncIterator[str]:
    """Yield all data stored about a person as one JSON object, in pieces, since matches with records may be large.

    It is the file that people can download about themselves.
    """
    devices = [
        {"label": each.label, "made": _iso_timestamp(each.created_at), "seen": _iso_timestamp(each.seen_at)}
        for each in await store.people.devices_of(person.id)
    ]
    rooms = [
        {"code": each.code, "visited": _iso_timestamp(each.visited_at), "opened": _iso_timestamp(each.created_at)}
        for each in await store.history.rooms_of_person(person.id, limit=room_access.MAX_ROOMS_OF_PERSON)
    ]
    data = {
        "format": FORMAT,
        "person": {
            "id": person.id,
            "name": person.name,
            "bird": person.bird,
            "colour": person.colour,
            "language": person.language,
            "known_since": _iso_timestamp(person.created_at),
        },
        "devices": devices,
        "calls": [
            {"since": _iso_timestamp(since), "endpoint": browser.endpoint, "language": browser.language}
            for since, browser in await store.subscriptions.subscriptions_of_person(person.id)
        ],
        "rooms": rooms,
        "house_rules": [
            {"game": each.game, "name": each.name, "options": each.options, "kept": _iso_timestamp(each.saved_at)}
            for each in await store.saved_rules.rules_of_person(person.id)
        ],
        "chat": [
            {"at": at, "text": text, "quick": quick}
            for at, text, quick in await store.chat.messages_of_person(person.id)
        ],
    }
    yield f'{_encode_json(data)[:-1]},"matches":['
    async for piece in store.match_export.stream_records(person.id, even_without_hands=True):
        yield piece
    yield '],"imported":['
    between = ""
    for line in await store.imported_matches.matches_of_person(
        person.id, limit=(await store.imported_matches.storage_used(person.id)).matches
    ):
        brought = {
            "id": line.id,
            "imported": _iso_timestamp(line.started_at),
            "record": await store.imported_matches.load_record(line.id),
        }
        yield f"{between}{_encode_json(brought)}"
        between = ","
    yield "]}"


def _iso_timestamp(at: datetime) -> str:
    return at.isoformat(timespec="seconds")


def _encode_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
