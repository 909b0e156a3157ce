"""`pecking-order serve`: run the server, and print its addresses."""

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
from app.web.http.host_names import describe_known_names
from app.web.http.share_url import EVERYWHERE, is_in_container, is_loopback_url, lan_address
from app.web.transport.garbage_collection import collect_rarely

OTHER_FILES = 100
"""Number of open files in addition to connections: database, pages, workers."""
OPEN_FILES = 65_536
"""Wanted limit of open files, enough for the connections of a node."""


@click.command()
@click.option("--host", help="Address to listen on. 0.0.0.0 allows other devices.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on. 0: the system chooses.")
@click.option("--database", help="DATABASE_URL, such as sqlite:///file or postgresql://…")
@click.option(
    "--watch",
    is_flag=True,
    default=None,
    help="Reload changed templates, static files and translations, and offer unfinished languages (for development).",
)
@click.option("--quiet", is_flag=True, help="Print no address and no QR code.")
def serve(host: str | None, port: int | None, database: str | None, watch: bool | None, quiet: bool) -> None:
    """Run the server until it is stopped; print its addresses first."""
    settings = errors.load_settings_or_fail(host=host, port=port, database_url=database, watch_files=watch)
    collect_rarely()
    from app.main import run_server
    from app.web.context.metrics import set_up_logging

    set_up_logging(settings)
    _allow_many_sockets(settings)
    with errors.show_database_errors(settings.database_url):
        listener = _open_listener(settings)
        run_server(settings, listener, on_ready=lambda bound: None if quiet else _print_addresses(settings, bound))


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
        allowed, needed = resource.getrlimit(resource.RLIMIT_NOFILE)[0], settings.limits.sockets + OTHER_FILES
        if allowed < needed:
            structlog.get_logger("web").warning(
                "limit of open files too low: raise it (ulimit -n, LimitNOFILE), or lower LIMITS__SOCKETS",
                allowed=allowed,
                wanted=needed,
            )


def _open_listener(settings: Settings) -> socket.socket:
    """Open the server's port and listen. Raises `CommandError` if that fails, for example if the port is in use.

    This comes before all other work of the start, so that the operator hears of it at once.
    """
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
        raise errors.CommandError(said) from None
    listener.listen(2048)
    listener.setblocking(False)
    return listener


def _print_addresses(settings: Settings, port: int) -> None:
    """Print the server's addresses, the place of its data, and a QR code for phones, when the server is ready."""
    from app.store.db.engines import describe_location

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
    elif is_in_container():
        lines.append("  For the others:   unknown inside a container; set PECKING_ORDER_PUBLIC_URL.")
    elif everywhere:
        lines.append("  For the others:   no network found; set PECKING_ORDER_PUBLIC_URL if there is one.")
    else:
        lines.append(f"  For the others:   unknown, because --host is {settings.host}; set PECKING_ORDER_PUBLIC_URL.")
    lines.append(f"  It answers to:    {describe_known_names(settings)}.")
    lines.append(f"  Rooms are kept in {describe_location(settings.database_url)}")
    click.echo("\n".join([*lines, ""]))
    if shared is not None and not is_loopback_url(shared) and _can_print_qr_code():
        segno.make(shared, micro=False).terminal(compact=True, border=2)
        click.echo()
    click.echo("  Ctrl+C stops it; rooms are kept.\n")
    sys.stdout.flush()


def _can_print_qr_code() -> bool:
    try:
        "▄▀█".encode(sys.stdout.encoding or "ascii")
    except UnicodeError:
        return False
    return True
