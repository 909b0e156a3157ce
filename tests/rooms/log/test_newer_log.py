"""A node refuses a log that a newer version of the program wrote, and says so."""

import pytest

from app.rooms.log import snapshots
from app.rooms.ports.storage import LoadedLog, NewerLog, StoredEvent
from tests.rooms.world import playing
from tests.store.samples import at


def test_an_unknown_kind_of_entry_is_refused_by_name() -> None:
    world = playing()
    newer = StoredEvent(world.room.seq + 1, at(0), "dreamt", {})
    with pytest.raises(NewerLog, match="a newer version of the program wrote an entry of the kind “dreamt”"):
        snapshots.load_room(LoadedLog(None, [*world.entries, newer]))


def test_a_snapshot_of_a_newer_format_is_refused() -> None:
    world = playing()
    world.play()
    saved = snapshots.room_to_json(world.room)
    snapshots.refuse_newer_format(saved)
    snapshots.refuse_newer_format({key: value for key, value in saved.items() if key != "format"})
    with pytest.raises(NewerLog, match=f"of the format {snapshots.FORMAT + 1}, and this version knows"):
        snapshots.refuse_newer_format({**saved, "format": snapshots.FORMAT + 1})
