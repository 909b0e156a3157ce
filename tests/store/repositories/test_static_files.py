"""Test stored static files: two versions, of which the newest is the one that started last."""

from app.store.db.database import Database
from app.store.repositories.static_files import BYTES_PER_WRITE, StaticFileStore
from tests.store.samples import at


async def test_the_files_of_the_two_newest_versions_are_kept(database: Database) -> None:
    store = StaticFileStore(database)
    assert await store.versions() == []
    first = {"js/a.js": b"\x00\xff", "css/large.css": b"x" * BYTES_PER_WRITE, "js/b.js": b"b"}
    await store.save_version("first", first, at(1))
    assert {path: await store.read("first", path) for path in first} == first
    assert await store.read("first", "js/none.js") is None
    await store.save_version("second", {"js/a.js": b"a2"}, at(2))
    await store.save_version("second", {"js/a.js": b"a2", "js/b.js": b"b2"}, at(3))  # it was interrupted before
    second, old = await store.versions()
    assert (second.version, second.stored_at, second.paths) == ("second", at(2), {"js/a.js", "js/b.js"})
    assert (old.version, old.stored_at, old.paths) == ("first", at(1), first.keys())

    await store.save_version("first", first, at(4))  # back to the version before
    assert [(each.version, each.stored_at) for each in await store.versions()] == [("first", at(4)), ("second", at(2))]
    await store.save_version("third", {}, at(5))
    await store.save_version("third", {"js/a.js": b"a3"}, at(6))
    assert [each.version for each in await store.versions()] == ["third", "first"]
