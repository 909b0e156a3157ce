"""The names that tables and columns had before the migration `one_schema`, to fill databases of that time."""

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
"""Rows by table."""

FORMER = {
    "people": ("people", {"avatar": "bird", "last_seen_at": "seen_at", "deleted_at": "forgotten_at"}),
    "devices": ("devices", {"created_at": "made_at", "last_seen_at": "seen_at"}),
    "device_links": ("recovery_tokens", {"keeps_other_devices": "adds"}),
    "saved_rules": ("house_rules", {"name_key": "same", "changed_options": "changed", "saved_at": "kept_at"}),
    "push_subscriptions": (
        "push_subscriptions",
        {"origin": "site", "created_at": "since", "last_sent_at": "called_at", "failure_count": "missed"},
    ),
    "server_keys": ("server_keys", {"created_at": "made_at"}),
    "planned_deletions": ("planned_deletions", {"due_seconds": "due"}),
    "cleanup_times": ("cleanup_time", {"running_seconds": "seconds", "last_deletion_seconds": "deleted_at"}),
    "room_codes": ("addresses", {"room_id": "room", "valid_from": "since", "valid_until": "until"}),
    "stats_links": ("book_links", {"room_id": "room", "token": "secret", "created_at": "since"}),
    "chat_messages": ("chat_lines", {"room_id": "room", "sent_at": "at", "quick_message": "quick"}),
    "room_events": ("room_entry", {"room_id": "room", "created_at": "at", "event_type": "kind"}),
    "room_snapshots": ("room_snapshot", {"room_id": "room"}),
    "room_visits": ("visits", {"room_id": "room", "last_visited_at": "last_at"}),
    "matches": (
        "matches",
        {"room_id": "room", "trailing_actions": "after", "previous_match_id": "continues", "initial_state": "carried"},
    ),
    "match_players": ("match_players", {"room_id": "room", "joined_at": "came_at"}),
    "hands": ("hands", {"hand_number": "number", "is_aborted": "cut_off"}),
    "hand_initial_states": ("hand_starts", {"hand_number": "number", "state": "society"}),
    "point_adjustments": (
        "entered",
        {"before_hand": "hand", "position": "place", "reason_key": "key", "reason_values": "values"},
    ),
    "imported_matches": (
        "imported_matches",
        {
            "content_hash": "digest",
            "trailing_actions": "after",
            "initial_state": "carried",
            "hand_count": "hands",
            "is_finished": "over",
            "size_bytes": "bytes",
        },
    ),
    "imported_hands": ("imported_hands", {"hand_number": "number", "initial_state": "society"}),
    "counted_hands": (
        "room_hands",
        {
            "room_id": "room",
            "room_hand_number": "nth",
            "hand_number": "hand",
            "session_number": "evening",
            "ended_at": "at",
            "ranking": "ranked",
            "rating_order": "rated",
        },
    ),
    "counted_hand_players": (
        "hand_players",
        {"room_id": "room", "room_hand_number": "nth", "player_key": "player", "rank_after": "rank"},
    ),
    "point_reasons": (
        "reasons",
        {
            "room_id": "room",
            "room_hand_number": "nth",
            "position": "place",
            "player_key": "player",
            "reason_key": "key",
            "reason_values": "values",
        },
    ),
    "highlights": (
        "moments",
        {
            "room_id": "room",
            "room_hand_number": "nth",
            "position": "place",
            "ended_at": "at",
            "action_number": "n",
            "event_type": "what",
            "player_key": "player",
            "event_values": "values",
        },
    ),
    "merged_players": ("same_players", {"room_id": "room", "player_key": "player", "merged_into": "is_player"}),
    "ratings": ("ratings", {"person_id": "person"}),
}
"""By today's table: the former table, and the former name of each renamed column."""
OF_EARLIER = ("hearts", "alembic_version", "match_directory")
"""Tables without rows to convert."""


def all_rows(connection: sa.Connection) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of all tables, in no particular order."""
    reflected = sa.MetaData()
    reflected.reflect(connection)
    return {
        table.name: [dict(row) for row in connection.execute(sa.select(table)).mappings()]
        for table in reflected.sorted_tables
    }


def insert_former_rows(connection: sa.Connection, rows: Rows) -> None:
    """Insert rows of today's tables into the former tables. Columns that a former table lacks are left out."""
    reflected = sa.MetaData()
    reflected.reflect(connection)
    current = {former: (name, columns) for name, (former, columns) in FORMER.items()}
    for table in reflected.sorted_tables:
        name, columns = current.get(table.name, (table.name, {}))
        if name in OF_EARLIER:
            continue
        former = [{columns.get(column, column): value for column, value in row.items()} for row in rows.get(name, ())]
        known = [{column.name: row[column.name] for column in table.columns if column.name in row} for row in former]
        if known:
            connection.execute(table.insert(), known)
