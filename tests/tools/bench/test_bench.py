"""Test that the benchmarks measure what they claim, and name the machine."""

import re
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.store.db.engines import make_engine, parse_url
from tools.__main__ import main
from tools.bench.bots import cpu_seconds_used, rooms_per_core
from tools.bench.nodes import database_cpu_seconds


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, arguments)
    return result.exit_code, result.output


def test_the_room_bench_prints_cost_message_size_latency_memory_and_machine(tmp_path: Path) -> None:
    file = tmp_path / "bench.sqlite3"
    code, said = run("bench", "rooms", "--rooms", "1", "--seconds", "0.5", "--database", f"sqlite:///{file}")
    assert code == 0, said
    for what in (" for 10,000 actions", " bytes a message", "p50 ", "p99 ", "(PSS) for each room", "python CPython 3."):
        assert what in said
    assert re.search(r"\d+ of \d+ took longer than 20 ms, the slowest \d", said)
    assert "refused" not in said


def test_the_bench_calculates_how_many_rooms_of_hard_bots_a_core_carries() -> None:
    decided = {"decisions": {"hard": 40}, "fallbacks": {}}
    assert rooms_per_core(decided, rooms=4, seconds=10, thinkers=2.5) == 16
    busy = {"decisions": {"hard": 40}, "fallbacks": {"full": 8, "late": 2}}
    assert rooms_per_core(busy, rooms=4, seconds=10, thinkers=2.5) == 12, "what nobody had time for takes as much"
    stuck = {"decisions": {"hard": 40}, "fallbacks": {"late": 40}}
    assert rooms_per_core(stuck, rooms=4, seconds=10, thinkers=2.5) is None
    assert cpu_seconds_used(7.0, 9.5, stuck=False) == 2.5
    assert cpu_seconds_used(7.0, 6.9, stuck=False) is None, "one of them has ended"
    assert cpu_seconds_used(7.0, 9.5, stuck=True) is None, "nobody thinks"


@pytest.mark.long("two servers and players in processes of their own start")
@pytest.mark.postgres
def test_the_node_bench_prints_actions_and_processor_use_of_all_nodes(postgres_url: str) -> None:
    code, said = run("bench", "nodes", "--nodes", "2", "--rooms", "2", "--seconds", "0.3", "--database", postgres_url)
    assert code == 0, said
    for what in (
        "2 nodes: ",
        " actions a second, ",
        " processor in the servers",
        " in the database",
        "python CPython 3.",
    ):
        assert what in said


@pytest.mark.postgres
def test_the_processor_time_of_a_database_includes_connections_that_ended(postgres_url: str) -> None:
    before = database_cpu_seconds(postgres_url)
    engine = make_engine(parse_url(postgres_url))
    with engine.connect() as connection:
        connection.exec_driver_sql("SELECT sum(n) FROM generate_series(1, 2000000) AS n").scalar_one()
        backend = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
    engine.dispose()
    while Path(f"/proc/{backend}").exists():
        time.sleep(0.01)
    after = database_cpu_seconds(postgres_url)
    assert before is not None
    assert after is not None
    assert after - before > 0.05


def test_the_node_bench_requires_postgresql() -> None:
    code, said = run("bench", "nodes", "--database", "sqlite:///rooms.sqlite3")
    assert (code, "Several nodes share a PostgreSQL" in said) == (2, True)
