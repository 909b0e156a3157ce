"""Test the command line: its output, and that it starts without unneeded parts."""

import asyncio
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli import main
from app.version import version_with_commit
from app.web.http.share_url import lan_address
from app.web.reference import schema
from tests.web.conftest import Live
from tests.web.visitors import Come, Visitor


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, arguments)
    return result.exit_code, result.output


def test_the_config_command_prints_settings_with_masked_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann:s3cret@db/cards")
    code, said = run("config")
    assert code == 0
    assert json.loads(said)["database_url"] == "postgresql://ann:***@db/cards"


def test_help_lists_every_command_without_importing_the_app() -> None:
    program = "import sys; from app.cli import main; main(['-h'], standalone_mode=False); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    for name in (
        "serve",
        "replay",
        "verify",
        "migrate",
        "backup",
        "restore",
        "recover",
        "healthcheck",
        "config",
    ):
        assert f"  {name}" in done.stdout
    assert not {"fastapi", "sqlalchemy", "pydantic", "app.engine", "asyncio"} & set(done.stdout.split())


def test_the_schema_command_prints_each_generated_file() -> None:
    assert run("schema") == (0, schema.json_schema_text())
    assert run("schema", "types") == (0, schema.typescript_text())
    assert run("schema", "keys") == (0, schema.protocol_keys_text())
    assert run("schema", "messages") == (0, schema.messages_table_text())
    assert run("schema", "poems")[0] == 2


def test_a_database_can_be_backed_up_and_restored(tmp_path: Path) -> None:
    here, there = f"sqlite:///{tmp_path / 'here.sqlite3'}", f"sqlite:///{tmp_path / 'there.sqlite3'}"
    file = str(tmp_path / "all.jsonl.gz")
    assert run("migrate", "--database", here)[0] == 0
    assert run("backup", file, "--database", here)[0] == 0
    assert run("restore", file, "--database", there)[0] == 0
    code, said = run("backup", file, "--database", here)
    assert (code, "is there already" in said) == (1, True)
    code, said = run("migrate", "--database", "mysql://x/y")
    assert (code, "mysql" in said) == (2, True)


def test_serve_reports_a_port_that_is_already_in_use(loggers: None, tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, said = run("serve", "--host", "127.0.0.1", "--port", str(port), "--database", f"sqlite:///{tmp_path}/x")
    assert code == 2
    assert "try --port" in said


async def test_healthcheck_reports_whether_the_server_is_alive_and_ready(live: Live) -> None:
    import asyncio

    # The server runs in this process and may write log lines into the captured output.
    code, said = await asyncio.to_thread(run, "healthcheck", "--url", live.base)
    assert (code, said.splitlines()[-1]) == (0, f"ok {version_with_commit()}")
    assert (await asyncio.to_thread(run, "healthcheck", "--url", live.base, "--ready"))[0] == 0
    live.app.site.draining = True
    code, said = await asyncio.to_thread(run, "healthcheck", "--url", live.base, "--ready")
    assert (code, "leaving" in said) == (1, True)
    assert run("healthcheck", "--url", "http://127.0.0.1:1")[0] == 1


def test_lan_address_returns_an_ipv4_address_or_none() -> None:
    address = lan_address()
    assert address is None or address.count(".") == 3


async def test_the_recover_command_creates_a_recovery_link_for_a_player(ana: Visitor, come: Come, live: Live) -> None:
    code, bob = (await ana.open())["code"], come()
    await bob.sit(code, "Bob")
    database = live.app.settings.database_url

    async def recover(room: str, name: str, *more: str) -> tuple[int, list[str]]:
        arguments = ("recover", room, name, "--url", live.base, "--database", database, *more)
        exit_code, said = await asyncio.to_thread(run, *arguments)
        return exit_code, said.splitlines()

    exit_code, said = await recover(code.lower(), "bob")
    assert exit_code == 0
    link = next(line for line in said if line.startswith(live.base))
    assert any("works on this machine only" in line for line in said)  # as 127.0.0.1 is local to each machine
    recent = await live.app.site.store.operations.recent_actions(datetime.now(UTC))
    assert [each.command for each in recent] == ["recover"]
    _, elsewhere = await recover(code, "Ana", "--url", "https://cards.example.org")
    assert not any("this machine only" in line for line in elsewhere)
    phone = come()
    assert (await phone.http.post(link)).status_code == 200
    assert (await phone.sit(code)).update["you"]["name"] == "Bob"
    assert (await come().http.post(link)).status_code == 404

    assert (await recover("ZZZZZZ", "Bob"))[0] == 1
    exit_code, said = await recover(code, "Cat")
    assert (exit_code, said[-1].endswith("It has: Ana, Bob.")) == (1, True)


def test_the_recover_command_fails_without_a_database_and_creates_none(tmp_path: Path) -> None:
    nowhere = tmp_path / "nothing.sqlite3"
    code, said = run("recover", "ABCDEF", "Bob", "--database", f"sqlite:///{nowhere}")
    assert (code, "there is no such file" in said, nowhere.exists()) == (2, True, False)
