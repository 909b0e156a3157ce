"""`pecking-order rooms`: list the rooms, export a room, or delete it; for operators."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import click

from app.commands.export import export
from app.commands.shared import errors
from app.store.deletion.room_cleanup import RoomSummary
from app.store.store import open_beside_server

HEADER = f"{'code':8} {'id':16} {'opened':10} {'last used':10} {'people':>6} {'matches':>7} {'hands':>7} {'entries':>9}"

_database = click.option("--database", help="DATABASE_URL. Default: the one in the settings.")


@click.group()
def rooms() -> None:
    """List, export or delete rooms. The server may be running."""


rooms.add_command(export)


@rooms.command("list")
@click.option(
    "--unused", type=click.IntRange(1), metavar="DAYS", help="List only rooms without a visit for this many days."
)
@_database
def list_(unused: int | None, database: str | None) -> None:
    """List the rooms, those used last first. A code lets anybody into its room: keep the list to yourself.

    Rooms that PECKING_ORDER_KEEP_ROOMS_DAYS is about to delete say after how many hours of running time.
    """
    settings = errors.load_settings_or_fail(database_url=database)
    with errors.show_database_errors(settings.database_url):
        found, planned = asyncio.run(_list_rooms_and_deletions(settings.database_url))
    before = None if unused is None else datetime.now(UTC) - timedelta(days=unused)
    shown = [room for room in found if before is None or room.used_at < before]
    click.echo(f"{HEADER}  deleted")
    for room in shown:
        days = f"{room.created_at:%Y-%m-%d} {room.used_at:%Y-%m-%d}"
        counts = f"{room.people:6} {room.matches:7} {room.hands:7} {room.entries:9}"
        hours = planned.get(room.id)
        deleted = "" if hours is None else f"  in {math.ceil(hours)} h" if hours else "  soon"
        click.echo(f"{room.code:8} {room.id:16} {days} {counts}{deleted}")
    click.echo(f"{len(shown)} of {len(found)} rooms.", err=True)


@rooms.command()
@click.argument("room")
@click.option("--yes", is_flag=True, help="Skip the confirmation.")
@_database
def delete(room: str, yes: bool, database: str | None) -> None:
    """Delete ROOM, by its code or id: nobody can open it any more, and it can't be restored.

    Matches that were played there stay in the history of their players, with their proofs. `export` writes all of the
    room into a file first.
    """
    settings = errors.load_settings_or_fail(database_url=database)
    with errors.show_database_errors(settings.database_url):
        found = asyncio.run(_find_room(settings.database_url, room.strip()))
        if not yes:
            what = f"{found.people} people, {found.matches} matches, last used on {found.used_at:%Y-%m-%d}"
            click.confirm(f"Delete room {found.code} ({what})?", abort=True)
        asyncio.run(_delete_room(settings.database_url, found.id))
    click.echo(f"Room {found.code} deleted. Its matches stay in the history of its {found.people} people.")


async def _list_rooms(url: str) -> Sequence[RoomSummary]:
    async with open_beside_server(url) as store:
        return await store.room_cleanup.list_rooms()


async def _list_rooms_and_deletions(url: str) -> tuple[Sequence[RoomSummary], Mapping[str, float]]:
    async with open_beside_server(url) as store:
        return await store.room_cleanup.list_rooms(), await store.room_cleanup.schedule.hours_until_deletion("rooms")


async def _find_room(url: str, text: str) -> RoomSummary:
    found = next(
        (room for room in await _list_rooms(url) if text in (room.id, room.code) or text.upper() == room.code), None
    )
    if found is None:
        raise click.ClickException(f"There is no room {text}. `pecking-order rooms list` lists all rooms.")
    return found


async def _delete_room(url: str, room: str) -> None:
    async with open_beside_server(url) as store:
        seq = await store.room_cleanup.delete_room(room, datetime.now(UTC))
        store.bus.publish(room, seq)
