"""Fixtures for the operator's commands: a running server on each database, with a room in which a hand runs."""

import asyncio
import io
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app.cli import main
from app.settings import Settings
from app.web.live_figures import open_socket_folder
from tests.store.conftest import dialect, url  # noqa: F401 (fixtures)
from tests.web.conftest import Live, lines, serving  # noqa: F401
from tests.web.visitors import Come, Desk, Visitor, visiting


def run(*arguments: str, typed: str | None = None) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(main, arguments, input=typed)


@dataclass
class Site:
    """A running server, and the room of Ana and Bob, two browsers, and of two bots."""

    live: Live
    come: Come
    url: str
    code: str
    ana: Visitor
    desk: Desk
    bob: Desk
    log: io.StringIO
    """The log of the server, as JSON."""

    @property
    def room(self) -> str:
        """The id of the room."""
        return next(each.id for each in self.live.app.site.registry.loaded_rooms() if each.code == self.code)

    async def run(self, *arguments: str, status: int = 0, typed: str | None = None) -> Result:
        """Run a command on the database of this site."""
        result = await asyncio.to_thread(run, *arguments, "--database", self.url, typed=typed)
        assert result.exit_code == status, (result.output, result.exception)
        return result

    async def json(self, *arguments: str) -> Any:
        """Run a command with --json, and return what it prints."""
        return json.loads((await self.run(*arguments, "--json")).stdout)


@pytest.fixture
def runtime_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let servers and commands of this test use sockets in a folder of their own."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    folder = open_socket_folder()
    assert folder == tmp_path / "pecking-order"
    return folder


@pytest.fixture
async def site(url: str, runtime_folder: Path, lines: io.StringIO) -> AsyncIterator[Site]:  # noqa: F811
    """Run a server in whose only room a hand has begun."""
    settings = Settings(database_url=url, host="127.0.0.1", port=8000, retry_ms=100, drain_seconds=3)
    async with serving(settings, socket_folder=runtime_folder) as live, visiting(live.base) as come:
        ana = come()
        code = (await ana.open("Ana", bots=["easy", "easy"]))["code"]
        desk, bob = await ana.sit(code), await come().sit(code, "Bob")
        await desk.until(lambda update: len(update["room"]["people"]) == 4)
        await desk.do("start")
        await desk.until(lambda update: update["table"] is not None)
        yield Site(live, come, url, code, ana, desk, bob, lines)
