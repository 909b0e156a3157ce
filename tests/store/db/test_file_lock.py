"""Test that one process at a time has an SQLite file, that errors name it, and that its death frees the file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.store.db.errors import BadUrl
from app.store.db.file_lock import DatabaseLocked, lock_database_file

ROOT = Path(__file__).parents[3]
HOLD = """
import sys
from app.store.db.file_lock import lock_database_file

with lock_database_file(sys.argv[1]):
    print("held", flush=True)
    input()
"""


def test_a_file_lock_is_exclusive_and_leaves_no_file_behind(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/rooms.sqlite3"
    (tmp_path / "other").symlink_to(tmp_path)
    with lock_database_file(url):
        for same in (url, f"sqlite:///{tmp_path}/other/rooms.sqlite3"):
            with (
                pytest.raises(DatabaseLocked, match=f"process {os.getpid()} on .*, since 20"),
                lock_database_file(same),
            ):
                pass
        with lock_database_file(f"sqlite:///{tmp_path}/others.sqlite3"):
            pass
    assert [path.name for path in tmp_path.iterdir()] == ["other"]
    with lock_database_file(url):
        pass


def test_a_killed_process_releases_its_file_lock(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/rooms.sqlite3"
    command = [sys.executable, "-c", HOLD, url]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(DatabaseLocked, match=f"process {holder.pid} "), lock_database_file(url):
            pass
        holder.kill()
    with lock_database_file(url):
        pass


def test_a_read_only_file_is_refused_when_it_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rooms.sqlite3").touch(0o444)
    if os.geteuid() == 0:  # root can write every file
        monkeypatch.setattr(os, "access", lambda path, mode: Path(path).stat().st_mode & 0o200)
    with pytest.raises(BadUrl, match="can’t be written"), lock_database_file(f"sqlite:///{tmp_path}/rooms.sqlite3"):
        pass


def test_a_folder_that_cannot_be_written_is_named_in_the_error() -> None:
    with pytest.raises(BadUrl, match="/dev/null"), lock_database_file("sqlite:////dev/null/rooms.sqlite3"):
        pass
