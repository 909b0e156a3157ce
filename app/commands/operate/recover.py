"""`pecking-order recover`: create a link for a person who lost their browser, for operators."""

import asyncio
from datetime import UTC, datetime

import click

from app.commands.shared import errors
from app.rooms.log import snapshots
from app.rooms.model.member import Member
from app.rooms.model.state import Room
from app.rooms.people import names
from app.settings import Settings
from app.store.store import open_beside_server
from app.web.context.sessions import RECOVERY
from app.web.http.share_url import EVERYWHERE, is_loopback_url, lan_address


@click.command()
@click.argument("room")
@click.argument("name")
@click.option("--url", help="Address of the site. Default: PUBLIC_URL, else this machine's address.")
@click.option("--database", help="DATABASE_URL. Default: the one in the settings.")
def recover(room: str, name: str, url: str | None, database: str | None) -> None:
    """Print a link that gives another browser the identity of NAME in ROOM, once, also while the server is running.

    ROOM is a code or an id. The link gives back all that the lost browser had, seats and matches in every room, so make
    sure who asks for it. The host of a room can make a link to one seat in the room's menu.
    """
    settings = errors.load_settings_or_fail(database_url=database)
    with errors.show_database_errors(settings.unpooled_database_url):
        whose, token = asyncio.run(_create_recovery_token(settings.unpooled_database_url, room.strip(), name))
    until = datetime.now(UTC) + RECOVERY
    link = f"{(url or _site_url(settings)).rstrip('/')}/recover/{token}"
    click.echo(link)
    if is_loopback_url(link):
        click.echo("The link works on this machine only. Set --url or PECKING_ORDER_PUBLIC_URL for others.", err=True)
    click.echo(f"Works once, until {until:%H:%M} UTC, for {whose}. It then signs out the lost browser.", err=True)


async def _create_recovery_token(url: str, room: str, name: str) -> tuple[str, str]:
    """Create a recovery link's token for the person `name` of a room; return their name there, and the token.

    `room` is a code or an id. Raises ClickException if the room or the person does not exist.
    """
    async with open_beside_server(url) as store:
        found = await store.room_cleanup.find_room_id(room)
        loaded = None if found is None else await store.log.load(found)
        if loaded is None:
            raise click.ClickException(f"There is no room {room}.")
        member = _find_member_by_name(snapshots.load_room(loaded), name)
        assert member.person is not None
        at = datetime.now(UTC)
        token = await store.people.create_recovery_token(member.person, at, RECOVERY)
        await store.operations.record("recover", member.person, at)
        return member.name, token


def _find_member_by_name(room: Room, name: str) -> Member:
    """Return the person with this name in a room, ignoring case and similar letters.

    Raises ClickException with the names there are if nobody has it.
    """
    people = [member for member in room.members.values() if member.person is not None]
    found = next((member for member in people if names.look_alike(member.name, name)), None)
    if found is None:
        known = ", ".join(member.name for member in people) or "nobody"
        raise click.ClickException(f"Room {room.code} has no person named {name}. It has: {known}.")
    return found


def _site_url(settings: Settings) -> str:
    """Return the site's address for links: the public URL, else this machine's address, as the server prints it."""
    if settings.public_url is not None:
        return settings.public_url
    host = (lan_address() or "localhost") if settings.host in EVERYWHERE else settings.host
    return f"http://{host}:{settings.port}"
