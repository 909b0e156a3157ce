"""`pecking-order export`: export a whole room to one file, for operators."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from app.commands.shared import errors
from app.rooms.log import snapshots
from app.store.room_export import export_room
from app.store.store import open_beside_server
from app.web.http.work_queue import encode_json_in_parts


@click.command()
@click.argument("room")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True), default="-")
@click.option("--database", help="DATABASE_URL. Default: the one in the settings.")
def export(room: str, file: Path, database: str | None) -> None:
    """Write all that the people of ROOM share into FILE (- for standard output), also while the server is running.

    ROOM is its code or its id. The file has the room's matches as records, decrees, settings, people by name, and
    statistics. Nothing in it lets anybody into the room.
    """
    settings = errors.load_settings_or_fail(database_url=database)
    with errors.show_database_errors(settings.unpooled_database_url):
        found = asyncio.run(_load_room_export(settings.unpooled_database_url, room.strip()))
    with click.open_file(str(file), "wb") as out:
        out.write(encode_json_in_parts(found))
    click.echo(f"{len(found['matches'])} matches of {room.strip()} are in {file}.", err=True)


async def _load_room_export(url: str, room: str) -> dict[str, Any]:
    async with open_beside_server(url) as store:
        found = await store.room_cleanup.find_room_id(room)
        loaded = None if found is None else await store.log.load(found)
        if loaded is None:
            raise click.ClickException(f"There is no room {room}.")
        return await export_room(store, snapshots.load_room(loaded), datetime.now(UTC))
