"""`python -m tools soak --cuts`: what was acknowledged is on the disk when the power goes, and a lie would be found."""

import shutil
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner

from tests.tools.crashes.recorded_postgres import RecordedPostgres
from tools.__main__ import main
from tools.crashes.disk_recorder import Deed, Kind, frames
from tools.crashes.power_loss import SqliteFile, played_and_cut
from tools.crashes.simulated_disk import Disk, How

recorded = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="what is written is recorded on Linux, and wants cc"
)


@recorded
def test_nothing_that_was_told_is_lost_when_the_power_goes() -> None:
    result = CliRunner().invoke(main, ("soak", "--cuts", "12", "--rooms", "2", "--answers", "120"))
    assert result.exit_code == 0, result.output
    assert "0 were lost and 0 were not as they had been; 0 times the database was damaged" in result.output


@recorded
@pytest.mark.postgres
def test_nor_with_postgres() -> None:
    # PostgreSQL may run as somebody else, who may not enter the folders of tests.
    with TemporaryDirectory() as name, closing(RecordedPostgres(Path(name))) as database:
        came = played_and_cut(database, Path(name), 4, 2, 100, ("president", "chase_the_ace"), 1)
    assert (came.lost, came.other, came.damage) == (0, 0, [])
    assert came.held > 100


LIES = """
import sqlalchemy as sa

@sa.event.listens_for(sa.pool.Pool, "checkout")
def _hurried(connection, record, proxy):
    connection.execute("PRAGMA synchronous=OFF").close()
"""


@recorded
def test_a_database_that_does_not_wait_for_the_disk_is_found_out(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(LIES)
    place = tmp_path / "place"
    place.mkdir()
    lying = {"PYTHONPATH": str(tmp_path)}
    came = played_and_cut(SqliteFile(tmp_path / "kept"), place, 8, 2, 120, ("president",), 1, lying)
    assert came.lost > 20


# The disk -----------------------------------------------------------------------------------------------------

FOLDER = Path("/kept").resolve()


def disk(*events: tuple[Kind, str, int, bytes]) -> Disk:
    made = Disk(FOLDER)
    for kind, name, at, data in events:
        made.take(Deed(kind, str(FOLDER / name) if name else str(FOLDER), at, data))
    return made


def there(made: Disk, how: How = "forgotten", seed: int = 0) -> dict[str, bytes]:
    return made.after_a_cut(how, Random(seed))[1]


CREATED = (("create", "a", 0, b""), ("sync", "", 1, b""), ("synced", "", 1, b""))
SYNCED = (("sync", "a", 2, b""), ("synced", "a", 2, b""))


def test_only_what_was_synced_is_sure_to_be_there() -> None:
    one, two = ("write", "a", 0, b"one"), ("write", "a", 3, b"two")
    assert there(disk(*CREATED, one, *SYNCED, two)) == {"a": b"one"}
    assert there(disk(*CREATED, one, *SYNCED, two), "all") == {"a": b"onetwo"}
    assert there(disk(*CREATED, one, SYNCED[0], two, SYNCED[1])) == {"a": b"one"}, "written while the sync went on"
    assert there(disk(*CREATED, one, SYNCED[0])) == {"a": b""}, "a sync that did not come to its end"
    assert there(disk(*CREATED, one, *SYNCED, ("cut", "a", 1, b""))) == {"a": b"one"}
    assert there(disk(*CREATED, one, ("cut", "a", 1, b""), *SYNCED)) == {"a": b"o"}
    assert there(disk(*CREATED, one, ("extend", "a", 5, b""), *SYNCED)) == {"a": b"one\0\0"}


def test_a_name_is_there_when_its_folder_was_synced() -> None:
    assert there(disk(CREATED[0], ("write", "a", 0, b"one"), *SYNCED)) == {}
    moved = ("move", "a", 0, str(FOLDER / "b").encode())
    again = (("sync", "", 3, b""), ("synced", "", 3, b""))
    assert set(there(disk(*CREATED, moved))) == {"a"}
    assert set(there(disk(*CREATED, moved, *again))) == {"b"}
    assert set(there(disk(*CREATED, ("remove", "a", 0, b"")))) == {"a"}
    assert set(there(disk(*CREATED, ("remove", "a", 0, b""), *again))) == set()


def test_what_was_not_synced_may_be_there_by_sectors_each_as_it_was_at_some_moment() -> None:
    writes = [("write", "a", 0, bytes([letter]) * 1024) for letter in b"xyz"]
    made = disk(*CREATED, *writes)
    scattered = {there(made, "scattered", seed)["a"] for seed in range(200)}
    sectors = {(content[:512], content[512:]) for content in scattered}
    assert all(len(set(half)) <= 1 for pair in sectors for half in pair), "no sector is of two moments"
    assert any(one and other and one[0] != other[0] for one, other in sectors)
    ordered = {there(made, "in order", seed)["a"] for seed in range(200)}
    assert ordered == {b"", *(data for _, _, _, data in writes)}


def test_files_of_before_are_there_until_something_else_lasts(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"before")
    made = Disk(FOLDER, tmp_path)
    made.take(Deed("write", str(FOLDER / "old"), 3, b"ALL"))
    assert made.after_a_cut("forgotten", Random(0)) == ({"old"}, {"old": b"before"})
    assert made.after_a_cut("all", Random(0)) == ({"old"}, {"old": b"befALL"})


def test_texts_that_were_sent_are_found_in_the_stream_of_their_connection() -> None:
    def text(size: int) -> bytes:
        head = bytes([0x81, size]) if size < 126 else b"\x81\x7e" + size.to_bytes(2)
        return head + b"x" * size

    def sent(data: bytes, port: int = 7) -> Deed:
        return Deed("sent", "", port, data)

    events = [
        sent(b"HTTP/1.1 201 Created\r\n\r\n{}"),
        sent(b"HTTP/1.1 101 Switching Protocols\r\n\r\n" + text(5)),
        sent(text(3), port=8),
        sent(text(200)[:100]),
        sent(text(200)[100:] + text(4) + b"\x89\x00"),
    ]
    assert frames(events) == {7: [1, 4, 4], 8: [2]}
