"""Test `status` and `doctor` beside a running server, without one, and with faults."""

import json
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.commands.operate import checks
from app.commands.operate.checks import HARMS, LINES, make_lines
from app.commands.operate.facts import Facts
from app.settings import Settings
from app.store.maintenance.backup import save_backup_time
from app.store.maintenance.figures import DatabaseFigures, NodeRow
from app.store.maintenance.migrations import newest_revision
from app.version import version_with_commit
from app.web.context.warning_counts import WarningCount
from app.web.live_figures import LoadedRoom, NodeFigures
from tests.commands.conftest import Site, run

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


async def test_status_shows_the_running_server_and_its_database(site: Site) -> None:
    logging.getLogger("web").warning("forwarded headers ignored")
    told = await site.json("status")
    assert list(told) == list(LINES)
    assert (told["version"], told["schema"]) == (version_with_commit(), newest_revision())
    assert [told[key] for key in ("rooms_stored", "rooms_loaded", "connections")] == [1, 1, 2]
    assert list(told["ready"].values()) == ["ready"]
    assert (told["last_backup"], told["clock_off_seconds"], told["believed_proxies"]) == (None, 0, [])
    assert told["warnings"] == [{"level": "warning", "kind": "forwarded headers ignored", "count": 1}]
    assert sum(told["table_bytes"].values()) <= told["database_bytes"]
    assert told["table_bytes"]["room_events"] > 1000
    heart = site.live.app.site.store.heart
    assert (told["free_bytes"] is None) == (heart is not None)
    assert heart is None or told["nodes"] == [heart.node]

    save_backup_time(site.url, datetime.now(UTC) - timedelta(hours=3))
    said = (await site.run("status")).stdout
    assert "newest backup " in said
    assert ", 3 hours ago" in said
    for label, _ in LINES.values():
        assert f"{label}  " in said


async def test_doctor_tries_the_address_of_friends(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    save_backup_time(site.url, datetime.now(UTC))
    monkeypatch.setattr(checks, "LEAST_FREE_BYTES", 0)
    monkeypatch.setenv("PECKING_ORDER_PUBLIC_URL", site.live.base)
    said = (await site.run("doctor")).stdout
    assert said == (
        "No faults found.\n"
        f"On a phone, with mobile data, not with your Wi-Fi, open {site.live.base}/healthz: it must show “ok” and the "
        "version.\n"
    )
    site.live.app.site.draining = True
    logging.getLogger("web").error("no space for %s", "Ana")
    said = (await site.run("doctor", status=1)).stdout
    assert said.index("1. (nobody can play)") < said.index("2. (trouble comes)")
    assert "leaving" in said
    assert "1 × error: no space for %s\n" in said
    monkeypatch.setenv("PECKING_ORDER_PUBLIC_URL", "http://cards.example.org.invalid")
    told = json.loads((await site.run("doctor", "--json", status=1)).stdout)
    assert [fault["harm"] for fault in told["faults"]] == ["nobody can play", "friends can't come", "trouble comes"]

    report = (await site.run("doctor", "--report", status=1)).stdout
    assert report.startswith("```text\nversion ")
    assert "faults: ready: nobody can play, warnings: trouble comes, address: friends can't come" in report
    (node,) = told["ready"]
    for secret in ("example", "127.0.0.1", str(site.url).partition("@")[2][:20] or site.url[10:], node, "Ana"):
        assert secret not in report


def test_status_without_a_server_and_without_a_database(url: str, runtime_folder: Path, tmp_path: Path) -> None:
    told = json.loads(run("status", "--json", "--database", url).stdout)
    assert (told["ready"], told["rooms_stored"], told["warnings"]) == (None, 0, None)
    assert "not running" in run("status", "--database", url).stdout
    nothing = run("status", "--database", f"sqlite:///{tmp_path}/none.sqlite3")
    assert (nothing.exit_code, "unreadable: there is no such file" in nothing.stdout) == (0, True)
    said = run("doctor", "--database", f"sqlite:///{tmp_path}/none.sqlite3")
    assert (said.exit_code, said.stdout.count("nobody can play")) == (1, 2)


def a_node(**values: object) -> NodeFigures:
    usual = {
        "node": "n1",
        "address": "one:8000",
        "process": 7,
        "database": "",
        "version": "0.1",
        "commit": None,
        "since": NOW,
        "now": NOW,
        "ready": True,
        "reason": None,
        "done_rows": 0,
        "total_rows": 0,
        "sockets": 1,
        "open_files": 10,
        "open_file_limit": 100,
        "believed_proxies": (),
        "live_nodes": ("n1",),
        "warnings": (),
        "rooms": (),
    }
    return NodeFigures(**{**usual, **values})  # type: ignore[arg-type]


DATABASE = DatabaseFigures("1", 2, 3, 4, 5_000_000_000, NOW, NOW, (NodeRow("n1", "one:8000", 1),))


@pytest.mark.parametrize(
    ("key", "facts"),
    [
        ("version", {"nodes": (a_node(version="0.0.1"),)}),
        ("ready", {"nodes": (a_node(reason="starting", total_rows=100, done_rows=40),)}),
        ("nodes", {"database": DatabaseFigures("1", 2, 3, 4, None, NOW, NOW, (NodeRow("n2", "two:8000", 60),))}),
        ("free_bytes", {"database": DatabaseFigures("1", 2, 3, 4, 5, NOW, NOW, ())}),
        ("last_backup", {"database": DatabaseFigures("1", 2, 3, 4, None, NOW - timedelta(days=3), NOW, ())}),
        ("clock_off_seconds", {"database": DatabaseFigures("1", 2, 3, 4, None, NOW, NOW + timedelta(minutes=1), ())}),
        ("open_files", {"nodes": (a_node(open_files=81),)}),
        ("oldest_command_seconds", {"nodes": (a_node(rooms=(LoadedRoom("r", 1, ("ana",), 1, 30.0),)),)}),
        ("believed_proxies", {"settings": Settings(trusted_proxies="10.0.0.1")}),  # type: ignore[arg-type]
        ("warnings", {"nodes": (a_node(warnings=(WarningCount("odd", "warning", 2),)),)}),
        ("schema", {"database": None, "problem": "it is gone"}),
    ],
)
def test_each_line_has_its_fault(key: str, facts: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "version_with_commit", lambda: "0.1")
    usual = {"settings": Settings(), "now": NOW, "nodes": (a_node(),), "database": DATABASE}
    usual |= {"table_bytes": {}, "problem": None}
    lines = make_lines(Facts(**{**usual, **facts}))  # type: ignore[arg-type]
    faults = {name for name, line in lines.items() if line.fault is not None}
    assert faults == {key}
    fault = lines[key].fault
    assert fault is not None
    assert fault.harm in HARMS
    assert all(text.endswith((".", ")", "2 × warning: odd")) for text in (fault.what, fault.to_do)), fault
