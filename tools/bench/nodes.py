"""`python -m tools bench nodes`: measure the throughput of one, two and four servers on one PostgreSQL database.

Each server gets an equal share of the rooms, as behind a proxy that routes by room id. Bots, servers and database share
the processors of one machine. Therefore compare actions per CPU second of the servers and of the database instead of
the rate.
"""

import asyncio
import json
import operator
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import sqlalchemy as sa

from app.store.db.engines import make_engine, parse_url
from tools.bench.rooms import Bench
from tools.local_server.server_process import LocalServer
from tools.local_server.system_info import cpu_seconds, describe_environment


@click.command()
@click.option(
    "--nodes", "counts", multiple=True, type=click.IntRange(1), default=(1, 2, 4), show_default=True, help="Servers."
)
@click.option(
    "--rooms", default=48, show_default=True, help="Rooms that play at the same time, on all servers together."
)
@click.option("--seconds", default=10.0, show_default=True, help="Seconds for each measurement, after warming up.")
@click.option(
    "--rate", default=0.0, show_default=True, help="Actions per second over all rooms. 0: as fast as possible."
)
@click.option("--game", default="president", show_default=True)
@click.option(
    "--database",
    "databases",
    multiple=True,
    required=True,
    help="DATABASE_URL of a PostgreSQL. Several are measured by turns, for example whole tables and split ones.",
)
@click.option("--rounds", default=1, show_default=True, help="Measurements of each database and number of servers.")
@click.option("--pooler", help="Address through PgBouncer in transaction mode. --database is the direct one then.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def nodes(
    counts: Sequence[int],
    rooms: int,
    seconds: float,
    rate: float,
    game: str,
    databases: Sequence[str],
    rounds: int,
    pooler: str | None,
    as_json: bool,
) -> None:
    """Measure the given numbers of servers on one PostgreSQL, one after the other, with bots over real sockets."""
    if not all(each.startswith("postgres") for each in databases):
        raise click.UsageError("Several nodes share a PostgreSQL: give its address with --database.")
    measured = [
        {"database_number": number, **measure_nodes(count, rooms, seconds, rate, game, database, pooler)}
        for _ in range(rounds)
        for count in counts
        for number, database in enumerate(databases, 1)
    ]
    environment = describe_environment(databases[0])
    if as_json:
        click.echo(json.dumps({"nodes": measured, "environment": environment}))
        return
    click.echo(f"{rooms} rooms of 4, {game}, {seconds:g} seconds each")
    for one in measured:
        where = f"database {one['database_number']}, " if len(databases) > 1 else ""
        click.echo(f"  {where}{_format_result(one)}")
    known = {key: value for key, value in environment.items() if value is not None}
    click.echo("  " + ", ".join(f"{key} {value}" for key, value in known.items()))


def _format_result(one: dict[str, Any]) -> str:
    said = f"{one['nodes']} nodes: {one['actions_per_second']:.0f} actions a second, p99 at most {one['p99_ms']:.0f} ms"
    for whose in ("servers", "database"):
        if one[whose] is not None:
            said += f"; {one[whose]:.0f} actions for each second of a processor in the {whose}"
    return said


def measure_nodes(
    count: int, rooms: int, seconds: float, rate: float, game: str, database: str, pooler: str | None = None
) -> dict[str, Any]:
    """Play on this number of servers that share a PostgreSQL, and return the figures.

    `rate`: actions per second on all servers together, 0 for no limit. `pooler`: the address through PgBouncer.
    """
    servers = [
        LocalServer(database) if pooler is None else LocalServer(pooler, DATABASE_DIRECT_URL=database)
        for _ in range(count)
    ]
    try:
        for server in servers:
            server.start()
        shares = [rooms // count + (n < rooms % count) for n in range(count)]
        benches = [
            Bench(server, share, 4, game, rate * share / rooms)
            for server, share in zip(servers, shares, strict=True)
            if share
        ]
        before: list[tuple[float | None, list[float]]] = []
        read = partial(_read_database, database, servers)
        asyncio.run(_run_benches(benches, seconds, lambda: before.append(read())))
        after, commits = read()
    finally:
        for server in servers:
            server.stop()
    results = [bench.result() for bench in benches]
    actions = sum(one["actions_per_second"] * one["seconds"] for one in results)
    used = [one["server_cpu"] * one["seconds"] for one in results if one["server_cpu"] is not None]
    [(earlier, earlier_commits)] = before
    theirs = None if after is None or earlier is None else after - earlier
    count_commits, commit_seconds = map(operator.sub, commits, earlier_commits)
    return {
        "nodes": count,
        "actions_per_second": sum(one["actions_per_second"] for one in results),
        "p99_ms": max(one["p99_ms"] for one in results),
        "servers": actions / sum(used) if sum(used) else None,
        "database": actions / theirs if theirs else None,
        "clients": actions / (results[0]["bots_cpu"] * results[0]["seconds"]),
        "actions_per_commit": actions / count_commits,
        "commit_ms": commit_seconds / count_commits * 1000,
    }


def _read_database(database: str, servers: Sequence[LocalServer]) -> tuple[float | None, list[float]]:
    """Return the processor time of PostgreSQL, and the number and the seconds of all commits of the servers."""
    names = ("pecking_order_commit_seconds_count", "pecking_order_commit_seconds_sum")
    lines = [line.split() for server in servers for line in server.request("GET", "/metrics")[1].decode().splitlines()]
    commits = [sum(float(line[1]) for line in lines if line[0] == name) for name in names]
    return database_cpu_seconds(database), commits


async def _run_benches(benches: Sequence[Bench], seconds: float, begin: Any) -> None:
    """Run benchmarks of several servers at the same time; call `begin` after the warm-up, when counting begins."""
    together = asyncio.Barrier(len(benches) + 1)
    playing = [asyncio.create_task(bench.run(seconds, together)) for bench in benches]
    await together.wait()
    begin()
    await asyncio.gather(*playing)


def database_cpu_seconds(database: str) -> float | None:
    """Return the processor time in seconds of all PostgreSQL processes so far; None if they run elsewhere.

    `database` is the URL.
    """
    engine = make_engine(parse_url(database), readonly=True)
    try:
        with engine.connect() as connection:
            backend = int(connection.execute(sa.text("SELECT pg_backend_pid()")).scalar_one())
            server = _parent_pid(backend)  # works only while this connection is open
    finally:
        engine.dispose()
    used = None if server is None else cpu_seconds(server, ended_children=True)
    if used is None:
        return None
    running = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    return used + sum(cpu_seconds(pid) or 0.0 for pid in running if _parent_pid(pid) == server)


def _parent_pid(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[1])
    except OSError:
        return None
