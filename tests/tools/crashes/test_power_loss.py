"""Test `python -m tools soak --cuts`: acknowledged data survives a power failure, and a loss would be found."""

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
from tools.crashes.disk_recorder import Kind, RecordedOperation, text_frame_indexes_by_port
from tools.crashes.power_loss import SqliteFile, play_and_cut_power
from tools.crashes.simulated_disk import CutMode, SimulatedDisk

recorded = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="what is written is recorded on Linux, and wants cc"
)


@recorded
def test_no_acknowledged_entry_is_lost_in_a_power_cut() -> None:
    result = CliRunner().invoke(main, ("soak", "--cuts", "10", "--rooms", "2", "--answers", "50"))
    assert result.exit_code == 0, result.output
    assert "0 were lost and 0 were not as they had been; 0 times the database was damaged" in result.output


@pytest.mark.long("it starts PostgreSQL again after each power cut")
@recorded
@pytest.mark.postgres
def test_no_acknowledged_entry_is_lost_in_a_power_cut_on_postgresql() -> None:
    # PostgreSQL may run as another user, who can't enter the temporary folders of pytest.
    with TemporaryDirectory() as name, closing(RecordedPostgres(Path(name))) as database:
        came = play_and_cut_power(database, Path(name), 2, 2, 50, ("president", "chase_the_ace"), 1)
    assert (came.lost, came.other, came.damage) == (0, 0, [])
    assert came.held > 30


LIES = """
import sqlalchemy as sa

@sa.event.listens_for(sa.pool.Pool, "checkout")
def _hurried(connection, record, proxy):
    connection.execute("PRAGMA synchronous=OFF").close()
"""


@recorded
def test_a_database_that_skips_disk_syncs_is_detected(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(LIES)
    place = tmp_path / "place"
    place.mkdir()
    lying = {"PYTHONPATH": str(tmp_path)}
    came = play_and_cut_power(SqliteFile(tmp_path / "kept"), place, 4, 2, 50, ("president",), 1, lying)
    assert came.lost > 5


# The simulated disk -------------------------------------------------------------------------------------------

FOLDER = Path("/kept").resolve()


def disk(*events: tuple[Kind, str, int, bytes]) -> SimulatedDisk:
    made = SimulatedDisk(FOLDER)
    for kind, name, at, data in events:
        made.apply_operation(RecordedOperation(kind, str(FOLDER / name) if name else str(FOLDER), at, data))
    return made


def there(made: SimulatedDisk, how: CutMode = "forgotten", seed: int = 0) -> dict[str, bytes]:
    return made.files_after_power_cut(how, Random(seed))[1]


CREATED = (("create", "a", 0, b""), ("sync", "", 1, b""), ("synced", "", 1, b""))
SYNCED = (("sync", "a", 2, b""), ("synced", "a", 2, b""))


def test_only_synced_writes_are_certain_to_survive_a_power_cut() -> None:
    one, two = ("write", "a", 0, b"one"), ("write", "a", 3, b"two")
    assert there(disk(*CREATED, one, *SYNCED, two)) == {"a": b"one"}
    assert there(disk(*CREATED, one, *SYNCED, two), "all") == {"a": b"onetwo"}
    assert there(disk(*CREATED, one, SYNCED[0], two, SYNCED[1])) == {"a": b"one"}, "written while the sync went on"
    assert there(disk(*CREATED, one, SYNCED[0])) == {"a": b""}, "a sync that did not come to its end"
    assert there(disk(*CREATED, one, *SYNCED, ("cut", "a", 1, b""))) == {"a": b"one"}
    assert there(disk(*CREATED, one, ("cut", "a", 1, b""), *SYNCED)) == {"a": b"o"}
    assert there(disk(*CREATED, one, ("extend", "a", 5, b""), *SYNCED)) == {"a": b"one\0\0"}


def test_a_file_name_survives_only_after_its_folder_is_synced() -> None:
    assert there(disk(CREATED[0], ("write", "a", 0, b"one"), *SYNCED)) == {}
    moved = ("move", "a", 0, str(FOLDER / "b").encode())
    again = (("sync", "", 3, b""), ("synced", "", 3, b""))
    assert set(there(disk(*CREATED, moved))) == {"a"}
    assert set(there(disk(*CREATED, moved, *again))) == {"b"}
    assert set(there(disk(*CREATED, ("remove", "a", 0, b"")))) == {"a"}
    assert set(there(disk(*CREATED, ("remove", "a", 0, b""), *again))) == set()


def test_unsynced_writes_survive_in_any_mix_of_whole_sectors() -> None:
    writes = [("write", "a", 0, bytes([letter]) * 1024) for letter in b"xyz"]
    made = disk(*CREATED, *writes)
    scattered = {there(made, "scattered", seed)["a"] for seed in range(200)}
    sectors = {(content[:512], content[512:]) for content in scattered}
    assert all(len(set(half)) <= 1 for pair in sectors for half in pair), "no sector is of two moments"
    assert any(one and other and one[0] != other[0] for one, other in sectors)
    ordered = {there(made, "in order", seed)["a"] for seed in range(200)}
    assert ordered == {b"", *(data for _, _, _, data in writes)}


def test_older_files_survive_until_a_change_is_synced(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"before")
    made = SimulatedDisk(FOLDER, tmp_path)
    made.apply_operation(RecordedOperation("write", str(FOLDER / "old"), 3, b"ALL"))
    assert made.files_after_power_cut("forgotten", Random(0)) == ({"old"}, {"old": b"before"})
    assert made.files_after_power_cut("all", Random(0)) == ({"old"}, {"old": b"befALL"})


def test_websocket_messages_are_found_in_the_byte_stream_of_their_connection() -> None:
    def text(size: int) -> bytes:
        head = bytes([0x81, size]) if size < 126 else b"\x81\x7e" + size.to_bytes(2)
        return head + b"x" * size

    def sent(data: bytes, port: int = 7) -> RecordedOperation:
        return RecordedOperation("sent", "", port, data)

    events = [
        sent(b"HTTP/1.1 201 Created\r\n\r\n{}"),
        sent(b"HTTP/1.1 101 Switching Protocols\r\n\r\n" + text(5)),
        sent(text(3), port=8),
        sent(text(200)[:100]),
        sent(text(200)[100:] + text(4) + b"\x89\x00"),
    ]
    assert text_frame_indexes_by_port(events) == {7: [1, 4, 4], 8: [2]}
