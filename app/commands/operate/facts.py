"""Collect what is known about a site: its settings, the figures of its running servers and of its database."""

import platform
import sqlite3
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar

import sqlalchemy as sa
from msgspec import Struct

from app.rooms.ports.storage import StorageUnavailable
from app.settings import Settings
from app.store.db.engines import describe_location, make_engine, parse_url
from app.store.db.errors import BadUrl
from app.store.db.file_lock import DatabaseLocked
from app.store.db.transactions import run_in_transaction
from app.store.maintenance.figures import DatabaseFigures, read_figures, read_table_sizes
from app.store.maintenance.open_database import open_for_command
from app.web.live_figures import NodeFigures, ask_nodes

T = TypeVar("T")


class Facts(Struct, frozen=True):
    """What is known about a site at one moment."""

    settings: Settings
    now: datetime
    nodes: tuple[NodeFigures, ...]
    """The servers of this user on this machine that answered."""
    database: DatabaseFigures | None
    """None if the database can't be read."""
    table_bytes: dict[str, int] | None
    """None if they are unknown."""
    problem: str | None
    """Why the database can't be read, as a clause."""


def collect_facts(settings: Settings) -> Facts:
    """Ask the running servers and the database. Raises `BadUrl` if the setting of the database is wrong."""
    url = settings.unpooled_database_url
    nodes = tuple(ask_nodes(describe_location(url)))
    database = tables = problem = None
    try:
        with open_for_command(url, "beside"):
            database, tables = read_beside_server(
                url, lambda connection: (read_figures(connection), read_table_sizes(connection))
            )
    except (BadUrl, DatabaseLocked, StorageUnavailable) as error:
        problem = str(error)
    return Facts(settings, datetime.now(UTC), nodes, database, tables, problem)


def read_beside_server(url: str, work: Callable[[sa.Connection], T]) -> T:
    """Run `work` with a connection that can't write, while a server may use the database."""
    engine = make_engine(parse_url(url), readonly=True, alongside_server=True)
    try:
        return run_in_transaction(engine, work)
    finally:
        engine.dispose()


def describe_system(settings: Settings) -> str:
    """Return the kinds of the system and the database, without names and addresses."""
    is_sqlite = parse_url(settings.unpooled_database_url).get_backend_name() == "sqlite"
    database = f"SQLite {sqlite3.sqlite_version}" if is_sqlite else "PostgreSQL"
    return f"Python {sys.version.partition(' ')[0]}, {platform.system()} {platform.machine()}, {database}"
