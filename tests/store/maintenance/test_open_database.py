"""Test the checks when a database is opened, and the report of the processes that use it, on both databases."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from app.cli import main
from app.store.db.engines import make_engine, parse_url
from app.store.db.errors import BadUrl
from app.store.db.file_lock import DatabaseLocked
from app.store.db.transactions import run_in_transaction
from app.store.maintenance.migrations import migrate_database
from app.store.maintenance.open_database import open_for_command, open_for_server
from app.store.store import open_store
from tests.store.samples import T0

ROOT = Path(__file__).parents[3]
OLDER = "one_schema"
"""An older revision."""


def set_revision(url: str, revision: str) -> None:
    engine = make_engine(parse_url(url))
    change = sa.text("UPDATE alembic_version SET version_num = :revision")
    run_in_transaction(engine, lambda connection: connection.execute(change, {"revision": revision}))
    engine.dispose()


def run(url: str, *arguments: str) -> tuple[int, str]:
    found = CliRunner().invoke(main, [*arguments, "--database", url])
    return found.exit_code, found.output


ALONE = (("restore", "missing.jsonl"), ("rebuild",), ("migrate",))
BESIDE = (("backup", "b.jsonl"), ("check",), ("rooms", "list"), ("recover", "KQ7F3M", "Ana"))


async def test_exclusive_commands_are_refused_while_a_server_runs(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with open_store(url):
        for command in ALONE:
            status, said = await asyncio.to_thread(run, url, *command)
            assert status == 75, (command, said)
            assert "another Pecking Order uses" in said
            assert f"process {os.getpid()} on " in said
        for command in BESIDE[:-1]:
            status, said = await asyncio.to_thread(run, url, *command)
            assert status == 0, (command, said)


async def test_a_server_does_not_start_during_an_exclusive_command(url: str) -> None:
    with open_for_command(url, "alone"), pytest.raises(DatabaseLocked, match=f"process {os.getpid()} on "):
        async with open_store(url):
            pass
    async with open_store(url):
        pass


def test_every_command_refuses_a_newer_database(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(url, "backup", "whole.jsonl")[0] == 0
    set_revision(url, "future_step")
    more = (("migrate", "--backup", "b.jsonl"), ("restore", "whole.jsonl"), ("restore", "--replace", "whole.jsonl"))
    rooms = (("rooms", "export", "KQ7F3M", "-"), ("rooms", "delete", "KQ7F3M", "--yes"), ("export", "KQ7F3M", "-"))
    for command in (*BESIDE, *ALONE[1:], *more, *rooms, ("backup", "--copy", "b.sqlite3")):
        status, said = run(url, *command)
        assert (status, "a newer version of the program has used this database" in said) == (2, True), (command, said)
        assert "or restore a backup of before the upgrade into an empty database." in said
    with pytest.raises(BadUrl, match="a newer version of the program has used this database"), open_for_server(url):
        pass
    copied = CliRunner().invoke(main, ["copy", "--from", url, "--to", f"sqlite:///{tmp_path}/other.sqlite3"])
    assert (copied.exit_code, "a newer version" in copied.output) == (2, True), copied.output
    assert not (tmp_path / "b.jsonl").exists()


def test_commands_require_an_older_database_to_be_migrated_first(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    set_revision(url, OLDER)
    for command in (*BESIDE, ("rebuild",)):
        status, said = run(url, *command)
        assert (status, "migrate it first" in said) == (2, True), (command, said)


def test_commands_do_not_create_a_missing_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command in (*BESIDE, ("rebuild", "--check")):
        status, said = run(f"sqlite:///{tmp_path}/none.sqlite3", *command)
        assert (status, "there is no such file" in said) == (2, True), (command, said)
    assert not list(tmp_path.iterdir())


@pytest.mark.postgres
async def test_a_node_that_must_migrate_is_refused_while_another_node_runs(postgres_url: str) -> None:
    migrate_database(postgres_url)
    async with open_store(postgres_url):
        set_revision(postgres_url, OLDER)
        with pytest.raises(DatabaseLocked, match="must be migrated first, while no other node runs"):
            async with open_store(postgres_url):
                pass


@pytest.mark.postgres
async def test_nodes_starting_together_on_an_empty_database_all_start(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "a-host-with-a-long-name." * 3)

    async def node() -> None:
        async with open_store(postgres_url):
            async with asyncio.timeout(60):
                await barrier.wait()

    barrier = asyncio.Barrier(3)
    await asyncio.gather(node(), node(), node())


@pytest.mark.postgres
async def test_a_node_that_lost_its_lock_writes_nothing_until_it_has_it_back(postgres_url: str) -> None:
    """The node's lock is cut and a command takes the database. The node must not write and is not ready."""
    async with open_store(postgres_url) as store:
        engine = make_engine(parse_url(postgres_url))
        alone = open_for_command(postgres_url, "alone")
        cut = sa.text(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()"
        )
        while True:
            run_in_transaction(engine, lambda connection: connection.execute(cut).all())
            try:
                await asyncio.to_thread(alone.__enter__)
                break
            except DatabaseLocked:  # the node was faster
                alone = open_for_command(postgres_url, "alone")
        writing = asyncio.create_task(store.people.create(T0))
        while store.database.health.has_lock:
            await asyncio.sleep(0.01)
        assert not await store.database.health.can_save()
        people = sa.text("SELECT count(*) FROM people")
        assert run_in_transaction(engine, lambda connection: connection.execute(people).scalar_one()) == 0
        await asyncio.to_thread(alone.__exit__, None, None, None)
        await asyncio.wait([writing])
        while not await store.database.health.can_save():
            await asyncio.sleep(0.05)
        await store.people.create(T0)
        engine.dispose()


@pytest.mark.postgres
async def test_a_node_is_not_ready_after_its_database_is_migrated(postgres_url: str) -> None:
    async with open_store(postgres_url) as store:
        set_revision(postgres_url, "future_step")
        engine = make_engine(parse_url(postgres_url))
        cut = sa.text("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
        run_in_transaction(engine, lambda connection: connection.execute(cut).all())
        engine.dispose()
        while store.database.health.has_lock:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0)
        assert not await store.database.health.can_save()


def test_a_folder_without_permission_is_reported_in_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o700)
    code = (
        "import os, sys\n"
        "from app.store.maintenance.open_database import open_for_server\n"
        "from app.store.db.errors import BadUrl\n"
        "if os.geteuid() == 0: os.chown(sys.argv[1], 1, 1); os.setuid(65534)\n"
        "else: os.chmod(sys.argv[1], 0)\n"
        "try:\n"
        "    with open_for_server(f'sqlite:///{sys.argv[1]}/rooms.sqlite3'): pass\n"
        "except BadUrl as error: print(error)\n"
    )
    os.chmod(tmp_path, 0o755)
    ran = subprocess.run([sys.executable, "-c", code, folder], cwd=ROOT, capture_output=True, text=True, check=False)
    os.chmod(folder, 0o700)
    assert ("Permission denied" in ran.stdout, ran.stderr) == (True, "")


def test_a_full_disk_at_start_is_reported_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    url = f"sqlite:///{tmp_path}/rooms.sqlite3"
    with (
        pytest.raises(BadUrl, match=r"No space left on device, \d+ MB are free"),
        open_for_command(url, "alone, any version"),
    ):
        pass
    assert not list(tmp_path.iterdir())
