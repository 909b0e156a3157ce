"""`pecking-order rooms`: show, list, export or delete rooms; for operators."""

import asyncio
import json
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import click

from app.commands.operate.export import export
from app.commands.operate.facts import read_beside_server
from app.commands.operate.room_report import log, show
from app.commands.shared import errors
from app.commands.shared.options import database_option, json_option, yes_option
from app.store.db.engines import describe_location
from app.store.deletion.room_cleanup import RoomSummary
from app.store.maintenance.figures import format_bytes, read_room_sizes
from app.store.store import open_beside_server
from app.web.live_figures import ask_nodes

HEADER = f"{'code':8} {'id':16} {'opened':10} {'last used':10} {'people':>6} {'matches':>7} {'hands':>7} {'entries':>9}"

SORT_KEYS: Final[Mapping[str, Callable[[RoomSummary], Any]]] = {
    "used": lambda room: room.used_at,
    "people": lambda room: room.people,
    "entries": lambda room: room.entries,
}
"""Sort keys that need no other data, each with the largest value first."""

_unused = click.option(
    "--unused", type=click.IntRange(1), metavar="DAYS", help="Only rooms without a visit for this many days."
)


@click.group()
def rooms() -> None:
    """Show, list, export or delete rooms. The server may be running. Put -- before an id that begins with a hyphen."""


for each in (show, log, export):
    rooms.add_command(each)


@rooms.command("list")
@click.argument("room", nargs=-1)
@_unused
@click.option("--live", is_flag=True, help="Only rooms with connections to a server on this machine.")
@click.option(
    "--sort", type=click.Choice([*SORT_KEYS, "size"]), default="used", show_default=True, help="Largest first."
)
@json_option
@database_option
def list_(room: Sequence[str], unused: int | None, live: bool, sort: str, as_json: bool, database: str | None) -> None:
    """List the rooms, or each ROOM by its code or id. A code lets anybody into its room: keep the list to yourself.

    With --sort size, each room has the bytes of its data; all of it is read. Rooms that PECKING_ORDER_KEEP_ROOMS_DAYS
    is about to delete say after how many hours of running time.
    """
    settings = errors.load_settings_or_fail(database_url=database)
    url = settings.unpooled_database_url
    with errors.show_database_errors(url):
        found, planned = asyncio.run(_list_rooms_and_deletions(url))
        shown = _select(found, room, unused)
        if live:
            shown = [each for each in shown if each.id in _rooms_in_use(url)]
        ids = None if len(shown) == len(found) else [each.id for each in shown]
        sizes = read_beside_server(url, lambda connection: read_room_sizes(connection, ids)) if sort == "size" else {}
    shown.sort(key=SORT_KEYS.get(sort) or (lambda each: sizes.get(each.id, 0)), reverse=True)
    if as_json:
        lines = [{**asdict(each), "bytes": sizes.get(each.id)} for each in shown]
        click.echo(json.dumps(lines, indent=2, default=lambda at: at.isoformat(timespec="seconds")))
        return
    click.echo(f"{HEADER}  {'    size  ' if sizes else ''}deleted")
    for each in shown:
        hours = planned.get(each.id)
        size = f"  {format_bytes(sizes.get(each.id, 0)):>8}" if sizes else ""
        click.echo(
            _format_room(each) + size + ("" if hours is None else f"  in {math.ceil(hours)} h" if hours else "  soon")
        )
    click.echo(f"{len(shown)} of {len(found)} rooms.", err=True)


@rooms.command()
@click.argument("room", nargs=-1)
@_unused
@yes_option
@database_option
def delete(room: Sequence[str], unused: int | None, yes: bool, database: str | None) -> None:
    """Delete each ROOM, by its code or id, or all unused rooms: nobody can open them any more, or restore them.

    The command shows the rooms and asks first. Matches that were played there stay in the history of their players,
    with their proofs. `export` writes all of a room into a file first.
    """
    if not room and unused is None:
        raise click.UsageError("Name rooms, or the unused ones by --unused DAYS.")
    settings = errors.load_settings_or_fail(database_url=database)
    url = settings.unpooled_database_url
    with errors.show_database_errors(url):
        found = _select(asyncio.run(_list_rooms_and_deletions(url))[0], room, unused)
        if unused is not None:
            in_use = _rooms_in_use(url)
            found = [each for each in found if each.id not in in_use]
        if not found:
            click.echo("No such rooms.")
            return
        click.echo("\n".join([HEADER, *map(_format_room, found)]))
        if not yes:
            click.confirm(f"Delete {f'{len(found)} rooms' if len(found) > 1 else f'room {found[0].code}'}?", abort=True)
        for each in found:
            asyncio.run(_delete_room(url, each.id))
            click.echo(f"Room {each.code} deleted. Its matches stay in the history of its {each.people} people.")


def _format_room(room: RoomSummary) -> str:
    days = f"{room.created_at:%Y-%m-%d} {room.used_at:%Y-%m-%d}"
    return f"{room.code:8} {room.id:16} {days} {room.people:6} {room.matches:7} {room.hands:7} {room.entries:9}"


def _select(found: Sequence[RoomSummary], texts: Sequence[str], unused: int | None) -> list[RoomSummary]:
    """Return the rooms with these codes or ids (none: all rooms) that were not used for this number of days.

    Raises ClickException if a room does not exist.
    """
    by_name = {name: room for room in found for name in (room.code, room.id)}
    selected = list(found)
    if texts:
        named = {text.strip(): by_name.get(text.strip()) or by_name.get(text.strip().upper()) for text in texts}
        for text, room in named.items():
            if room is None:
                raise click.ClickException(f"There is no room {text}. `pecking-order rooms list` lists all rooms.")
        selected = list({room.id: room for room in named.values() if room is not None}.values())
    before = None if unused is None else datetime.now(UTC) - timedelta(days=unused)
    return [room for room in selected if before is None or room.used_at < before]


def _rooms_in_use(url: str) -> Collection[str]:
    """Return the ids of the rooms with connections to servers on this machine."""
    return {room.id for node in ask_nodes(describe_location(url)) for room in node.rooms if room.connections}


async def _list_rooms_and_deletions(url: str) -> tuple[Sequence[RoomSummary], Mapping[str, float]]:
    async with open_beside_server(url) as store:
        return await store.room_cleanup.list_rooms(), await store.room_cleanup.schedule.hours_until_deletion("rooms")


async def _delete_room(url: str, room: str) -> None:
    async with open_beside_server(url) as store:
        at = datetime.now(UTC)
        store.bus.publish(room, await store.room_cleanup.delete_room(room, at))
        await store.operations.record("rooms delete", room, at)
