"""`pecking-order recover`: a way back for somebody who lost their browser, made by whoever runs the server."""

import asyncio
from datetime import UTC, datetime

import click

from app.commands.shared import errors
from app.rooms.log import snapshots
from app.rooms.model.member import Member
from app.rooms.model.state import Room
from app.rooms.people import names
from app.settings import Settings
from app.store.store import visiting
from app.web.context.sessions import RECOVERY
from app.web.http.share_url import EVERYWHERE, lan_address, leads_here_only


@click.command()
@click.argument("room")
@click.argument("name")
@click.option("--url", help="How people reach the site; PUBLIC_URL or this machine's address if left out.")
@click.option("--database", help="DATABASE_URL; that of the settings if left out.")
def recover(room: str, name: str, url: str | None, database: str | None) -> None:
    """Print a link that makes another browser that of NAME in ROOM, once, while the server may be running.

    ROOM is a code or an id.

    It gives back all that the lost browser had, seats and matches in every room, so make sure who asks for it. The host
    of a room can make a link to one seat in the room's menu.
    """
    settings = errors.settings(database_url=database)
    with errors.database(settings.database_url):
        whose, token = asyncio.run(_link(settings.database_url, room.strip(), name))
    until = datetime.now(UTC) + RECOVERY
    link = f"{(url or _address(settings)).rstrip('/')}/recover/{token}"
    click.echo(link)
    if leads_here_only(link):
        click.echo("It works on this machine only: --url, or PECKING_ORDER_PUBLIC_URL, says where others go.", err=True)
    click.echo(f"Good once, until {until:%H:%M} UTC, for {whose}: what the lost browser has open ends then.", err=True)


async def _link(url: str, room: str, name: str) -> tuple[str, str]:
    """Return the name that the room shows for them, and the token of a link."""
    async with visiting(url) as store:
        found = await store.closing.find(room)
        loaded = None if found is None else await store.log.load(found)
        if loaded is None:
            raise click.ClickException(f"There is no room {room}.")
        member = _called(snapshots.from_log(loaded), name)
        assert member.person is not None
        return member.name, await store.people.start_recovery(member.person, datetime.now(UTC), RECOVERY)


def _called(room: Room, name: str) -> Member:
    """The person of this name."""
    people = [member for member in room.members.values() if member.person is not None]
    found = next((member for member in people if names.alike(member.name, name)), None)
    if found is None:
        known = ", ".join(member.name for member in people) or "nobody"
        raise click.ClickException(f"Nobody called {name} is in room {room.code}; there are: {known}.")
    return found


def _address(settings: Settings) -> str:
    """The site's address, as the server tells it when it starts."""
    if settings.public_url is not None:
        return settings.public_url
    host = (lan_address() or "localhost") if settings.host in EVERYWHERE else settings.host
    return f"http://{host}:{settings.port}"
