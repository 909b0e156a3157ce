"""Test what an operator sees: wrong settings, a missing database, two servers on one file, printed output."""

import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from app import __version__
from app.cli import main
from app.version import commit_hash, version_with_commit
from tools.local_server.free_port import free_port

pytestmark = pytest.mark.usefixtures("loggers")  # commands that run in this process set up its logging

ROOT = Path(__file__).parent.parent
SERVE = ("serve", "--host", "127.0.0.1", "--port", "0")

WRONG = {
    "PORT=abc": "PORT is “abc”, but should be a whole number.",
    "PORT=99999": "PORT is “99999”, but should be at most 65535.",
    "PECKING_ORDER_PUBLIC_URL=cards.example.org": "PECKING_ORDER_PUBLIC_URL: “cards.example.org” is not an address",
    "PECKING_ORDER_TRUSTED_PROXIES=everybody": "PECKING_ORDER_TRUSTED_PROXIES: “everybody” is not an address such as",
    "PECKING_ORDER_LOG_LEVEL=loud": "but should be debug, info, warning or error.",
    "PECKING_ORDER_WATCH_FILES=perhaps": "but should be true or false.",
    "PECKING_ORDER_DRAIN_SECONDS=-1": "but should be at least 0.",
    "PECKING_ORDER_LIMITS__SOCKETS=0": "PECKING_ORDER_LIMITS__SOCKETS is “0”, but should be at least 1.",
    "PECKING_ORDER_LIMITS=many": "PECKING_ORDER_LIMITS__ROOMS_PER_HOUR=60",
    "PECKING_ORDER_METRIC=off": "There is no setting PECKING_ORDER_METRIC: did you mean PECKING_ORDER_METRICS?",
    "PECKING_ORDER_LIMITS__SOCKET=9": "did you mean PECKING_ORDER_LIMITS__SOCKETS?",
    "PECKING_ORDER_LIMITS__LINES_AT_ONCE=9": "is now PECKING_ORDER_LIMITS__CHAT_MESSAGES_AT_ONCE.",
    "PECKING_ORDER_PUSH_TRIAL=https://localhost": "PECKING_ORDER_PUSH_TRIAL is now PECKING_ORDER_TEST_PUSH_SERVICE.",
    "PECKING_ORDER_MOON=full": "There is no setting PECKING_ORDER_MOON: `pecking-order config` shows all settings.",
    "DATABASE_URL=mysql://ann:s3cret@db/cards": "mysql is not a database we know: sqlite and postgresql are.",
    "DATABASE_URL=rooms.sqlite3": "DATABASE_URL should look like sqlite:///file or postgresql://",
}
AWAY = {
    "postgresql://ann:s3cret@127.0.0.1:{port}/cards": "PostgreSQL, cards on 127.0.0.1:{port}",
    "sqlite:////dev/null/rooms.sqlite3": "/dev/null",
    "sqlite:///{folder}": "({folder}): unable to open",
    "sqlite:///{folder}/text.txt": "is not an SQLite database",
    "sqlite:///{folder}/foreign.sqlite3": "already exists",
}
"""Unusable databases, with a part of the message about each."""


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def ran(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a separate process without a terminal."""
    command = [sys.executable, "-m", "app", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment(**more), capture_output=True, text=True, check=False, timeout=60
    )


@contextmanager
def serving(folder: Path, *arguments: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    """Run `pecking-order serve` for the length of a block."""
    command = [sys.executable, "-m", "app", *SERVE, *arguments]
    with subprocess.Popen(
        command, cwd=folder, env=environment(**more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)


def printed(process: subprocess.Popen[str]) -> str:
    """Return the text that a server prints at its start."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "Ctrl+C" in line:
            break
    return "".join(lines)


@pytest.mark.parametrize("command", [("config",), SERVE, ("migrate",), ("backup", "all.jsonl"), ("healthcheck",)])
def test_every_command_names_a_wrong_setting_in_one_sentence(
    command: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for setting, sentence in WRONG.items():
        if command[0] == "healthcheck" and setting.startswith("DATABASE"):
            continue
        name, _, value = setting.partition("=")
        arguments = command[:3] if name == "PORT" else command
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            result = CliRunner().invoke(main, arguments)
        assert (result.exit_code, sentence in result.stderr) == (2, True), (setting, result.output)
        assert "s3cret" not in result.output
        assert result.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_all_wrong_settings_are_reported_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PORT": "abc", "PECKING_ORDER_METRIC": "off", "PECKING_ORDER_RETRY_MS": "soon"}.items():
        monkeypatch.setenv(name, value)
    result = CliRunner().invoke(main, ["config"])
    assert all(name in result.stderr for name in ("PORT is", "METRIC:", "RETRY_MS is"))
    monkeypatch.undo()
    monkeypatch.setenv("PECKING_ORDER_PORT", "")
    assert CliRunner().invoke(main, ["config"]).exit_code == 0


def test_an_unusable_database_is_reported_in_one_sentence(tmp_path: Path) -> None:
    import sqlite3

    (tmp_path / "text.txt").write_text("no database at all " * 100)
    with sqlite3.connect(tmp_path / "foreign.sqlite3") as foreign:
        foreign.execute("CREATE TABLE room_events (id INTEGER)")
    foreign.close()
    known = {"port": free_port(), "folder": tmp_path}
    for url, sentence in AWAY.items():
        asked = url.format(**known)
        said = CliRunner().invoke(main, ["migrate", "--database", asked]).stderr
        assert sentence.format(**known) in said
        assert re.fullmatch(r"Error: The database can’t be used [^\n]+\.\n", said), said
        assert "s3cret" not in said


def test_a_failed_backup_or_restore_is_reported_in_one_sentence(tmp_path: Path) -> None:
    from app.store.maintenance.migrations import migrate_database

    rooms, none = f"sqlite:///{tmp_path}/rooms.sqlite3", f"sqlite:///{tmp_path}/none/rooms.sqlite3"
    migrate_database(rooms)
    gone = f"postgresql://127.0.0.1:{free_port()}/y"
    empty, text = (f"sqlite:///{tmp_path}/{name}.sqlite3" for name in ("empty", "text"))
    (tmp_path / "empty.sqlite3").touch()
    (tmp_path / "text.sqlite3").write_text("no database at all " * 100)
    told = {
        ("backup", "all.jsonl", "--database", none): (2, "there is no such file"),
        ("backup", "--copy", "all.jsonl", "--database", none): (2, "there is no such file"),
        ("recover", "TRKQ26", "Ana", "--database", none): (2, "there is no such file"),
        ("backup", "all.jsonl", "--database", empty): (2, "nothing is kept in it yet"),
        ("recover", "TRKQ26", "Ana", "--database", empty): (2, "nothing is kept in it yet"),
        ("backup", "all.jsonl", "--database", text): (2, "is not an SQLite database"),
        ("recover", "TRKQ26", "Ana", "--database", text): (2, "is not an SQLite database"),
        ("backup", "all.jsonl", "--database", gone): (2, "onnection refused"),
        ("backup", "/dev/null/all.jsonl", "--database", rooms): (1, "/dev/null"),
        ("backup", "--copy", "/dev/null/all.jsonl", "--database", rooms): (1, "/dev/null"),
        ("restore", str(tmp_path), "--database", none): (1, f"{tmp_path}: Is a directory."),
    }
    for command, (code, sentence) in told.items():
        result = CliRunner().invoke(main, command)
        assert (result.exit_code, sentence in result.stderr, result.stderr.count("\n")) == (code, True, 1), command
        assert isinstance(result.exception, SystemExit)
    assert {path.name for path in tmp_path.iterdir()} <= {"rooms.sqlite3", "none", "empty.sqlite3", "text.sqlite3"}


def test_an_unusable_database_is_reported_in_one_line_on_a_terminal(tmp_path: Path) -> None:
    reading, writing = pty.openpty()
    command = [sys.executable, "-m", "app", *SERVE]
    asked = environment(DATABASE_URL="sqlite:////dev/null/x")
    done = subprocess.run(command, cwd=tmp_path, env=asked, stderr=writing, check=False, timeout=60)
    os.close(writing)
    said = os.read(reading, 10_000).decode()
    os.close(reading)
    assert (done.returncode, said.count("\n")) == (2, 1), said


def test_a_locked_database_is_reported_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlite3

    monkeypatch.setattr("app.store.db.engines.MIGRATION_BUSY_SECONDS", 0.1)
    with sqlite3.connect(tmp_path / "rooms.sqlite3") as other:
        other.execute("BEGIN EXCLUSIVE")
        result = CliRunner().invoke(main, ["migrate", "--database", f"sqlite:///{tmp_path}/rooms.sqlite3"])
    other.close()
    assert (result.exit_code, "database is locked." in result.stderr) == (2, True)


def test_two_servers_cannot_share_a_file_but_backups_work_meanwhile(tmp_path: Path) -> None:
    rooms = tmp_path / "rooms.sqlite3"
    here = {"DATABASE_URL": "sqlite:///rooms.sqlite3"}
    there = ("--database", f"sqlite:///{rooms}")
    with serving(tmp_path, **here) as first:
        said = printed(first)
        assert f"Pecking Order {version_with_commit()} is running" in said
        assert f"Rooms are kept in {rooms}\n" in said
        second = ran(tmp_path, *SERVE, **here)
        assert second.returncode == 75
        assert f"another Pecking Order uses {rooms} (process {first.pid} on " in second.stderr
        for refused in (("migrate",), ("restore", "nothing")):
            assert CliRunner().invoke(main, [*refused, *there]).exit_code == 75
        for made in (("backup", f"{tmp_path}/all.jsonl"), ("backup", "--copy", f"{tmp_path}/copy.sqlite3")):
            result = CliRunner().invoke(main, [*made, *there])
            assert result.exit_code == 0, result.stderr
    assert first.returncode == 0
    assert CliRunner().invoke(main, ["migrate", *there]).exit_code == 0


def test_a_server_logs_its_start_opened_rooms_state_and_stop(tmp_path: Path) -> None:
    import json
    import urllib.request

    # In a container with a configured public address.
    told = {"PECKING_ORDER_PUBLIC_URL": "https://cards.example.org", "KUBERNETES_SERVICE_HOST": "10.0.0.1"}
    with serving(tmp_path, **told) as process:
        said = printed(process)
        assert "For the others:   https://cards.example.org\n" in said
        assert re.search(r"answers to: +cards.example.org, IP addresses, .*\.local, .* and \.fritz\.box\.\n", said)
        assert set("▄▀█") & set(said)
        found = re.search(r"On this machine:  (\S+)", said)
        assert found is not None
        body = json.dumps({"name": "Ana", "game": "president"}).encode()
        asked = urllib.request.Request(f"{found[1]}/api/rooms", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(asked) as answer:
            opened = json.load(answer)
        process.send_signal(signal.SIGUSR1)
        with urllib.request.urlopen(f"{found[1]}/healthz") as answer:
            assert answer.read().startswith(b"ok ")
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=60)
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert "Current thread 0x" in log
    assert lines[0]["event"] == "started"
    assert (lines[0]["version"], lines[0]["commit"]) == (__version__, commit_hash())
    assert lines[0]["database"] == str(tmp_path / "pecking-order.sqlite3")
    state = {line["event"]: line for line in lines}
    assert (state["state: rooms"]["count"], state["state: rooms"]["rooms"][0]["unanswered"]) == (1, 0)
    assert state["state: queues"]["replays"] == 0
    assert any(place.startswith("event loop lag: ") for place in state["state: tasks"]["places"])
    (told,) = [line["event"] for line in lines if line["event"].startswith("room ")]
    assert re.fullmatch(r"room \S{8,} opened: president", told), "rooms go by their ids in the log"
    assert opened["code"] not in told, "a code lets people in"
    assert lines[-1]["event"] == "shutting down"
    assert opened["invite"] not in log


def test_a_container_without_a_public_url_shows_no_unreachable_address(tmp_path: Path) -> None:
    with serving(tmp_path, "--host", "0.0.0.0", KUBERNETES_SERVICE_HOST="10.0.0.1") as process:
        said = printed(process)
    assert "set PECKING_ORDER_PUBLIC_URL" in said
    assert not set("▄▀█") & set(said)


def test_a_checkout_prints_its_version_and_commit() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app", "--version"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"pecking-order, version {version_with_commit()}\n"
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert commit_hash() is not None
    assert head.startswith(str(commit_hash()).rstrip("+"))
