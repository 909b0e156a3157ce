"""Make the schema of version 0.3.0

Its tables are written down here and not taken from app/store/db/schema.py, which describes the newest version.

Revision: one_schema, the first
"""

from functools import partial
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "one_schema"
down_revision = None
branch_labels = None
depends_on = None

_SCHEMA = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)
_NOW = sa.text("valid_until IS NULL")


def upgrade() -> None:
    _SCHEMA.create_all(op.get_bind(), checkfirst=False)


def downgrade() -> None:
    raise NotImplementedError("this is the first schema")


def _columns(kind: Any, *names: str, null: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=null) for name in names]


def _parent(column: str, parent: str, ondelete: str | None = None) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint((column,), (parent,), ondelete=ondelete)


_texts = partial(_columns, sa.Text)
_numbers = partial(_columns, sa.Integer)
_floats = partial(_columns, sa.Float)
_times = partial(_columns, sa.DateTime(timezone=True))
_json = partial(_columns, sa.JSON)

sa.Table(
    "people",
    _SCHEMA,
    *_texts("id"),
    *_texts("name", null=True),
    *_times("created_at", "last_seen_at"),
    *_texts("avatar", "colour", null=True),
    *_times("deleted_at", null=True),
    sa.PrimaryKeyConstraint("id"),
)
sa.Table(
    "devices",
    _SCHEMA,
    *_texts("id", "person_id", "token_hash"),
    *_texts("label", null=True),
    *_times("created_at", "last_seen_at"),
    sa.PrimaryKeyConstraint("id"),
    _parent("person_id", "people.id", ondelete="CASCADE"),
    sa.UniqueConstraint("token_hash"),
    sa.Index("ix_devices_person_id", "person_id"),
)
sa.Table(
    "device_links",
    _SCHEMA,
    *_texts("token_hash", "person_id"),
    *_times("created_at", "expires_at"),
    *_times("used_at", null=True),
    sa.Column("keeps_other_devices", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.PrimaryKeyConstraint("token_hash"),
    _parent("person_id", "people.id", ondelete="CASCADE"),
    sa.Index("ix_device_links_person_id", "person_id"),
)
sa.Table(
    "saved_rules",
    _SCHEMA,
    *_texts("person_id", "id", "game", "name", "name_key"),
    *_json("options", "changed_options"),
    *_times("saved_at"),
    sa.PrimaryKeyConstraint("person_id", "id"),
    _parent("person_id", "people.id", ondelete="CASCADE"),
    sa.Index("ix_saved_rules_person_id_game_name_key", "person_id", "game", "name_key", unique=True),
)
sa.Table(
    "push_subscriptions",
    _SCHEMA,
    *_texts("person_id", "device_id", "endpoint", "p256dh", "auth", "language", "origin"),
    *_times("created_at"),
    *_times("last_sent_at", null=True),
    *_numbers("failure_count"),
    sa.PrimaryKeyConstraint("person_id", "device_id"),
    _parent("device_id", "devices.id", ondelete="CASCADE"),
    sa.Index("ix_push_subscriptions_device_id", "device_id"),
    sa.Index("ix_push_subscriptions_endpoint", "endpoint"),
)
sa.Table(
    "server_keys",
    _SCHEMA,
    *_texts("name", "secret"),
    *_times("created_at"),
    sa.PrimaryKeyConstraint("name"),
)
sa.Table(
    "planned_deletions",
    _SCHEMA,
    *_texts("kind", "id"),
    *_floats("due_seconds"),
    sa.PrimaryKeyConstraint("kind", "id"),
    sqlite_with_rowid=False,
)
sa.Table(
    "cleanup_times",
    _SCHEMA,
    *_texts("kind"),
    *_floats("running_seconds"),
    *_floats("last_deletion_seconds", null=True),
    sa.PrimaryKeyConstraint("kind"),
    sqlite_with_rowid=False,
)
sa.Table(
    "rooms",
    _SCHEMA,
    *_texts("id"),
    *_times("created_at", "active_at"),
    sa.PrimaryKeyConstraint("id"),
    sa.Index("ix_rooms_active_at", "active_at"),
)
sa.Table(
    "room_codes",
    _SCHEMA,
    *_texts("code", "invite", "room_id"),
    *_times("valid_from"),
    *_times("valid_until", null=True),
    sa.PrimaryKeyConstraint("code"),
    sa.UniqueConstraint("invite"),
    sa.Index("ix_room_codes_current", "room_id", unique=True, sqlite_where=_NOW, postgresql_where=_NOW),
    sa.Index("ix_room_codes_room_id", "room_id"),
)
sa.Table(
    "stats_links",
    _SCHEMA,
    *_texts("token", "room_id"),
    *_times("created_at"),
    sa.PrimaryKeyConstraint("token"),
    sa.UniqueConstraint("room_id"),
)
sa.Table(
    "match_directory",
    _SCHEMA,
    *_texts("match_id"),
    *_texts("room_id", "person_id", null=True),
    sa.PrimaryKeyConstraint("match_id"),
    _parent("person_id", "people.id", ondelete="CASCADE"),
    sa.CheckConstraint("(room_id IS NULL) <> (person_id IS NULL)", name="one_owner"),
    sa.Index("ix_match_directory_person_id", "person_id"),
    sqlite_with_rowid=False,
)
sa.Table(
    "chat_messages",
    _SCHEMA,
    *_texts("room_id"),
    *_numbers("id"),
    *_texts("match_id", "person_id", "name"),
    *_times("sent_at"),
    *_texts("text", "quick_message", null=True),
    sa.PrimaryKeyConstraint("room_id", "id"),
    _parent("person_id", "people.id", ondelete="CASCADE"),
    _parent("room_id", "rooms.id", ondelete="CASCADE"),
    sa.Index("ix_chat_messages_person_id", "person_id"),
)
sa.Table(
    "room_events",
    _SCHEMA,
    *_texts("room_id"),
    *_numbers("seq"),
    *_times("created_at"),
    *_texts("event_type"),
    *_json("data"),
    sa.Column("checksum", sa.BigInteger),
    sa.PrimaryKeyConstraint("room_id", "seq"),
    _parent("room_id", "rooms.id"),
)
sa.Table(
    "room_snapshots",
    _SCHEMA,
    *_texts("room_id"),
    *_numbers("seq"),
    *_json("state"),
    sa.PrimaryKeyConstraint("room_id"),
    _parent("room_id", "rooms.id"),
)
sa.Table(
    "room_visits",
    _SCHEMA,
    *_texts("room_id", "person_id"),
    *_times("last_visited_at"),
    sa.PrimaryKeyConstraint("room_id", "person_id"),
    _parent("room_id", "rooms.id", ondelete="CASCADE"),
    _parent("person_id", "people.id", ondelete="CASCADE"),
    sa.Index("ix_room_visits_person_id_last_visited_at", "person_id", "last_visited_at"),
    sqlite_with_rowid=False,
)
sa.Table(
    "matches",
    _SCHEMA,
    *_texts("room_id", "id", "game"),
    *_json("options", "players"),
    *_times("started_at"),
    *_times("ended_at", null=True),
    *_json("winners", "trailing_actions", null=True),
    *_texts("previous_match_id", null=True),
    *_json("initial_state", "origin", null=True),
    sa.PrimaryKeyConstraint("room_id", "id"),
    _parent("room_id", "rooms.id"),
    sa.Index("ix_matches_room_id_started_at", "room_id", "started_at", "id"),
)
sa.Table(
    "match_players",
    _SCHEMA,
    *_texts("room_id", "match_id", "name"),
    *_texts("person_id", null=True),
    *_times("joined_at"),
    *_numbers("total", null=True),
    sa.Column("won", sa.Boolean, nullable=False),
    *_times("started_at"),
    *_texts("game"),
    sa.PrimaryKeyConstraint("room_id", "match_id", "name"),
    sa.ForeignKeyConstraint(("room_id", "match_id"), ("matches.room_id", "matches.id"), ondelete="CASCADE"),
    _parent("person_id", "people.id", ondelete="SET NULL"),
    sa.Index("ix_match_players_person_id_game_started_at", "person_id", "game", "started_at", "match_id"),
    sa.Index("ix_match_players_person_id_room_id_started_at", "person_id", "room_id", "started_at", "match_id"),
    sa.Index("ix_match_players_person_id_started_at", "person_id", "started_at", "match_id"),
)
sa.Table(
    "hands",
    _SCHEMA,
    *_texts("room_id", "match_id"),
    *_numbers("hand_number"),
    *_times("ended_at"),
    *_json("record", "events", "result"),
    *_json("totals", null=True),
    sa.Column("is_aborted", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.PrimaryKeyConstraint("room_id", "match_id", "hand_number"),
    sa.ForeignKeyConstraint(("room_id", "match_id"), ("matches.room_id", "matches.id"), ondelete="CASCADE"),
)
sa.Table(
    "hand_initial_states",
    _SCHEMA,
    *_texts("room_id", "match_id"),
    *_numbers("hand_number"),
    *_json("state"),
    sa.PrimaryKeyConstraint("room_id", "match_id", "hand_number"),
    sa.ForeignKeyConstraint(("room_id", "match_id"), ("matches.room_id", "matches.id"), ondelete="CASCADE"),
    sqlite_with_rowid=False,
)
sa.Table(
    "point_adjustments",
    _SCHEMA,
    *_texts("room_id", "match_id"),
    *_numbers("before_hand"),
    *_texts("name"),
    *_numbers("position"),
    *_texts("reason_key"),
    *_json("reason_values"),
    *_numbers("amount"),
    *_texts("unit"),
    sa.PrimaryKeyConstraint("room_id", "match_id", "before_hand", "name", "position"),
    sa.ForeignKeyConstraint(("room_id", "match_id"), ("matches.room_id", "matches.id"), ondelete="CASCADE"),
    sqlite_with_rowid=False,
)
sa.Table(
    "imported_matches",
    _SCHEMA,
    *_texts("person_id", "id"),
    *_times("imported_at"),
    *_texts("content_hash", "game"),
    *_json("options", "players", "totals", "winners"),
    *_json("trailing_actions", "initial_state", "origin", null=True),
    *_numbers("hand_count"),
    sa.Column("is_finished", sa.Boolean, nullable=False),
    sa.Column("size_bytes", sa.Integer, nullable=False, server_default="0"),
    sa.PrimaryKeyConstraint("person_id", "id"),
    _parent("person_id", "people.id", ondelete="CASCADE"),
    sa.Index("ix_imported_matches_person_id_content_hash", "person_id", "content_hash", unique=True),
    sa.Index("ix_imported_matches_person_id_imported_at", "person_id", "imported_at", "id"),
)
sa.Table(
    "imported_hands",
    _SCHEMA,
    *_texts("person_id", "match_id"),
    *_numbers("hand_number"),
    *_json("record", "events", "result"),
    *_json("totals", "initial_state", null=True),
    sa.PrimaryKeyConstraint("person_id", "match_id", "hand_number"),
    sa.ForeignKeyConstraint(
        ("person_id", "match_id"), ("imported_matches.person_id", "imported_matches.id"), ondelete="CASCADE"
    ),
)
sa.Table(
    "room_stats",
    _SCHEMA,
    *_texts("room_id"),
    *_numbers("stats_version", "hands", "last_session"),
    *_times("last_hand_at", null=True),
    sa.PrimaryKeyConstraint("room_id"),
    _parent("room_id", "rooms.id"),
)
sa.Table(
    "counted_hands",
    _SCHEMA,
    *_texts("room_id"),
    *_numbers("room_hand_number"),
    *_texts("match_id"),
    *_numbers("hand_number"),
    *_texts("game"),
    *_numbers("session_number"),
    *_times("ended_at"),
    *_json("ranking", null=True),
    *_numbers("rating_order", null=True),
    sa.Column("with_bots", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.PrimaryKeyConstraint("room_id", "room_hand_number"),
    _parent("room_id", "rooms.id"),
    sa.ForeignKeyConstraint(
        ("room_id", "match_id", "hand_number"), ("hands.room_id", "hands.match_id", "hands.hand_number")
    ),
    sa.Index("ix_counted_hands_room_id_match_id_hand_number", "room_id", "match_id", "hand_number", unique=True),
    sa.Index("ix_counted_hands_room_id_session_number", "room_id", "session_number", "room_hand_number"),
    sqlite_with_rowid=False,
)
sa.Table(
    "counted_hand_players",
    _SCHEMA,
    *_texts("room_id"),
    *_numbers("room_hand_number"),
    *_texts("player_key", "name"),
    *_numbers("place", null=True),
    *_numbers("points"),
    *_numbers("total", "luck", null=True),
    *_texts("title_before", "title", null=True),
    *_numbers("rank_before", "rank_after", null=True),
    sa.PrimaryKeyConstraint("room_id", "room_hand_number", "player_key"),
    sa.ForeignKeyConstraint(
        ("room_id", "room_hand_number"), ("counted_hands.room_id", "counted_hands.room_hand_number"), ondelete="CASCADE"
    ),
    sqlite_with_rowid=False,
)
sa.Table(
    "point_reasons",
    _SCHEMA,
    *_texts("room_id"),
    *_numbers("room_hand_number", "position"),
    *_texts("player_key", "name", "reason_key"),
    *_json("reason_values"),
    *_numbers("amount"),
    *_texts("unit"),
    sa.PrimaryKeyConstraint("room_id", "room_hand_number", "position"),
    sa.ForeignKeyConstraint(
        ("room_id", "room_hand_number"), ("counted_hands.room_id", "counted_hands.room_hand_number"), ondelete="CASCADE"
    ),
    sqlite_with_rowid=False,
)
sa.Table(
    "highlights",
    _SCHEMA,
    *_texts("room_id"),
    *_numbers("room_hand_number", "position"),
    *_times("ended_at"),
    *_numbers("action_number", null=True),
    *_texts("event_type"),
    *_texts("player_key", "name", "cause", null=True),
    *_json("event_values"),
    sa.PrimaryKeyConstraint("room_id", "room_hand_number", "position"),
    sa.ForeignKeyConstraint(
        ("room_id", "room_hand_number"), ("counted_hands.room_id", "counted_hands.room_hand_number"), ondelete="CASCADE"
    ),
    sa.Index("ix_highlights_player_key_ended_at", "player_key", "ended_at"),
    sa.Index("ix_highlights_room_id_event_type", "room_id", "event_type", "room_hand_number"),
    sqlite_with_rowid=False,
)
sa.Table(
    "game_sessions",
    _SCHEMA,
    *_texts("room_id"),
    *_numbers("session_number"),
    *_times("began_at", "ended_at"),
    *_numbers("first_hand", "hands"),
    sa.Column("hands_with_bots", sa.Integer, nullable=False, server_default="0"),
    sa.PrimaryKeyConstraint("room_id", "session_number"),
    _parent("room_id", "rooms.id"),
    sqlite_with_rowid=False,
)
sa.Table(
    "session_players",
    _SCHEMA,
    *_texts("room_id"),
    *_numbers("session_number"),
    *_texts("game", "player_key"),
    *_times("last_hand_at"),
    *_numbers(
        "hands",
        "first_places",
        "points",
        "hands_on_top",
        "hands_at_bottom",
        "luck_sum",
        "placement_sum",
        "hands_with_luck",
    ),
    sa.PrimaryKeyConstraint("room_id", "session_number", "game", "player_key"),
    _parent("room_id", "rooms.id"),
    sa.Index("ix_session_players_player_key_last_hand_at", "player_key", "last_hand_at"),
    sqlite_with_rowid=False,
)
sa.Table(
    "room_players",
    _SCHEMA,
    *_texts("room_id", "player_key", "name"),
    *_numbers("hands"),
    *_times("first_hand_at", "last_hand_at"),
    sa.Column("hands_with_bots", sa.Integer, nullable=False, server_default="0"),
    sa.PrimaryKeyConstraint("room_id", "player_key"),
    _parent("room_id", "rooms.id"),
    sa.Index("ix_room_players_player_key_last_hand_at", "player_key", "last_hand_at"),
    sqlite_with_rowid=False,
)
sa.Table(
    "merged_players",
    _SCHEMA,
    *_texts("room_id", "player_key", "merged_into"),
    sa.PrimaryKeyConstraint("room_id", "player_key"),
    _parent("room_id", "rooms.id"),
    sa.Index("ix_merged_players_merged_into", "merged_into"),
    sqlite_with_rowid=False,
)
sa.Table(
    "counters",
    _SCHEMA,
    *_texts("room_id", "game", "player_key", "counter_key"),
    *_numbers("value"),
    sa.PrimaryKeyConstraint("room_id", "game", "player_key", "counter_key"),
    _parent("room_id", "rooms.id"),
    sa.Index("ix_counters_player_key", "player_key"),
    sqlite_with_rowid=False,
)
sa.Table(
    "head_to_head",
    _SCHEMA,
    *_texts("room_id", "game", "player_key", "opponent_key"),
    *_numbers("hands", "wins", "losses"),
    sa.PrimaryKeyConstraint("room_id", "game", "player_key", "opponent_key"),
    _parent("room_id", "rooms.id"),
    sa.Index("ix_head_to_head_opponent_key", "opponent_key"),
    sa.Index("ix_head_to_head_player_key", "player_key"),
    sqlite_with_rowid=False,
)
sa.Table(
    "streaks",
    _SCHEMA,
    *_texts("room_id", "game", "rank_end"),
    *_numbers("first_hand"),
    *_texts("player_key"),
    *_numbers("hands"),
    *_times("began_at", "ended_at"),
    sa.PrimaryKeyConstraint("room_id", "game", "rank_end", "first_hand"),
    _parent("room_id", "rooms.id"),
    sa.Index("ix_streaks_player_key_game_rank_end_hands", "player_key", "game", "rank_end", "hands"),
    sa.Index("ix_streaks_room_id_game_rank_end_hands", "room_id", "game", "rank_end", "hands", "first_hand"),
    sqlite_with_rowid=False,
)
sa.Table(
    "ratings",
    _SCHEMA,
    *_texts("person_id", "game"),
    *_floats("mu", "sigma"),
    *_numbers("hands", "rating_order"),
    sa.PrimaryKeyConstraint("person_id", "game"),
    sqlite_with_rowid=False,
)
