"""`pecking-order serve`: the server, and how to reach it."""

import contextlib
import os
import socket
import sys
from typing import Any

import click
import segno

from app.settings import Settings
from app.web.sharing import EVERYWHERE, lan_address

OPEN_FILES = 65_536
"""Enough for every socket that the settings may allow on a node."""


@click.command()
@click.option("--host", help="Address to listen on; 0.0.0.0 lets other devices in.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 lets the system choose.")
@click.option("--database", help="DATABASE_URL, such as sqlite:///file or postgresql://…")
@click.option("--watch", is_flag=True, default=None, help="Notice changed templates and static files (developing).")
@click.option("--quiet", is_flag=True, help="Print no address and no QR code.")
def serve(host: str | None, port: int | None, database: str | None, watch: bool | None, quiet: bool) -> None:
    """Run the server."""
    asked: dict[str, Any] = {"host": host, "port": port, "database_url": database, "watch_files": watch}
    settings = Settings(**{key: value for key, value in asked.items() if value is not None})
    from app.main import run
    from app.store.database import BadUrl, Unavailable
    from app.web.telemetry import set_up_logging

    set_up_logging(settings)
    _allow_many_sockets()
    try:
        listener = _listen(settings)
        run(settings, listener, ready=lambda bound: None if quiet else _tell(settings, bound))
    except (BadUrl, Unavailable) as error:
        raise click.ClickException(f"The database can’t be used: {error}") from None


def _allow_many_sockets() -> None:
    """Each connection is an open file, and shells allow a thousand: take what the system lets us have."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def _listen(settings: Settings) -> socket.socket:
    """The port, before anything else is done: if it is taken, nobody has to wait to hear it."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise click.ClickException(
            f"Can’t listen on {settings.host}, port {settings.port}: {error.strerror}. "
            "Another program may be using it: try --port 8001, or --port 0 for any."
        ) from None
    listener.listen(2048)
    listener.setblocking(False)
    return listener


def _tell(settings: Settings, port: int) -> None:
    """Where people find us: on this machine, and from a phone that can read a square."""
    here = f"http://localhost:{port}"
    everywhere = settings.host in EVERYWHERE
    lan = lan_address() if everywhere else None
    shared = settings.public_url or (f"http://{lan}:{port}" if lan else None)
    lines = [
        "",
        "  Pecking Order is running.",
        "",
        f"  On this machine:  {here if everywhere else f'http://{settings.host}:{port}'}",
    ]
    if shared is not None:
        lines.append(f"  For the others:   {shared}")
    click.echo("\n".join([*lines, ""]))
    if shared is not None and _draws_blocks():
        segno.make(shared, micro=False).terminal(compact=True, border=2)
        click.echo()
    click.echo("  Ctrl+C stops it; rooms are kept.\n")
    sys.stdout.flush()


def _draws_blocks() -> bool:
    try:
        "▄▀█".encode(sys.stdout.encoding or "ascii")
    except UnicodeError:
        return False
    return True
