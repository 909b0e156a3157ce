"""Test the figures of running servers at their Unix sockets."""

import asyncio
import contextlib
import logging
import os
import socket
from pathlib import Path

import structlog

from app.settings import Settings
from app.store.db.engines import describe_location
from app.web.context.warning_counts import HOUR_SECONDS, MOST_KINDS, OTHER, WarningCount, WarningCounts
from app.web.live_figures import NodeFigures, ask_nodes
from tests.commands.conftest import Site
from tests.web.conftest import serving


async def ask(url: str) -> list[NodeFigures]:
    return await asyncio.to_thread(ask_nodes, describe_location(url))


async def test_a_server_tells_its_figures_only_to_its_own_user(site: Site, runtime_folder: Path) -> None:
    (path,) = runtime_folder.iterdir()
    assert (path.stat().st_mode & 0o777, runtime_folder.stat().st_mode & 0o777) == (0o600, 0o700)
    structlog.get_logger("web").warning("something odd", room=site.room)
    (found,) = await ask(site.url)
    assert (found.ready, found.reason, found.process, found.sockets) == (True, None, os.getpid(), 2)
    assert found.node == ("" if site.live.app.site.store.heart is None else site.live.app.site.store.heart.node)
    (room,) = found.rooms
    assert (room.id, room.connections, len(room.people), room.unanswered) == (site.room, 2, 2, 0)
    assert [each for each in found.warnings if each.kind == "something odd"] == [
        WarningCount("something odd", "warning", 1)
    ]
    assert (found.open_files or 10_000) < (found.open_file_limit or 100_000)
    assert await ask("sqlite:///another") == []

    runtime_folder.chmod(0o755)  # another user could have put a socket there
    assert await ask(site.url) == []


async def test_each_node_has_its_socket_and_those_of_dead_processes_go(
    migrated: Path, tmp_path: Path, runtime_folder: Path
) -> None:
    dead = runtime_folder / "1-dead.sock"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(dead))
    urls = [f"sqlite:///{tmp_path}/{name}.sqlite3" for name in "ab"]
    assert await ask(urls[0]) == []
    proxied = {"X-Forwarded-For": "198.51.100.7"}
    async with contextlib.AsyncExitStack() as stack:
        for url in urls:
            settings = Settings(database_url=url, trusted_proxies="127.0.0.1", drain_seconds=1)  # type: ignore[arg-type]
            live = await stack.enter_async_context(serving(settings, socket_folder=runtime_folder))
        assert not dead.exists()
        assert len(list(runtime_folder.iterdir())) == 2
        from tests.web.visitors import visiting

        async with visiting(live.base) as come:
            await come().http.get("/", headers=proxied)
        assert [found.believed_proxies for url in urls for found in await ask(url)] == [(), ("127.0.0.1",)]
    assert list(runtime_folder.iterdir()) == []


def test_warnings_are_counted_by_kind_for_a_day() -> None:
    now = 0.0
    counts = WarningCounts(lambda: now)
    logger = logging.getLogger("counted")
    logger.addHandler(counts)
    try:
        for each in range(3):
            logger.warning("room %s is odd", each)
        logger.error("no disk")
        logger.info("all is well")
        assert counts.last_day() == (WarningCount("room %s is odd", "warning", 3), WarningCount("no disk", "error", 1))
        now = 23.9 * HOUR_SECONDS
        for each in range(2 * MOST_KINDS):
            logger.warning(f"kind {each}")  # noqa: G004
        assert len(counts.last_day()) == MOST_KINDS + 3
        assert counts.last_day()[0] == WarningCount(OTHER, "warning", MOST_KINDS)
        now = 24 * HOUR_SECONDS
        assert len(counts.last_day()) == MOST_KINDS + 1
    finally:
        logger.removeHandler(counts)
