"""What only a running server knows, such as connections and warnings, for the operator's commands on the same machine.

Each node listens at its own Unix socket. A connection gets one JSON document, `NodeFigures`, and is closed: nothing is
read, so a command can change nothing. Only the server's user and root can open the socket: it has mode 0600, in a
folder of mode 0700. Commands look for the sockets in all folders that a server may use.
"""

import asyncio
import os
import socket
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
import structlog
from msgspec import Struct

from app import __version__
from app.rooms.live.room_actor import RoomActor
from app.settings import Settings
from app.store.db.engines import describe_location
from app.store.maintenance.migrations import Progress
from app.version import commit_hash
from app.web.api.health import unready_reason
from app.web.context.site import AppContext
from app.web.context.warning_counts import WarningCount
from app.web.transport.open_files import open_file_limit

NAME: Final = "pecking-order"
SUFFIX: Final = ".sock"
SERVICE_FOLDER: Final = Path("/run") / NAME
"""The folder that systemd makes for the service: see deploy/pecking-order.service."""
ANSWER_SECONDS: Final = 5.0
"""Seconds that a command waits for the figures of a node."""

logger = structlog.get_logger("web")


class LoadedRoom(Struct, frozen=True):
    """A room in the memory of a node."""

    id: str
    connections: int
    people: tuple[str, ...]
    """Ids of the people who have a connection here."""
    unanswered: int
    """Number of commands of clients that wait for a reply."""
    oldest_seconds: float
    """Seconds that the oldest of these commands has waited."""


class NodeFigures(Struct, frozen=True, kw_only=True):
    """What one running server process knows."""

    node: str
    """Its id among the nodes of a PostgreSQL; empty with SQLite, and while it starts."""
    address: str
    process: int
    database: str
    """Where its data is, without a password."""
    version: str
    commit: str | None
    since: datetime
    now: datetime
    ready: bool
    reason: str | None
    """Why it is not ready, as in `/readyz`; None if it is ready."""
    done_rows: int
    total_rows: int
    """Rows that its upgrade of the database has to do; 0 without an upgrade."""
    sockets: int
    open_files: int | None
    """None if the system does not tell it."""
    open_file_limit: int | None
    """None without a limit."""
    believed_proxies: tuple[str, ...]
    """Addresses of trusted proxies that have named a client."""
    live_nodes: tuple[str, ...]
    warnings: tuple[WarningCount, ...]
    rooms: tuple[LoadedRoom, ...]

    @property
    def name(self) -> str:
        """Return the name of this node for people."""
        return f"{f'node {self.node}, ' if self.node else ''}{self.address}, process {self.process}"


async def collect_figures(
    settings: Settings,
    site: AppContext | None,
    progress: Progress,
    believed_proxies: Collection[str],
    warnings: tuple[WarningCount, ...],
    since: datetime,
) -> NodeFigures:
    """Return the figures of this process. `site` is None while it starts, and `progress` is that of the start."""
    reason = "starting" if site is None else await unready_reason(site)
    heart = None if site is None else site.store.heart
    return NodeFigures(
        node="" if heart is None else heart.node,
        address=f"{socket.gethostname()}:{settings.port}",
        process=os.getpid(),
        database=describe_location(settings.unpooled_database_url),
        version=__version__,
        commit=commit_hash(),
        since=since,
        now=datetime.now(UTC),
        ready=reason is None,
        reason=reason,
        done_rows=progress.done_rows,
        total_rows=progress.total_rows,
        sockets=0 if site is None else len(site.open_sockets),
        open_files=count_open_files(),
        open_file_limit=open_file_limit(),
        believed_proxies=tuple(sorted(believed_proxies)),
        live_nodes=() if heart is None else tuple(sorted(heart.alive_nodes)),
        warnings=warnings,
        rooms=() if site is None else tuple(map(describe_room, site.registry.loaded_rooms())),
    )


def count_open_files() -> int | None:
    """Return the number of files and connections that this process has open, or None if the system does not tell it."""
    with suppress(OSError):
        return len(os.listdir("/proc/self/fd"))
    return None


def describe_room(actor: RoomActor) -> LoadedRoom:
    """Return the figures of one loaded room."""
    return LoadedRoom(
        actor.id,
        actor.connection_count,
        tuple(actor.connected_people),
        actor.unanswered_commands,
        round(actor.oldest_unanswered_seconds, 3),
    )


def socket_folders() -> Iterator[Path]:
    """Yield the folders that may hold the sockets of this user's servers, the best first."""
    with suppress(KeyError):
        yield Path(os.environ["RUNTIME_DIRECTORY"].partition(":")[0])  # given by systemd to the service
    with suppress(KeyError):
        yield Path(os.environ["XDG_RUNTIME_DIR"]) / NAME
    yield SERVICE_FOLDER
    if hasattr(os, "getuid"):
        yield Path(tempfile.gettempdir()) / f"{NAME}-{os.getuid()}"


def open_socket_folder() -> Path | None:
    """Return the folder for the socket of a server of this user; it is created if that is possible. None: no folder."""
    for folder in socket_folders():
        with suppress(OSError):
            folder.mkdir(0o700, exist_ok=True)
            if _is_private_folder(folder):
                return folder
    return None


def _is_private_folder(folder: Path) -> bool:
    """Return whether only this user, or only the user of a folder that root looks at, can write into this folder."""
    found = folder.lstat()
    return found.st_mode & 0o170077 == 0o040000 and os.getuid() in (found.st_uid, 0)


@asynccontextmanager
async def listening_for_commands(
    folder: Path | None, collect: Callable[[], Awaitable[NodeFigures]]
) -> AsyncIterator[None]:
    """Answer at a new Unix socket in this folder, until the context ends. Sockets of dead processes are removed.

    Without a folder, or if the socket can't be made, the server runs without it.
    """

    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            writer.write(msgspec.json.encode(await collect()))
            await writer.drain()
        writer.close()

    if folder is None or not hasattr(asyncio, "start_unix_server"):
        yield
        return
    path = folder / f"{os.getpid()}-{os.urandom(4).hex()}{SUFFIX}"
    try:
        _remove_dead_sockets(folder)
        server = await asyncio.start_unix_server(answer, path)
        path.chmod(0o600)
    except OSError as error:
        logger.warning("no socket for the operator's commands", folder=str(folder), reason=str(error))
        yield
        return
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


def _remove_dead_sockets(folder: Path) -> None:
    for path in folder.glob(f"*{SUFFIX}"):
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(ANSWER_SECONDS)
            try:
                probe.connect(str(path))
            except ConnectionRefusedError:
                path.unlink(missing_ok=True)
            except OSError:  # gone meanwhile, or too busy to tell
                continue


def ask_nodes(database: str, folders: Iterable[Path] | None = None) -> list[NodeFigures]:
    """Return the figures of all servers of this user, on this machine, that use a database. For root: of all users.

    `database`: the location, as `describe_location` returns it.
    """
    if not hasattr(socket, "AF_UNIX"):
        return []
    found = list[NodeFigures]()
    for folder in dict.fromkeys(socket_folders() if folders is None else folders):
        with suppress(OSError):
            if _is_private_folder(folder):
                found += filter(None, map(_ask_node, sorted(folder.glob(f"*{SUFFIX}"))))
    return [each for each in found if each.database == database]


def _ask_node(path: Path) -> NodeFigures | None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(ANSWER_SECONDS)
        try:
            connection.connect(str(path))
            answer = bytearray()
            while part := connection.recv(1 << 16):
                answer += part
            return msgspec.json.decode(answer, type=NodeFigures)
        except (OSError, msgspec.DecodeError):  # it has just ended, or is of another version
            return None
