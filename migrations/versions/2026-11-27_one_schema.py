"""Give tables and columns standard names, and put room_id or person_id first in the keys

The tables whose keys change were copied before (schema_copy). Here the copies replace them, and all other tables are
renamed in place: their rows are not touched.

Revision: one_schema, after schema_copy
"""

import sqlalchemy as sa
from alembic import op
from alembic.script import ScriptDirectory

from app.store.maintenance.copy_in_pieces import PROGRESS, ROWS_PER_PIECE, Copy, copy_all

revision = "one_schema"
down_revision = "schema_copy"
branch_labels = None
depends_on = None

# Rows of the first tables refer to the later ones.
REPLACED = (
    *("room_hands", "hands", "hand_starts", "entered", "match_players", "matches", "imported_hands"),
    *("imported_matches", "visits", "addresses", "book_links", "house_rules", "push_subscriptions", "ratings"),
)
TABLES = {
    "recovery_tokens": "device_links",
    "house_rules": "saved_rules",
    "cleanup_time": "cleanup_times",
    "addresses": "room_codes",
    "book_links": "stats_links",
    "chat_lines": "chat_messages",
    "room_entry": "room_events",
    "room_snapshot": "room_snapshots",
    "visits": "room_visits",
    "hand_starts": "hand_initial_states",
    "entered": "point_adjustments",
    "books": "room_stats",
    "room_hands": "counted_hands",
    "hand_players": "counted_hand_players",
    "reasons": "point_reasons",
    "moments": "highlights",
    "evenings": "game_sessions",
    "evening_players": "session_players",
    "same_players": "merged_players",
    "tallies": "counters",
    "pairs": "head_to_head",
    "reigns": "streaks",
}
COLUMNS = {
    "people": {"bird": "avatar", "seen_at": "last_seen_at", "forgotten_at": "deleted_at"},
    "devices": {"made_at": "created_at", "seen_at": "last_seen_at"},
    "device_links": {"adds": "keeps_other_devices"},
    "server_keys": {"made_at": "created_at"},
    "planned_deletions": {"due": "due_seconds"},
    "cleanup_times": {"seconds": "running_seconds", "deleted_at": "last_deletion_seconds"},
    "chat_messages": {"room": "room_id", "at": "sent_at", "quick": "quick_message"},
    "room_events": {"room": "room_id", "at": "created_at", "kind": "event_type"},
    "room_snapshots": {"room": "room_id"},
    "room_stats": {
        "room": "room_id",
        "version": "stats_version",
        "evening": "last_session",
        "last_at": "last_hand_at",
    },
    "counted_hands": {"room": "room_id", "nth": "room_hand_number"},
    "counted_hand_players": {
        "room": "room_id",
        "nth": "room_hand_number",
        "player": "player_key",
        "rank": "rank_after",
    },
    "point_reasons": {
        "room": "room_id",
        "nth": "room_hand_number",
        "place": "position",
        "player": "player_key",
        "key": "reason_key",
        "values": "reason_values",
    },
    "highlights": {
        "room": "room_id",
        "nth": "room_hand_number",
        "place": "position",
        "at": "ended_at",
        "n": "action_number",
        "what": "event_type",
        "player": "player_key",
        "values": "event_values",
    },
    "game_sessions": {
        "room": "room_id",
        "number": "session_number",
        "first": "first_hand",
        "with_bots": "hands_with_bots",
    },
    "session_players": {
        "room": "room_id",
        "evening": "session_number",
        "player": "player_key",
        "at": "last_hand_at",
        "first": "first_places",
        "top": "hands_on_top",
        "bottom": "hands_at_bottom",
        "luck": "luck_sum",
        "made": "placement_sum",
        "dealt": "hands_with_luck",
    },
    "room_players": {
        "room": "room_id",
        "player": "player_key",
        "first_at": "first_hand_at",
        "last_at": "last_hand_at",
        "with_bots": "hands_with_bots",
    },
    "merged_players": {"room": "room_id", "player": "player_key", "is_player": "merged_into"},
    "counters": {"room": "room_id", "player": "player_key", "key": "counter_key", "n": "value"},
    "head_to_head": {
        "room": "room_id",
        "player": "player_key",
        "other": "opponent_key",
        "together": "hands",
        "above": "wins",
        "below": "losses",
    },
    "streaks": {"room": "room_id", "end": "rank_end", "began": "first_hand", "player": "player_key"},
}
# Indexes of tables that are renamed in place: by new table, the old name, the new name and the columns.
RENAMED_INDEXES = {
    "device_links": [("ix_recovery_tokens_person_id", "ix_device_links_person_id", ["person_id"])],
    "chat_messages": [("ix_chat_lines_person_id", "ix_chat_messages_person_id", ["person_id"])],
    "highlights": [
        (
            "ix_moments_room_what_nth",
            "ix_highlights_room_id_event_type",
            ["room_id", "event_type", "room_hand_number"],
        ),
        ("ix_moments_player_at", "ix_highlights_player_key_ended_at", ["player_key", "ended_at"]),
    ],
    "session_players": [
        (
            "ix_evening_players_player_at",
            "ix_session_players_player_key_last_hand_at",
            ["player_key", "last_hand_at"],
        )
    ],
    "room_players": [
        ("ix_room_players_player_last_at", "ix_room_players_player_key_last_hand_at", ["player_key", "last_hand_at"])
    ],
    "merged_players": [("ix_same_players_is_player", "ix_merged_players_merged_into", ["merged_into"])],
    "counters": [("ix_tallies_player", "ix_counters_player_key", ["player_key"])],
    "head_to_head": [
        ("ix_pairs_player", "ix_head_to_head_player_key", ["player_key"]),
        ("ix_pairs_other", "ix_head_to_head_opponent_key", ["opponent_key"]),
    ],
    "streaks": [
        (
            "ix_reigns_room_game_end_hands",
            "ix_streaks_room_id_game_rank_end_hands",
            ["room_id", "game", "rank_end", "hands", "first_hand"],
        ),
        (
            "ix_reigns_player_game_end_hands",
            "ix_streaks_player_key_game_rank_end_hands",
            ["player_key", "game", "rank_end", "hands"],
        ),
    ],
}
PLAYER_INDEXES = {
    "": ["person_id", "started_at", "match_id"],
    "game_": ["person_id", "game", "started_at", "match_id"],
    "room_id_": ["person_id", "room_id", "started_at", "match_id"],
}


def upgrade() -> None:
    connection = op.get_bind()
    copies: tuple[Copy, ...] = (
        ScriptDirectory.from_config(op.get_context().config).get_revision("schema_copy").module.COPIES
    )
    copy_all(connection, copies)
    _replace_tables(connection)
    for old, new in TABLES.items():
        op.rename_table(old, new)
    quote = connection.dialect.identifier_preparer.quote
    for table, columns in COLUMNS.items():
        for old, new in columns.items():
            op.execute(f"ALTER TABLE {table} RENAME COLUMN {quote(old)} TO {quote(new)}")
    if connection.dialect.name == "postgresql":
        for table in ("counted_hand_players", "point_reasons", "highlights"):
            hand = ["room_id", "room_hand_number"]
            op.create_foreign_key(None, table, "counted_hands", hand, hand, ondelete="CASCADE")
        op.execute("DROP TABLE IF EXISTS hearts")
    _rename_constraints(connection)
    _make_indexes(connection)
    _set_rating_order(connection)
    op.drop_table(PROGRESS)


def downgrade() -> None:
    raise NotImplementedError("go back with a backup of before")


def _replace_tables(connection: sa.Connection) -> None:
    """Put the copies in the place of the tables that they are copies of, still under the old names."""
    if connection.dialect.name == "postgresql":
        for table in ("hand_players", "reasons", "moments"):
            op.drop_constraint(f"fk_{table}_room_nth", table, type_="foreignkey")
    for table in REPLACED:
        op.drop_table(table)
    # SQLite: tables that refer to a dropped table then refer to its copy, since only the name counts.
    for table in REPLACED:
        op.rename_table(f"{table}_new", table)


def _rename_constraints(connection: sa.Connection) -> None:
    """Name primary keys, foreign keys and unique constraints by the convention of app/store/db/schema.py."""
    inspector = sa.inspect(connection)
    for table in inspector.get_table_names():
        if table in ("alembic_version", PROGRESS):
            continue
        expected = [(inspector.get_pk_constraint(table)["name"], f"pk_{table}")]
        for kind, found in (
            ("fk", inspector.get_foreign_keys(table)),
            ("uq", inspector.get_unique_constraints(table)),
        ):
            for each in found:
                columns = each["constrained_columns"] if "constrained_columns" in each else each["column_names"]
                expected.append((each["name"], f"{kind}_{table}_{'_'.join(columns)}"))
        _rename_constraints_of(connection, table, {str(old): new for old, new in expected if old != new})


def _rename_constraints_of(connection: sa.Connection, table: str, names: dict[str, str]) -> None:
    if connection.dialect.name == "postgresql":
        for old, new in names.items():
            op.execute(f'ALTER TABLE {table} RENAME CONSTRAINT "{old}" TO "{new}"')
        return
    if not names:
        return
    # SQLite can't rename a constraint. Its name exists only in the text of the table's definition.
    here = {"table": table}
    definition = sa.text("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = :table")
    text: str = connection.execute(definition, here).scalar_one()
    for old, new in names.items():
        before, text = text, text.replace(f"CONSTRAINT {old} ", f"CONSTRAINT {new} ")
        if text == before:
            raise RuntimeError(f"the definition of {table} has no constraint {old}")
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    change = sa.text("UPDATE sqlite_master SET sql = :sql WHERE type = 'table' AND name = :table")
    connection.execute(change, {**here, "sql": text})
    connection.exec_driver_sql("PRAGMA writable_schema = OFF")
    # Every connection reads the definitions again.
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1:d}")


def _make_indexes(connection: sa.Connection) -> None:
    for table, indexes in RENAMED_INDEXES.items():
        for old, new, columns in indexes:
            if connection.dialect.name == "postgresql":
                op.execute(f"ALTER INDEX {old} RENAME TO {new}")
            else:
                op.drop_index(old, table)
                op.create_index(new, table, columns)
    op.create_index("ix_matches_room_id_started_at", "matches", ["room_id", "started_at", "id"])
    for name, columns in PLAYER_INDEXES.items():
        op.create_index(f"ix_match_players_person_id_{name}started_at", "match_players", columns)
    hand = ["room_id", "match_id", "hand_number"]
    op.create_index("ix_counted_hands_room_id_match_id_hand_number", "counted_hands", hand, unique=True)
    session = ["room_id", "session_number", "room_hand_number"]
    op.create_index("ix_counted_hands_room_id_session_number", "counted_hands", session)
    op.create_index("ix_room_visits_person_id_last_visited_at", "room_visits", ["person_id", "last_visited_at"])
    op.create_index("ix_room_codes_room_id", "room_codes", ["room_id"])
    now = sa.text("valid_until IS NULL")
    op.create_index(
        "ix_room_codes_current", "room_codes", ["room_id"], unique=True, sqlite_where=now, postgresql_where=now
    )
    game = ["person_id", "game", "name_key"]
    op.create_index("ix_saved_rules_person_id_game_name_key", "saved_rules", game, unique=True)
    for column in ("device_id", "endpoint"):
        op.create_index(f"ix_push_subscriptions_{column}", "push_subscriptions", [column])
    same = ["person_id", "content_hash"]
    op.create_index("ix_imported_matches_person_id_content_hash", "imported_matches", same, unique=True)
    newest = ["person_id", "imported_at", "id"]
    op.create_index("ix_imported_matches_person_id_imported_at", "imported_matches", newest)
    op.create_index("ix_match_directory_person_id", "match_directory", ["person_id"])


def _set_rating_order(connection: sa.Connection) -> None:
    """Set each person's last number in the rating order: until now it was found by a look at all rooms."""
    hands = sa.table("counted_hands", *map(sa.column, ("game", "rating_order")), sa.column("ranking", sa.JSON))
    query = sa.select(hands.c.game, hands.c.ranking, hands.c.rating_order).where(hands.c.rating_order.is_not(None))
    last: dict[tuple[str, str], int] = {}
    for game, ranking, order in connection.execute(query.execution_options(yield_per=ROWS_PER_PIECE)):
        for person in ranking or ():
            last[person, game] = max(order, last.get((person, game), 0))
    ratings = sa.table("ratings", *map(sa.column, ("person_id", "game", "rating_order")))
    change = ratings.update().values(rating_order=sa.bindparam("number"))
    change = change.where(ratings.c.person_id == sa.bindparam("person"), ratings.c.game == sa.bindparam("of"))
    if last:
        rows = [{"person": person, "of": game, "number": number} for (person, game), number in last.items()]
        connection.execute(change, rows)
