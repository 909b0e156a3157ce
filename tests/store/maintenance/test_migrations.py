"""Test that migrations make exactly the tables in the code, on both databases and with several servers at once."""

import hashlib
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from app.rooms.log import snapshots
from app.rooms.model import commands as ask
from app.rooms.model.state import Room
from app.rooms.ports.addresses import AddressLookup
from app.rooms.ports.facts import HandEnded, MatchStarted
from app.rooms.ports.storage import LoadedLog, NewEvent
from app.rooms.views import room_view
from app.store.db.engines import make_engine, parse_url
from app.store.db.schema import hands, metadata
from app.store.db.transactions import run_in_transaction
from app.store.history.match_list import MatchFilter
from app.store.maintenance.migrations import current_revision, migrate_database, migrate_database_async, newest_revision
from app.store.maintenance.rebuild import rebuild
from app.store.store import open_store
from tests.rooms.world import World
from tests.store.samples import at

ROOT = Path(__file__).parents[3]


def look(url: str, work):
    engine = make_engine(parse_url(url))
    try:
        return run_in_transaction(engine, work)
    finally:
        engine.dispose()


def differences(connection: sa.Connection):
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    return compare_metadata(context, metadata)


def names(connection: sa.Connection) -> set[str | None]:
    """Return the names of all constraints and indexes, as the database has them."""
    inspector = sa.inspect(connection)
    return {
        found["name"]
        for table in inspector.get_table_names()
        for found in (
            inspector.get_pk_constraint(table),
            *inspector.get_foreign_keys(table),
            *inspector.get_unique_constraints(table),
            *inspector.get_indexes(table),
            *inspector.get_check_constraints(table),
        )
        if not table.startswith("alembic")
    }


def test_migrating_an_empty_database_makes_the_tables_of_the_code(empty_url: str) -> None:
    migrate_database(empty_url)
    assert look(empty_url, differences) == []
    assert look(empty_url, current_revision) == newest_revision()
    expected = {str(thing.name) for table in metadata.tables.values() for thing in (*table.constraints, *table.indexes)}
    assert look(empty_url, names) >= expected


def test_sqlite_tables_use_row_ids_only_where_declared(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.sqlite3"
    migrate_database(url)
    made = look(url, lambda connection: connection.execute(sa.text(SHAPES)).all())
    declared = {name: table.dialect_options["sqlite"]["with_rowid"] for name, table in metadata.tables.items()}
    assert {name: "WITHOUT ROWID" not in sql for name, sql in made} == declared


SHAPES = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name <> 'alembic_version'"


async def test_migrating_twice_changes_nothing(empty_url: str) -> None:
    await migrate_database_async(empty_url)
    await migrate_database_async(empty_url)
    assert look(empty_url, differences) == []


def test_servers_starting_together_can_all_migrate(empty_url: str) -> None:
    program = (
        "import sys; from app.store.maintenance.migrations import migrate_database; "
        "sys.stdin.read(1); migrate_database(sys.argv[1])"
    )
    servers = [
        subprocess.Popen([sys.executable, "-c", program, empty_url], cwd=ROOT, stdin=subprocess.PIPE, stderr=-1)
        for _ in range(3)
    ]
    for server in servers:
        assert server.stdin is not None
        server.stdin.write(b"!")
        server.stdin.flush()
    for server in servers:
        _, said = server.communicate(timeout=60)
        assert server.returncode == 0, said.decode()
    assert look(empty_url, differences) == []


FIRST = "first_evening"
"""The oldest schema with stored data."""


def an_evening() -> World:
    """Return a match with a finished hand and a running one."""
    world = World(bots=("easy", "easy")).join("Bob")
    world.ok("Ana", ask.Start)
    world.play()
    world.ok("Ana", ask.DealNext)
    world.play(3)
    return world


def kept_then(connection: sa.Connection, world: World) -> None:
    """Insert a room as the first schema had it, with its code instead of an id."""
    tables = sa.MetaData()
    tables.reflect(connection)

    def insert(name: str, *rows: dict[str, object]) -> None:
        connection.execute(tables.tables[name].insert(), list(rows))

    def naive(at: datetime) -> datetime:
        return at.replace(tzinfo=None) if connection.dialect.name == "sqlite" else at

    def moment(seconds: float) -> datetime:
        return naive(at(seconds))

    seen = {"created_at": moment(0), "seen_at": moment(9)}
    insert("people", *({"id": who, "token_hash": sha256(who), "name": who.title(), **seen} for who in ("ana", "bob")))
    insert("rooms", {"code": "CODE42", "invite": "invitation", "created_at": moment(0), "active_at": moment(1)})
    opened, *rest = world.entries
    data = {key: value for key, value in opened.data.items() if key != "id"}
    insert(
        "room_entry",
        *(
            {"room": "CODE42", "seq": each.seq, "at": naive(each.at), "kind": each.kind, "data": each.data}
            for each in (replace(opened, data=data), *rest)
        ),
    )
    assert world.snapshot is not None
    seq, state = world.snapshot
    state = {key: value for key, value in state.items() if key != "id"}
    insert("room_snapshot", {"room": "CODE42", "seq": seq, "state": state})
    insert("visits", *({"person_id": who, "room": "CODE42", "last_at": moment(5)} for who in ("ana", "bob")))
    [started] = [fact for fact in world.facts if isinstance(fact, MatchStarted)]
    insert(
        "matches",
        {
            "id": started.match_id,
            "room": "CODE42",
            "game": started.game,
            "options": started.options,
            "players": [name for _, name in started.players],
            "started_at": moment(2),
        },
    )
    insert(
        "match_players",
        *(
            {"match_id": started.match_id, "name": name, "person_id": who, "came_at": moment(2), "won": False}
            for who, name in started.players
        ),
    )
    for hand in (fact for fact in world.facts if isinstance(fact, HandEnded)):
        told = {"record": hand.record, "events": hand.events, "result": dict(hand.result)}
        insert("hands", {"match_id": started.match_id, "number": hand.number, "ended_at": naive(hand.at), **told})
        mine = {"match_id": started.match_id, "hand": hand.number}
        insert("standings", *({**mine, "name": name, "place": n} for n, name in enumerate(hand.result["standing"], 1)))
        totals = hand.totals.items()
        insert("ledger", *({**mine, "name": name, "points": 0, "total": total} for name, total in totals))
    insert(
        "recovery_tokens",
        {
            "token_hash": sha256("link"),
            "person_id": "bob",
            "created_at": moment(0),
            "expires_at": moment(1800),
            "used_at": None,
        },
    )


def seen(room: Room) -> list[object]:
    """Return all views of a room."""
    return [
        room_view.build_room(room),
        room_view.build_table(room),
        *(room_view.build_you(room, who) for who in ("ana", "bob", None)),
    ]


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


async def test_data_of_the_first_schema_survives_all_migrations(empty_url: str) -> None:
    migrate_database(empty_url, FIRST)
    world = an_evening()
    look(empty_url, lambda connection: kept_then(connection, world))
    migrate_database(empty_url)
    kept = look(empty_url, lambda connection: connection.execute(sa.select(hands.c.totals)).scalars().all())
    assert kept == [fact.totals for fact in world.facts if isinstance(fact, HandEnded)]
    # Compare before a server starts: on PostgreSQL it creates an unlogged table of nodes.
    assert look(empty_url, differences) == []
    rebuild(empty_url)
    async with open_store(empty_url) as store:
        # The room's former code is its id now, and still leads to it.
        lead = AddressLookup("CODE42", "CODE42", is_current=True)
        assert await store.log.by_code("CODE42") == await store.log.by_invite("invitation") == lead
        loaded = await store.log.load("CODE42")
        assert loaded is not None
        room = snapshots.load_room(loaded)
        assert room.id == "CODE42"
        assert seen(room) == seen(world.room)
        whole = await store.log.read("CODE42", 0)
        assert seen(snapshots.load_room(LoadedLog(None, whole))) == seen(world.room)
        # Each person has one device.
        for who in ("ana", "bob"):
            known = await store.people.find_by_token(who, at(9))
            assert known is not None
            assert (known.person.id, known.person.name, known.person.seen_at) == (who, who.title(), at(9))
            assert [device.id for device in await store.people.devices_of(who)] == [known.device]
            assert await store.people.has_visited(who, "CODE42")
        back = await store.people.use_recovery_token("link", at(10))
        assert back is not None
        assert back[0].person.id == "bob"
        # The match and its players are there.
        [first] = [fact for fact in world.facts if isinstance(fact, MatchStarted)]
        [line] = (await store.match_list.search(MatchFilter("ana"), person_id="ana")).matches
        assert (line.room, [player.name for player in line.players]) == ("CODE42", [name for _, name in first.players])
        # The stats have the same sums of the hands.
        last = [fact for fact in world.facts if isinstance(fact, HandEnded)][-1]
        detail = await store.history.find_match(first.match_id)
        assert detail is not None
        assert (detail.match.hands, detail.hands[-1].totals) == (last.number + 1, last.totals)
        book = await store.room_stats.stats_of_room("CODE42")
        assert book is not None
        assert book.hands == last.number + 1
        assert {player.player for player in book.players} >= {"ana", "bob"}
        assert (await store.person_stats.stats_of_person("ana")).games[first.game].tallies["hands"] == last.number + 1
        assert await store.log.append("CODE42", room.seq, [NewEvent("held", {}, at(99))]) == room.seq + 1


BEFORE_QUICK_LOG = "imported_origins"
DIES = """
import os, signal, sys
import sqlalchemy as sa
from app.store.maintenance.migrations import migrate_database

def die(connection, cursor, statement, *rest):
    if "DROP TABLE room_entry_before" in statement:
        os.kill(os.getpid(), signal.SIGKILL)

sa.event.listen(sa.Engine, "before_cursor_execute", die)
migrate_database(sys.argv[1])
"""


def test_older_imported_matches_get_their_size_when_migrated(empty_url: str) -> None:
    migrate_database(empty_url, "hands_with_bots")

    def insert(connection: sa.Connection) -> None:
        when = "2026-11-26 12:00:00"
        connection.execute(sa.text(f"INSERT INTO people (id, created_at, seen_at) VALUES ('ana', '{when}', '{when}')"))
        for match, count in (("one", 2), ("none", 0)):
            connection.execute(
                sa.text(
                    "INSERT INTO imported_matches (id, person_id, imported_at, digest, game, options, players, totals,"
                    f" winners, hands, over) VALUES ('{match}', 'ana', '{when}', '{match}', 'president', '{{}}', '[]',"
                    f" '{{}}', '[]', {count}, true)"
                )
            )
            for number in range(count):
                connection.execute(
                    sa.text(
                        "INSERT INTO imported_hands (match_id, number, record, events, result)"
                        f" VALUES ('{match}', {number}, '[1,2,3]', '[]', '{{}}')"
                    )
                )

    look(empty_url, insert)
    migrate_database(empty_url)
    asked = sa.text("SELECT id, size_bytes FROM imported_matches")
    found = look(empty_url, lambda connection: connection.execute(asked).all())
    assert {row.id: row.size_bytes for row in found} == {"one": 2 * len("[1,2,3][]{}"), "none": 0}


def test_a_migration_killed_while_copying_the_log_loses_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.sqlite3"
    migrate_database(url, BEFORE_QUICK_LOG)
    told = [(f"ROOM{n % 7}", n // 7 + 1, f"2026-11-20 20:15:{n % 60:02}.000000", "acted") for n in range(7000)]
    data = '{"by":"Ana ♠","é":"' + "x" * 200 + '"}'

    def fill(connection: sa.Connection) -> None:
        for n in range(7):
            connection.execute(sa.text(f"INSERT INTO rooms VALUES ('ROOM{n}', '2026-11-20', '2026-11-20')"))
        rows = [(*entry, data) for entry in told]
        connection.exec_driver_sql("INSERT INTO room_entry (room, seq, at, kind, data) VALUES (?, ?, ?, ?, ?)", rows)

    def entries(connection: sa.Connection) -> list[tuple[object, ...]]:
        migrated = current_revision(connection) == newest_revision()
        columns = "room_id, seq, created_at, event_type, data FROM room_events"
        former = "room, seq, at, kind, data FROM room_entry"
        found = connection.exec_driver_sql(f"SELECT {columns if migrated else former} ORDER BY 2, 1")
        return [tuple(row) for row in found]

    look(url, fill)
    died = subprocess.run([sys.executable, "-c", DIES, url], cwd=ROOT, capture_output=True, check=False)
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    for migrated in (False, True):
        if migrated:
            migrate_database(url)
        assert look(url, current_revision) == (newest_revision() if migrated else BEFORE_QUICK_LOG)
        assert look(url, entries) == sorted(((*entry, data) for entry in told), key=lambda entry: (entry[1], entry[0]))
    assert look(url, differences) == []
