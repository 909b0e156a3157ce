"""Load a database of an earlier version, and multiply its rows."""

import gzip
from pathlib import Path
from typing import Final

import psycopg
import sqlalchemy as sa

from app.store.db.engines import make_engine, parse_url

DATABASES: Final = Path(__file__).parent / "databases"
_MULTIPLIED: Final = (
    *("rooms", "matches", "match_directory", "match_players", "hand_initial_states", "hands", "point_adjustments"),
    *("counted_hands", "counted_hand_players", "point_reasons", "highlights", "merged_players"),
)
"""Tables of the history and the statistics, which migrations rewrite. Logs, which they don't, are not multiplied."""


def load_database(url: str, name: str) -> None:
    """Fill an empty database with that of an earlier version. An SQLite file must not exist yet."""
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite":
        Path(parsed.database or "").write_bytes(gzip.decompress((DATABASES / f"{name}.sqlite3.gz").read_bytes()))
        return
    lines = gzip.decompress((DATABASES / f"{name}.sql.gz").read_bytes()).decode().splitlines()
    # Only psql understands lines with a backslash at the start.
    statements = "\n".join(line for line in lines if not line.startswith("\\"))
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        connection.execute(statements)


def multiply_hands(url: str, hands: int) -> int:
    """Copy the rooms with their history and statistics until there are this number of hands; return their number."""
    engine = make_engine(parse_url(url), migrating=True)
    with engine.begin() as connection:
        inspector = sa.inspect(connection)
        first: int = connection.execute(sa.text("SELECT count(*) FROM counted_hands")).scalar_one()
        copies = -(-max(0, hands - first) // first)
        for table in _MULTIPLIED:
            columns = [column["name"] for column in inspector.get_columns(table)]
            values = [_copied(table, column) for column in columns]
            connection.execute(
                sa.text(
                    "WITH RECURSIVE copy(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < :copies) "
                    f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} "
                    f"FROM {table} AS t CROSS JOIN copy WHERE :copies > 0"
                ),
                {"copies": copies},
            )
        count: int = connection.execute(sa.text("SELECT count(*) FROM counted_hands")).scalar_one()
        connection.execute(sa.text("ANALYZE"))
    engine.dispose()
    return count


def _copied(table: str, column: str) -> str:
    """Return the value of a column in a copied row, as SQL: ids of rooms and matches get the number of the copy."""
    is_id = column in ("room_id", "match_id", "previous_match_id") or (table in ("rooms", "matches") and column == "id")
    return f"t.{column} || '-' || copy.n" if is_id else f"t.{column}"
