"""Wait for a PostgreSQL that will accept connections soon: it starts, its container starts, or its name is new."""

import threading

import structlog

from app.store.db.engines import parse_url, postgres_connect_arguments

PAUSE_SECONDS = 1.0
"""Seconds between two tries."""

log = structlog.get_logger("store")


def wait_for_database(url: str, stop: threading.Event) -> None:
    """Return once the database accepts connections, or `stop` is set; at once for SQLite.

    PostgreSQL answers this question without a password. So an error of a connection after this one is final: a wrong
    password or database, not a server that is not there yet.
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite":
        return
    from psycopg.conninfo import make_conninfo
    from psycopg.pq import PGconn, Ping

    arguments = {**postgres_connect_arguments(parsed), "connect_timeout": 5}
    conninfo = make_conninfo("", **arguments).encode()
    has_warned = False
    while PGconn.ping(conninfo) in (Ping.NO_RESPONSE, Ping.REJECT):
        if not has_warned:
            log.warning("waiting for the database", host=arguments.get("host"))
            has_warned = True
        if stop.wait(PAUSE_SECONDS):
            return
