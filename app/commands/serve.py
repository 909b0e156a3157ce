"""`pecking-order serve`: the server, and how to reach it."""

import contextlib
import errno
import os
import socket
import sys

import click
import segno
import structlog

from app.commands.shared import errors
from app.settings import Settings
from app.version import version_with_commit
from app.web.http.share_url import EVERYWHERE, in_container, lan_address, leads_here_only

OTHER_FILES = 100
"""Open files besides sockets: the database, pages, workers."""
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
    settings = errors.settings(host=host, port=port, database_url=database, watch_files=watch)
    from app.main import run
    from app.web.context.metrics import set_up_logging

    set_up_logging(settings)
    _allow_many_sockets(settings)
    with errors.database(settings.database_url):
        listener = _listen(settings)
        run(settings, listener, ready=lambda bound: None if quiet else _tell(settings, bound))


def _allow_many_sockets(settings: Settings) -> None:
    """Raise the limit of open files to what the system allows, and warn if that is too low for all connections.

    Each connection is an open file, and most shells allow 1024.
    """
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = OPEN_FILES if hard == resource.RLIM_INFINITY else hard
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
        allowed, wanted = resource.getrlimit(resource.RLIMIT_NOFILE)[0], settings.limits.sockets + OTHER_FILES
        if allowed < wanted:
            structlog.get_logger("web").warning(
                "too few open files are allowed: raise the limit (ulimit -n, LimitNOFILE), or lower LIMITS__SOCKETS",
                allowed=allowed,
                wanted=wanted,
            )


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
        said = f"Can’t listen on {settings.host}, port {settings.port}: {error.strerror}."
        if error.errno == errno.EADDRINUSE:
            said += " Another program may be using it: try --port 8001, or --port 0 for any."
        raise errors.Trouble(said) from None
    listener.listen(2048)
    listener.setblocking(False)
    return listener


def _tell(settings: Settings, port: int) -> None:
    """Where people find us, on this machine and from a phone that can read a square; and where the rooms are."""
    from app.store.db.engines import place

    everywhere = settings.host in EVERYWHERE
    lan = lan_address() if everywhere else None
    shared = settings.public_url or (f"http://{lan}:{port}" if lan else None)
    lines = [
        "",
        f"  Pecking Order {version_with_commit()} is running.",
        "",
        f"  On this machine:  http://{'localhost' if everywhere else settings.host}:{port}",
    ]
    if shared is not None:
        lines.append(f"  For the others:   {shared}")
    elif in_container():
        lines.append("  For the others:   a container can’t know its address outside; set PECKING_ORDER_PUBLIC_URL.")
    lines.append(f"  Rooms are kept in {place(settings.database_url)}")
    click.echo("\n".join([*lines, ""]))
    if shared is not None and not leads_here_only(shared) and _draws_blocks():
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
