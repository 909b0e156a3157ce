"""Test that queries for stats pages use an index instead of reading tables that grow with the hands."""

import re
from functools import partial
from typing import Any

import sqlalchemy as sa

from app.store.db.database import Database
from app.store.db.schema import counted_hand_players
from tests.store import seeding

GROWS = {
    *("matches", "match_directory", "match_players", "hands", "hand_initial_states", "point_adjustments"),
    *("counted_hands", "counted_hand_players", "point_reasons", "highlights"),
    *("ratings", "room_visits", "rooms"),
}


async def test_every_stats_query_uses_an_index(database: Database) -> None:
    await database.write(lambda connection: seeding.seed(connection, 2, 1000))
    of_others = counted_hand_players.c.room_id == "room-1", counted_hand_players.c.player_key == "ana"
    other = counted_hand_players.update().where(*of_others).values(player_key="eve")
    await database.write(lambda connection: connection.execute(other))
    await database.write(lambda connection: connection.execute(sa.text("ANALYZE")))
    asked: list[tuple[str, Any]] = []

    def note(_connection: object, _cursor: object, statement: str, parameters: Any, *_rest: object) -> None:
        asked.append((statement, parameters))

    explain = _sqlite if database.dialect == "sqlite" else _postgres
    for name, answer in seeding.questions(database):
        sa.event.listen(database._readers, "before_cursor_execute", note)
        await answer
        sa.event.remove(database._readers, "before_cursor_execute", note)
        assert asked, name
        while asked:
            ask = asked.pop()
            wrong = await database.read(partial(explain, ask=ask))
            assert not wrong, f"{name}: {ask[0]} {wrong}"


def _sqlite(connection: sa.Connection, ask: tuple[str, Any]) -> list[str]:
    """Return the steps that scan a growing table, or sort all rows to return the first ones."""
    plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {ask[0]}", ask[1]).all()
    steps = [row[3] for row in plan]
    sorts = [
        step for step in steps if "B-TREE FOR ORDER BY" in step and " LIMIT " in ask[0] and " GROUP BY " not in ask[0]
    ]
    return [step for step in steps if step.startswith("SCAN") and GROWS & set(re.findall(r"\w+", step))] + sorts


def _postgres(connection: sa.Connection, ask: tuple[str, Any]) -> list[str]:
    """Return the same for PostgreSQL, which scans and sorts small tables only if this is allowed."""
    for way in ("seqscan", "bitmapscan", "sort", "hashjoin", "mergejoin"):
        connection.exec_driver_sql(f"SET LOCAL enable_{way} = off")
    plan = "\n".join(row[0] for row in connection.exec_driver_sql(f"EXPLAIN {ask[0]}", ask[1]))
    nodes = re.split(r"\n\s*->\s*", plan)
    whole = [node for node in nodes if node.startswith("Seq Scan")]
    whole += [node for node in nodes if re.match(r"Index (Only )?Scan", node) and "Index Cond" not in node]
    whole = [node for node in whole if GROWS & set(re.findall(r"\w+", node.partition(" on ")[2].partition("\n")[0]))]
    return whole + [
        node for node in nodes if node.startswith("Sort") and " LIMIT " in ask[0] and " GROUP BY " not in ask[0]
    ]


def _limits_rows(query: str) -> bool:
    """Return whether a query reads only the first rows. A query of sums needs all rows, so it may sort its groups."""
    return "LIMIT" in query and " GROUP BY " not in query
