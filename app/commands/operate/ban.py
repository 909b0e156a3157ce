"""`pecking-order ban`: refuse all requests of a network for some time."""

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network

import click

from app.commands.shared import errors
from app.commands.shared.options import database_option, json_option
from app.settings import MAX_DAYS, Network, Settings
from app.store.repositories.operations import Ban
from app.store.store import open_beside_server
from app.web.http.ban_list import NOT_PUBLIC, widen_to_client

DEFAULT_DAYS = 30


class _NetworkType(click.ParamType[Network]):
    name = "network"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Network:
        try:
            return widen_to_client(ip_network(str(value), strict=False))
        except ValueError:
            self.fail(f"“{value}” is not an address such as 192.0.2.7 or 2001:db8::/48.", param, ctx)


_network = click.argument("network", type=_NetworkType())


@click.group()
def ban() -> None:
    """Ban networks: all nodes refuse their requests within ten seconds. The server may be running."""


@ban.command()
@_network
@click.option(
    "--days", type=click.IntRange(1, MAX_DAYS), default=DEFAULT_DAYS, show_default=True, help="Days until it ends."
)
@click.option("--force", is_flag=True, help="Also ban trusted proxies and private networks.")
@database_option
def add(network: Network, days: int, force: bool, database: str | None) -> None:
    """Ban NETWORK, an address or a network, and close its open sockets. For IPv6, at least a /64 network is banned.

    A ban of a trusted proxy or a private network is refused, because it would shut out many people or you.
    """
    settings = errors.load_settings_or_fail(database_url=database)
    reason = _reason_to_refuse(network, settings)
    if reason is not None and not force:
        raise click.ClickException(f"{network} {reason}. Use --force if you mean it.")
    at = datetime.now(UTC)
    with errors.show_database_errors(settings.unpooled_database_url):
        asyncio.run(_ban(settings.unpooled_database_url, network, at, at + timedelta(days=days)))
    click.echo(f"{network} is banned until {at + timedelta(days=days):%Y-%m-%d %H:%M} UTC.")


@ban.command("list")
@json_option
@database_option
def list_(as_json: bool, database: str | None) -> None:
    """List the banned networks with the ends of their bans."""
    url = errors.load_settings_or_fail(database_url=database).unpooled_database_url
    with errors.show_database_errors(url):
        found = asyncio.run(_list(url))
    if as_json:
        lines = [{"network": str(each.network), "since": each.created_at, "until": each.expires_at} for each in found]
        click.echo(json.dumps(lines, indent=2, default=lambda at: at.isoformat(timespec="seconds")))
        return
    for each in found:
        click.echo(f"{each.network!s:24} until {each.expires_at:%Y-%m-%d %H:%M} UTC")
    click.echo(f"Found: {len(found)}.", err=True)


@ban.command()
@_network
@database_option
def lift(network: Network, database: str | None) -> None:
    """End the ban of NETWORK, as `ban list` shows it."""
    url = errors.load_settings_or_fail(database_url=database).unpooled_database_url
    with errors.show_database_errors(url):
        if not asyncio.run(_lift(url, network)):
            raise click.ClickException(f"{network} is not banned. `pecking-order ban list` lists all bans.")
    click.echo(f"{network} is no longer banned.")


def _reason_to_refuse(network: Network, settings: Settings) -> str | None:
    if any(_overlap(network, proxy) for proxy in settings.trusted_proxies):
        return "contains a trusted proxy, so all its visitors would be refused"
    if any(_overlap(network, private) for private in NOT_PUBLIC):
        return "contains a private network"
    return None


def _overlap(one: Network, other: Network) -> bool:
    return one.version == other.version and one.overlaps(other)


async def _ban(url: str, network: Network, at: datetime, until: datetime) -> None:
    async with open_beside_server(url) as store:
        await store.operations.ban(network, at, until)
        await store.operations.record("ban add", str(network), at)


async def _list(url: str) -> Sequence[Ban]:
    async with open_beside_server(url) as store:
        return await store.operations.bans(datetime.now(UTC))


async def _lift(url: str, network: Network) -> bool:
    async with open_beside_server(url) as store:
        is_lifted = await store.operations.lift(network)
        if is_lifted:
            await store.operations.record("ban lift", str(network), datetime.now(UTC))
        return is_lifted
