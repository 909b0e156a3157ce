"""Test the log of a room: acknowledged entries are never lost, and every seq is used once."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager
from datetime import datetime, timedelta, timezone
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from app.rooms.log import snapshots
from app.rooms.ports.addresses import AddressLookup
from app.rooms.ports.facts import AddressChanged
from app.rooms.ports.storage import AddressTaken, LogConflict, LogStore, NewerLog
from app.store.db.compiled import StatementExecutor
from app.store.db.database import Database
from app.store.db.errors import is_dbapi_error
from app.store.db.schema import (
    counted_hand_players,
    counted_hands,
    hands,
    match_players,
    matches,
    metadata,
    room_events,
)
from app.store.db.types import BadText, NaiveTime, encode_trusted
from app.store.event_log.event_log import BYTES_BESIDE_DATA, EventLog, EventLogClosed
from app.store.event_log.history_writer import build_writes
from app.store.history.match_history import MatchHistory
from app.store.repositories.people import People
from tests.store.samples import T0, address, at, ended, entry, hand, invite, started


@pytest.fixture
async def log(database: Database) -> AsyncIterator[EventLog]:
    log = EventLog(database)
    yield log
    await log.close()


@pytest.fixture
async def room(log: EventLog) -> str:
    """Create a room with two entries."""
    await log.create("KQ7F3M", address("KQ7F3M"), [entry("opened"), entry("joined")])
    return "KQ7F3M"


async def count(database: Database, table: sa.Table) -> int:
    return await database.read(lambda c: c.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


async def commits(database: Database) -> list[float]:
    """Return a list that grows with each transaction from now on."""
    seen: list[float] = []
    database._on_write_time = seen.append
    return seen


def test_the_room_log_implements_the_log_store_port(log: EventLog) -> None:
    port: LogStore = log
    assert port is log


async def test_the_host_of_a_new_room_counts_as_a_visitor(database: Database, log: EventLog) -> None:
    people = People(database)
    known, _ = await people.create(T0, "Ana")
    await log.create("KQ7F3M", address("KQ7F3M"), [entry("opened")], host=known.person.id)
    assert await people.has_visited(known.person.id, "KQ7F3M")
    # A person who was deleted meanwhile still gets the room.
    await log.create("AAAAAA", address("AAAAAA"), [entry("opened")], host="nobody")
    assert not await people.has_visited("nobody", "AAAAAA")
    assert await log.load("AAAAAA") is not None


async def test_a_room_loads_all_its_entries_from_the_first(log: EventLog, room: str) -> None:
    assert await log.append(room, 2, [entry(seconds=5), entry(seconds=6, by="Bob ♠")]) == 4
    loaded = await log.load(room)
    assert loaded is not None
    assert loaded.snapshot is None
    assert [(e.seq, e.kind, e.at) for e in loaded.entries] == [
        (1, "opened", at(0)),
        (2, "joined", at(0)),
        (3, "acted", at(5)),
        (4, "acted", at(6)),
    ]
    assert loaded.entries[-1].data == {"by": "Bob ♠"}
    some = await log.load(room, at_most=3)
    assert some is not None
    assert some.entries == loaded.entries[:3]
    assert await log.load_all(("NOSUCH", room), at_most=3) == {room: some}
    assert [e.seq for e in await log.read(room, 3)] == [4]
    assert await log.read(room, 4) == []


async def test_unknown_rooms_are_not_found_and_appending_to_them_conflicts(log: EventLog, room: str) -> None:
    assert await log.load("NOSUCH") is None
    assert await log.read("NOSUCH", 0) == []
    assert await log.by_invite("nothing") is None
    assert await log.by_code("nothing") is None
    assert await log.by_invite(invite(room)) == await log.by_code(room) == AddressLookup(room, room, is_current=True)
    with pytest.raises(LogConflict) as conflict:
        await log.append("NOSUCH", 7, [entry()])
    assert (conflict.value.expected, conflict.value.found) == (7, 0)


async def test_a_new_address_redirects_the_old_ones_and_keeps_only_chosen_visitors(
    log: EventLog, room: str, database: Database
) -> None:
    people = People(database)
    ana, bob = [(await people.create(T0))[0].person.id for _ in range(2)]
    for person in (ana, bob):
        await people.record_visit(person, room, at(1))
    for n, (code, stay) in enumerate([("NEW111", (ana, bob)), ("NEW222", (ana,))], 2):
        await log.append(room, n, [entry("recoded")], [AddressChanged(room, address(code), stay, at(n))])
    for code, current in ((room, False), ("NEW111", False), ("NEW222", True)):
        assert await log.by_code(code) == await log.by_invite(invite(code)) == AddressLookup(room, "NEW222", current)
    # A person excluded from the new address counts as a stranger.
    assert [await people.has_visited(person, room) for person in (ana, bob)] == [True, False]
    assert [(line.id, line.code) for line in await MatchHistory(database).rooms_of_person(ana, limit=20)] == [
        (room, "NEW222")
    ]
    assert await MatchHistory(database).rooms_of_person(bob, limit=20) == ()
    assert await log.load(room) is not None


async def test_a_new_address_that_was_ever_used_is_refused_and_changes_nothing(log: EventLog, room: str) -> None:
    await log.create("OTHER1", address("OTHER1"), [entry("opened")])
    await log.append("OTHER1", 1, [entry("recoded")], [AddressChanged("OTHER1", address("OTHER2"), (), at(2))])
    for taken in (address("OTHER1"), address("OTHER2"), address("FREE11", "OTHER1")):
        with pytest.raises(AddressTaken):
            await log.append(room, 2, [entry("recoded")], [AddressChanged(room, taken, (), at(3))])
    assert await log.by_code(room) == AddressLookup(room, room, is_current=True)
    assert await log.append(room, 2, [entry()]) == 3


async def test_a_room_with_a_taken_code_or_invitation_is_refused(log: EventLog, room: str, database: Database) -> None:
    with pytest.raises(AddressTaken):
        await log.create(room, address(room, "other"), [entry()])
    with pytest.raises(AddressTaken):
        await log.create("OTHER1", address("OTHER1", room), [entry()])
    same, good = await asyncio.gather(
        asyncio.gather(
            *(log.create("SAME11", address("SAME11", str(n)), [entry()]) for n in range(3)), return_exceptions=True
        ),
        log.create("GOOD11", address("GOOD11", "good"), [entry()]),
    )
    assert Counter(type(answer) for answer in same) == {int: 1, AddressTaken: 2}
    assert isinstance(good, int)
    assert await count(database, room_events) == 4


async def test_an_append_of_several_statements_is_atomic(log: EventLog, other: EventLog, room: str) -> None:
    long = [entry(n=n) for n in range(100)]
    assert await other.append(room, 2, [entry()]) == 3
    with pytest.raises(LogConflict):
        await log.append(room, 2, long)
    assert len(await log.read(room, 0)) == 3
    assert await log.append(room, 3, [entry()]) == 4
    end = await log.append(room, 4, long)
    assert [(e.seq, e.data["n"]) for e in await log.read(room, 4)] == [(5 + n, n) for n in range(len(long))]
    assert await log.append(room, end, [entry()]) == end + 1


async def test_appending_at_the_wrong_seq_raises_a_conflict(log: EventLog, room: str) -> None:
    for expected in (0, 1, 3):
        with pytest.raises(LogConflict) as conflict:
            await log.append(room, expected, [entry()])
        assert (conflict.value.expected, conflict.value.found) == (expected, 2)
    assert await log.append(room, 2, [entry()]) == 3


async def test_a_room_loads_from_its_newest_snapshot(log: EventLog, room: str) -> None:
    await log.append(room, 2, [entry(), entry()], snapshot={"format": snapshots.FORMAT, "hand": 0})
    newest = {"format": snapshots.FORMAT, "names": {"b": 1, "a": 2}}
    await log.append(room, 4, [entry()], snapshot=newest)
    await log.append(room, 5, [entry()])
    loaded = await log.load(room)
    assert loaded is not None
    assert loaded.snapshot == (4, newest)
    assert list(loaded.snapshot[1]["names"]) == ["b", "a"]
    assert [e.seq for e in loaded.entries] == [5, 6]


@pytest.mark.parametrize("made_by", [{}, {"format": snapshots.FORMAT - 1}])
async def test_a_snapshot_of_an_earlier_version_is_ignored(log: EventLog, room: str, made_by: dict[str, int]) -> None:
    await log.append(room, 2, [entry(), entry()], snapshot=made_by)
    for loaded in (await log.load(room), await log.load_confirmed(room)):
        assert loaded is not None
        assert loaded.snapshot is None
        assert [e.seq for e in loaded.entries] == [1, 2, 3, 4]
    glimpsed = await log.load(room, at_most=1)
    assert glimpsed is not None
    assert (glimpsed.snapshot, [e.seq for e in glimpsed.entries]) == ((2, made_by), [3])


async def test_a_room_with_a_snapshot_of_a_newer_version_is_refused(
    log: EventLog, database: Database, room: str
) -> None:
    await log.append(room, 2, [entry(), entry()], snapshot={"format": snapshots.FORMAT + 1})
    for load in (log.load, log.load_confirmed):
        with pytest.raises(NewerLog, match="a newer version of the program wrote a snapshot"):
            await load(room)
    assert database.health.write_error is None


async def test_a_snapshot_of_another_version_is_used_if_the_log_lost_its_beginning(
    log: EventLog, database: Database, room: str
) -> None:
    await log.append(room, 2, [entry(), entry()], snapshot={"format": 0})
    await database.write(
        lambda c: c.execute(room_events.delete().where(room_events.c.room_id == room, room_events.c.seq == 1))
    )
    loaded = await log.load(room)
    assert loaded is not None
    assert (loaded.snapshot, [e.seq for e in loaded.entries]) == ((2, {"format": 0}), [3, 4])


async def test_appends_in_one_commit_are_reported_together_even_if_a_callback_fails(database: Database) -> None:
    told: list[str] = []
    failed: list[str] = []
    database.failed = failed.append

    class Together(AbstractContextManager[None]):
        def __enter__(self) -> None:
            told.append("(")

        def __exit__(self, *error: object) -> None:
            told.append(")")

    log = EventLog(database, Together())
    for code in ("AAAAAA", "BBBBBB"):
        await log.create(code, address(code), [entry("opened")])
    assert told == [], "one by one"
    both = asyncio.Event()

    def fail(kept: object) -> None:
        told.append(f"A {kept}")
        raise ZeroDivisionError

    def done(kept: object) -> None:
        told.append(f"B {kept}")
        both.set()

    log.submit("AAAAAA", 1, [entry()], fail)
    assert log.submit("BBBBBB", 1, [entry()], done) == BYTES_BESIDE_DATA + len(encode_trusted(entry().data))
    async with asyncio.timeout(30):
        await both.wait()
    assert told == ["(", "A 2", "B 2", ")"]
    assert failed == ["log writer"]
    await log.close()


async def test_concurrent_appends_share_commits(log: EventLog, database: Database) -> None:
    codes = [f"ROOM{n}" for n in range(8)]
    await asyncio.gather(*(log.create(code, address(code), [entry("opened")]) for code in codes))
    committed = await commits(database)

    async def player(code: str, name: str) -> list[int]:
        """Append five entries, with retries after conflicts."""
        mine: list[int] = []
        head = 1
        while len(mine) < 5:
            try:
                head = await log.append(code, head, [entry(by=name)])
                mine.append(head)
            except LogConflict as conflict:
                head = conflict.found
        return mine

    got = await asyncio.gather(*(player(code, f"{code} {n}") for code in codes for n in range(5)))  # 200 appends
    for number, code in enumerate(codes):
        seqs = [seq for mine in got[number * 5 : number * 5 + 5] for seq in mine]
        assert sorted(seqs) == list(range(2, 27))
        entries = await log.read(code, 0)
        assert [e.seq for e in entries] == list(range(1, 27))
        for n in range(5):
            assert [e.seq for e in entries if e.data["by"] == f"{code} {n}"] == got[number * 5 + n]
    assert len(committed) <= 40


async def test_several_appends_to_a_room_in_one_batch_keep_their_order(
    log: EventLog, room: str, database: Database
) -> None:
    committed = await commits(database)
    answers = await asyncio.gather(
        log.append(room, 2, [entry(), entry()]),
        log.append(room, 2, [entry()]),  # too late
        log.append(room, 4, [entry()]),
        log.append(room, 9, [entry()]),  # too early
        return_exceptions=True,
    )
    assert [answer for answer in answers if isinstance(answer, int)] == [4, 5]
    assert [(a.expected, a.found) for a in answers if isinstance(a, LogConflict)] == [(2, 4), (9, 5)]
    assert len(committed) == 1


@pytest.fixture
async def other(url: str) -> AsyncIterator[EventLog]:
    """A log that shares only the database with the first, like a log in another process."""
    database = Database(url)
    log = EventLog(database)
    yield log
    await log.close()
    await database.close()


async def test_a_process_with_a_stale_head_gets_a_conflict(log: EventLog, other: EventLog, room: str) -> None:
    assert await log.append(room, 2, [entry()]) == 3
    assert await other.append(room, 3, [entry(), entry()]) == 5
    alone, spoilt, fine = await asyncio.gather(
        log.create("ALONE1", address("ALONE1", "alone"), [entry()]),
        log.append(room, 3, [entry()]),  # with an outdated seq
        log.append(room, 5, [entry()]),
        return_exceptions=True,
    )
    assert isinstance(alone, int)
    assert isinstance(spoilt, LogConflict)
    assert fine == 6
    assert await other.append(room, 6, [entry()]) == 7
    with pytest.raises(LogConflict) as conflict:
        await log.append(room, 6, [entry()])
    assert conflict.value.found == 7


async def test_two_processes_racing_to_append_never_share_a_seq(
    log: EventLog, other: EventLog, database: Database
) -> None:
    codes = [f"ROOM{n}" for n in range(4)]
    await asyncio.gather(*(log.create(code, address(code), [entry("opened")]) for code in codes))
    acknowledged: dict[tuple[str, int], str] = {}

    async def writer(name: str, log: EventLog, code: str) -> None:
        head = 1
        for number in range(15):
            while True:
                try:
                    head = await log.append(code, head, [entry(by=f"{name} {number}")])
                except LogConflict as conflict:
                    head = conflict.found
                else:
                    break
            assert (code, head) not in acknowledged
            acknowledged[code, head] = f"{name} {number}"

    await asyncio.gather(*(writer(name, its, code) for name, its in (("a", log), ("b", other)) for code in codes))
    for code in codes:
        entries = await log.read(code, 1)
        assert {(code, e.seq): e.data["by"] for e in entries} == {k: v for k, v in acknowledged.items() if k[0] == code}
        assert [e.seq for e in entries] == list(range(2, 32))


async def test_facts_are_saved_only_together_with_their_entries(log: EventLog, room: str, database: Database) -> None:
    with pytest.raises(LogConflict):
        await log.append(room, 1, [entry()], [started("m1", room)])
    assert await count(database, matches) == await count(database, match_players) == 0

    await log.append(room, 2, [entry("dealt")], [started("m1", room)])
    with pytest.raises(LogConflict):
        await log.append(room, 2, [entry()], [hand("m1", 0)])
    await log.append(room, 3, [entry()], [hand("m1", 0), ended("m1", 1)])
    assert [await count(database, table) for table in (matches, hands, counted_hands, counted_hand_players)] == [
        1,
        1,
        1,
        3,
    ]


async def test_all_rooms_that_wait_share_a_commit_with_and_without_facts(
    log: EventLog, room: str, database: Database
) -> None:
    matches_of = [f"MATCH{n}" for n in range(20)]
    await asyncio.gather(*(log.create(code, address(code), [entry("opened")]) for code in matches_of))
    committed = await commits(database)
    answers = await asyncio.gather(
        *(log.append(code, 1, [entry(), entry()], [started(f"m-{code}", code)]) for code in matches_of),
        log.append(matches_of[0], 3, [entry()]),  # after its own facts
        *(log.append(room, 2 + 2 * n, [entry(), entry()]) for n in range(40)),
    )
    assert answers == [3] * 20 + [4] + [4 + 2 * n for n in range(40)]
    assert len(committed) == 1
    assert await count(database, matches) == 20


async def test_the_end_of_a_hand_is_saved_in_few_statements(log: EventLog, room: str, database: Database) -> None:
    who = ("ana", "bob", "cat")
    await log.append(room, 2, [entry()], [started("m1", room), hand("m1", 0, room=room, people=who)])
    said: list[str] = []

    class Listening:
        def __init__(self, driver: Any) -> None:
            self._driver = driver

        def execute(self, text: str, parameters: Any = (), /) -> Any:
            said.append(text)
            return self._driver.execute(text, parameters)

    def work(connection: sa.Connection) -> None:
        by_hand = StatementExecutor(Listening(connection.connection.driver_connection), database.statement_cache)
        for write in build_writes(room, [hand("m1", 1, room=room, people=who)], database.statement_cache):
            write(by_hand)

    await database.write(work)
    assert len(said) <= 35
    assert sum(text.startswith("SELECT") for text in said) <= 4  # each one waits for an answer of PostgreSQL


async def test_an_invalid_fact_fails_only_its_own_append(log: EventLog, room: str, database: Database) -> None:
    await log.append(room, 2, [entry()], [started("m1", room)])
    await log.create("OTHER1", address("OTHER1", "other"), [entry()])
    good, bad, stale, after = await asyncio.gather(
        log.append("OTHER1", 1, [entry()], [started("m2", "OTHER1")]),
        log.append(room, 3, [entry()], [started("m1", room)]),  # exists already
        log.append(room, 4, [entry()]),  # after the one that fails
        log.append("OTHER1", 2, [entry()]),
        return_exceptions=True,
    )
    assert (good, after) == (2, 3)
    assert is_dbapi_error(bad, "IntegrityError")
    assert "Ana" not in str(bad)
    assert isinstance(stale, LogConflict)
    assert stale.found == 3
    assert await count(database, matches) == 2
    assert await log.append(room, 3, [entry()]) == 4


async def test_a_value_refused_by_the_database_fails_only_its_own_append(
    log: EventLog, room: str, dialect: str
) -> None:
    await log.create("OTHER1", address("OTHER1", "other"), [entry()])
    await log.append(room, 2, [entry()], [started("m1", room)])
    too_much = hand("m1", 0)
    too_much.totals["Ana"] = 2**70
    bad, good = await asyncio.gather(
        log.append(room, 3, [entry()], [too_much]), log.append("OTHER1", 1, [entry()]), return_exceptions=True
    )
    assert isinstance(bad, OverflowError if dialect == "sqlite" else psycopg.DataError)
    assert good == 2


async def test_invalid_text_or_times_fail_only_their_own_append(log: EventLog, room: str) -> None:
    naive = replace(entry(), at=datetime(2026, 1, 1))  # noqa: DTZ001
    answers = await asyncio.gather(
        log.append(room, 2, [entry(name="A\0na")]),
        log.append(room, 2, [entry(name="A\ud800na")]),
        log.append(room, 2, [entry(), entry(nested=[{"\0": 1}])]),
        log.append(room, 2, [entry("k\0")]),
        log.append("\0", 2, [entry()]),
        log.append(room, 2, [naive]),
        log.append(room, 2, []),
        log.load("\0"),
        log.by_invite("\ud800"),
        log.append(room, 2, [entry(name="\\u0000 🂡 é", at="2026")]),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers] == [
        *[BadText] * 5,
        NaiveTime,
        ValueError,
        BadText,
        BadText,
        int,
    ]
    assert (await log.read(room, 2))[0].data == {"name": "\\u0000 🂡 é", "at": "2026"}


async def test_times_in_any_time_zone_are_read_back_in_utc(log: EventLog, room: str) -> None:
    there = datetime(2026, 7, 1, 23, 30, 0, 123456, timezone(timedelta(hours=-7)))
    await log.append(room, 2, [replace(entry(), at=there)])
    [found] = await log.read(room, 2)
    assert found.at == there
    assert found.at.utcoffset() == timedelta(0)
    assert found.at.isoformat() == "2026-07-02T06:30:00.123456+00:00"


async def test_a_cancelled_append_does_not_stop_the_others(log: EventLog, room: str) -> None:
    tasks = [asyncio.create_task(log.append(room, 2 + n, [entry()])) for n in range(10)]
    await asyncio.sleep(0)  # now all wait in the log
    for task in tasks[::2]:
        task.cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [answer for answer in answers if isinstance(answer, int)] == [4, 6, 8, 10, 12]
    assert len(await log.read(room, 0)) == 12  # cancelled appends were written, too


async def test_closing_commits_pending_appends(database: Database) -> None:
    log = EventLog(database)
    await log.create("KQ7F3M", address("KQ7F3M"), [entry()])
    tasks = [asyncio.create_task(log.append("KQ7F3M", 1 + n, [entry()])) for n in range(700)]
    await asyncio.sleep(0)
    await log.close()
    with pytest.raises(EventLogClosed):
        await log.append("KQ7F3M", 701, [entry()])
    assert [task.result() for task in tasks] == list(range(2, 702))
    await log.close()


def test_the_number_of_tables_is_known() -> None:
    assert len(metadata.tables) == 33, "a new table: should dump and restore, and the tests here, know it?"
