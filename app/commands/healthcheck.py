"""`pecking-order healthcheck`: check a running server, for containers and operators."""

import urllib.error
import urllib.request

import click

from app.commands.shared import errors


@click.command()
@click.option("--url", help="Address of the server. Default: this machine.")
@click.option("--ready", is_flag=True, help="Also check that the server accepts players.")
@click.option("--timeout", default=4.0, show_default=True, help="Seconds to wait for an answer.")
def healthcheck(url: str | None, ready: bool, timeout: float) -> None:
    """Ask a running server for its health, and print the answer; status 0 if it is healthy, else 1."""
    settings = errors.load_settings_or_fail()
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.host, settings.host)  # noqa: S104
    address = f"{(url or f'http://{host}:{settings.port}').rstrip('/')}/{'readyz' if ready else 'healthz'}"
    try:
        with urllib.request.urlopen(address, timeout=timeout) as answer:  # noqa: S310
            click.echo(answer.read().decode().strip())
    except (OSError, ValueError) as error:
        reason = error.read().decode().strip() if isinstance(error, urllib.error.HTTPError) else str(error)
        click.echo(f"{address}: {reason}", err=True)
        raise SystemExit(1) from None
