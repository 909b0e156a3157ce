"""On a database whose tables are split by room, each statement of a room touches one partition, and commands work."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from app.cli import main
from app.settings import Limits, Settings
from app.store.db.database import Database
from app.store.db.schema import metadata, table_group
from app.store.deletion.room_cleanup import RoomCleanup
from app.store.maintenance.batches import drop_old_rows, drop_table
from app.store.maintenance.figures import read_table_sizes
from app.store.maintenance.migrations import migrate_database
from app.store.maintenance.open_database import LOCK_SHARED
from tests import postgres
from tests.store.maintenance.test_migrations import differences, look, names
from tests.store.samples import T0
from tests.upgrade.load import load_database
from tests.upgrade.make import Evening
from tests.web.conftest import serving
from tests.web.visitors import visiting

DEPLOY = Path(__file__).parents[3] / "deploy" / "postgresql"
ROOM_TABLES = {table.name for table in metadata.tables.values() if table_group(table) == "room"}
OF_SEVERAL_ROOMS = (
    "SELECT hands.match_id, min(hands.hand_number)",  # at the start: hands without an initial state
    "SELECT rooms.id, coalesce((SELECT max(room_events.seq)",  # the last entries of all rooms of a node
)
"""How the statements begin that touch several partitions. docs/database.md says what they cost."""

pytestmark = pytest.mark.postgres


def split_tables(url: str) -> None:
    """Split the tables, as an operator does with psql."""
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute((DEPLOY / "split-tables.sql").read_bytes())


def migrate_and_split(url: str) -> None:
    migrate_database(url)
    split_tables(url)


@pytest.fixture
def split_url(postgres_server: postgres.Postgres) -> Iterator[str]:
    """Return the URL of an empty database whose tables are split."""
    with postgres.fresh_database(postgres_server, postgres_server.template("split", migrate_and_split)) as url:
        yield url


def partitions(connection: sa.Connection) -> dict[str, int]:
    """Return the number of partitions of each table that is split."""
    query = "SELECT inhparent::regclass::text, count(*) FROM pg_inherits JOIN pg_class ON pg_class.oid = inhparent"
    return dict(map(tuple, connection.execute(sa.text(f"{query} WHERE relkind = 'p' GROUP BY 1"))))


def test_the_tables_with_a_room_are_split_and_equal_those_of_the_code(split_url: str) -> None:
    assert look(split_url, partitions) == dict.fromkeys(ROOM_TABLES, 16)
    # SQLAlchemy shows the foreign keys to each partition, too.
    assert [each for each in look(split_url, differences) if not is_key_to_partition(each)] == []
    expected = {str(thing.name) for table in metadata.tables.values() for thing in (*table.constraints, *table.indexes)}
    assert look(split_url, names) >= expected
    sizes = look(split_url, read_table_sizes)
    assert "rooms_00" not in sizes
    assert all(sizes[name] >= 16 * 8192 for name in ROOM_TABLES)


def is_key_to_partition(difference: Any) -> bool:
    return difference[0] == "remove_fk" and "_partitions." in next(iter(difference[1].elements)).target_fullname


def test_a_filled_database_keeps_its_rows_and_each_command_works(
    postgres_url: str, postgres_server: postgres.Postgres, tmp_path: Path
) -> None:
    load_database(postgres_url, "0.3.0")
    before = look(postgres_url, count_rows)
    split_tables(postgres_url)
    assert look(postgres_url, count_rows) == before
    run(f"migrate --backup {tmp_path / 'old'}", postgres_url)
    run("check", postgres_url)
    run(f"backup {tmp_path / 'new'}", postgres_url)
    with postgres.fresh_database(postgres_server) as copy_url:
        run(f"copy --from {postgres_url} --to {copy_url}", copy_url)  # compares each row with its copy
    run(f"restore --replace --yes {tmp_path / 'old'}", postgres_url)
    assert look(postgres_url, partitions) == {}
    run(f"backup {tmp_path / 'again'}", postgres_url)
    assert rows_of(tmp_path / "again") == rows_of(tmp_path / "new"), "a migration of whole tables has the same result"


def count_rows(connection: sa.Connection) -> dict[str, int]:
    tables = sa.inspect(connection).get_table_names()
    return {name: connection.execute(sa.text(f"SELECT count(*) FROM {name}")).scalar_one() for name in tables}


def rows_of(backup: Path) -> list[str]:
    """Return the rows in a backup, but not its time."""
    lines = backup.read_text().splitlines()[1:-1]
    assert len(lines) > 1000
    return sorted(line for line in lines if "last_backup" not in line)


def run(command: str, url: str) -> None:
    done = CliRunner().invoke(main, command.split(), env={"DATABASE_URL": url})
    assert done.exit_code == 0, f"{command}: {done.output}"


def test_a_used_or_empty_database_is_refused_and_a_second_run_splits_only_new_tables(
    split_url: str, postgres_url: str
) -> None:
    with psycopg.connect(split_url.replace("+psycopg", "")) as server:
        server.execute(LOCK_SHARED)
        with pytest.raises(psycopg.Error, match="stop it first"):
            split_tables(split_url)
        server.execute("CREATE TABLE notes (room_id text REFERENCES rooms, n int, PRIMARY KEY (room_id, n))")
    before = look(split_url, partitions)
    split_tables(split_url)
    assert look(split_url, partitions) == before | {"notes": 16}
    with pytest.raises(psycopg.Error, match="pecking-order migrate"):
        split_tables(postgres_url)


def test_a_migration_keeps_the_rows_of_a_split_table_until_the_next_upgrade(split_url: str) -> None:
    def migrate(connection: sa.Connection) -> None:
        connection.execute(sa.text("INSERT INTO rooms VALUES ('a', now(), now())"))
        connection.execute(sa.text("INSERT INTO merged_players VALUES ('a', 'ana', 'eve')"))
        drop_table(connection, "merged_players")
        assert connection.execute(sa.text("SELECT count(*) FROM old_merged_players")).scalar_one() == 1
        drop_old_rows(connection)

    look(split_url, migrate)
    assert look(split_url, partitions) == dict.fromkeys(ROOM_TABLES - {"merged_players"}, 16)


async def test_each_statement_of_a_room_touches_one_partition(
    split_url: str, postgres_server: postgres.Postgres
) -> None:
    """PostgreSQL itself explains each statement that it runs for an evening into its log (auto_explain)."""
    with psycopg.connect(split_url.replace("+psycopg", ""), autocommit=True) as connection:
        for name, value in EXPLAIN.items():
            connection.execute(f"ALTER DATABASE {connection.info.dbname} SET {name} = '{value}'".encode())
    limits = Limits(messages_per_second=1000, messages_at_once=1000)
    before = len(postgres_server.log)
    async with serving(Settings(database_url=split_url, limits=limits)) as live, visiting(live.base) as come:
        evening = Evening(come)
        await evening.play_room(
            ["Ana", "Bob"], "president", hands=2, bots=["easy", "easy"], options={"preset": "pagat"}
        )
        await evening.play_room(["Cat", "Dan", "Eve"], "chase_the_ace", hands=2)
        for code, [visitor, *_], [desk, *_], _ in evening.rooms:
            for page in (f"/r/{code}/book", f"/api/matches/{desk.update['room']['match_id']}"):
                assert (await visitor.http.get(page)).status_code == 200, page
    database = Database(split_url)
    [room, *_] = await database.read(lambda connection: connection.execute(sa.text(ROOMS)).scalars().all())
    await RoomCleanup(database).delete_room(room, T0)
    await database.close()
    touched = defaultdict[str, set[str]](set)
    for text, used in explained(postgres_server.log[before:]):
        verb = text.split()[0]
        assert len(used) < 2 or text.startswith(OF_SEVERAL_ROOMS), f"{sorted(used)}: {text}"
        if verb == "INSERT" and (into := text.split()[2]) in ROOM_TABLES:
            assert re.match(r"INSERT INTO \w+ \((room_id|id)\b", text), f"it has no room: {text}"
            touched[verb].add(into)
        touched[verb] |= {table.name for table in metadata.sorted_tables if used and f"{table.name}." in text}
    rare = {"chat_messages", "merged_players", "point_adjustments", "point_reasons", "highlights"}
    assert touched["INSERT"] >= ROOM_TABLES - rare
    assert touched["UPDATE"] >= {"rooms", "matches", "match_players"}
    assert touched["DELETE"] >= {"room_events", "room_snapshots"}
    assert touched["SELECT"] >= {"room_events", "matches", "match_players", "hands"}


EXPLAIN = {
    "session_preload_libraries": "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",  # names only the partitions that were read
    "auto_explain.log_timing": "off",
    "auto_explain.log_nested_statements": "on",  # checks of foreign keys
    "auto_explain.log_format": "json",
}
ROOMS = "SELECT room_id FROM room_codes ORDER BY valid_from"


def explained(log: str) -> Iterator[tuple[str, set[str]]]:
    """Yield each statement in PostgreSQL's log, and the numbers of the partitions that it read or changed."""
    for found in re.finditer(r"  plan:\n\t(\{\n.*?\n\t\})\n", log, re.DOTALL):
        plan = json.loads(found[1].replace("\n\t", "\n"))
        yield plan["Query Text"].strip(), set(_used_partitions(plan["Plan"]))


def _used_partitions(node: dict[str, Any]) -> Iterator[str]:
    part = re.fullmatch(r"\w+_(\d\d)", node.get("Relation Name", ""))
    if part and node["Actual Loops"]:
        yield part[1]
    for inner in node.get("Plans", ()):
        yield from _used_partitions(inner)


def test_the_statements_for_citus_name_every_table_of_the_code() -> None:
    lines = (DEPLOY / "citus.sql").read_text().splitlines()
    assert [line for line in lines if line.startswith("SELECT")] == list(citus_statements())


def citus_statements() -> Iterator[str]:
    """Yield a statement for each table: a copy on each machine, or distributed by room or person, parents first."""
    tables = [table for table in metadata.sorted_tables if table.name != "people"]
    distributed = [table for table in tables if table_group(table) in ("room", "person")]
    for table in (metadata.tables["people"], *(each for each in tables if each not in distributed)):
        yield f"SELECT create_reference_table('{table.name}');"
    first: dict[str, str] = {}
    for table in sorted(distributed, key=lambda table: table_group(table) == "person"):
        column = next(iter(table.primary_key.columns)).name
        group = first.setdefault(table_group(table), table.name)
        others = "none" if group == table.name else group
        yield f"SELECT create_distributed_table('{table.name}', '{column}', colocate_with => '{others}');"
