"""Test that rooms of an earlier version open in this version, and that people see them unchanged."""

import asyncio
import gzip
import json
import logging
import re
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from websockets.asyncio.client import connect

from app.cli import main
from app.settings import Settings
from app.store.db.engines import make_engine, parse_url
from app.store.db.errors import BadUrl
from app.store.maintenance.backup import dump_tables, restore_backup
from app.store.maintenance.integrity_check import check_database
from app.store.maintenance.migrations import MigrationStopped, migrate_database
from app.store.maintenance.open_database import open_for_server
from app.web.context.sessions import cookie_name
from tests import postgres
from tests.upgrade import bench
from tests.upgrade.load import DATABASES, load_database, multiply_hands
from tests.upgrade.old_program import OldProgram
from tests.web.conftest import serving
from tests.web.visitors import Desk, Visitor, visiting

NAMES = ["0.3.0"]
REFUSED = ["oldest", "0.2.0"]
SUMS = ("room_stats", "game_sessions", "session_players", "room_players", "counters", "head_to_head", "streaks")
"""Tables of 0.3.0 that were summed up from the rows of the hands."""


@pytest.fixture(params=["sqlite3", "sql"])
def dialect(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def empty_url(dialect: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty database."""
    return f"sqlite:///{tmp_path}/empty.sqlite3" if dialect == "sqlite3" else request.getfixturevalue("postgres_url")


@pytest.fixture
def url(name: str, dialect: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Copy a database of an earlier version."""
    if dialect == "sqlite3":
        file_url = f"sqlite:///{tmp_path}/rooms.sqlite3"
        load_database(file_url, name)
        yield file_url
        return
    with postgres.fresh_database(request.getfixturevalue("postgres_server")) as url:
        load_database(url, name)
        yield url


@pytest.mark.parametrize("name", NAMES)
def test_the_first_migration_makes_the_schema_of_0_3_0(name: str, url: str, empty_url: str) -> None:
    migrate_database(empty_url, "one_schema")
    assert schema_of(empty_url) == schema_of(url)


def schema_of(url: str) -> dict[str, object]:
    """Return all columns, keys, constraints and indexes of a database, by table."""
    engine = make_engine(parse_url(url))
    inspector = sa.inspect(engine)
    schema: dict[str, object] = {
        table: [
            [{**column, "type": str(column["type"])} for column in inspector.get_columns(table)],
            inspector.get_pk_constraint(table),
            *(sorted(map(_as_text, listed(table))) for listed in _listed_things(inspector)),
            inspector.get_table_options(table),
        ]
        for table in inspector.get_table_names()
        if table != "node_heartbeats"  # servers make it when they start
    }
    engine.dispose()
    return schema


def _listed_things(inspector: sa.Inspector) -> list[Callable[[str], Sequence[Any]]]:
    return [
        *(inspector.get_foreign_keys, inspector.get_unique_constraints),
        *(inspector.get_indexes, inspector.get_check_constraints),
    ]


def _as_text(thing: dict[str, Any]) -> str:
    return json.dumps(thing, default=str, sort_keys=True)


@pytest.mark.parametrize("name", REFUSED)
def test_a_database_older_than_0_3_0_is_refused_unchanged(name: str, url: str) -> None:
    before = schema_of(url)
    with pytest.raises(BadUrl, match=r"upgrade to 0\.3\.0 first"), open_for_server(url):
        pass
    for command in ("migrate", "rebuild", "check", "backup dump.jsonl"):
        refused = CliRunner().invoke(main, command.split(), env={"DATABASE_URL": url})
        assert refused.exit_code != 0
        assert "older than version 0.3.0: upgrade to 0.3.0 first (commit 7e393dd4" in refused.output
    assert schema_of(url) == before


def test_a_copy_older_than_0_3_0_is_not_restored(tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    copy.write_bytes(gzip.decompress((DATABASES / "0.2.0.sqlite3.gz").read_bytes()))
    with pytest.raises(BadUrl, match=r"upgrade to 0\.3\.0 first"):
        restore_backup(f"sqlite:///{tmp_path}/rooms.sqlite3", copy)
    assert [path.name for path in tmp_path.iterdir()] == ["copy.sqlite3"]


@pytest.mark.parametrize("is_filled", [False, True])
def test_a_dump_of_an_earlier_version_is_migrated(is_filled: bool, empty_url: str, tmp_path: Path) -> None:
    """The same rows come from a dump and from a migrated database, whatever was in the database before."""
    dump, copy = DATABASES / "0.3.0.jsonl.gz", tmp_path / "copy.sqlite3"
    for _ in range(1 + is_filled):
        counts = restore_backup(empty_url, dump, replace=True)
    copy.write_bytes(gzip.decompress((DATABASES / "0.3.0.sqlite3.gz").read_bytes()))
    migrate_database(f"sqlite:///{copy}")
    assert _dumped(empty_url, tmp_path / "restored") == _dumped(f"sqlite:///{copy}", tmp_path / "migrated")
    assert (counts["rooms"], counts["room_events"]) == (5, 895)


def _dumped(url: str, path: Path) -> list[str]:
    dump_tables(url, path)
    return sorted(path.read_text("utf-8").splitlines()[1:])


@pytest.mark.parametrize("name", NAMES)
async def test_rooms_open_unchanged_after_an_upgrade(name: str, url: str, dialect: str) -> None:
    rooms = json.loads((DATABASES / f"{name}.{dialect}.json").read_text())
    assert rooms
    async with serving(Settings(database_url=url)) as live, visiting(live.base) as come:
        for kept in rooms:
            desks = await asyncio.gather(*(_comes_back(come(), kept, who) for who in kept["tokens"]))
            for desk, who in zip(desks, kept["tokens"], strict=True):
                _sees_the_room_as_it_was(desk.update, kept, who)
            can_act = [desk for desk in desks if desk.update["you"].get("legal")]
            assert bool(can_act) == (kept["phase"] == "playing")
            for desk in can_act[:1]:
                await desk.do("act", action=desk.update["you"]["legal"][0])


@pytest.mark.parametrize("name", NAMES)
async def test_history_and_stats_are_unchanged_after_an_upgrade(name: str, url: str, dialect: str) -> None:
    rooms = json.loads((DATABASES / f"{name}.{dialect}.json").read_text())
    assert CliRunner().invoke(main, ["migrate"], env={"DATABASE_URL": url}).exit_code == 0
    async with serving(Settings(database_url=url)) as live, visiting(live.base) as come:
        for kept in rooms:
            for token in kept["tokens"].values():
                visitor = _browser(come(), token)
                listed = (await visitor.http.get("/api/history")).json()
                assert kept["match"] in [match["id"] for match in listed["matches"]]
                match = (await visitor.http.get(f"/api/matches/{kept['match']}")).json()
                assert [[hand["standing"], _nonzero(hand["points"])] for hand in match["hands"]] == [
                    [hand["standing"], _nonzero(hand["ledger"])] for hand in kept["hands"]
                ]
                await visitor.enter(kept["code"])
                statistics = await visitor.http.get(f"/r/{kept['code']}/book")
                assert statistics.status_code == 200
                assert all(who in statistics.text for who in kept["tokens"])


@pytest.mark.parametrize("name", NAMES)
def test_migrate_rebuild_and_check_succeed_after_an_upgrade(name: str, url: str, dialect: str) -> None:
    for command in ("migrate", "rebuild", "check"):
        done = CliRunner().invoke(main, [command], env={"DATABASE_URL": url})
        assert done.exit_code == 0, done.output


@pytest.mark.parametrize("name", NAMES)
async def test_check_finds_nothing_before_and_after_rooms_are_played_on(name: str, url: str, dialect: str) -> None:
    """Snapshots of an earlier version are no findings: rooms open from their logs without them.

    They lack what this version keeps, or keep it in another form, such as the answers to commands.
    """
    assert CliRunner().invoke(main, ["migrate"], env={"DATABASE_URL": url}).exit_code == 0
    assert findings(url) == []
    rooms = json.loads((DATABASES / f"{name}.{dialect}.json").read_text())
    async with serving(Settings(database_url=url)) as live, visiting(live.base) as come:
        for kept in rooms:
            desks = await asyncio.gather(*(_comes_back(come(), kept, who) for who in kept["tokens"]))
            for desk in [desk for desk in desks if desk.update["you"].get("legal")][:1]:
                await desk.do("act", action=desk.update["you"]["legal"][0])
    assert findings(url) == []


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> OldProgram:
    """The program of version 0.3.0."""
    return OldProgram("0.3.0", tmp_path_factory.mktemp("program"))


@pytest.mark.long("It runs commands and a server of 0.3.0.")
@pytest.mark.parametrize("name", NAMES)
async def test_the_version_before_goes_on_with_a_backup_of_before_the_upgrade(
    name: str,
    url: str,
    dialect: str,
    empty_url: str,
    program: OldProgram,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Upgrade, play, go back: 0.3.0 refuses the new schema, and starts with the backup, or with the copied file."""
    caplog.set_level(logging.INFO)
    rooms = json.loads((DATABASES / f"{name}.{dialect}.json").read_text())
    backup = tmp_path / "before.jsonl.gz"
    migrated = CliRunner().invoke(main, ["migrate", "--backup", str(backup), "--database", url])
    assert migrated.exit_code == 0, migrated.output
    async with serving(Settings(database_url=url)) as live, visiting(live.base) as come:
        kept = next(each for each in rooms if each["phase"] == "playing")
        desks = await asyncio.gather(*(_comes_back(come(), kept, who) for who in kept["tokens"]))
        [desk, *_] = [desk for desk in desks if desk.update["you"].get("legal")]
        await desk.do("act", action=desk.update["you"]["legal"][0])

    restored = tmp_path / "restored.jsonl"
    (refused, said), *others = await asyncio.to_thread(
        program.run,
        ["check", "--database", url],
        ["restore", str(backup), "--database", empty_url],
        ["backup", str(restored), "--database", empty_url],
    )
    assert (refused, "a newer version of the program has used this database" in said) == (2, True), said
    assert [status for status, _ in others] == [0, 0], others
    assert _rows(restored.read_text()) == _rows(gzip.decompress(backup.read_bytes()).decode())

    [way_back] = [record.getMessage() for record in caplog.records if "To go back" in record.getMessage()]
    if dialect == "sqlite3":  # the commands in the log
        [commands] = re.findall("`(rm .*)`", way_back)
        subprocess.run(commands, shell=True, check=True)
        empty_url = url
    with program.serving(empty_url) as base:
        for who, token in kept["tokens"].items():
            cookies = f"{cookie_name(secure=False)}={token}"
            address = f"ws{base.removeprefix('http')}/ws/{kept['code']}?protocol=5"
            async with connect(address, origin=base, additional_headers={"Cookie": cookies}) as socket:
                async for frame in socket:
                    if (update := json.loads(frame))["t"] == "update":
                        break
                _sees_the_room_as_it_was(update, kept, who)


@pytest.mark.parametrize("name", NAMES)
def test_migrations_only_add_or_keep_the_old_rows(name: str, url: str) -> None:
    """Dropped tables are sums, which other rows give; changed columns are new."""
    before = schema_columns(url)
    said: list[str] = []

    def after_statement(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        said.append(statement.strip())

    sa.event.listen(sa.Engine, "after_cursor_execute", after_statement)
    try:
        migrate_database(url)
    finally:
        sa.event.remove(sa.Engine, "after_cursor_execute", after_statement)
    dropped = {words[2] for words in map(str.split, said) if words[:2] == ["DROP", "TABLE"]}
    assert dropped <= {*SUMS, "IF"}  # IF EXISTS: the table of progress
    assert not [statement for statement in said if statement.startswith("DELETE FROM")]
    changes = [re.match(r"UPDATE (\w+) AS t SET (\w+) =", statement) for statement in said]
    changed = {(found[1], found[2]) for found in changes if found is not None}
    assert ("counted_hand_players", "performance") in changed
    assert not changed & before


def schema_columns(url: str) -> set[tuple[str, str]]:
    engine = make_engine(parse_url(url))
    inspector = sa.inspect(engine)
    found = {
        (table, column["name"]) for table in inspector.get_table_names() for column in inspector.get_columns(table)
    }
    engine.dispose()
    return found


def _rows(dump: str) -> list[str]:
    """Return the rows of a dump without planned deletions, which are not restored."""
    rows = [json.dumps(json.loads(line), sort_keys=True) for line in dump.splitlines()[1:-1]]
    return sorted(row for row in rows if not row.startswith('{"planned_deletions"'))


def test_sqlite_is_copied_before_a_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "rooms.sqlite3"
    before = gzip.decompress((DATABASES / "0.3.0.sqlite3.gz").read_bytes())
    older = {"rooms.sqlite3.before-upgrade-2020-01-01-000000", ".rooms.sqlite3.before-upgrade-2020-01-01-000000.7"}
    for other in older:
        (tmp_path / other).write_text("an older copy, and an unfinished one")
    url = f"sqlite:///{file}"

    file.write_bytes(before)
    with monkeypatch.context() as patch:
        patch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(free=len(before) - 1_500_000))
        refused = CliRunner().invoke(main, ["migrate", "--database", url])
    assert refused.exit_code == 2
    assert f"there is no space to copy it before the migration: 2 MB are missing in {tmp_path}." in refused.output
    assert file.read_bytes() == before

    stop = threading.Event()
    stop.set()
    with pytest.raises(MigrationStopped):
        migrate_database(url, stop=stop)
    assert {path.name for path in tmp_path.glob("*before-upgrade*")} <= older

    migrate_database(url)
    [copy] = tmp_path.glob("*before-upgrade*")
    assert not list(tmp_path.glob(".*"))
    assert copy.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(copy)) as copied, closing(sqlite3.connect(tmp_path / "old.sqlite3")) as old:
        (tmp_path / "old.sqlite3").write_bytes(before)
        assert list(copied.iterdump()) == list(old.iterdump())
    migrate_database(url)
    assert list(tmp_path.glob("*before-upgrade*")) == [copy], "nothing was migrated"


def findings(url: str) -> list[str]:
    """Return the findings of a check."""
    found: list[str] = []
    check_database(url, lambda finding: found.append(str(finding)))
    return found


def _browser(visitor: Visitor, token: str) -> Visitor:
    visitor.http.cookies.set(cookie_name(secure=False), token)
    return visitor


async def _comes_back(visitor: Visitor, kept: dict[str, Any], who: str) -> Desk:
    _browser(visitor, kept["tokens"][who])
    await visitor.enter(kept["code"])
    desk = await visitor.socket(kept["code"])
    await desk.until(lambda update: update["room"]["code"] == kept["code"])
    return desk


def _sees_the_room_as_it_was(update: dict[str, Any], kept: dict[str, Any], who: str) -> None:
    room, table, you = update["room"], update["table"], update["you"]
    assert (room["phase"], room["game"], room["host"]) == (kept["phase"], kept["game"], kept["host"])
    assert [[person["name"], person["bot"] is not None] for person in room["people"]] == kept["people"]
    assert table["seats"] == kept["seats"]
    # Current views show every giver as choosing until all have chosen.
    assert set(table["to_act"]) >= set(kept["to_act"])
    players = table["players"]
    assert {name: player["total"] for name, player in players.items()} == kept["totals"]
    assert {name: player["cards"] for name, player in players.items()} == kept["counts"]
    assert you["name"] == who
    assert _cards(you.get("cards")) == _cards(kept["cards"][who])


def _nonzero(points: dict[str, int]) -> dict[str, int]:
    return {name: count for name, count in points.items() if count}


def _cards(text: str | None) -> list[str]:
    return sorted((text or "").split())


@pytest.mark.parametrize("name", NAMES)
def test_multiplied_hands_are_migrated(name: str, url: str) -> None:
    assert multiply_hands(url, 50) == 52
    migrate_database(url)
    engine = make_engine(parse_url(url))
    query = "SELECT last_place, last_rank FROM counted_hands WHERE {} ORDER BY room_id, room_hand_number"
    first, copy = "length(room_id) = 16", "length(room_id) = 18 AND room_id LIKE '%-2'"
    with engine.connect() as connection:
        [first_rows, copied_rows] = [connection.execute(sa.text(query.format(rows))).all() for rows in (first, copy)]
    engine.dispose()
    assert len(first_rows) == 13
    assert copied_rows == first_rows


async def test_the_first_page_comes_before_the_first_playable_room(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/rooms.sqlite3"
    load_database(url, "0.3.0")
    times = await bench.measure(url, closed=False)
    assert 0 < times.first_page < times.playable
